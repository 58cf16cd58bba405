/** The organiser's announcements, signed by the box, so that a wallet can check one long after it was fetched. */
import { type KeyObject, randomUUID, sign } from 'node:crypto'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import type { Announcement } from '@gatehouse/proto/wire/attendee.ts'
import { type By, whoOf } from '../ca/actor.ts'
import { desc, eq } from '../drizzle/core.ts'
import { GatehouseError } from '../errors.ts'
import type { Event } from '../event/event.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { announcements } from '../ledger/schema.ts'

export interface NewAnnouncement extends By {
  text: string
  severity: Announcement['severity']
  /** BCP 47; `en` when absent. */
  lang?: string | undefined
  zones?: readonly string[] | undefined
  expires_at?: string | undefined
}

export interface AnnouncementDeps {
  event: Event
  ledger: Ledger
  /** The box's Ed25519 key. */
  signingKey: KeyObject
  /** Unix ms. */
  now: () => number
}

type Row = typeof announcements.$inferSelect

/** @throws GatehouseError `not_found` for a zone that the event does not have; `bad_request` for an expiry in the past */
export async function announce(announcement: NewAnnouncement, deps: AnnouncementDeps): Promise<Announcement> {
  const { event, ledger, signingKey, now } = deps
  const { text, severity, lang = 'en', zones, expires_at } = announcement
  if (zones?.some((zone) => !event.zoneById.has(zone))) {
    const known = [...event.zoneById.keys()].join(', ')
    throw new GatehouseError('not_found', `This event has no such zone: choose from ${known}.`)
  }
  const issuedAt = now()
  const expiresAt = expires_at === undefined ? null : Date.parse(expires_at)
  if (expiresAt !== null && expiresAt <= issuedAt) {
    throw new GatehouseError('bad_request', 'The field "expires_at" is in the past: nobody would see the announcement.')
  }
  const id = randomUUID()
  return ledger.commit(() => {
    const row = { id, severity, text, lang, zones: zones ? [...zones] : null, issuedAt, expiresAt }
    const { index, hlc } = ledger.append('announcement', { ...whoOf(announcement), ...unsigned(row) })
    const signature = sign(null, Buffer.from(canonicalJson({ ...unsigned(row), hlc })), signingKey)
    ledger.db.drizzle
      .insert(announcements)
      .values({ ...row, hlc, signature, entry: index })
      .run()
    return wireOf({ ...row, hlc, signature, entry: index })
  })
}

/**
 * Those in force, emergencies first, then newest first.
 * @param zone only what concerns this zone: its own announcements, those for all zones, and every emergency
 */
export function currentAnnouncements(
  { ledger, now }: Pick<AnnouncementDeps, 'ledger' | 'now'>,
  zone?: string,
): Announcement[] {
  const urgency = ({ severity }: Row) => Number(severity === 'emergency')
  return ledger.db.drizzle
    .select()
    .from(announcements)
    .orderBy(desc(announcements.hlc))
    .all()
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > now())
    .filter(({ severity, zones }) => zone === undefined || !zones || zones.includes(zone) || severity === 'emergency')
    .sort((a, b) => urgency(b) - urgency(a))
    .map(wireOf)
}

/** The announcement that a journal entry is about. */
export function findAnnouncement({ ledger }: { ledger: Ledger }, id: string): Announcement | undefined {
  const row = ledger.db.drizzle.select().from(announcements).where(eq(announcements.id, id)).get()
  return row && wireOf(row)
}

function unsigned({ id, severity, text, lang, zones, issuedAt, expiresAt }: Omit<Row, 'hlc' | 'signature' | 'entry'>) {
  return {
    id,
    severity,
    text,
    lang,
    ...(zones && { zones }),
    issued_at: new Date(issuedAt).toISOString(),
    ...(expiresAt !== null && { expires_at: new Date(expiresAt).toISOString() }),
  }
}

function wireOf(row: Row): Announcement {
  return { ...unsigned(row), hlc: row.hlc, signature: row.signature.toString('base64') }
}
