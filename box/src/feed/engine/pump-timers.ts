/** The two waits of a sink: for more events before a batch that is not full, and for the next attempt of a batch that failed. */
export class PumpTimers {
  readonly #monotonic: () => number
  readonly #onDue: () => void
  #lingering: NodeJS.Timeout | undefined
  #retrying: NodeJS.Timeout | undefined
  #retryAt = 0
  #sentAt = Number.NEGATIVE_INFINITY

  /**
   * @param monotonic milliseconds, never going back
   * @param onDue called at the end of each wait
   */
  constructor(monotonic: () => number, onDue: () => void) {
    this.#monotonic = monotonic
    this.#onDue = onDue
  }

  /** Milliseconds until the next attempt; undefined when none is waited for. */
  get untilRetry(): number | undefined {
    return this.#retrying && this.#retryAt - this.#monotonic()
  }

  /** A batch is being sent: the next one that is not full lingers from now on. */
  sent(): void {
    this.#sentAt = this.#monotonic()
  }

  /** @returns true while it waits for more events */
  linger(lingerMs: number): boolean {
    if (this.#lingering) return true
    const wait = this.#sentAt + lingerMs - this.#monotonic()
    if (wait <= 0) return false
    this.#lingering = setTimeout(() => {
      this.#lingering = undefined
      // A timer may fire a moment early; it must not be set again for that.
      this.#sentAt = Number.NEGATIVE_INFINITY
      this.#onDue()
    }, wait)
    return true
  }

  stopLingering(): void {
    clearTimeout(this.#lingering)
    this.#lingering = undefined
  }

  retryIn(waitMs: number): void {
    this.#retryAt = this.#monotonic() + waitMs
    this.#retrying = setTimeout(() => {
      this.#retrying = undefined
      this.#onDue()
    }, waitMs)
  }

  stop(): void {
    this.stopLingering()
    clearTimeout(this.#retrying)
    this.#retrying = undefined
  }
}
