/** `gatehouse shop connect`: from the address of a pretix and a token to a box that has its tickets. */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { overlapping } from '@gatehouse/proto/overlapping.ts'
import type { Config } from '../config.ts'
import type { EventFile } from '../event/event.ts'
import { PretixApi, readAddress } from '../shop/pretix/api.ts'
import { datesOf } from '../shop/pretix/catalog.ts'
import {
  type Credentials,
  carryOut,
  credentialsFor,
  type Plan,
  planOf,
  rehearsePlan,
  requireNoFeed,
  type ToChoose,
} from '../shop/pretix/connect.ts'
import { readAuthority } from '../shop/pretix/connection.ts'
import { nameOf, type Rights } from '../shop/pretix/discover.ts'
import { mappingPath } from '../shop/pretix/mapping.ts'
import { productsIn, proposedIn } from '../shop/pretix/propose.ts'
import { namesErased } from '../tickets/erasure.ts'
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
  requireNoFeed(config)
  const { href: url } = readAddress(address)
  const credentials = await credentialsOf(config, { url, given }, values)
  const { access, authority } = credentials
  await using api = new PretixApi({ url, token: access.token, ca: authority?.pem })
  const plan = await planOf(api, credentials, wantedOf(values), { url, eventDir: config.eventDir, now: Date.now })
  if ('what' in plan) return sayChoices(plan)
  const isMapped = plan.mappingFile === null || plan.mappingFile.unmapped.length === 0
  if (values['dry-run'] === true) {
    sayPlan('Would write', plan, config)
    return (await report(config, { api, plan }, values)) && isMapped
  }
  const { dataDir, eventDir } = config
  await carryOut(plan, { dataDir, eventDir, writeEvent: (json) => writeEvent(eventDir, json) })
  sayPlan('Wrote', plan, config)
  console.log(
    `Connected to ${plan.connection.event} at ${api.host}. A box that runs begins to read within seconds; otherwise start it. How far it is: gatehouse shop status`,
  )
  return isMapped
}

async function credentialsOf(
  { dataDir }: Config,
  { url, given }: { url: string; given: string | undefined },
  values: Values,
): Promise<Credentials> {
  const path = textOf(values.ca) === undefined ? undefined : resolve(textOf(values.ca) ?? '')
  const authority = path === undefined ? undefined : { pem: await readAuthority(path), path }
  const token = given === '-' ? (await readPassphrase('-', 'Token: ')).trim() : given
  const credentials = await credentialsFor({ dataDir, url, token, authority })
  if (credentials.isExchanged) {
    console.error('The token was exchanged. Should this command end early: run it again without a token.')
  }
  return credentials
}

function wantedOf(values: Values) {
  const [event, ...others] = textsOf(values.event)
  if (others.length > 0) {
    throw new UsageError(
      'A box takes one event of pretix: its tickets, rules and times are those of one event file. Use a box for each event, or make the events dates of one series in pretix.',
    )
  }
  return { organizer: textOf(values.organizer), event, dates: textsOf(values.date) }
}

function sayChoices({ what, choices, unknown }: ToChoose): false {
  const how = `Choose one with --${what}:`
  console.log(unknown === undefined ? how : `There is no ${unknown} here. ${how}`)
  for (const { slug, name, date } of choices) console.log(`  ${slug}  ${name}${date ? `, ${date.slice(0, 10)}` : ''}`)
  return false
}

function sayPlan(
  done: 'Would write' | 'Wrote',
  { eventFile, mappingFile, found, rights, event, mapping, connection }: Plan,
  { eventDir }: Config,
): void {
  if (eventFile) {
    console.log(`${done} ${join(eventDir, 'event.json')}. Look at:`)
    for (const line of eventFile.toLookAt) console.log(`  ${line}`)
  }
  if (mappingFile) {
    const [products, lists] = [productsIn(found.items).length, found.lists.length]
    console.log(`${done} ${mappingPath(eventDir)}: ${products} products, ${lists} check-in lists.`)
    for (const { key, name } of mappingFile.unmapped) {
      console.log(`  ${key} (${name}) fits no ticket type: choose one in that file`)
    }
  }
  sayLists({ found, event, mapping, connection })
  for (const line of missingIn(rights)) console.log(line)
}

/** Check-in lists with their checkpoints, and the dates of a series that this box has. */
function sayLists({
  found,
  event,
  mapping,
  connection,
}: Pick<Plan, 'found' | 'event' | 'mapping' | 'connection'>): void {
  for (const { id, name, checkpoints } of proposedIn(found, event, mapping).lists) {
    const to = checkpoints.length > 0 ? checkpoints.join(', ') : 'no checkpoint: nothing is told to it'
    console.log(`  list ${id} (${name}): ${to}`)
  }
  const { subevents: chosen } = connection
  for (const { id, name, date_from } of found.subevents) {
    const isHere = chosen === null || chosen.includes(Number(id))
    console.log(`  date ${id} (${nameOf(name) || 'unnamed'}, ${date_from})${isHere ? '' : ': not at this box'}`)
  }
  const windows = [...datesOf(found.subevents, chosen, event)].map(([date, window]) => ({ date, ...window }))
  const mixed = overlapping(windows).map(({ date }) => date)
  if (mixed.length === 0) return
  console.log(
    `Dates ${mixed.join(', ')} share a festival day, and a ticket of one admits for the whole day, also to the others.`,
  )
  console.log('Where that must not be: a box for each of them (--date), or products of their own.')
}

function missingIn({ redeem, annul, sell }: Rights): string[] {
  const lines = [
    { may: redeem, line: 'The token may not record check-ins: what happens at the gates will wait here.' },
    { may: annul, line: 'The token may not take check-ins back: an undo at the gate becomes an exit in pretix.' },
    { may: sell, line: 'The token may not make orders: sales at the desk will wait here, each with a case.' },
  ]
  return lines.flatMap(({ may, line }) => (may ? [] : [line]))
}

/** Keeps a file that exists, also where somebody has written it since. */
async function writeEvent(eventDir: string, json: EventFile): Promise<void> {
  await mkdir(eventDir, { recursive: true })
  await writeFile(join(eventDir, 'event.json'), `${JSON.stringify(json, null, 2)}\n`, { flag: 'wx' })
}

async function report(config: Config, { api, plan }: { api: PretixApi; plan: Plan }, values: Values): Promise<boolean> {
  using closing = new DisposableStack()
  const isThere = existsSync(join(config.dataDir, 'ledger.db')) && existsSync(join(config.eventDir, 'event.json'))
  const opened = isThere ? closing.use(await openBeside(config)) : undefined
  const known = opened && (await ticketsOf(opened))
  const isErased = opened !== undefined && namesErased(opened.ledger.db)
  const rehearsed = await rehearsePlan(api, plan, { known, isErased })
  console.log(values.json ? JSON.stringify(rehearsed) : describe(rehearsed).replace('Would import', 'Would take from'))
  return rehearsed.rejected.length === 0
}
