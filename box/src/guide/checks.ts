/** Runs checks of drafts one after the other: each has a thread and half a gigabyte, and a stolen session may ask for many. */
import { GatehouseError } from '../errors.ts'

/** Those that run and wait, in all. */
const MOST_CHECKS = 4

export class Checks {
  #last: Promise<unknown> = Promise.resolve()
  #count = 0

  /** @throws GatehouseError `rate_limited` where several wait already; as `work` */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#count >= MOST_CHECKS) {
      throw new GatehouseError('rate_limited', 'Other drafts of the event are being checked: try again in a moment.', {
        retryAfterSeconds: 2,
        reason: 'checks_many',
      })
    }
    this.#count++
    const mine = this.#last.then(work)
    this.#last = mine.catch(() => {})
    try {
      return await mine
    } finally {
      this.#count--
    }
  }
}
