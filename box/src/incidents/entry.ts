/** The journal's facts about incidents and held gates, for everything that follows the journal. */
import type { IncidentKind, IncidentState } from '../ledger/schema.ts'
import type { IncidentAction } from './incident.ts'

/** Kind `incident`: a device has reported it. */
export interface IncidentEntry {
  /** When the box learned of it, ISO 8601. */
  at: string
  checkpoint: string
  device: string
  gate: string
  incident: string
  incident_kind: IncidentKind
  /** SHA-256 over salt and note, hex: whoever has both can prove what was reported. Null for no note. */
  note_hash: string | null
  observed_at: string
  /** People in the zone, and waiting at the gate; null where nobody can say. */
  occupancy: number | null
  queue: number | null
  /** People admitted a minute at the gate. */
  queue_rate_per_min: number
  zone: string | null
}

/** Kind `incident_action`: somebody in the control room has acted on it. */
export interface IncidentActionEntry {
  action: IncidentAction
  actor: string
  address: string
  assignee: string | null
  at: string
  from: IncidentState
  incident: string
  reason: string | null
  to: IncidentState
  /** The incident's version after it; 1 is the report. */
  version: number
}

/** Kind `hold`: nobody enters through the gate any more. A hold that was not released before, expired or not, ends with it. */
export interface HoldEntry {
  actor: string
  address: string
  at: string
  /** ISO 8601; null until it is released. */
  expires_at: string | null
  gate: string
  hold: string
  reason: string
  replaces: string | null
}

/** Kind `hold_released`. */
export interface HoldReleasedEntry {
  actor: string
  address: string
  at: string
  gate: string
  hold: string
  reason: string | null
}
