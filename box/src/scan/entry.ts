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
  verdict: string
}

/** The same as it stands in the journal. */
export type StoredScanEntry = ScanEntry & { hlc: string; index: number }
