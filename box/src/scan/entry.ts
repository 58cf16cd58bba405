/** The journal's facts about scans and cases, for everything that follows the journal. */
import type { FlagKind, FlagResolution } from '../ledger/schema.ts'

/** The journal's fact of a scan, as `redeem` appends it and everything that follows the journal reads it. */
export interface ScanEntry {
  /** When the box learned of it, ISO 8601. */
  at: string
  checkpoint: string
  /** Code hash of the credential, hex; null for a forged code. */
  code: string | null
  confidence: 'confirmed' | 'provisional'
  device: string
  device_hlc: string
  direction: 'in' | 'out'
  /** When the person stood there, as the device says. */
  observed_at: string
  occurrence: number | null
  offline_admitted: boolean
  scan_id: string
  /** The right that the passage used up, and its place among those that used it; null when nobody passed. */
  slot: string | null
  surplus: number | null
  /** The ticket's ref. */
  ticket: string | null
  /** The ticket's tier, as it then was. */
  tier: string | null
  verdict: string
}

/** The same as it stands in the journal. */
export type StoredScanEntry = ScanEntry & { hlc: string; index: number }

/** The journal's fact of a refused ticket that a supervisor let in: kind `supervisor_admit`. */
export interface SupervisorAdmitEntry {
  actor: string
  at: string
  checkpoint: string
  code: string | null
  confidence: 'confirmed' | 'provisional'
  /** The supervisor's device. */
  device: string
  direction: 'in'
  occurrence: number
  reason: string
  /** The scan that was refused. */
  scan_id: string
  slot: string
  surplus: number
  ticket: string
  tier: string
  /** What the scan was answered. */
  verdict: string
}

/** The journal's fact of an admission that was taken back: kind `undo`. The right is the ticket's again. */
export interface UndoEntry {
  actor: string
  at: string
  checkpoint: string
  device: string
  direction: 'in'
  /** Admissions that the ticket has left. */
  occurrence: number
  reason: string
  scan_id: string
  slot: string
  surplus: number
  /** Whether it was a supervisor's admission. */
  supervised: boolean
  ticket: string
  tier: string
  /** The entry that it takes back. */
  undone: number
}

/** The journal's fact of a case that was opened, or has gained records: kind `flag`. */
export interface FlagEntry {
  device: string | null
  flag: string
  flag_kind: FlagKind
  /** How many admissions the ticket then had. */
  occurrence: number | null
  /** It was resolved, and is open again. */
  reopened: boolean
  /** Every scan of the case so far. */
  scans: string[]
  /** The clock's reading at the record that made it a case. */
  since: string
  /** The ticket's ref. */
  ticket: string | null
}

/** The journal's fact of what somebody found out about a case: kind `flag_resolved`. */
export interface FlagResolvedEntry {
  actor: string
  address: string
  at: string
  flag: string
  flag_kind: FlagKind
  /** SHA-256 over salt and note, hex; null for no note. */
  note_hash: string | null
  resolution: FlagResolution
  /** The records that had been seen: it counts for no more than these. */
  scans: string[]
  /** The ticket's ref. */
  ticket: string | null
}
