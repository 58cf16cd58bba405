/** `gatehouse shop connect`: from the address of a pretix and a token to a box that has its tickets. */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import type { Config } from '../config.ts'
import { createDurably } from '../durable-file.ts'
import { type Event, parseEvent, readEvent } from '../event/event.ts'
import { MappingError } from '../shop/mapping.ts'
import { type PretixApi, readAddress } from '../shop/pretix/api.ts'
import { CatalogReader } from '../shop/pretix/catalog.ts'
import {
  keepToken,
  keptToken,
  openApi,
  readAuthority,
  type ShopConnection,
  writeConnection,
} from '../shop/pretix/connection.ts'
import {
  type Access,
  accessOf,
  type Choice,
  eventsOf,
  type Found,
  findEvent,
  organizersOf,
} from '../shop/pretix/discover.ts'
import { mappingByNames, mappingPath, parseMapping, readMapping } from '../shop/pretix/mapping.ts'
import { productsIn, proposeEvent, proposeMapping } from '../shop/pretix/propose.ts'
import { rehearse } from '../shop/pretix/rehearse.ts'
import { UsageError } from '../usage.ts'
import { textOf, textsOf, type Values } from './command.ts'
import { describe } from './import.ts'
import { openBeside, ticketsOf } from './opened.ts'
import { readPassphrase } from './secret-file.ts'

/** @returns false where something is left to choose or to correct */
export async function connect(config: Config, operands: readonly string[], values: Values): Promise<boolean> {
  const [address, given] = operands
  if (!address) {
    throw new UsageError(
      'gatehouse shop connect takes the address of pretix and a token: gatehouse shop connect https://pretix.example TOKEN',
    )
  }
  refuseFeed(config)
  const { href: url } = readAddress(address)
  const ca = textOf(values.ca) === undefined ? null : resolve(textOf(values.ca) ?? '')
  const access = await accessFor(config, { url, ca, given })
  await using api = await openApi({ url, token: access.token, ca })
  const names = await chooseEvent(api, access, values)
  if (!names) return false
  const found = await findEvent(api, names)
  const connection: ShopConnection = {
    ...{ version: 1, shop: 'pretix', url, ...names, subevents: datesIn(found, values), token: access.token },
    ...{ device: access.device, ca, connectedAt: new Date().toISOString() },
  }
  const event = await eventFor(config, found, values)
  const isMapped = await mappingFor(config, found, event, values)
  if (values['dry-run'] === true) return (await report(config, { api, connection, event, found }, values)) && isMapped
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  await writeConnection(config.dataDir, connection)
  await keepToken(config.dataDir, undefined)
  console.log(
    `Connected to ${names.event} at ${api.host}. A box that runs begins to read within seconds; otherwise start it. How far it is: gatehouse shop status`,
  )
  return isMapped
}

function refuseFeed(config: Config): void {
  if (existsSync(config.shopFile ?? join(config.eventDir, 'shop.yaml'))) {
    throw new UsageError(
      'This box follows the database of a shop (shop.yaml), and takes one shop: remove that file first, or use another box.',
    )
  }
}

async function accessFor(
  { dataDir }: Config,
  { url, ca, given }: { url: string; ca: string | null; given: string | undefined },
): Promise<Access> {
  if (given === undefined) {
    const kept = await keptToken(dataDir, url)
    if (kept) return kept
    throw new UsageError('The token is missing: give it after the address, or - to type it where nobody reads it.')
  }
  const text = given === '-' ? (await readPassphrase('-', 'Token: ')).trim() : given
  const where = { url, ca: ca === null ? undefined : await readAuthority(ca) }
  return await accessOf(text, where, {
    version: packageJson.version,
    async keep(access) {
      await mkdir(dataDir, { recursive: true, mode: 0o700 })
      await keepToken(dataDir, { url, ...access })
      console.error('The token was exchanged. Should this command end early: run it again without a token.')
    },
  })
}

async function chooseEvent(api: PretixApi, access: Access, values: Values) {
  const organizer = choose('--organizer', await organizersOf(api, access), textOf(values.organizer))
  if (organizer === undefined) return undefined
  const wanted = textsOf(values.event)
  if (wanted.length > 1) {
    throw new UsageError(
      'A box takes one event of pretix: its tickets, rules and times are those of one event file. Use a box for each event, or make the events dates of one series in pretix.',
    )
  }
  const event = choose('--event', await eventsOf(api, organizer), wanted[0])
  return event === undefined ? undefined : { organizer, event }
}

/** The one that is named, or the only one; otherwise all are listed. */
function choose(option: string, choices: readonly Choice[], wanted: string | undefined): string | undefined {
  const [only] = choices
  if (wanted === undefined && only && choices.length === 1) return only.slug
  if (wanted !== undefined && choices.some(({ slug }) => slug === wanted)) return wanted
  const none = option === '--event' ? 'events' : 'organizers'
  if (choices.length === 0) throw new UsageError(`The token sees no ${none}: give its team or device access in pretix.`)
  console.log(
    wanted === undefined ? `Choose one with ${option}:` : `There is no ${wanted} here. Choose one with ${option}:`,
  )
  for (const { slug, name, date } of choices) console.log(`  ${slug}  ${name}${date ? `, ${date.slice(0, 10)}` : ''}`)
  return undefined
}

/** @throws UsageError for dates that the series does not have */
function datesIn({ event, subevents }: Found, values: Values): number[] | null {
  const dates = textsOf(values.date)
  if (event.has_subevents !== true) {
    if (dates.length > 0) throw new UsageError('This event has no dates to choose from: leave --date out.')
    return null
  }
  const known = new Map(subevents.map(({ id, date_from }) => [String(id), String(date_from)]))
  if (known.size === 0) throw new UsageError('The series has no dates yet: add them in pretix first.')
  const unknown = dates.find((date) => !known.has(date))
  if (unknown === undefined) return dates.length === 0 ? null : dates.map(Number)
  const list = [...known].map(([id, at]) => `  ${id}  ${at}`).join('\n')
  throw new UsageError(`The series has no date ${unknown}. It has:\n${list}`)
}

async function eventFor({ eventDir }: Config, found: Found, values: Values): Promise<Event> {
  const path = join(eventDir, 'event.json')
  if (existsSync(path)) return await readEvent(eventDir)
  const { event: proposed, toLookAt } = proposeEvent(found, String(found.event.slug))
  const parsed = parseEvent(proposed)
  if ('mistakes' in parsed) {
    const mistakes = parsed.mistakes.map(({ path: at, message }) => `  ${at}: ${message}`).join('\n')
    throw new UsageError(`No event file can be proposed from what pretix has; write one first:\n${mistakes}`)
  }
  if (values['dry-run'] !== true) {
    await mkdir(eventDir, { recursive: true })
    await writeFile(path, `${JSON.stringify(proposed, null, 2)}\n`, { flag: 'wx' })
  }
  console.log(`${values['dry-run'] === true ? 'Would write' : 'Wrote'} ${path}. Look at:`)
  for (const line of toLookAt) console.log(`  ${line}`)
  return parsed.event
}

/** @returns whether every product that people enter with has a tier */
async function mappingFor({ eventDir }: Config, found: Found, event: Event, values: Values): Promise<boolean> {
  const path = mappingPath(eventDir)
  if (existsSync(path)) {
    readMapping(eventDir, event)
    return true
  }
  const { text, unmapped } = proposeMapping(found, event)
  parseMapping(text, { name: path, badAlias: 'mistake', Refusal: MappingError }, event)
  if (values['dry-run'] !== true) await createDurably(path, text)
  console.log(
    `${values['dry-run'] === true ? 'Would write' : 'Wrote'} ${path}: ${productsIn(found.items).length} products, ${found.lists.length} check-in lists.`,
  )
  for (const { key, name } of unmapped) console.log(`  ${key} (${name}) fits no tier: choose one in that file`)
  return unmapped.length === 0
}

async function report(
  config: Config,
  { api, connection, event, found }: { api: PretixApi; connection: ShopConnection; event: Event; found: Found },
  values: Values,
): Promise<boolean> {
  const mapping = existsSync(mappingPath(config.eventDir))
    ? readMapping(config.eventDir, event)
    : parseMapping(
        proposeMapping(found, event).text,
        { name: 'The mapping', badAlias: 'mistake', Refusal: MappingError },
        event,
      )
  const shop = await new CatalogReader(api, connection, event).read()
  using closing = new DisposableStack()
  const isThere = existsSync(join(config.dataDir, 'ledger.db')) && existsSync(join(config.eventDir, 'event.json'))
  const known = isThere ? await ticketsOf(closing.use(await openBeside(config))) : undefined
  const rehearsed = await rehearse({
    ...{ api, shop, event, known, isErased: false, names: connection },
    mapping: mapping ?? mappingByNames(event),
  })
  console.log(values.json ? JSON.stringify(rehearsed) : describe(rehearsed).replace('Would import', 'Would take from'))
  return rehearsed.rejected.length === 0
}
