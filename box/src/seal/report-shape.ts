/**
 * What an attendance report says. It is canonical JSON when it is signed: whole numbers and texts only, what is absent is
 * left out, times are ISO 8601 in UTC. Tickets appear by their reference, staff by the name that they gave.
 */

export interface Report {
  readonly format: 'gatehouse/attendance-report/v1'
  /** What the log is called: `gatehouse/<event>/<box>`. */
  readonly origin: string
  readonly software: string
  readonly made_at: string
  readonly box: string
  /** As the event file last said; so are the names of zones, tiers, gates and checkpoints below. */
  readonly event: { id: string; name: string; timezone: string; starts_at: string; ends_at: string }
  readonly entries: number
  /** The box's clock at the first entry and at the last. */
  readonly from: string
  readonly until: string
  /** Entries of each kind. */
  readonly kinds: Counts
  readonly people: People
  /** People that scanners let through alone, as they said when the box was back. */
  readonly offline: { in: number; out: number }
  readonly devices: { enrolled: number; revoked: number }
  /** Answers to scans; what a supervisor did afterwards changes none of them. */
  readonly verdicts: Counts
  readonly zones: readonly ZoneRow[]
  readonly tiers: readonly TierRow[]
  readonly gates: readonly GateRow[]
  readonly checkpoints: readonly CheckpointRow[]
  readonly hours: readonly HourRow[]
  readonly flags: readonly FlagCase[]
  readonly overrides: readonly Override[]
  readonly incidents: readonly IncidentCase[]
  readonly holds: readonly Hold[]
  readonly modes: readonly ModeSpan[]
  readonly seals: readonly SealRow[]
  /** Where the event has several boxes: `entries`, `kinds` and `modes` are of this one's log, and everything else of all. */
  readonly mesh?: MeshReport
}

export interface MeshReport {
  /** Passages that no other box had been asked about, at any of them. */
  provisional: number
  boxes: readonly MeshBox[]
  double_uses: readonly DoubleUse[]
  /** Of each log, the newest seal that another box has signed too; its size. */
  cosigned: readonly { box: string; witness: string; size: number }[]
}

/** A right that was used more than once: by whom is in `flags`, here is where, and who was first. */
export interface DoubleUse {
  flag: string
  /** Whether the first of the records was first; `uncertain` where only clocks could say, and they are too close, or a scanner's. */
  order: 'certain' | 'uncertain'
  records: readonly UseRecord[]
}

export interface UseRecord {
  scan_id: string
  box: string
  checkpoint: string
  /** By the clock of that box; of somebody whom a scanner let in alone, when the scanner says. */
  at: string
  /** `confirmed`: no other box had admitted by this right, and all knew so. */
  confidence: string
}

/** Another box, as this one heard it. */
export interface MeshBox {
  box: string
  /** Verifier key of its log. */
  key: string
  /** Of its log, those that this one has heard. */
  entries: number
  modes: readonly ModeSpan[]
  seals: readonly SealRow[]
}

export type Counts = { readonly [name: string]: number }

export interface People {
  /** In from outside, out to it, and the difference: people, not tickets. */
  arrived: number
  left: number
  inside: number
  /** Tickets with at least one admission. */
  tickets: number
  /** Among the passages: of people whose code belonged to no ticket, and whom a scanner had let through alone. */
  without_ticket: number
}

export interface ZoneRow {
  id: string
  name: string
  capacity: number
  in: number
  out: number
  /** The difference: below zero where people leave by ways that they did not come. */
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

/** An hour of the event's own clock, written with its offset: `2026-07-17T16:00+01:00`. */
export interface HourRow {
  from: string
  in: number
  out: number
  /** Tickets whose first admission it was. */
  tickets: number
}

export interface FlagCase {
  flag: string
  kind: string
  opened_at: string
  ticket?: string
  device?: string
  scans: readonly string[]
  /** What somebody found out, in order. A case that gains a scan is open again. */
  resolutions: readonly { resolution: string; actor: string; at: string }[]
  state: 'open' | 'resolved'
}

/** A refused ticket that a supervisor let in, or an admission that was taken back. */
export interface Override {
  kind: 'supervisor_admit' | 'undo'
  at: string
  actor: string
  reason: string
  device: string
  checkpoint: string
  ticket: string
  scan_id: string
}

export interface IncidentCase {
  incident: string
  kind: string
  state: string
  checkpoint: string
  gate: string
  zone?: string
  device: string
  reported_at: string
  /** Whole seconds until somebody took it on, and until it was resolved. */
  acknowledged_after?: number
  resolved_after?: number
  actions: readonly { action: string; actor: string; assignee?: string; reason?: string; at: string }[]
}

export interface Hold {
  hold: string
  gate: string
  actor: string
  reason: string
  placed_at: string
  expires_at?: string
  released_at?: string
  released_by?: string
  /** The hold that took its place. */
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
