/**
 * The counts of the control room, and their snapshot on disk. `count-entry.ts` folds the journal into them. Everything in a
 * tally grows with the event, and not with the crowd.
 */
import type { IncidentAction } from '../incidents/incident.ts'
import type { IncidentState } from '../ledger/schema.ts'
import type { Minutes } from './minutes.ts'
import type { Steps } from './occupancy.ts'

/** The gate of a checkpoint and the zones on either side, by the journal's last `event` entry, as they were at the time. */
interface Place {
  gate: string
  from: string | null
  to: string | null
}

export interface DeviceTally {
  scans: number
  /** When the box last learned of a scan by the device, or of a decision made on it, unix ms. */
  lastAt: number
  /** The checkpoint of that. */
  checkpoint: string
  /** The other box that recorded it; null for this one. */
  box: string | null
  /** Milliseconds by which its clock is ahead of the box's, at its last scan that was sent at once; null without one. */
  offsetMs: number | null
  /** True while every scan of it was sent by hand, and none by a scanner. */
  byHand?: boolean
  /** People that it let in or out, by minute. */
  passages: Minutes
}

export interface IncidentTally {
  state: IncidentState
  /** Unix ms: the report, which may not be replicated yet; the control room's first answer; the end. Cancelling is neither. */
  reportedAt: number | null
  answeredAt: number | null
  resolvedAt: number | null
  /** Every action, at whichever box. A report may be replicated after the actions on it. */
  actions: { place: string; action: IncidentAction; at: number }[]
}

export interface FlagTally {
  kind: string
  open: boolean
  /** Every record of the case. */
  scans: string[]
}

export interface Tally {
  /** Entries counted, and so the index of the next. */
  size: number
  /** The box whose journal it is. */
  box: string
  places: Map<string, Place>
  /** People inside, by zone. Below zero where more people left than were counted in. */
  zones: Map<string, number>
  /** Changes of these over the last day. */
  zoneSteps: Map<string, Steps>
  /** Admissions by minute. */
  gateMinutes: Map<string, Minutes>
  checkpointMinutes: Map<string, Minutes>
  verdicts: Map<string, number>
  /** The same by gate. */
  gateVerdicts: Map<string, Map<string, number>>
  /** Tickets that were admitted at least once, by the tier that they then had. */
  admitted: Map<string, number>
  /** Passages in and out; of those, the offline admissions, and the admissions by a supervisor. */
  admissions: number
  exits: number
  offline: number
  supervised: number
  /** Admissions that were taken back, and are no longer in the other counts. */
  undone: number
  /** Every case by id; how many are open, and how many are resolved, by kind. */
  flags: Map<string, FlagTally>
  openFlags: Map<string, number>
  resolvedFlags: Map<string, number>
  incidents: Map<string, IncidentTally>
  devices: Map<string, DeviceTally>
}

export function newTally(): Tally {
  return {
    size: 0,
    box: '',
    places: new Map(),
    zones: new Map(),
    zoneSteps: new Map(),
    gateMinutes: new Map(),
    checkpointMinutes: new Map(),
    verdicts: new Map(),
    gateVerdicts: new Map(),
    admitted: new Map(),
    admissions: 0,
    exits: 0,
    offline: 0,
    supervised: 0,
    undone: 0,
    flags: new Map(),
    openFlags: new Map(),
    resolvedFlags: new Map(),
    incidents: new Map(),
    devices: new Map(),
  }
}

/** Raised when the meaning of a tally changes: with an older snapshot, everything is counted anew. */
const VERSION = 4

/** A tally as text, to be kept until the next start. */
export function snapshotOf(tally: Tally): string {
  return JSON.stringify({ version: VERSION, tally }, (_, value) => (value instanceof Map ? { map: [...value] } : value))
}

/** @returns undefined for text that is not a snapshot of this version: everything is counted anew then */
export function tallyFrom(snapshot: string): Tally | undefined {
  try {
    const { version, tally } = JSON.parse(snapshot, (_, value) =>
      Array.isArray(value?.map) ? new Map(value.map) : value,
    )
    const kept = newTally()
    const whole = Object.keys(kept).every((name) => name in (tally ?? {}))
    return version === VERSION && whole && Number.isSafeInteger(tally.size) ? (tally as Tally) : undefined
  } catch {
    return undefined
  }
}
