/** `gatehouse shop`: the feed of the organiser's shop, from its certificate to the rows that could not be applied. */
import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { eventTag } from '@gatehouse/proto/code.ts'
import { openAuthority } from '../ca/authority.ts'
import { type Config, readConfig } from '../config.ts'
import { readEvent } from '../event/event.ts'
import { FeedConfigError, readFeedConfig } from '../feed/config/config.ts'
import { KINDS } from '../feed/daemon-kinds.ts'
import { issueShopCertificate, revokeShopCertificate, shopCertificatesOf } from '../hq/down/certificates.ts'
import { openDeliveries, shownKey } from '../hq/down/downlink.ts'
import { FEED_FILE, writeFeedFolder } from '../hq/down/feed-file.ts'
import { LoadError, loadShop } from '../hq/down/load.ts'
import { findMapping, ShopMappingError } from '../hq/down/mapping.ts'
import { ShopRows } from '../hq/down/rows.ts'
import { COMMAND_LINE } from '../http/actor.ts'
import { reachableHost } from '../http/machine.ts'
import { openLedger } from '../ledger/open.ts'
import { createLogger } from '../log.ts'
import { CodeReader } from '../tickets/codes.ts'
import { Tickets } from '../tickets/tickets.ts'
import { type Command, JSON_OPTION, textOf, type Values } from './command.ts'
import { Unanswered } from './exit.ts'
import { UsageError } from './usage.ts'

export const shop: Command = {
  usage: 'shop check|certificate|load|status|problems|retry|revoke ...',
  summary: "follow the organiser's shop: its feed, and the rows that could not be applied",
  details: `  shop check                 hold shop.yaml against the event, and list every mistake
  shop certificate           make a folder for the shop's feed: key, certificate, CA, changefeed.yaml
  shop load                  send every row of the shop once, beside its feed; run it where the feed runs
  shop status                sources, certificates, and how far changes are applied
  shop problems              rows that could not be applied, each with its reason
  shop retry                 read them once more
  shop revoke FINGERPRINT    take nothing more from whoever shows this certificate
  box/docs/hq.md, "Down", goes through it step by step. Exit status 1: there are mistakes, or rows not applied.`,
  operands: 2,
  options: {
    out: { type: 'string', description: 'certificate: where the files go (default: ./shop-feed)' },
    source: { type: 'string', description: "certificate: what the shop's changes are kept under (default: shop)" },
    config: { type: 'string', description: "load: the feed's configuration (default: the one of the box's own feed)" },
    all: { type: 'boolean', description: 'retry: read every row once more' },
    reason: { type: 'string', description: 'revoke: why, for the journal' },
    ...JSON_OPTION,
  },
  async run({ values, positionals: [action, operand], environment }) {
    const config = readConfig(environment)
    try {
      switch (action) {
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
          return await revoke(config, operand, values)
        default:
          throw new UsageError(
            'gatehouse shop takes check, certificate, load, status, problems, retry or revoke: see gatehouse shop --help',
          )
      }
    } catch (error) {
      if (error instanceof ShopMappingError || error instanceof LoadError || error instanceof FeedConfigError) {
        if (action === 'check' && error instanceof ShopMappingError) {
          console.error(error.message)
          return false
        }
        throw new Unanswered(error.message, { cause: error })
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
  console.log(`${path}: no mistake. It reads of the shop\n${tables.join('\n')}`)
  return true
}

async function opened(config: Config) {
  const { event, mapping, path } = await mappingOf(config)
  if (!existsSync(join(config.dataDir, 'ledger.db'))) {
    throw new UsageError(
      `There is no ledger in ${config.dataDir}: start the box once, or name its folder with GATEHOUSE_DATA_DIR.`,
    )
  }
  const { ledger, identity } = openLedger({ dataDir: config.dataDir, eventId: event.id, wallClock: Date.now })
  return { event, mapping, path, ledger, identity, rows: new ShopRows(ledger.db) }
}

async function certificate(config: Config, values: Values): Promise<boolean> {
  const { event, mapping, ledger } = await opened(config)
  using _closing = ledger
  const authority = await openAuthority({
    ...{ dir: join(config.dataDir, 'ca'), eventId: event.id, eventName: event.name },
    ...{ endsAt: Date.parse(event.ends_at), hostname: hostname(), now: Date.now },
  })
  const source = textOf(values.source) ?? 'shop'
  const folder = resolve(textOf(values.out) ?? 'shop-feed')
  if (existsSync(join(folder, FEED_FILE)))
    throw new UsageError(`${folder} has a feed's files already: name another folder with --out.`)
  const issued = await issueShopCertificate({ source, by: COMMAND_LINE }, { authority, ledger, now: Date.now })
  const path = await writeFeedFolder(
    {
      ...{ folder, mapping, authority: authority.certificate, listen: '127.0.0.1:7717' },
      address: `${reachableHost(config.publicHost)}:${config.receiverPort || 7718}`,
      comment: `The feed of the shop for ${event.name}. Fill in how the database is reached, then: changefeed check --config ${FEED_FILE}`,
    },
    issued,
  )
  const { fingerprint, notAfter } = issued
  const made = { folder, config: path, source, fingerprint, expires: new Date(notAfter).toISOString() }
  if (values.json) console.log(JSON.stringify(made))
  else {
    console.log(`${folder} has what the shop's feed needs. Its key is as good as the shop's word on every ticket: keep it so.
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
  // The file's paths lead from where it is.
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
  const { ledger, rows } = await opened(config)
  using _closing = ledger
  const sources = rows.sources().map(({ source, commitLsn, appliedAt, lagMs, events, added, changed, loadingAt }) => ({
    ...{ source, position: commitLsn, events, tickets_added: added, tickets_changed: changed },
    last_at: appliedAt === null ? null : new Date(appliedAt).toISOString(),
    lag_seconds: lagMs === null ? null : lagMs / 1000,
    loading: loadingAt !== null,
  }))
  const certificates = shopCertificatesOf(ledger).map(
    ({ fingerprint, source, expiresAt, revokedAt, revokedReason }) => ({
      ...{ fingerprint, source, expires: new Date(expiresAt).toISOString() },
      revoked: revokedAt === null ? null : revokedReason,
    }),
  )
  const kept = Object.fromEntries(rows.problemCounts())
  if (values.json) console.log(JSON.stringify({ sources, certificates, kept }))
  else {
    for (const { source, position, last_at, lag_seconds, events, tickets_added, tickets_changed, loading } of sources) {
      const last = last_at === null ? 'never' : `${last_at}, ${lag_seconds} s after its commit`
      console.log(`${source}: at ${position ?? 'the beginning'}${loading ? ', being loaded' : ''}; last batch ${last}
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

const PROBLEMS_SHOWN = 1000

async function problems(config: Config, values: Values): Promise<boolean> {
  const { ledger, rows, mapping } = await opened(config)
  using _closing = ledger
  const found = rows.problems(PROBLEMS_SHOWN).map((row) => ({
    ...{ source: row.source, table: row.table, key: shownKey(row, mapping), kind: row.problem, reason: row.reason },
    at: new Date(row.problemAt ?? 0).toISOString(),
  }))
  if (values.json) console.log(JSON.stringify({ problems: found }))
  else for (const { table, key, at, reason } of found) console.log(`${at}  ${table} ${key}: ${reason}`)
  if (found.length === 0 && !values.json) console.log('Every row is applied.')
  return found.length === 0
}

async function retry(config: Config, values: Values): Promise<boolean> {
  const { event, ledger, identity, rows, mapping } = await opened(config)
  using _closing = ledger
  const deliveries = openDeliveries({
    ...{ event, ledger, mapping, logger: createLogger('silent'), now: Date.now },
    tickets: new Tickets(ledger.db, identity.refKey),
    codes: new CodeReader(identity.manifestSalt, await eventTag(event.id)),
  })
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
  const revoked = await revokeShopCertificate(fingerprint, { by: COMMAND_LINE, reason, at: Date.now() }, ledger)
  console.log(values.json ? JSON.stringify({ fingerprint: revoked.fingerprint }) : `Revoked: ${revoked.fingerprint}`)
  return true
}
