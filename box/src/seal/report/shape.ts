/**
 * The shape of an attendance report. It is signed as canonical JSON: whole numbers and texts only, absent values are
 * left out, times are ISO 8601 in UTC. Tickets appear by their reference, staff by the name that they gave.
 */

export interface Report {
  readonly format: 'gatehouse/attendance-report/v1'
  /** Name of the log: `gatehouse/<event>/<box>`. */
  readonly origin: string
  readonly software: string
  readonly made_at: string
  readonly box: string
  /** From the last version of the event file, like the names of zones, tiers, gates and checkpoints below. */
  readonly event: { id: string; name: string; timezone: string; starts_at: string; ends_at: string }
  readonly entries: number
  /** The box's clock at the first entry and at the last. */
  readonly from: string
  readonly until: string
  /** Entries of each kind. */
  readonly kinds: Counts
  readonly people: People
  /** People whom scanners let through offline, as reported afterwards. */
  readonly offline: { in: number; out: number }
  readonly devices: { enrolled: number; revoked: number }
  /** Verdicts of scans; a supervisor's override does not change them. */
  readonly verdicts: Counts
  readonly zones: readonly ZoneRow[]
  readonly tiers: readonly TierRow[]
  readonly gates: readonly GateRow[]
  readonly checkpoints: readonly CheckpointRow[]
  readonly hours: readonly HourRow[]
  readonly flags: readonly FlagRow[]
  readonly overrides: readonly OverrideRow[]
  readonly incidents: readonly IncidentRow[]
  readonly holds: readonly HoldRow[]
  readonly modes: readonly ModeSpan[]
  readonly seals: readonly SealRow[]
  /** If the event has several boxes, `entries`, `kinds` and `modes` are about this one's log, and everything else is about all. */
  readonly mesh?: MeshReport
}

export interface MeshReport {
  /** Provisional passages at all boxes: no other box was asked about them. */
  provisional: number
  boxes: readonly MeshBox[]
  double_uses: readonly DoubleUse[]
  /** For each log, the size of the newest seal that another box has cosigned. */
  cosigned: readonly { box: string; witness: string; size: number }[]
}

/** A right that was used more than once: the places and the order. Its ticket is in `flags`. */
export interface DoubleUse {
  flag: string
  /** Certainty that the first of the records was first; `uncertain` where only clocks could say, and they are too close, or a scanner's. */
  order: 'certain' | 'uncertain'
  records: readonly UseRecord[]
}

export interface UseRecord {
  scan_id: string
  box: string
  checkpoint: string
  /** By the clock of that box; for an offline admission, by the scanner's. */
  at: string
  /** `confirmed`: the boxes had agreed that no other had admitted on this right. */
  confidence: string
}

/** Another box, by its replicated entries. */
export interface MeshBox {
  box: string
  /** Verifier key of its log. */
  key: string
  /** Entries of its log that were replicated to this one. */
  entries: number
  modes: readonly ModeSpan[]
  seals: readonly SealRow[]
}

export type Counts = { readonly [name: string]: number }

export interface People {
  /** Arrivals, departures and the difference: people, not tickets. */
  arrived: number
  left: number
  inside: number
  /** Tickets with at least one admission. */
  tickets: number
  /** Among the passages, those whose code belonged to no ticket, let through by an offline scanner. */
  without_ticket: number
}

export interface ZoneRow {
  id: string
  name: string
  capacity: number
  in: number
  out: number
  /** The difference; negative where people leave by other ways than they came. */
  inside: number
}

export interface TierRow {
  id: string
  name: string
  tickets: number
  admissions: number
}

export interface GateRow {
  id: string
  name: string
  in: number
  out: number
  verdicts: { [verdict: string]: number }
}

export interface CheckpointRow {
  id: string
  name: string
  gate: string
  direction: 'in' | 'out'
  people: number
  verdicts: { [verdict: string]: number }
}

/** An hour of the event's time zone, with its offset: `2026-07-17T16:00+01:00`. */
export interface HourRow {
  from: string
  in: number
  out: number
  /** Tickets whose first admission it was. */
  tickets: number
}

export interface FlagRow {
  flag: string
  kind: string
  opened_at: string
  ticket?: string
  device?: string
  scans: readonly string[]
  /** The resolutions, in order. A case that gains a scan is open again. */
  resolutions: readonly { resolution: string; actor: string; at: string }[]
  state: 'open' | 'resolved'
}

/** A refused ticket that a supervisor admitted, or an admission that was undone. */
export interface OverrideRow {
  kind: 'supervisor_admit' | 'undo'
  at: string
  actor: string
  reason: string
  device: string
  checkpoint: string
  ticket: string
  scan_id: string
}

export interface IncidentRow {
  incident: string
  kind: string
  state: string
  checkpoint: string
  gate: string
  zone?: string
  device: string
  reported_at: string
  /** Whole seconds until it was acknowledged, and until it was resolved. */
  acknowledged_after?: number
  resolved_after?: number
  actions: readonly { action: string; actor: string; assignee?: string; reason?: string; at: string }[]
}

export interface HoldRow {
  hold: string
  gate: string
  actor: string
  reason: string
  placed_at: string
  expires_at?: string
  released_at?: string
  released_by?: string
  /** Id of the hold that replaced it. */
  replaced_by?: string
}

export interface ModeSpan {
  mode: string
  from: string
  until?: string
  actor?: string
  reason?: string
}

export interface SealRow {
  size: number
  /** Base64. */
  root: string
  at: string
}
