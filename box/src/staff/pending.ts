/**
 * Sign-ins that have begun here and go on elsewhere, at the provider's page. Each is taken once. Strangers begin them, so a network begins
 * one a second, and of too many the oldest of whichever network has most is dropped.
 */
import { randomBytes } from 'node:crypto'
import { TokenBuckets } from '../http/token-bucket.ts'
import { networkOf } from '../network.ts'

const MOST = 1_000
const OF_NETWORK = { perSecond: 1, burst: 20 } as const
const TOO_MANY = 'Too many sign-ins were begun from here: wait a moment, then try again.'

interface Begun<T> {
  readonly value: T
  readonly network: string
  /** Monotonic ms. */
  readonly until: number
}

export class Pending<T> {
  readonly #monotonic: () => number
  readonly #lifeMs: number
  readonly #begun = new Map<string, Begun<T>>()
  readonly #networks: TokenBuckets

  constructor({ monotonic, lifeMs }: { monotonic: () => number; lifeMs: number }) {
    this.#monotonic = monotonic
    this.#lifeMs = lifeMs
    this.#networks = new TokenBuckets({ ...OF_NETWORK, now: monotonic })
  }

  /** Before anything is done for a stranger. @throws GatehouseError `rate_limited` */
  requireTurn(address: string): void {
    this.#networks.require(networkOf(address), TOO_MANY)
  }

  /** @returns the key, 256 random bits, with which it is taken */
  begin(address: string, value: T): string {
    const at = this.#monotonic()
    for (const [key, { until }] of this.#begun) if (until <= at) this.#begun.delete(key)
    if (this.#begun.size >= MOST) this.#drop()
    const key = randomBytes(32).toString('base64url')
    this.#begun.set(key, { value, network: networkOf(address), until: at + this.#lifeMs })
    return key
  }

  /** Undefined for one that is unknown, over, or was taken before. */
  take(key: string): T | undefined {
    const begun = this.#begun.get(key)
    this.#begun.delete(key)
    return begun && this.#monotonic() < begun.until ? begun.value : undefined
  }

  #drop(): void {
    const counts = new Map<string, number>()
    for (const { network } of this.#begun.values()) counts.set(network, (counts.get(network) ?? 0) + 1)
    const [greatest] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0])
    for (const [key, { network }] of this.#begun) {
      if (network !== greatest) continue
      this.#begun.delete(key)
      return
    }
  }
}
