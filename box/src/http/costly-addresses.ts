/**
 * Addresses whose long bodies are refused. What is read of such a body costs more than a handshake, so for a while their handshakes
 * begin at a lower rate, one after the other. Other addresses of their network keep their turns.
 */

/** From the last refused body of an address. */
const SLOWED_MS = 10_000
/** Between two handshakes of a slowed address, ms. */
const APART_MS = 50

interface Slowed {
  until: number
  /** Its next handshake begins then at the earliest. */
  next: number
}

export class CostlyAddresses {
  /** The one whose last refused body is the oldest comes first. */
  readonly #slowed = new Map<string, Slowed>()
  readonly #now: () => number

  /** @param now milliseconds, monotonic */
  constructor(now: () => number) {
    this.#now = now
  }

  /** A long body of this address was refused. */
  add(address: string): void {
    const now = this.#now()
    for (const [each, { until }] of this.#slowed) {
      if (until > now) break
      this.#slowed.delete(each)
    }
    const next = this.#slowed.get(address)?.next ?? now
    this.#slowed.delete(address)
    this.#slowed.set(address, { until: now + SLOWED_MS, next })
  }

  /** Counts a handshake. @returns how long it waits before its turn, ms; 0 where the address is not slowed */
  wait(address: string): number {
    const now = this.#now()
    const slowed = this.#slowed.get(address)
    if (!slowed || slowed.until <= now) return 0
    const begins = Math.max(now, slowed.next)
    slowed.next = begins + APART_MS
    return begins - now
  }
}
