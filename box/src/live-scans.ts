/** Says whether people are being scanned at this moment. Work that nobody at a gate waits for looks at it and makes way. */

/** A scan that asks other boxes may take seconds: it is waited for only as long as one that is answered here. */
const ANSWERED_WITHIN_MS = 50
/** A gate where somebody was scanned so recently is busy: the next scan is about to come. */
const BUSY_FOR_MS = 1_000

export class LiveScans {
  readonly #now: () => number
  #open = 0
  #last = Number.NEGATIVE_INFINITY

  /** @param now milliseconds, monotonic */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** A live scan has arrived, with its whole body. @returns to be disposed when it was answered */
  begin(): Disposable {
    this.#open += 1
    this.#last = this.#now()
    return {
      [Symbol.dispose]: () => {
        this.#open -= 1
      },
    }
  }

  /** True while one is being answered. */
  get areInFlight(): boolean {
    return this.#open > 0 && this.#now() - this.#last < ANSWERED_WITHIN_MS
  }

  /** True if there was one within the last second. */
  get areRecent(): boolean {
    return this.#now() - this.#last < BUSY_FOR_MS
  }
}
