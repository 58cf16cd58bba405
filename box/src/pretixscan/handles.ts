/**
 * Names under which an app gets the tickets that a search by name has found. A handle stands for the ticket's printed code: for the
 * device that searched alone, and for ten minutes. So nobody learns a code by searching, and a claimed ticket stays the phone's.
 */
import { randomBytes } from 'node:crypto'

const GOOD_FOR_MS = 10 * 60_000
/** Of one device: ten searches with twenty results. */
const MOST = 200
const HANDLE = /^ghsearch[0-9a-f]{32}$/

export class Handles {
  readonly #now: () => number
  readonly #byDevice = new Map<string, Map<string, { ref: string; at: number }>>()

  /** @param now milliseconds, monotonic */
  constructor(now: () => number) {
    this.#now = now
  }

  /** The desktop app asks about letters and digits alone, and shows the first twenty of them. */
  add(device: string, ref: string): string {
    const of = this.#byDevice.get(device) ?? new Map()
    this.#byDevice.set(device, of)
    const handle = `ghsearch${randomBytes(16).toString('hex')}`
    of.set(handle, { ref, at: this.#now() })
    for (const [oldest] of of) {
      if (of.size <= MOST) break
      of.delete(oldest)
    }
    return handle
  }

  /** The ticket's ref; null for a handle that is not this device's, or is too old; undefined for a text that is none. */
  refOf(device: string, text: string): string | null | undefined {
    if (!HANDLE.test(text)) return undefined
    const found = this.#byDevice.get(device)?.get(text)
    return found && this.#now() - found.at < GOOD_FOR_MS ? found.ref : null
  }
}
