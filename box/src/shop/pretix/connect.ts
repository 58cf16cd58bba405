/**
 * From the address of a pretix and a token to a box that has its tickets: what `gatehouse shop connect` and the screen Shop do. Each of
 * them asks and tells in its own way; what is asked of pretix, proposed and written is this.
 */

import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { coded } from '@gatehouse/proto/said.ts'
import type { ImportReport } from '@gatehouse/proto/wire/admin.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { createDurably } from '../../durable-file.ts'
import { type Event, type EventFile, parseEvent, readEvent } from '../../event/event.ts'
import { formatMistakes } from '../../event/mistakes.ts'
import { MappingError } from '../mapping.ts'
import type { PretixApi } from './api.ts'
import { CatalogReader } from './catalog.ts'
import {
  type Authority,
  keepToken,
  keptToken,
  type ShopConnection,
  writeAuthority,
  writeConnection,
} from './connection.ts'
import {
  type Access,
  accessOf,
  type Choice,
  eventsOf,
  type Found,
  findEvent,
  organizersOf,
  type Rights,
  rightsOf,
} from './discover.ts'
import { type PretixCode, PretixError } from './errors.ts'
import { mappingPath, type PretixMapping, parseMapping, readMapping } from './mapping.ts'
import { type FoundProduct, proposeEvent, proposeMapping } from './propose.ts'
import { type RehearsalDeps, rehearse } from './rehearse.ts'

/** A sentence with more dates is read by nobody; the list on the screen has them all. */
const MOST_DATES_SAID = 12

/** A box takes one shop. @throws PretixError where it follows the database of one */
export function requireNoFeed({ shopFile, eventDir }: { shopFile?: string | undefined; eventDir: string }): void {
  if (!existsSync(shopFile ?? join(eventDir, 'shop.yaml'))) return
  throw new PretixError(
    'This box follows the database of a shop (shop.yaml), and takes one shop: remove that file first, or use another box.',
    { kind: 'refused', coded: [coded('other_shop')] },
  )
}

/** A token with the authority that it is sent past. */
export interface Credentials {
  access: Access
  authority: Authority | undefined
  /** True where the token that was given is used up, because pretix has exchanged it: the lasting one is kept. */
  isExchanged: boolean
}

interface Given {
  dataDir: string
  /** As `readAddress` returns it. */
  url: string
  /** Undefined for the one that is kept for this address. */
  token: string | undefined
  /** In place of the one that is kept with it. */
  authority: Authority | undefined
}

/** @throws PretixError `token` where none is given, and none kept */
export async function credentialsFor({ dataDir, url, token, authority }: Given): Promise<Credentials> {
  if (token === undefined) {
    const kept = await keptToken(dataDir, url)
    if (kept) return { access: kept, authority: authority ?? kept.authority, isExchanged: false }
    throw new PretixError('The token is missing, and none is kept for this address: give it with the address.', {
      kind: 'token',
      coded: [coded('token_missing')],
    })
  }
  let isExchanged = false
  const access = await accessOf(
    token,
    { url, ca: authority?.pem },
    {
      version: packageJson.version,
      async keep(lasting) {
        isExchanged = true
        await mkdir(dataDir, { recursive: true, mode: 0o700 })
        await keepToken(dataDir, { url, ...lasting, ...(authority && { authority }) })
      },
    },
  )
  return { access, authority, isExchanged }
}

export interface Wanted {
  organizer?: string | undefined
  event?: string | undefined
  /** Numbers of dates of a series; none for all of them. */
  dates: readonly string[]
}

export interface ToChoose {
  what: 'organizer' | 'event'
  choices: readonly Choice[]
  /** The wanted one, which the token does not see. */
  unknown: string | undefined
}

/** A connection before it is made; nothing is written yet. */
export interface Plan {
  /** Without the path of an authority that has still to be written. */
  connection: ShopConnection
  authority: Authority | undefined
  found: Found
  rights: Rights
  event: Event
  /** Null where there is an event file. */
  eventFile: { json: EventFile; toLookAt: readonly string[] } | null
  mapping: PretixMapping
  /** Null where there is a mapping. `unmapped`: products that people enter with, and that fit no tier */
  mappingFile: { text: string; unmapped: readonly FoundProduct[] } | null
}

/**
 * Asks pretix for everything that is needed of the wanted event, or of the only one.
 * @param url as `readAddress` returns it
 * @throws PretixError, EventFileError, MappingError
 */
export async function planOf(
  api: PretixApi,
  { access, authority }: Credentials,
  wanted: Wanted,
  { url, eventDir, now }: { url: string; eventDir: string; now: () => number },
): Promise<Plan | ToChoose> {
  const organizer = choose('organizer', await organizersOf(api, access), wanted.organizer)
  if (typeof organizer !== 'string') return organizer
  const event = choose('event', await eventsOf(api, organizer), wanted.event)
  if (typeof event !== 'string') return event
  const found = await findEvent(api, { organizer, event })
  const connection: ShopConnection = {
    ...{ version: 1, shop: 'pretix', url, organizer, event, subevents: datesIn(found, wanted.dates) },
    ...{ token: access.token, device: access.device, ca: authority?.path ?? null },
    connectedAt: new Date(now()).toISOString(),
  }
  const rights = await rightsOf(api, found)
  const own = await eventIn(eventDir, found)
  return { connection, authority, found, rights, ...own, ...mappingIn(eventDir, found, own.event) }
}

/** Folders in which a plan is carried out. */
export interface Place {
  dataDir: string
  eventDir: string
  /** Writes the event file where there is none. */
  writeEvent: (json: EventFile) => Promise<void>
}

/** The connection comes last: a box that runs follows it within seconds. */
export async function carryOut(plan: Plan, { dataDir, eventDir, writeEvent }: Place): Promise<void> {
  const { connection, authority, eventFile, mappingFile } = plan
  if (eventFile) await writeEvent(eventFile.json)
  if (mappingFile) await createDurably(mappingPath(eventDir), mappingFile.text)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const ca = authority ? (authority.path ?? (await writeAuthority(dataDir, authority.pem))) : null
  await writeConnection(dataDir, { ...connection, ca })
  await keepToken(dataDir, undefined)
}

/**
 * The report of an import, without writing anything.
 * @param more tickets that the box has, and who is told how far it is
 * @throws PretixError
 */
export async function rehearsePlan(
  api: PretixApi,
  { connection, event, mapping }: Pick<Plan, 'connection' | 'event' | 'mapping'>,
  more: Pick<RehearsalDeps, 'known' | 'isErased' | 'onProgress'>,
): Promise<ImportReport> {
  const shop = await new CatalogReader(api, connection, event).read()
  return await rehearse({ ...more, api, shop, event, mapping, names: connection })
}

/** The wanted one, or the only one. @throws PretixError where there is none at all */
function choose(what: ToChoose['what'], choices: readonly Choice[], wanted: string | undefined): string | ToChoose {
  const [only] = choices
  if (!only) {
    throw new PretixError(`The token sees no ${what}s: give its team or device access in pretix.`, {
      kind: 'forbidden',
      coded: [coded(what === 'organizer' ? 'token_no_organizer' : 'token_no_event')],
    })
  }
  if (wanted === undefined && choices.length === 1) return only.slug
  if (wanted !== undefined && choices.some(({ slug }) => slug === wanted)) return wanted
  return { what, choices, unknown: wanted }
}

/** @throws PretixError for dates that the series does not have */
function datesIn({ event, subevents }: Found, dates: readonly string[]): number[] | null {
  const no = (message: string, code: PretixCode) => new PretixError(message, { kind: 'refused', coded: [code] })
  if (event.has_subevents !== true) {
    if (dates.length > 0) throw no('This event has no dates to choose from.', coded('no_dates'))
    return null
  }
  const known = new Map(subevents.map(({ id, date_from }) => [String(id), String(date_from)]))
  if (known.size === 0) throw no('The series has no dates yet: add them in pretix first.', coded('series_empty'))
  const unknown = dates.find((date) => !known.has(date))
  if (unknown === undefined) return dates.length === 0 ? null : dates.map(Number)
  const list = [...known].map(([id, at]) => `  ${id}  ${at}`).join('\n')
  throw no(
    `The series has no date ${unknown}. It has:\n${list}`,
    coded('date_unknown', { date: unknown, dates: datesSaid(known) }),
  )
}

/** A pretix counts its dates; one that does not may not fill a screen. */
const LONGEST_ID = 20

/** Within a sentence: `12 (2026-07-04 18:00), 13 (2026-07-05 18:00)`, in the time zone of each. */
function datesSaid(known: ReadonlyMap<string, string>): string {
  const all = [...known].map(([id, at]) => `${id.slice(0, LONGEST_ID)} (${at.slice(0, 16).replace('T', ' ')})`)
  return [...all.slice(0, MOST_DATES_SAID), ...(all.length > MOST_DATES_SAID ? ['…'] : [])].join(', ')
}

async function eventIn(eventDir: string, found: Found): Promise<Pick<Plan, 'event' | 'eventFile'>> {
  if (existsSync(join(eventDir, 'event.json'))) return { event: await readEvent(eventDir), eventFile: null }
  const { event: json, toLookAt } = proposeEvent(found, String(found.event.slug))
  const parsed = parseEvent(json)
  if (!('mistakes' in parsed)) return { event: parsed.event, eventFile: { json, toLookAt } }
  throw new PretixError(
    `No event file can be proposed from what pretix has; write one first:\n${formatMistakes(parsed.mistakes)}`,
    { kind: 'refused', coded: [coded('event_not_proposed')] },
  )
}

function mappingIn(eventDir: string, found: Found, event: Event): Pick<Plan, 'mapping' | 'mappingFile'> {
  const there = readMapping(eventDir, event)
  if (there) return { mapping: there, mappingFile: null }
  const proposed = proposeMapping(found, event)
  const kind = { name: mappingPath(eventDir), badAlias: 'mistake', Refusal: MappingError } as const
  return { mapping: parseMapping(proposed.text, kind, event), mappingFile: proposed }
}
