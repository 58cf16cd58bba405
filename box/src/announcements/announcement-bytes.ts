/** The answer with the announcements in force, as bytes: every wallet asks for it, and whoever floods asks for it without end. */
import type { Announcement } from '@gatehouse/proto/wire/attendee.ts'
import type { Entry } from '../ledger/entries.ts'
import { type AnnouncementDeps, currentAnnouncements } from './announcements.ts'

/** True for an entry that may change what is in force: an announcement, of this box or of another one. */
export function announces({ kind }: Entry): boolean {
  return kind === 'announcement' || kind === 'heard'
}

export class AnnouncementBytes implements Disposable {
  readonly #deps: Pick<AnnouncementDeps, 'event' | 'ledger' | 'now'>
  readonly #unsubscribe: () => void
  /** By zone: one of the event's, `*` for a query without one, and `?` for one that the event does not have. */
  readonly #made = new Map<string, { bytes: Buffer; until: number }>()

  constructor(deps: Pick<AnnouncementDeps, 'event' | 'ledger' | 'now'>) {
    this.#deps = deps
    // Also those of other boxes.
    this.#unsubscribe = deps.ledger.subscribe('committed', (entries) => {
      if (entries.some(announces)) this.#made.clear()
    })
  }

  /** @param zone only what concerns it @returns JSON */
  of(zone: string | undefined): Buffer {
    const { event, now } = this.#deps
    const key = zone === undefined ? '*' : event.zoneById.has(zone) ? zone : '?'
    const made = this.#made.get(key)
    if (made && now() < made.until) return made.bytes
    const announcements = currentAnnouncements(this.#deps, zone)
    const bytes = Buffer.from(JSON.stringify({ announcements }))
    this.#made.set(key, { bytes, until: Math.min(...announcements.map(endOf)) })
    return bytes
  }

  [Symbol.dispose](): void {
    this.#unsubscribe()
  }
}

function endOf({ expires_at }: Announcement): number {
  return expires_at === undefined ? Number.POSITIVE_INFINITY : Date.parse(expires_at)
}
