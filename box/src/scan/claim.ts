/** Secures a ticket's right to enter against every other gate, before the ledger writes the admission down. */
import type { Mode } from '../control/mode.ts'
import type { Movement } from '../ledger/schema.ts'

type Confidence = 'confirmed' | 'provisional'

/** What one admission may use up, and no second one after it. */
export interface Right {
  /** The ticket's ref. */
  ticket: string
  slot: string
}

/** A passage as it looks from here, before anybody is asked. */
export interface Wanted {
  scanId: string
  /** Null where nobody is admitted, and for tickets that may enter as often as they like: there is nothing to secure. */
  right: Right | null
  checkpoint: string
  /** Unix ms */
  at: number
  hlc: string
  /** How many admissions the ticket would have. */
  occurrence: number
}

/** The admission that has used a right up, at a box whose journal may not have told of it yet. */
export type Elsewhere = Pick<Movement, 'checkpoint' | 'at' | 'hlc' | 'scanId' | 'occurrence'> & { box: string }

/** What became of the asking. Disposed when what was decided on it is on disk, or never will be. */
export interface Secured extends Disposable {
  /** `confirmed` when no other gate can have admitted the ticket, `provisional` when one may have, unheard. */
  readonly confidence: Confidence
  /** Why it is provisional, as a clause: "Gate South unheard for 3 minutes". */
  readonly why?: string
  /** Another gate has the right: a refusal, with its evidence. */
  readonly usedElsewhere?: Elsewhere
  /** Whether what was asked is about this right: by the time of the commit, an admission may need another one. */
  covers(right: () => Right | null): boolean
  /**
   * Says what the right was used for; null when for nothing. Within the transaction that decides it, which may be run twice.
   */
  settle(used: { right: Right; entry: number } | null): void
}

export interface Claim {
  /**
   * @param wanted read when it is called: a box that asks others needs to know what it asks for, a box alone does not, and
   *   saves the reading
   */
  secure(wanted: () => Wanted): Promise<Secured>
  /** For a passage that has happened already: the others are told when they can be. */
  unasked(scanId: string): Secured
  /** An admission was taken back: the right is anybody's again. Within the transaction that says so. */
  giveBack(scanId: string, right: Right, entry: number): void
}

/**
 * One box: all its gates write one ledger, whose primary key admits a right once. There is nobody to ask, unless an
 * admin has said that somebody cannot be heard.
 */
export function claimAlone(mode: () => Mode): Claim {
  const confirmed = alone('confirmed')
  const provisional = alone('provisional')
  return {
    secure: async () => (mode() === 'STRICT' ? confirmed : provisional),
    unasked: () => provisional,
    giveBack() {},
  }
}

function alone(confidence: Confidence): Secured {
  return { confidence, covers: () => true, settle() {}, [Symbol.dispose]() {} }
}
