/**
 * Reserves the rights of tickets against all other boxes: asked for while somebody waits at a gate, and queued for later where
 * the others could not be asked. The journal is the truth, and the reservation stream is made to say what the journal says.
 */
import type { Event } from '../../event/event.ts'
import type { Entry } from '../../ledger/entries.ts'
import { factsIn } from '../../ledger/facts.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Mode } from '../../rights/mode.ts'
import type {
  AdmissionElsewhere,
  Reservation,
  ReservationRequest,
  Reservations,
  Right,
} from '../../rights/reservation.ts'
import type { Tickets } from '../../tickets/tickets.ts'
import { CatchUp } from './catch-up.ts'
import { EpochStream, type EpochStreamDeps } from './epoch-stream.ts'
import { Lease } from './lease.ts'
import type { ReachabilityObserver } from './probe.ts'
import type { ReservationQueue } from './queue.ts'
import type { ReservationRecord } from './record.ts'
import { isVoid, recordOf } from './replay.ts'
import { type ReserveOutcome, reserve } from './reserve.ts'
import { RightLocks } from './right-locks.ts'
import { GATE_TIMEOUTS, type ReservationStream } from './stream.ts'

export interface MeshReservationsDeps extends EpochStreamDeps {
  event: Event
  ledger: Ledger
  tickets: Tickets
  queue: ReservationQueue
  mode: () => Mode
  /** True if asking can help: a gate does not wait 800 ms for each ticket while a cable is cut. */
  isReachable: () => boolean
  /** Reason why an answer is provisional, as a clause. */
  whyProvisional: () => string
  observer: ReachabilityObserver
  /** Milliseconds that never jump. */
  monotonic: () => number
}

export class MeshReservations implements Reservations {
  readonly #deps: MeshReservationsDeps
  readonly #locks = new RightLocks()
  readonly #streams: EpochStream
  readonly #catchUp: CatchUp
  readonly #leases = new Map<string, Lease>()

  constructor(deps: MeshReservationsDeps) {
    this.#deps = deps
    this.#streams = new EpochStream(deps)
    this.#catchUp = new CatchUp({ ...deps, locks: this.#locks, streams: this.#streams })
  }

  /** True if the stream holds everything that this box knew when the stream was created. */
  isBackfilled(): boolean {
    return this.#catchUp.isBackfilled()
  }

  /** The lease of this name. */
  lease(name: string): Lease {
    const { boxId, monotonic } = this.#deps
    const lease = this.#leases.get(name) ?? new Lease({ boxId, name, streams: this.#streams, monotonic })
    this.#leases.set(name, lease)
    return lease
  }

  /** Writes to a subject of this box's own: whether the voters answer, and whether the stream still is the same one. */
  async probe(): Promise<void> {
    const current = this.#streams.current()
    const { observer, engine } = this.#deps
    const renew = () => void engine()?.renewLinks()
    if (current) await current.probe.run(observer, () => this.#catchUp.startOver(), renew)
    else this.#deps.observer.unanswered()
  }

  /** Writes into the stream what is missing there, if anything is and the stream can be written to. Returns at once. */
  catchUp(): void {
    this.#catchUp.run()
  }

  /** Resolves when nothing is being written in the background. */
  settled(): Promise<void> {
    return this.#catchUp.settled()
  }

  /** There are other boxes: they are asked about each right. */
  withoutAsking(): undefined {
    return undefined
  }

  async reserve(request: ReservationRequest): Promise<Reservation | undefined> {
    const { right } = request
    if (!right) return this.#withoutRight()
    const released = this.#locks.released(right)
    if (!released) return await this.#ask(request, right)
    // The same ticket at another gate of this box: the request may be out of date once that gate's scan is recorded.
    await released
    return undefined
  }

  reserveLater(scanId: string): Reservation {
    return this.#reservation(scanId, { confidence: 'provisional' })
  }

  release(scanId: string, right: Right, entry: number): void {
    this.#deps.queue.put({ scanId, ticketRef: right.ticket, slot: right.slot, entry })
  }

  /**
   * Takes note of what was replicated from other boxes. An admission that was undone there may have been written into a new stream
   * by this box, before the undo arrived here; then this box releases the right as well.
   */
  replicated(entries: readonly Entry[]): void {
    const { ledger } = this.#deps
    const records = entries.filter((entry) => entry.kind === 'heard')
    if (records.length === 0) return
    const undone = [...factsIn(ledger, records)].filter((fact) => fact.kind === 'undo')
    if (undone.length === 0) return
    ledger
      .commit(() => {
        for (const { fields, index } of undone) {
          const { scan_id: scanId, ticket, slot } = fields
          this.release(scanId, { ticket, slot }, index)
        }
      })
      // Nothing is lost where this cannot be written: the other box releases the right by itself.
      .catch(() => {})
  }

  async #ask(request: ReservationRequest, right: Right): Promise<Reservation> {
    const { isReachable, whyProvisional } = this.#deps
    const current = this.#streams.current()
    if (!current || !isReachable())
      return this.#reservation(request.scanId, { confidence: 'provisional', why: whyProvisional() })
    const letGo = this.#locks.tryHold(right)
    try {
      const outcome = await this.#reserveIn(current.stream, request, right)
      return this.#reservation(request.scanId, this.#meaningOf(outcome, right), letGo)
    } catch (error) {
      letGo?.()
      throw error
    }
  }

  async #reserveIn(stream: ReservationStream, request: ReservationRequest, right: Right): Promise<ReserveOutcome> {
    const { boxId, observer, monotonic } = this.#deps
    const subject = stream.subjects.rightSubject(right.ticket, right.slot)
    const outcome = await reserve(stream, subject, recordOf(request, right, boxId), {
      timeouts: GATE_TIMEOUTS,
      monotonic,
      deadline: monotonic() + GATE_TIMEOUTS.firstMs + GATE_TIMEOUTS.againMs,
      isVoid: (record) => isVoid(record, right, this.#deps),
      onUnanswered: () => observer.unanswered(),
    })
    if (outcome.outcome === 'unanswered') observer.timedOut()
    else observer.answered()
    return outcome
  }

  #meaningOf(outcome: ReserveOutcome, right: Right): Meaning {
    switch (outcome.outcome) {
      case 'reserved':
        return { ...this.#confidence(), asked: right, has: true }
      case 'conflict':
        return { confidence: 'confirmed', asked: right, usedElsewhere: admissionOf(outcome.with) }
      case 'unanswered':
        return { confidence: 'provisional', why: this.#deps.whyProvisional(), asked: right }
      case 'unclear':
        return { confidence: 'provisional', why: outcome.why, asked: right }
    }
  }

  /** While a box may be unreachable, a right that the voters give is not certain yet: that box may have used it alone. */
  #confidence(): Pick<Reservation, 'confidence' | 'why'> {
    const { mode, whyProvisional } = this.#deps
    return mode() === 'STRICT' ? { confidence: 'confirmed' } : { confidence: 'provisional', why: whyProvisional() }
  }

  #withoutRight(): Reservation {
    return { ...this.#confidence(), covers: (right) => right === null, settle() {}, [Symbol.dispose]() {} }
  }

  /** @param letGo called when it is on disk what the right was used for */
  #reservation(scanId: string, { asked, has = false, ...answer }: Meaning, letGo: () => void = () => {}): Reservation {
    const queue = (right: Right, entry: number) => {
      this.#deps.queue.put({ scanId, ticketRef: right.ticket, slot: right.slot, entry })
    }
    return {
      ...answer,
      covers: (right) => asked === undefined || !(has || answer.usedElsewhere) || right?.slot === asked.slot,
      settle: (used) => {
        const isWhatWasAsked = used !== null && asked?.slot === used.right.slot
        if (used && !(isWhatWasAsked && has)) queue(used.right, used.entry)
        // Asked for, perhaps reserved, and used for nothing: replay reads from the ledger that it is to be released.
        if (asked && !isWhatWasAsked && !answer.usedElsewhere) queue(asked, this.#deps.ledger.size)
      },
      [Symbol.dispose]: letGo,
    }
  }
}

type Meaning = Pick<Reservation, 'confidence' | 'why' | 'usedElsewhere'> & {
  asked?: Right
  /** The voters have written that the right is this scan's. */
  has?: boolean
}

function admissionOf({ box, checkpoint, at, hlc, scan_id: scanId, occurrence }: ReservationRecord): AdmissionElsewhere {
  return { box, checkpoint, at, hlc, scanId, occurrence }
}
