/** Keys for tickets that are about to be sold: made in the thread pool, before the transaction that hands them out. */
import type { CodeReader } from '../../tickets/codes.ts'
import { newKey, newKeyNow } from '../../tickets/key.ts'
import type { NewKey } from '../../tickets/tickets.ts'

/** More than this is no foresight. */
const MOST = 2000
/** Made at a time: enough to keep the thread pool busy. */
const AT_ONCE = 64

export class KeyStock {
  readonly #codes: CodeReader
  readonly #keys: NewKey[] = []

  constructor(codes: CodeReader) {
    this.#codes = codes
  }

  /** Makes sure that there are so many. */
  async fill(wanted: number): Promise<void> {
    for (let missing = Math.min(wanted, MOST) - this.#keys.length; missing > 0; missing -= AT_ONCE) {
      const made = Array.from({ length: Math.min(missing, AT_ONCE) }, () => newKey(this.#codes))
      this.#keys.push(...(await Promise.all(made)))
    }
  }

  take(): NewKey {
    return this.#keys.pop() ?? newKeyNow(this.#codes)
  }
}
