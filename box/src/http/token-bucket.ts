/** A token bucket for each key: a steady rate with a burst, independent of other keys. */
import { GatehouseError } from '../errors.ts'

interface Bucket {
  tokens: number
  at: number
  /** Tokens of the last request, if it was refused. */
  refused: number
}

/** Tolerance for rounding: three thirds of a token do not add up to one, and a client that waited as asked must not be refused. */
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
   * @param tokens that the request costs; at most the burst, or it would always be refused
   * @returns 0 if the request is allowed, otherwise the seconds until it is
   */
  take(key: string, tokens = 1): number {
    const bucket = this.#filled(key)
    const cost = Math.min(tokens, this.#burst)
    const isAllowed = bucket.tokens >= cost - ROUNDING
    bucket.refused = isAllowed ? 0 : cost
    if (!isAllowed) return (cost - bucket.tokens) / this.#perSecond
    bucket.tokens -= cost
    return 0
  }

  /**
   * Refuses a request whose sender was refused before and has not waited as long as it was told: its body need not be read.
   * @throws GatehouseError `rate_limited`
   */
  requireWaited(key: string, message: string): void {
    const { refused, tokens } = this.#filled(key)
    if (tokens >= refused - ROUNDING) return
    throw new GatehouseError('rate_limited', message, { retryAfterSeconds: (refused - tokens) / this.#perSecond })
  }

  /** Gives back what `take` took, for a request that turns out to cost nothing. */
  giveBack(key: string, tokens: number): void {
    const bucket = this.#buckets.get(key)
    if (bucket) bucket.tokens = Math.min(this.#burst, bucket.tokens + tokens)
  }

  /** @throws GatehouseError `rate_limited` */
  require(key: string, message: string, tokens = 1): void {
    const retryAfterSeconds = this.take(key, tokens)
    if (retryAfterSeconds > 0) throw new GatehouseError('rate_limited', message, { retryAfterSeconds })
  }

  #filled(key: string): Bucket {
    const now = this.#now()
    this.#sweep(now)
    const bucket = this.#buckets.get(key) ?? { tokens: this.#burst, at: now, refused: 0 }
    bucket.tokens = Math.min(this.#burst, bucket.tokens + ((now - bucket.at) / 1000) * this.#perSecond)
    bucket.at = now
    this.#buckets.set(key, bucket)
    return bucket
  }

  /** Removes keys whose bucket is full again: an attacker with many addresses must not fill the memory. */
  #sweep(now: number): void {
    if (now < this.#sweepAt) return
    const fullAfterMs = (this.#burst / this.#perSecond) * 1000
    this.#sweepAt = now + fullAfterMs
    for (const [key, bucket] of this.#buckets) if (now - bucket.at >= fullAfterMs) this.#buckets.delete(key)
  }
}
