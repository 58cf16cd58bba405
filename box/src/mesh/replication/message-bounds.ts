/**
 * Bounds what messages cost before their signature is known to be good: how long one may be, and how many bytes of refused ones are
 * hashed in a second. A machine that has no key of the event does not come this far (`member-tag.ts`): this is against a box that
 * was removed, and against a member.
 */
import { TokenBuckets } from '../../http/token-bucket.ts'
import type { MessageContext } from './signed-message.ts'

export type MessageKind = MessageContext['kind']

/**
 * The longest message of each kind, bytes. A question is some hundred; a pushed page is at most 192 kB or one entry, whose tickets
 * are cut into pages of that size; an urgent one is a single entry of two texts. NATS carries 1 MiB at most.
 */
export const LONGEST: Readonly<Record<MessageKind, number>> = {
  ask: 4 * 1024,
  answer: 1024 * 1024,
  push: 768 * 1024,
  urgent: 128 * 1024,
}

/** The cost of a signature's check, expressed in hashed bytes. */
const SIGNATURE = 32 * 1024
/** Of refused messages, for each kind and sender: with short ones 64 checks a second, about 5 ms of a PC's core. */
const PER_SECOND = 2 * 1024 ** 2
const BURST = 8 * 1024 ** 2

/** Answers to true questions, for each box that asks: some twenty full pages a second, faster than any box applies them. */
const ANSWERED_PER_SECOND = 4 * 1024 ** 2
const ANSWERED_BURST = 16 * 1024 ** 2
/** The cost of an answer before its length is known, and the cost of each besides its length. */
const FULL_PAGE = 256 * 1024
const READ = 16 * 1024
/** The cost of a millisecond that it takes to read: a short page may take long, and one box gets half of the processor at most. */
const MS_OF_READING = ANSWERED_PER_SECOND / 500

export class MessageBudget {
  readonly #buckets: TokenBuckets
  readonly #answered: TokenBuckets

  readonly #monotonic: () => number

  /** @param monotonic milliseconds that never jump */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
    this.#buckets = new TokenBuckets({ perSecond: PER_SECOND, burst: BURST, now: monotonic })
    this.#answered = new TokenBuckets({ perSecond: ANSWERED_PER_SECOND, burst: ANSWERED_BURST, now: monotonic })
  }

  /**
   * Takes what the check of a message costs. True messages get it back: only refused ones use the budget up.
   * @param by the box that the message names as its sender; on the list, so that there are few
   * @returns false where too many in this name were refused: this one is refused unread
   */
  take(kind: MessageKind, by: string, bytes: number): boolean {
    return this.#buckets.take(`${kind} ${by}`, bytes + SIGNATURE) === 0
  }

  giveBack(kind: MessageKind, by: string, bytes: number): void {
    this.#buckets.giveBack(`${kind} ${by}`, bytes + SIGNATURE)
  }

  /**
   * Reads a page for a box, and counts its length, or the time that it took if that is more.
   * @returns undefined where the box has asked for more than it can apply: it gets no answer, and asks again
   */
  answerTo(by: string, read: () => Uint8Array): Uint8Array | undefined {
    if (this.#answered.take(by, FULL_PAGE) > 0) return undefined
    const began = this.#monotonic()
    const page = read()
    const cost = Math.max(READ + page.length, (this.#monotonic() - began) * MS_OF_READING)
    // Below zero where it cost more.
    this.#answered.giveBack(by, FULL_PAGE - cost)
    return page
  }
}
