/** What was asked of several boxes while things went wrong, what they answered, and what each of them holds when all is well again. */

/** One request to scan, as the gate saw it. Times in milliseconds since the run began. */
export interface Asked {
  scanId: string
  /** The box that was asked. */
  box: string
  ticket: string
  at: number
  tookMs: number
  /** Undefined: no answer, or an error; the gate asks again under the same id, here or at another box. */
  answer: { verdict: string; confidence: string } | undefined
  /** What was wrong when it was asked; the boxes that could not hear the others are in `alone`. */
  during: string
  alone: boolean
  /** The box was down or stood still before or after: nobody is there to answer, and its gate goes elsewhere. */
  away: boolean
}

export interface JournalRow {
  index: number
  hlc: string
  kind: string
  bytes: Buffer
}

/** The end of a box's log as it was at some moment of the run. */
export interface Head {
  size: number
  root: string
}

export interface HeldFlag {
  id: string
  kind: string
  scanIds: readonly string[]
}

/** What one box holds at the end, read from its file. */
export interface Account {
  box: string
  /** Its own journal, and those that it has heard, by box. */
  journals: ReadonlyMap<string, readonly JournalRow[]>
  flags: readonly HeldFlag[]
  /** What it counts; the same everywhere. */
  counts: Readonly<Record<string, unknown>>
  /** Stretches of its own journal that it wrote while its clock was moved: `to` is not in them. */
  misled: readonly { from: number; to: number }[]
  /** Heads of its own log, as they were during the run. */
  heads: readonly Head[]
}

export interface History {
  asked: readonly Asked[]
  accounts: readonly Account[]
}

/** The journal's fact of an admission, whoever decided it, as far as the laws need it. */
export interface Admission {
  box: string
  scanId: string
  ticket: string
  slot: string
  confirmed: boolean
  hlc: string
}

/** Every admission in these journals, each scan id once; those that were taken back as well, where `undone` is kept. */
export function admissionsIn(
  journals: ReadonlyMap<string, readonly JournalRow[]>,
  { undone }: { undone: 'kept' | 'left out' },
): Map<string, Admission> {
  const admissions = new Map<string, Admission>()
  const takenBack = new Set<string>()
  for (const [box, rows] of journals) {
    for (const { kind, bytes, hlc } of rows) {
      if (kind !== 'scan' && kind !== 'supervisor_admit' && kind !== 'undo') continue
      const said = JSON.parse(bytes.toString())
      if (kind === 'undo') takenBack.add(said.scan_id)
      else if (said.direction === 'in' && said.slot !== null && said.ticket !== null) {
        const confirmed = said.confidence === 'confirmed' && said.surplus === 0 && said.offline_admitted !== true
        // A scanner that went to another box with its question may have had it written down by both: one person, let in once,
        // whose right is certain when either of them had it confirmed.
        if (admissions.get(said.scan_id)?.confirmed) continue
        const { scan_id: scanId, ticket, slot } = said
        admissions.set(scanId, { box, scanId, ticket, slot, confirmed, hlc })
      }
    }
  }
  if (undone === 'left out') for (const scanId of takenBack) admissions.delete(scanId)
  return admissions
}
