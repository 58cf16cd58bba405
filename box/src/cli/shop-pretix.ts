/** `gatehouse shop` for a connected pretix: its state, comparing, and disconnecting. */
import type { Config } from '../config.ts'
import { readEvent } from '../event/event.ts'
import { reachableHost } from '../http/machine.ts'
import { MappingError } from '../shop/mapping.ts'
import { readConnection, removeConnection, type ShopConnection } from '../shop/pretix/connection.ts'
import { pagesOf } from '../shop/pretix/describe.ts'
import { mappingByNames, readMapping } from '../shop/pretix/mapping.ts'
import { noticesOf, wordsOfNotice } from '../shop/pretix/notices.ts'
import { sourceOf } from '../shop/pretix/pull.ts'
import { keptCatalog, readState, readStatus, wantComparison } from '../shop/pretix/state.ts'
import { makeWebhookKey } from '../shop/pretix/webhook.ts'
import { RowStore } from '../shop/rows.ts'
import { UsageError } from '../usage.ts'
import type { Values } from './command.ts'
import { openBeside, requireHttpsPort, requireLedger } from './opened.ts'

export const CONNECT_OPTIONS = {
  organizer: { type: 'string', value: 'SLUG', description: 'connect: the organizer, where the token sees several' },
  event: {
    type: 'string',
    value: 'SLUG',
    multiple: true,
    description: 'connect: the event, where the token sees several',
  },
  date: {
    type: 'string',
    value: 'NUMBER',
    multiple: true,
    description: 'connect: a date of a series, as often as the box has dates (default: all of them)',
  },
  ca: {
    type: 'string',
    value: 'FILE',
    description: 'connect: PEM file of the private authority that signed for pretix',
  },
  'dry-run': { type: 'boolean', description: 'connect: write nothing, read every order, and say what would change' },
} as const

export async function disconnect({ dataDir }: Config): Promise<boolean> {
  if (!(await removeConnection(dataDir))) throw new UsageError('No pretix is connected.')
  console.log('Disconnected. Its tickets stay as they are. Take the token back in pretix too.')
  return true
}

export async function compare(config: Config): Promise<boolean> {
  if (!(await readConnection(config.dataDir))) throw new UsageError('No pretix is connected: gatehouse shop connect')
  requireLedger(config)
  using open = await openBeside(config)
  const { db } = open.ledger
  db.transaction(() => wantComparison(db, Date.now()))
  console.log('The box reads every order again, beside the gates. How far it is: gatehouse shop status')
  return true
}

/** Prints the address that pretix calls when something changes. */
export async function webhook(config: Config): Promise<boolean> {
  if (!(await readConnection(config.dataDir))) throw new UsageError('No pretix is connected: gatehouse shop connect')
  requireLedger(config)
  requireHttpsPort(config)
  using open = await openBeside(config)
  const { db } = open.ledger
  const key = db.transaction(() => makeWebhookKey(db))
  console.log(`https://${reachableHost(config.publicHost)}:${config.httpsPort}/v1/shop/webhook/${key}`)
  return true
}

/** @returns false where something failed or is not applied */
export async function pretixStatus(config: Config, connection: ShopConnection, values: Values): Promise<boolean> {
  requireLedger(config)
  using open = await openBeside(config)
  const { db } = open.ledger
  const rows = new RowStore(db)
  const source = sourceOf(connection)
  const state = readState(db, source)
  const status = readStatus(db)
  const { added, changed, appliedAt, lagMs } = rows.source(source)
  const kept = Object.fromEntries(rows.problemCounts())
  const said = {
    source,
    last_answer: timeOf(status.askedAt),
    error: status.error,
    failing_since: timeOf(status.since),
    last_change: timeOf(appliedAt),
    lag_seconds: lagMs === null ? null : lagMs / 1000,
    clock_difference_seconds: status.clockDifferenceMs === null ? null : status.clockDifferenceMs / 1000,
    tickets_added: added,
    tickets_changed: changed,
    compared: timeOf(state.comparedAt),
    reading: state.full === null ? null : { page: state.full.page, pages: pagesOf(state.full.orders) },
    kept,
    notices: await noticesFor(config, keptCatalog(db, source)),
  }
  if (values.json) console.log(JSON.stringify(said))
  else for (const line of linesOf(said)) console.log(line)
  return status.error === null && Object.keys(kept).length === 0
}

/** Sentences about what a person has to look at: in pretix, or in a mapping that has mistakes. */
async function noticesFor({ eventDir }: Config, catalog: ReturnType<typeof keptCatalog>): Promise<string[]> {
  const event = await readEvent(eventDir)
  try {
    const mapping = readMapping(eventDir, event) ?? mappingByNames(event)
    return catalog ? noticesOf(catalog, mapping).map(wordsOfNotice) : []
  } catch (error) {
    if (error instanceof MappingError) return [error.message]
    throw error
  }
}

type Said = {
  [name: string]: unknown
  reading: { page: number; pages: number | null } | null
  clock_difference_seconds: number | null
  kept: Record<string, number>
  notices: readonly string[]
}

/** A clock that differs by more is named. */
const MOST_DIFFERENCE_S = 5

function linesOf(said: Said): string[] {
  const { reading, kept, error, compared, notices, clock_difference_seconds: difference } = said
  const counts = Object.entries(kept).map(([kind, count]) => `${count} ${kind}`)
  return [
    `${said.source}: ${error === null ? `last answer ${said.last_answer ?? 'never'}` : `not answering since ${said.failing_since}`}`,
    ...(error === null ? [] : [`  ${error}`]),
    `  last change ${said.last_change ?? 'never'}${said.lag_seconds === null ? '' : `, ${said.lag_seconds} s after pretix had it`}; ${said.tickets_added} tickets added, ${said.tickets_changed} changed`,
    reading
      ? `  reading every order: page ${reading.page}${reading.pages === null ? '' : ` of ${reading.pages}`}${compared === null ? '. The box is not ready before it is done.' : ''}`
      : `  every order was last compared ${compared ?? 'never: start the box'}`,
    ...(difference !== null && Math.abs(difference) > MOST_DIFFERENCE_S
      ? [`  the clocks of pretix and of the box differ by ${Math.round(difference)} s: set the wrong one`]
      : []),
    ...notices.map((notice) => `  ${notice}`),
    counts.length === 0 ? 'Every ticket is applied.' : `Not applied: ${counts.join(', ')}; see gatehouse shop problems`,
  ]
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
