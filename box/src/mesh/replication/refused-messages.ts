/**
 * Counts the messages, reservations and statuses that are refused, by the name under which they were delivered. Anybody who
 * reaches the mesh can send them under any name, so the count is bounded, and so is the log.
 */
import type { Logger } from '../../log.ts'
import type { RefusalReason } from './signed-message.ts'

/** Most names that are not on the list of boxes: messages under further ones are counted without a name. */
const MOST_STRANGERS = 8
/** A name on no list is forgotten this long after its last message: one burst of names does not hide the next stranger. */
const STRANGER_MS = 3_600_000
/** A box's messages are shown for so long after the last one. */
const SHOWN_MS = 24 * 3_600_000
/** Between two lines in the log about one name and reason. */
const LOG_EVERY_MS = 60_000

/** The kind of thing that was refused. */
export type Refused = 'message' | 'reservation' | 'status'

export interface RefusedMessages {
  readonly what: Refused
  /**
   * Under which name they were delivered: the last word of their subject; of a reservation, the voter that leads the stream. Null where they
   * came under none, or under too many.
   */
  readonly deliveredBy: string | null
  readonly why: RefusalReason
  readonly count: number
  /** When the last one came, unix ms. */
  readonly last: number
}

export interface RefusalCountsDeps {
  logger: Logger
  /** Unix ms. */
  now: () => number
  /** True if a box is on the list. */
  isListed: (box: string) => boolean
}

/** Counts by name, reason and kind. */
export class RefusalCounts {
  readonly #deps: RefusalCountsDeps
  readonly #counted = new Map<string, RefusedMessages & { logged: number }>()
  /** Names on no list, and when the last message came under each. */
  readonly #strangers = new Map<string, number>()

  constructor(deps: RefusalCountsDeps) {
    this.#deps = deps
  }

  /** @param deliveredBy null where the message came under no name */
  count(deliveredBy: string | null, why: RefusalReason, what: Refused = 'message'): void {
    const { logger, now } = this.#deps
    const name = this.#nameOf(deliveredBy)
    const key = `${name ?? ''} ${why} ${what}`
    const before = this.#counted.get(key)
    const last = now()
    const count = (before?.count ?? 0) + 1
    // Also where the clock was set back.
    const isLogged = before === undefined || Math.abs(last - before.logged) >= LOG_EVERY_MS
    this.#counted.set(key, { what, deliveredBy: name, why, count, last, logged: isLogged ? last : before.logged })
    if (isLogged) logger.warn({ event: 'mesh_message_refused', what, delivered_by: name, why, count })
  }

  /** Those of the last day. The newest first. */
  all(): RefusedMessages[] {
    this.#forget()
    return [...this.#counted.values()].map(({ logged, ...counted }) => counted).sort((a, b) => b.last - a.last)
  }

  /** The name to count under; null for an invalid name, and when there is no room for another stranger. */
  #nameOf(box: string | null): string | null {
    if (box === null || this.#deps.isListed(box)) return box
    if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(box)) return null
    if (!this.#strangers.has(box) && this.#strangers.size >= MOST_STRANGERS) this.#forget()
    if (!this.#strangers.has(box) && this.#strangers.size >= MOST_STRANGERS) return null
    this.#strangers.set(box, this.#deps.now())
    return box
  }

  #forget(): void {
    const now = this.#deps.now()
    const isOver = (last: number, ms: number) => Math.abs(now - last) >= ms
    for (const [box, last] of this.#strangers) if (isOver(last, STRANGER_MS)) this.#strangers.delete(box)
    for (const [key, { deliveredBy, last }] of this.#counted) {
      const isStranger = deliveredBy !== null && !this.#deps.isListed(deliveredBy)
      if (isOver(last, isStranger ? STRANGER_MS : SHOWN_MS)) this.#counted.delete(key)
    }
  }
}
