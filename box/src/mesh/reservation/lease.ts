/**
 * A task that one box of the event does for all: a message in the reservation stream, under a subject of its own, says which box, and how
 * far it has come. The box that has it writes the message anew by compare-and-set; another takes over when the message has stood
 * unchanged for a term. No clocks are compared: each box measures the term by its own, from when it first saw the message.
 *
 * The message has the form of a release without a right, signed as every reservation is: boxes of earlier versions read past it.
 */
import type { EpochStream } from './epoch-stream.ts'
import type { ReservationRecord } from './record.ts'
import { BACKGROUND_TIMEOUTS, type ReservationStream } from './stream.ts'
import { shortHash } from './subjects.ts'

/** The box that has the lease writes three times in a term. */
export const TERM_MS = 20_000
/** Bytes of JSON: a record has room for 4096 in all. */
export const MOST_STATE = 3_000

export interface Held {
  /** For the box that takes over: JSON of at most `MOST_STATE` bytes, read at the moment of writing. */
  state: () => unknown
  /** Called with the state of the box that had the lease, before this box takes over. */
  adopt: (state: unknown) => Promise<void>
}

export interface LeaseDeps {
  boxId: string
  name: string
  streams: Pick<EpochStream, 'current'>
  /** Milliseconds that never jump. */
  monotonic: () => number
}

interface Written {
  stream: ReservationStream
  sequence: number
  state: string
  at: number
}

export class Lease {
  readonly #deps: LeaseDeps
  #attempts = 0
  /** The message that this box wrote last, in which stream, and when it began to. */
  #own: Written | undefined
  /** Another box's message, and when this box first saw it. */
  #seen: { stream: ReservationStream; sequence: number; at: number } | undefined

  constructor(deps: LeaseDeps) {
    this.#deps = deps
  }

  /**
   * @returns true if this box has the lease for two thirds of a term from now, and the state is written. False where another box has
   *   it, and where the voters do not answer
   */
  async hold(held: Held): Promise<boolean> {
    const current = this.#deps.streams.current()
    if (!current) return false
    const { stream } = current
    if (this.#own?.stream === stream) return await this.#renew(stream, this.#own, held)
    const subject = this.#subject(stream)
    const last = await stream.last(subject, BACKGROUND_TIMEOUTS.firstMs)
    if (last === 'unanswered') return false
    if (last === 'empty') return await this.#write(stream, 0, held)
    const { sequence, record } = last
    const now = this.#deps.monotonic()
    if (record?.box !== this.#deps.boxId) {
      if (this.#seen?.stream !== stream || this.#seen.sequence !== sequence) this.#seen = { stream, sequence, at: now }
      if (now - this.#seen.at < TERM_MS) return false
    }
    await held.adopt(stateOf(record))
    return await this.#write(stream, sequence, held)
  }

  async #renew(stream: ReservationStream, own: Written, held: Held): Promise<boolean> {
    const isFresh = this.#deps.monotonic() - own.at < TERM_MS / 3
    if (isFresh && JSON.stringify(held.state()) === own.state) return true
    return await this.#write(stream, own.sequence, held)
  }

  async #write(stream: ReservationStream, expected: number, { state }: Held): Promise<boolean> {
    const { boxId, name, monotonic } = this.#deps
    const subject = this.#subject(stream)
    const at = monotonic()
    const said = JSON.stringify(state())
    this.#own = undefined
    if (Buffer.byteLength(said) > MOST_STATE) return false
    const body = stream.sealed(recordOf(boxId, name, said), subject)
    const id = shortHash(`${subject} ${boxId} ${expected} ${at} ${this.#attempts++}`)
    const written = await stream.write(subject, { body, id, expected }, BACKGROUND_TIMEOUTS)
    if (written.outcome !== 'written') return false
    this.#own = { stream, sequence: written.sequence, state: said, at }
    // The answer may have come so late that another box counts the term from long before.
    return monotonic() - at < TERM_MS / 3
  }

  /** Among the probes, whose messages are nobody's right. */
  #subject({ subjects }: ReservationStream): string {
    return subjects.probeSubject(`lease ${this.#deps.name}`)
  }
}

function recordOf(box: string, name: string, state: string): ReservationRecord {
  const lease = { scan_id: `lease ${name}`, box, checkpoint: '', at: 0, hlc: '', occurrence: 0, state }
  return { kind: 'release', ...lease }
}

/** Undefined for a message that no box of the event has signed: then this box goes on by what it knows itself. */
function stateOf(record: ReservationRecord | undefined): unknown {
  const state = (record as { state?: unknown } | undefined)?.state
  try {
    return typeof state === 'string' ? JSON.parse(state) : undefined
  } catch {
    return undefined
  }
}
