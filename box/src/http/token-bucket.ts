/** A token bucket for each key: a steady rate with a burst, and no key that notices another. */
import { GatehouseError } from '../errors.ts'

interface Bucket {
  tokens: number
  at: number
}

/** Thirds of a token do not add up to one: who has waited as long as it was told is not sent away for that. */
const ROUNDING = 1e-9

export class TokenBuckets {
  readonly #perSecond: number
  readonly #burst: number
  readonly #now: () => number
  readonly #buckets = new Map<string, Bucket>()
  #sweepAt = 0

  /** @param now milliseconds, monotonic */
  constructor(options: { perSecond: number; burst: number; now: () => number }) {
    this.#perSecond = options.perSecond
    this.#burst = options.burst
    this.#now = options.now
  }

  /**
   * @param tokens that the request costs; at most the burst, or it could never go on
   * @returns 0 when the request may go on, otherwise after how many seconds it may
   */
  take(key: string, tokens = 1): number {
    const now = this.#now()
    this.#sweep(now)
    const bucket = this.#buckets.get(key) ?? { tokens: this.#burst, at: now }
    bucket.tokens = Math.min(this.#burst, bucket.tokens + ((now - bucket.at) / 1000) * this.#perSecond)
    bucket.at = now
    this.#buckets.set(key, bucket)
    const cost = Math.min(tokens, this.#burst)
    if (bucket.tokens < cost - ROUNDING) return (cost - bucket.tokens) / this.#perSecond
    bucket.tokens -= cost
    return 0
  }

  /** @throws GatehouseError `rate_limited` */
  require(key: string, message: string, tokens = 1): void {
    const retryAfterSeconds = this.take(key, tokens)
    if (retryAfterSeconds > 0) throw new GatehouseError('rate_limited', message, { retryAfterSeconds })
  }

  /** Forgets keys that are full again: an attacker with many addresses must not fill the memory. */
  #sweep(now: number): void {
    if (now < this.#sweepAt) return
    const fullAfterMs = (this.#burst / this.#perSecond) * 1000
    this.#sweepAt = now + fullAfterMs
    for (const [key, bucket] of this.#buckets) if (now - bucket.at >= fullAfterMs) this.#buckets.delete(key)
  }
}
