/** The history of a run: every request with its answer, and what each box holds in the end, when all faults are repaired. */

/** A scan request as the gate saw it. Times are milliseconds since the start of the run. */
export interface Asked {
  scanId: string
  /** The box that was asked. */
  box: string
  ticket: string
  at: number
  tookMs: number
  /** Undefined for no answer or an error: the gate sends the scan again under the same id, to this box or another. */
  answer: { verdict: string; confidence: string } | undefined
  /** Of a scan without an answer: the code of the error, or the name of what ended the request. */
  whyNot?: string | undefined
  /** The fault at that moment. */
  during: string
  /** The fault may have cut the box off from others. */
  alone: boolean
  /** The box was down or frozen just before or after, so that it may not have answered. */
  away: boolean
}

export interface JournalRow {
  index: number
  hlc: string
  kind: string
  bytes: Buffer
}

/** The tree head of a box's log at some moment of the run. */
export interface Head {
  size: number
  root: string
}

export interface HeldFlag {
  id: string
  kind: string
  scanIds: readonly string[]
}

/** The final content of a box, read from its ledger file. */
export interface Account {
  box: string
  /** By box: its own journal, and its copies of the others'. */
  journals: ReadonlyMap<string, readonly JournalRow[]>
  flags: readonly HeldFlag[]
  /** Its counts, which have to be the same at every box. */
  counts: Readonly<Record<string, unknown>>
  /** Ranges of its own journal that it wrote while its clock was wrong; `to` is exclusive. */
  skewed: readonly { from: number; to: number }[]
  /** Tree heads of its own log during the run. */
  heads: readonly Head[]
}

export interface History {
  asked: readonly Asked[]
  accounts: readonly Account[]
}

/** An admission in a journal, as far as the invariants need it. */
export interface Admission {
  box: string
  scanId: string
  ticket: string
  slot: string
  confirmed: boolean
  hlc: string
}

/** Every admission in these journals, once for each scan id. @param options.undone whether undone admissions are included */
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
        // Two boxes may have recorded a scan that was sent to both: one person, admitted once, and confirmed where either of
        // the boxes has confirmed it.
        if (admissions.get(said.scan_id)?.confirmed) continue
        const { scan_id: scanId, ticket, slot } = said
        admissions.set(scanId, { box, scanId, ticket, slot, confirmed, hlc })
      }
    }
  }
  if (undone === 'left out') for (const scanId of takenBack) admissions.delete(scanId)
  return admissions
}
