/** A bound for log lines that strangers cause: the log of an appliance is in memory, and what matters must not be pushed out of it. */

/** So many lines at once; afterwards one in each period. */
const AT_ONCE = 5
const EVERY_MS = 10_000

export class FewLines {
  readonly #monotonic: () => number
  #left = AT_ONCE
  #refillAt: number
  #unlogged = 0

  /** @param monotonic milliseconds */
  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic
    this.#refillAt = monotonic() + EVERY_MS
  }

  /** Logs the line, or counts it. @param line gets the number of lines left out before it, as `left_out`, where there are any */
  log(line: (more: { left_out?: number }) => void): void {
    const now = this.#monotonic()
    const periods = Math.floor((now - this.#refillAt) / EVERY_MS) + 1
    if (periods > 0) {
      this.#left = Math.min(AT_ONCE, this.#left + periods)
      this.#refillAt += periods * EVERY_MS
    }
    if (this.#left === 0) return void this.#unlogged++
    this.#left--
    line(this.#unlogged > 0 ? { left_out: this.#unlogged } : {})
    this.#unlogged = 0
  }
}
