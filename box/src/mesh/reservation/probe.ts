/** Probes the reservation stream with a write that only this box makes: do the voters answer, and is it still the same stream? */
import type { ReservationStream, Timeouts } from './stream.ts'
import { shortHash } from './subjects.ts'

/** Two short waits: a box knows within a second that it has lost the others. */
const PROBE_TIMEOUTS: Timeouts = { firstMs: 300, againMs: 300 }
const READ_MS = 300
/** Probes in a row that nobody listens to although the voters answer other questions. */
const MOST_UNHEARD = 10

/** Told by reservations and probes how the voters answer; the mode follows from it. */
export interface ReachabilityObserver {
  /** A compare-and-set was answered. */
  answered(): void
  /** One wait for an answer ended without one. */
  unanswered(): void
  /** A reservation got no answer within its whole deadline. */
  timedOut(): void
}

export class Probe {
  readonly #stream: ReservationStream
  readonly #subject: string
  readonly #mayCreate: boolean
  #identity: string | undefined
  /** Sequence of this box's last probe; undefined when it has to be read. */
  #last: number | undefined
  /** Sequence of the last probe that was acknowledged. */
  #acknowledged = 0
  #attempts = 0
  #unheard = 0

  /** @param options.mayCreate the stream is created where there is none */
  constructor(stream: ReservationStream, box: string, { mayCreate }: { mayCreate: boolean }) {
    this.#stream = stream
    this.#subject = stream.subjects.probeSubject(box)
    this.#mayCreate = mayCreate
  }

  /** Identity of this stream; undefined until it was found, and while it may be another one. */
  get identity(): string | undefined {
    return this.#identity
  }

  /**
   * @param onLoss called when the stream no longer holds a write that it had acknowledged
   * @param onUnheard called when the voters answer, but for ten probes this box's server has not known that they listen to its writes
   *   (seen once with nats-server 2.10.27, at a box in a data centre on a busy machine): new connections tell it
   */
  async run(
    observer: Pick<ReachabilityObserver, 'answered' | 'unanswered'>,
    onLoss: () => void,
    onUnheard: () => void = () => {},
  ): Promise<void> {
    this.#identity ??= await this.#stream.open({ mayCreate: this.#mayCreate })
    if (this.#identity === undefined) return observer.unanswered()
    this.#last ??= await this.#read()
    if (this.#last === undefined) return observer.unanswered()
    const expected = this.#last
    if (expected < this.#acknowledged) {
      this.#acknowledged = 0
      onLoss()
    }
    const id = shortHash(`${this.#subject} ${expected} ${this.#attempts++}`)
    const attempt = { body: new Uint8Array(), id, expected }
    const write = await this.#stream.write(this.#subject, attempt, PROBE_TIMEOUTS, () => observer.unanswered())
    if (write.outcome === 'written') {
      this.#last = this.#acknowledged = write.sequence
      this.#unheard = 0
      return observer.answered()
    }
    this.#unheard = write.outcome === 'unanswered' && write.unheard === true ? this.#unheard + 1 : 0
    if (this.#unheard >= MOST_UNHEARD) {
      this.#unheard = 0
      onUnheard()
    }
    // The write was late or lost, or the stream is another one by now. Reading it anew at the next probe tells which.
    this.#last = undefined
    this.#identity = undefined
  }

  async #read(): Promise<number | undefined> {
    const last = await this.#stream.last(this.#subject, READ_MS)
    return last === 'unanswered' ? undefined : last === 'empty' ? 0 : last.sequence
  }
}
