/**
 * Slows a device that asks too often. These apps take a 429 for a fault of their own, so nobody gets one: a request waits until it may
 * be answered, and where too many wait, or one would wait for too long, the answer is 503.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { TokenBuckets } from '../http/token-bucket.ts'
import type { Logger } from '../log.ts'
import type { StillPaired } from './bearer.ts'

/** An app gives up after ten seconds at the earliest. */
const LONGEST_MS = 5_000
/** Of one device. A person at a gate has one. */
const MOST_WAITING = 8
const LOG_EVERY_MS = 60_000

/** Thrown for a request that would wait for too long. */
export class TooBusy extends Error {
  override readonly name = 'TooBusy'
}

export interface PaceDeps {
  buckets: Pick<TokenBuckets, 'take'>
  logger: Pick<Logger, 'warn'>
  /** Unix ms. */
  now: () => number
  /** A request that has waited may have outlived the pairing of its device. */
  stillPaired: StillPaired
}

export class Pace {
  readonly #deps: PaceDeps
  readonly #waiting = new Map<string, number>()
  readonly #slowed = new Map<string, { at: number; logged: number }>()

  constructor(deps: PaceDeps) {
    this.#deps = deps
  }

  /** Resolves when the device may be answered. @throws TooBusy; Unauthorized for one that was revoked meanwhile */
  async wait(device: string): Promise<void> {
    const { buckets, stillPaired } = this.#deps
    let seconds = buckets.take(device)
    if (seconds === 0) return
    this.#note(device)
    const waiting = this.#waiting.get(device) ?? 0
    if (waiting >= MOST_WAITING) throw new TooBusy()
    this.#waiting.set(device, waiting + 1)
    try {
      for (let left = LONGEST_MS; seconds > 0; seconds = buckets.take(device)) {
        const ms = Math.max(1, seconds * 1000)
        left -= ms
        if (left < 0) throw new TooBusy()
        await sleep(ms)
        stillPaired(device)
      }
    } finally {
      const others = (this.#waiting.get(device) ?? 1) - 1
      if (others > 0) this.#waiting.set(device, others)
      else this.#waiting.delete(device)
    }
  }

  /** When the device was last slowed since the box started, unix ms. */
  slowedAt(device: string): number | undefined {
    return this.#slowed.get(device)?.at
  }

  #note(device: string): void {
    const { logger, now } = this.#deps
    const at = now()
    const { logged = Number.NEGATIVE_INFINITY } = this.#slowed.get(device) ?? {}
    const isLogged = at - logged >= LOG_EVERY_MS
    if (isLogged) logger.warn({ event: 'pretixscan_slowed', device })
    this.#slowed.set(device, { at, logged: isLogged ? at : logged })
  }
}
