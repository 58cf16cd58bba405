/** Reserves a ticket's right to enter with the other boxes, before the ledger records the admission. */

import type { Movement } from '../ledger/schema.ts'
import type { Mode } from './mode.ts'

type Confidence = 'confirmed' | 'provisional'

/** A right that one admission may use up, and no later one. */
export interface Right {
  /** The ticket's ref. */
  ticket: string
  slot: string
}

/** A passage as this box sees it before it asks the others. */
export interface ReservationRequest {
  scanId: string
  /** Null where nobody is admitted, and for tickets that may enter as often as they like: there is nothing to reserve. */
  right: Right | null
  checkpoint: string
  /** Unix ms */
  at: number
  hlc: string
  /** Number of admissions that the ticket would have. */
  occurrence: number
}

/** The admission that has used a right up, at a box whose journal may not have been replicated to this one yet. */
export type AdmissionElsewhere = Pick<Movement, 'checkpoint' | 'at' | 'hlc' | 'scanId' | 'occurrence'> & { box: string }

/**
 * The answer of the other boxes. Disposed when the scan that it was made for is on disk, or has failed: until then no
 * other scan of this box may reserve the same right.
 */
export interface Reservation extends Disposable {
  /** `confirmed` when no other gate can have admitted the ticket, `provisional` when one that was not reached may have. */
  readonly confidence: Confidence
  /** Reason why it is provisional, as a clause: "Gate South unheard for 3 minutes". */
  readonly why?: string
  /** Another gate has the right: a refusal, with its evidence. */
  readonly usedElsewhere?: AdmissionElsewhere
  /** True if it was made for this right: by the time of the commit, an admission may need another one. */
  covers(right: Right | null): boolean
  /**
   * Says what the right was used for; null when for nothing. Within the transaction that decides it, which may be run twice.
   */
  settle(used: { right: Right; entry: number } | null): void
}

export interface Reservations {
  /**
   * The reservation for any scan of a box that has nobody to ask, which therefore need not read the ledger before its
   * commit. Undefined where there are other boxes.
   */
  withoutAsking(): Reservation | undefined
  /**
   * Asks the other boxes.
   * @returns undefined when another scan of this box had the right reserved: that scan is recorded now, and the request
   *   has to be made anew from what the ledger says
   */
  reserve(request: ReservationRequest): Promise<Reservation | undefined>
  /** For a passage that has happened already: the others learn of it when they can be reached. */
  reserveLater(scanId: string): Reservation
  /** An admission was taken back: the right may be used again. Within the transaction that says so. */
  release(scanId: string, right: Right, entry: number): void
}

/**
 * Reserves the right of an admission. A box without others reads nothing for that.
 * @param request made from what the ledger says; made anew while another scan of this box has the right reserved
 */
export async function reserveNow(reservations: Reservations, request: () => ReservationRequest): Promise<Reservation> {
  for (;;) {
    const reservation = reservations.withoutAsking() ?? (await reservations.reserve(request()))
    if (reservation) return reservation
  }
}

/** Settles a reservation that was used for nothing. Within a transaction. @returns `answer` */
export function unused<T>(reservation: Reservation, answer: T): T {
  reservation.settle(null)
  return answer
}

/**
 * One box: all its gates write one ledger, whose primary key admits a right once. There is nobody to ask, unless an
 * admin has said that some gate cannot be reached.
 */
export function singleBoxReservations(mode: () => Mode): Reservations {
  const confirmed = unasked('confirmed')
  const provisional = unasked('provisional')
  const current = () => (mode() === 'STRICT' ? confirmed : provisional)
  return {
    withoutAsking: current,
    reserve: async () => current(),
    reserveLater: () => provisional,
    release() {},
  }
}

function unasked(confidence: Confidence): Reservation {
  return { confidence, covers: () => true, settle() {}, [Symbol.dispose]() {} }
}
