/**
 * Answers the questions of other boxes a little at a time: a member that asks without end would hold up every scan of this box, because
 * NATS hands over all messages that have arrived in one turn of the event loop.
 */
import type { LiveScans } from '../../live-scans.ts'

/** In one turn of the event loop. A page that is read takes longer, and is the only one of its turn. */
const TURN_MS = 2
/** The pause after a turn while people are scanned, in multiples of the time that it took, and at most. */
const PAUSE = 3
const MOST_PAUSE_MS = 50
/** Questions beyond it are dropped. Whoever asked hears nothing, and asks again. */
const MOST_WAITING = 256

export class QuestionTurns {
  readonly #liveScans: Pick<LiveScans, 'areRecent'>
  readonly #now: () => number
  readonly #waiting: (() => void)[] = []
  #timer: NodeJS.Timeout | undefined
  /** The next turn begins then. */
  #openFrom = 0

  /** @param now milliseconds, monotonic */
  constructor(liveScans: Pick<LiveScans, 'areRecent'>, now: () => number = () => performance.now()) {
    this.#liveScans = liveScans
    this.#now = now
  }

  /** @param answer called in a later turn of the event loop, after those that wait already; never where too many wait */
  push(answer: () => void): void {
    if (this.#waiting.length >= MOST_WAITING) return
    this.#waiting.push(answer)
    this.#timer ??= setTimeout(() => this.#turn(), Math.max(0, this.#openFrom - this.#now()))
  }

  #turn(): void {
    this.#timer = undefined
    const started = this.#now()
    do this.#waiting.shift()?.()
    while (this.#waiting.length > 0 && this.#now() - started < TURN_MS)
    const took = this.#now() - started
    const pause = this.#liveScans.areRecent ? Math.min(MOST_PAUSE_MS, PAUSE * took) : 0
    this.#openFrom = this.#now() + pause
    if (this.#waiting.length > 0) this.#timer = setTimeout(() => this.#turn(), pause)
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    this.#waiting.length = 0
  }
}
