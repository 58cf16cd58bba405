/** A stock of keys for new tickets: made in the thread pool, before the transaction that uses them. */
import type { CodeReader } from '../tickets/codes.ts'
import { newKey, newKeySync } from '../tickets/key.ts'
import type { NewKey } from '../tickets/tickets.ts'

/** Keys in stock at most. */
const MOST = 2000
/** Made at a time: enough to keep the thread pool busy. */
const AT_ONCE = 64

export class KeyStock {
  readonly #codes: CodeReader
  readonly #keys: NewKey[] = []

  constructor(codes: CodeReader) {
    this.#codes = codes
  }

  /** Resolves when there are so many, up to the limit. */
  async fill(wanted: number): Promise<void> {
    for (let missing = Math.min(wanted, MOST) - this.#keys.length; missing > 0; missing -= AT_ONCE) {
      const made = Array.from({ length: Math.min(missing, AT_ONCE) }, () => newKey(this.#codes))
      this.#keys.push(...(await Promise.all(made)))
    }
  }

  take(): NewKey {
    return this.#keys.pop() ?? newKeySync(this.#codes)
  }
}
