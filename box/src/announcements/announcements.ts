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
  /** Id of the announcement that this one corrects. */
  replaces?: string | undefined
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
type Unsigned = Omit<Row, 'hlc' | 'signature' | 'entry'>

/** @throws GatehouseError `not_found` for a zone that the event does not have; `bad_request` for an expiry in the past */
export async function announce(announcement: NewAnnouncement, deps: AnnouncementDeps): Promise<Announcement> {
  const { event, ledger, now } = deps
  const { text, severity, lang = 'en', zones, expires_at, replaces } = announcement
  if (zones?.some((zone) => !event.zoneById.has(zone))) {
    const known = [...event.zoneById.keys()].join(', ')
    throw new GatehouseError('not_found', `This event has no such zone: choose from ${known}.`, {
      reason: 'zone_unknown',
    })
  }
  const issuedAt = now()
  const expiresAt = expires_at === undefined ? null : Date.parse(expires_at)
  if (expiresAt !== null && expiresAt <= issuedAt) {
    throw new GatehouseError(
      'bad_request',
      'The field "expires_at" is in the past: nobody would see the announcement.',
      { reason: 'expiry_past' },
    )
  }
  const id = randomUUID()
  return ledger.commit(() => {
    const earlier = replaces === undefined ? null : chainOf(standing(replaces, deps))
    const about = { severity, text, lang, zones: zones ? [...zones] : null }
    return write({ id, ...about, issuedAt, expiresAt, replaces: earlier, withdrawn: null }, announcement, deps)
  })
}

/**
 * Takes an announcement back everywhere, by a signed one in its place, which apps do not show. An app that knows nothing of
 * withdrawals shows it, so its text says what it is.
 * @throws GatehouseError `not_found`; `conflict` where it was corrected or withdrawn already
 */
export async function withdraw(id: string, by: By, deps: AnnouncementDeps): Promise<Announcement> {
  const newId = randomUUID()
  return deps.ledger.commit(() => {
    const row = standing(id, deps)
    const { lang, zones, expiresAt, text } = row
    const said = { severity: 'info', text: `Withdrawn: ${text}`, lang, zones, expiresAt } as const
    return write({ id: newId, ...said, issuedAt: deps.now(), replaces: chainOf(row), withdrawn: true }, by, deps)
  })
}

/** Within a transaction. */
function write(row: Unsigned, by: By, { ledger, signingKey }: AnnouncementDeps): Announcement {
  const { index: entry, hlc } = ledger.append('announcement', { ...whoOf(by), ...unsigned(row) })
  const signature = sign(null, Buffer.from(canonicalJson({ ...unsigned(row), hlc })), signingKey)
  const signed = { ...row, hlc, signature, entry }
  ledger.db.drizzle.insert(announcements).values(signed).run()
  return wireOf(signed)
}

/** Itself, and every earlier one in whose place it stands: an app may have missed the steps between. */
function chainOf({ id, replaces }: Row): string[] {
  return [id, ...(replaces ?? [])]
}

/** The announcement of this id, which nothing has replaced yet. */
function standing(id: string, { ledger }: AnnouncementDeps): Row {
  const rows = ledger.db.drizzle.select().from(announcements).all()
  const row = rows.find((one) => one.id === id)
  if (!row)
    throw new GatehouseError('not_found', 'There is no such announcement: load the list again.', {
      reason: 'announcement_unknown',
    })
  if (row.withdrawn || replacedIn(rows).has(id)) {
    throw new GatehouseError('conflict', 'Somebody has corrected or withdrawn it already: load the list again.', {
      reason: 'announcement_changed',
    })
  }
  return row
}

function replacedIn(rows: readonly Row[]): Set<string> {
  return new Set(rows.flatMap(({ replaces }) => replaces ?? []))
}

/**
 * Those in force, emergencies first, then newest first. Withdrawals are among them: an app may have what they take back.
 * @param zone only what concerns this zone: its own announcements, those for all zones, and every emergency
 */
export function currentAnnouncements(
  { ledger, now }: Pick<AnnouncementDeps, 'ledger' | 'now'>,
  zone?: string,
): Announcement[] {
  const urgency = ({ severity }: Row) => Number(severity === 'emergency')
  const rows = ledger.db.drizzle.select().from(announcements).orderBy(desc(announcements.hlc)).all()
  const replaced = replacedIn(rows)
  return rows
    .filter(({ id }) => !replaced.has(id))
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > now())
    .filter(
      ({ severity, zones, replaces }) =>
        zone === undefined || !zones || zones.includes(zone) || severity === 'emergency' || replaces !== null,
    )
    .sort((a, b) => urgency(b) - urgency(a))
    .map(wireOf)
}

/** The announcement that a journal entry is about. */
export function findAnnouncement({ ledger }: { ledger: Ledger }, id: string): Announcement | undefined {
  const row = ledger.db.drizzle.select().from(announcements).where(eq(announcements.id, id)).get()
  return row && wireOf(row)
}

function unsigned({ id, severity, text, lang, zones, issuedAt, expiresAt, replaces, withdrawn }: Unsigned) {
  return {
    id,
    severity,
    text,
    lang,
    ...(zones && { zones }),
    issued_at: new Date(issuedAt).toISOString(),
    ...(expiresAt !== null && { expires_at: new Date(expiresAt).toISOString() }),
    ...(replaces && { replaces }),
    ...(withdrawn && { withdrawn: true as const }),
  }
}

function wireOf(row: Row): Announcement {
  return { ...unsigned(row), hlc: row.hlc, signature: row.signature.toString('base64') }
}
