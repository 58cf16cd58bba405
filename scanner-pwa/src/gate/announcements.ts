/** The organiser's announcements, shown once their signature is verified. */
import { standing, verifyAnnouncement } from '@gatehouse/proto/announcement.ts'
import type { Ed25519Verifier } from '@gatehouse/proto/ed25519.ts'
import type { Announcement } from '@gatehouse/proto/wire/attendee.ts'
import { signal } from '@preact/signals'
import type { BoxClient } from '../box/client.ts'
import { type Database, keep, readKept, writeLater } from '../store/database.ts'

export interface AnnouncementDeps {
  db: Database
  box: BoxClient
  verifierKey: string
  ed25519: Ed25519Verifier
  /** Unix ms, corrected. */
  now: () => number
}

export class Announcements {
  readonly #deps: AnnouncementDeps
  readonly #dismissed: Set<string>
  /** Verified, and in force: those that are shown, those that somebody has dismissed here, and withdrawals. */
  #known: readonly Announcement[] = []
  readonly current = signal<readonly Announcement[]>([])

  private constructor(deps: AnnouncementDeps, kept: readonly Announcement[], dismissed: readonly string[]) {
    this.#deps = deps
    this.#dismissed = new Set(dismissed)
    this.#set(kept)
  }

  static async open(deps: AnnouncementDeps): Promise<Announcements> {
    const [kept, dismissed] = await Promise.all([readKept(deps.db, 'announcements'), readKept(deps.db, 'dismissed')])
    return new Announcements(deps, kept ?? [], dismissed ?? [])
  }

  /** Shows an announcement if the box of this event signed it, and ignores it otherwise. */
  async take(announcement: Announcement): Promise<void> {
    const { verifierKey, ed25519 } = this.#deps
    if (!(await verifyAnnouncement(announcement, verifierKey, ed25519).catch(() => false))) return
    const { id, replaces = [] } = announcement
    if (this.#known.some((one) => one.id === id || one.replaces?.includes(id))) return
    // For good: the one in its place may expire earlier.
    this.#set([announcement, ...this.#known.filter((one) => !replaces.includes(one.id))])
  }

  /** Fetches what was missed while the stream was closed. Rejects when the box does not answer. */
  async catchUp(): Promise<void> {
    const { data } = await this.#deps.box.client.GET('/v1/announcements')
    for (const announcement of [...(data?.announcements ?? [])].reverse()) await this.take(announcement)
  }

  dropExpired(): void {
    if (this.#known.some((each) => !this.#isInForce(each))) this.#set(this.#known)
  }

  dismiss(id: string): void {
    this.#dismissed.add(id)
    this.#set(this.#known)
    writeLater(this.#deps.db, [keep('dismissed', [...this.#dismissed])])
  }

  #isInForce({ expires_at }: Announcement): boolean {
    return expires_at === undefined || Date.parse(expires_at) > this.#deps.now()
  }

  #set(announcements: readonly Announcement[]): void {
    this.#known = announcements.filter((each) => this.#isInForce(each))
    this.current.value = standing(this.#known)
      .filter(({ id }) => !this.#dismissed.has(id))
      .sort(byUrgency)
    writeLater(this.#deps.db, [keep('announcements', [...this.#known])])
  }
}

/** Emergencies first, then the newest. */
function byUrgency(a: Announcement, b: Announcement): number {
  const urgent = Number(b.severity === 'emergency') - Number(a.severity === 'emergency')
  return urgent || Date.parse(b.issued_at) - Date.parse(a.issued_at)
}
