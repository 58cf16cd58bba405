/** `gatehouse shop`: connects the feed of the organiser's shop, and lists the rows that could not be applied. */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { COMMAND_LINE } from '../ca/actor.ts'
import { openEventAuthority } from '../ca/authority.ts'
import { type Config, readConfig } from '../config.ts'
import { readEvent } from '../event/event.ts'
import { FeedConfigError, readFeedConfig } from '../feed/config/config.ts'
import { KINDS } from '../feed/daemon-kinds.ts'
import { reachableHost } from '../http/machine.ts'
import { createLogger } from '../log.ts'
import { certificatesOf, issueCertificate, revokeCertificate } from '../shop/certificates.ts'
import { openDeliveries } from '../shop/downlink.ts'
import { FEED_FILE, writeFeedFolder } from '../shop/feed-file.ts'
import { shownKey } from '../shop/link.ts'
import { LoadError, loadShop } from '../shop/load.ts'
import { findMapping, MappingError } from '../shop/mapping.ts'
import { readConnection } from '../shop/pretix/connection.ts'
import { PretixError, toAskAgain } from '../shop/pretix/errors.ts'
import { RowStore } from '../shop/rows.ts'
import { UsageError } from '../usage.ts'
import { type Command, JSON_OPTION, textOf, type Values } from './command.ts'
import { Unanswered } from './exit.ts'
import { openBeside, requireLedger, ticketsOf } from './opened.ts'
import { connect } from './shop-connect.ts'
import { CONNECT_OPTIONS, compare, disconnect, pretixStatus, webhook } from './shop-pretix.ts'

export const shop: Command = {
  usage: 'shop ACTION [OPTIONS]',
  summary: "connect the organiser's shop, and see which of its rows could not be applied",
  actions: {
    'connect URL [TOKEN]':
      'connect a pretix by its address and the token of a team or device; - reads the token as it is typed',
    disconnect: 'forget the address and the token; tickets stay',
    compare: 'read every order of the connected pretix again, and find what was deleted there',
    webhook: 'print the address for a webhook of the connected pretix, which then need not wait to be asked',
    check: 'check shop.yaml against the event, and list every mistake',
    certificate: "make a folder for the shop's feed: key, certificate, CA, changefeed.yaml",
    load: "send every row of the shop once, while its feed runs; run it on the feed's machine",
    status: 'show sources and certificates, and how far changes are applied',
    problems: 'list the rows that could not be applied, each with its reason',
    retry: 'try these rows again',
    'revoke FINGERPRINT': 'accept nothing more from the holder of this certificate',
  },
  details:
    'box/docs/pretix.md goes through connect step by step; box/docs/hq.md, under "Down", through the feed of a database.',
  statuses: { 1: 'shop.yaml has mistakes, or rows are not applied' },
  examples: [
    'gatehouse shop connect https://pretix.example TOKEN --dry-run',
    'gatehouse shop problems',
    'gatehouse shop revoke 0a1b2c3d --reason "laptop stolen"',
  ],
  operands: 3,
  options: {
    ...CONNECT_OPTIONS,
    out: { type: 'string', value: 'FOLDER', description: 'certificate: folder for the files (default: ./shop-feed)' },
    source: {
      type: 'string',
      value: 'NAME',
      description: "certificate: name under which the shop's changes are kept (default: shop)",
    },
    config: {
      type: 'string',
      value: 'FILE',
      description: "load: the feed's configuration (default: that of the shop's feed in the data folder)",
    },
    all: { type: 'boolean', description: 'retry: every row of the shop, also those that were applied' },
    reason: { type: 'string', value: 'TEXT', description: 'revoke: why, for the journal (required)' },
    ...JSON_OPTION,
  },
  async run({ values, positionals: [action, ...operands], environment }) {
    const config = readConfig(environment)
    try {
      switch (action) {
        case 'connect':
          return await connect(config, operands, values)
        case 'disconnect':
          return await disconnect(config)
        case 'compare':
          return await compare(config)
        case 'webhook':
          return await webhook(config)
        case 'check':
          return await check(config)
        case 'certificate':
          return await certificate(config, values)
        case 'load':
          return await load(config, values)
        case 'status':
          return await status(config, values)
        case 'problems':
          return await problems(config, values)
        case 'retry':
          return await retry(config, values)
        case 'revoke':
          return await revoke(config, operands[0], values)
        default:
          throw new UsageError(
            'gatehouse shop takes connect, disconnect, compare, webhook, check, certificate, load, status, problems, retry or revoke: see gatehouse shop --help',
          )
      }
    } catch (error) {
      if (
        error instanceof MappingError ||
        error instanceof LoadError ||
        error instanceof FeedConfigError ||
        error instanceof PretixError
      ) {
        if (action === 'check' && error instanceof MappingError) {
          console.error(error.message)
          return false
        }
        const { message } = error instanceof PretixError ? toAskAgain(error) : error
        throw new Unanswered(message, { cause: error })
      }
      throw error
    }
  },
}

async function mappingOf(config: Config) {
  const event = await readEvent(config.eventDir)
  const found = findMapping(config, event)
  if (!found)
    throw new UsageError(`There is no shop.yaml in ${config.eventDir}: write one, or name it with GATEHOUSE_SHOP.`)
  return { event, ...found }
}

async function check(config: Config): Promise<boolean> {
  const { path, mapping } = await mappingOf(config)
  const tables = [...mapping.tables].map(([name, { columns }]) => `  ${name}: ${[...columns].sort().join(', ')}`)
  console.log(`${path}: no mistake. Tables and columns that it reads:\n${tables.join('\n')}`)
  return true
}

async function opened(config: Config) {
  const { mapping, path } = await mappingOf(config)
  requireLedger(config)
  const open = await openBeside(config)
  return { ...open, mapping, path, rows: new RowStore(open.ledger.db) }
}

async function certificate(config: Config, values: Values): Promise<boolean> {
  const { event, mapping, ledger } = await opened(config)
  using _closing = ledger
  const authority = await openEventAuthority(event, { ...config, now: Date.now })
  const source = textOf(values.source) ?? 'shop'
  const folder = resolve(textOf(values.out) ?? 'shop-feed')
  if (existsSync(join(folder, FEED_FILE)))
    throw new UsageError(`${folder} already has the files of a feed: name another folder with --out.`)
  const issued = await issueCertificate({ source, by: COMMAND_LINE }, { authority, ledger, now: Date.now })
  const path = await writeFeedFolder(
    {
      ...{ folder, mapping, authority: authority.certificate, listen: '127.0.0.1:7717' },
      address: `${reachableHost(config.publicHost)}:${config.receiverPort || 7718}`,
      comment: `The feed of the shop for ${event.name}. Fill in the address of the database, then run: changefeed check --config ${FEED_FILE}`,
    },
    issued,
  )
  const { fingerprint, notAfter } = issued
  const made = { folder, config: path, source, fingerprint, expires: new Date(notAfter).toISOString() }
  if (values.json) console.log(JSON.stringify(made))
  else {
    console.log(`${folder} has everything that the shop's feed needs. Whoever has its key can change every ticket of the shop: keep it secret.
  source       ${source}
  certificate  ${fingerprint}
  expires      ${made.expires}`)
  }
  return true
}

async function load(config: Config, values: Values): Promise<boolean> {
  const path = resolve(textOf(values.config) ?? join(config.dataDir, 'shop', FEED_FILE))
  const feed = await readFeedConfig(path, feedEnvironment(), KINDS)
  const start = performance.now()
  // Paths in the file are relative to its folder.
  process.chdir(dirname(path))
  const loaded = await loadShop({ config: feed, environment: process.env })
  const seconds = (performance.now() - start) / 1000
  if (values.json) console.log(JSON.stringify({ tables: Object.fromEntries(loaded), seconds }))
  else {
    for (const [table, rows] of loaded) console.log(`  ${table}: ${rows} rows`)
    console.log(`Loaded in ${seconds.toFixed(1)} s. Rows that could not be applied: gatehouse shop problems`)
  }
  return true
}

function feedEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('CHANGEFEED_')))
}

async function status(config: Config, values: Values): Promise<boolean> {
  const connection = await readConnection(config.dataDir)
  if (connection) return await pretixStatus(config, connection, values)
  const { ledger, rows } = await opened(config)
  using _closing = ledger
  const sources = rows.sources().map(({ source, commitLsn, appliedAt, lagMs, events, added, changed, loadingAt }) => ({
    ...{ source, position: commitLsn, events, tickets_added: added, tickets_changed: changed },
    last_at: appliedAt === null ? null : new Date(appliedAt).toISOString(),
    lag_seconds: lagMs === null ? null : lagMs / 1000,
    loading: loadingAt !== null,
  }))
  const certificates = certificatesOf(ledger).map(({ fingerprint, source, expiresAt, revokedAt, revokedReason }) => ({
    ...{ fingerprint, source, expires: new Date(expiresAt).toISOString() },
    revoked: revokedAt === null ? null : revokedReason,
  }))
  const kept = Object.fromEntries(rows.problemCounts())
  if (values.json) console.log(JSON.stringify({ sources, certificates, kept }))
  else {
    for (const { source, position, last_at, lag_seconds, events, tickets_added, tickets_changed, loading } of sources) {
      const last = last_at === null ? 'never' : `${last_at}, ${lag_seconds} s after its commit`
      console.log(`${source}: at ${position ?? 'the beginning'}${loading ? ', loading' : ''}; last batch ${last}
  ${events} changes, ${tickets_added} tickets added, ${tickets_changed} changed`)
    }
    for (const { fingerprint, source, expires, revoked } of certificates) {
      console.log(
        `certificate ${fingerprint.slice(0, 16)} of ${source}: ${revoked === null ? `good until ${expires}` : `revoked, ${revoked}`}`,
      )
    }
    const counts = Object.entries(kept).map(([kind, count]) => `${count} ${kind}`)
    console.log(
      counts.length === 0 ? 'Every row is applied.' : `Not applied: ${counts.join(', ')}; see gatehouse shop problems`,
    )
  }
  return Object.keys(kept).length === 0
}

/** A connected pretix has no mapping of tables. */
async function openedForProblems(config: Config) {
  if (!(await readConnection(config.dataDir))) return await opened(config)
  requireLedger(config)
  const open = await openBeside(config)
  return { ...open, mapping: undefined, rows: new RowStore(open.ledger.db) }
}

const PROBLEMS_SHOWN = 1000

async function problems(config: Config, values: Values): Promise<boolean> {
  const { ledger, rows, mapping } = await openedForProblems(config)
  using _closing = ledger
  const found = rows.problems(PROBLEMS_SHOWN).map((row) => ({
    ...{
      source: row.source,
      table: row.table,
      key: mapping ? shownKey(row, mapping) : row.key,
      kind: row.problem,
      reason: row.reason,
    },
    at: new Date(row.problemAt ?? 0).toISOString(),
  }))
  if (values.json) console.log(JSON.stringify({ problems: found }))
  else for (const { table, key, at, reason } of found) console.log(`${at}  ${table} ${key}: ${reason}`)
  if (found.length === 0 && !values.json) console.log('Every row is applied.')
  return found.length === 0
}

async function retry(config: Config, values: Values): Promise<boolean> {
  using open = await opened(config)
  const { event, ledger, rows, mapping } = open
  const own = { event, ledger, mapping, ...(await ticketsOf(open)) }
  const deliveries = openDeliveries({ ...own, logger: createLogger('silent'), now: Date.now })
  let left = 0
  for (const { source } of rows.sources()) left += await deliveries.retry(source, values.all === true)
  console.log(
    values.json
      ? JSON.stringify({ not_applied: left })
      : left === 0
        ? 'Every row is applied.'
        : `${left} rows could not be applied: gatehouse shop problems`,
  )
  return left === 0
}

async function revoke(config: Config, fingerprint: string | undefined, values: Values): Promise<boolean> {
  const reason = textOf(values.reason)
  if (!fingerprint || !reason)
    throw new UsageError(
      'gatehouse shop revoke takes a fingerprint and a reason: gatehouse shop revoke 0a1b2c3d --reason "laptop stolen"',
    )
  const { ledger } = await opened(config)
  using _closing = ledger
  const revoked = await revokeCertificate(fingerprint, { by: COMMAND_LINE, reason, at: Date.now() }, ledger)
  console.log(values.json ? JSON.stringify({ fingerprint: revoked.fingerprint }) : `Revoked: ${revoked.fingerprint}`)
  return true
}
