/**
 * Tickets whose passages the box takes slowly: what this device has for one of them waits, in its order, and everything else
 * goes on. Kept in memory: after a restart the box says so again.
 */
import { parseCode } from '@gatehouse/proto/code.ts'
import { bareCode } from '@gatehouse/proto/payload.ts'

export class HeldBack {
  readonly #now: () => number
  /** By ticket: when its next passage may be sent. */
  readonly #until = new Map<string, number>()

  /** @param now milliseconds, monotonic */
  constructor(now: () => number) {
    this.#now = now
  }

  /** The box has not taken the scan of this payload, and asks for it again after `waitMs`. */
  hold(payload: string, waitMs: number): void {
    this.#until.set(ticketOf(payload), this.#now() + waitMs)
  }

  /**
   * @returns the first `most` of `items` that may be sent now, in their order; of a ticket that was ever held back a single
   *   one, because the box takes one at a time
   */
  free<T>(items: readonly T[], payloadOf: (item: T) => string, most: number): T[] {
    if (items.length === 0) this.#until.clear()
    if (this.#until.size === 0) return items.slice(0, most)
    const free: T[] = []
    const passed = new Set<string>()
    for (const item of items) {
      if (free.length === most) break
      const ticket = ticketOf(payloadOf(item))
      const until = this.#until.get(ticket)
      if (until !== undefined && (passed.has(ticket) || until > this.#now())) continue
      passed.add(ticket)
      free.push(item)
    }
    return free
  }

  /** The time until another item is free, ms; at least 1. Tickets whose wait is over have nothing left in the queue. */
  get waitMs(): number {
    const now = this.#now()
    const ahead = [...this.#until.values()].filter((until) => until > now)
    return ahead.length === 0 ? 1 : Math.min(...ahead) - now
  }
}

/** The same for every code of a ticket's phone, and for its printed code however it was read. */
function ticketOf(payload: string): string {
  const code = parseCode(bareCode(payload))
  return code ? code.publicKey.join() : bareCode(payload)
}
