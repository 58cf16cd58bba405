/** The feed rows of the budgets: throughput of a backlog, latency of a change, and the cost of both. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { installChangelog, openCommitMark } from '../src/ledger/changelog.ts'
import { Postgres } from '../test/world/postgres.ts'
import { countedOf } from './counters.ts'
import { Crowd } from './crowd.ts'
import { Feed, Receiver } from './feed-bench.ts'
import { latencyOf, median } from './figures.ts'
import { type Round, saturate } from './load.ts'
import type { Row } from './row.ts'
import { RunningBox } from './running-box.ts'
import { admitted, bodies } from './scan-rows.ts'
import { unpinLoad } from './server.ts'

export interface FeedBench {
  folder: string
  seconds: number
  rounds: number
  /** Rows of the large transaction and of the SQLite backlog; the other backlogs have a third. */
  tickets: number
  progress: (what: string) => void
}

const TABLE = `CREATE TABLE changes (n bigint PRIMARY KEY, id uuid DEFAULT gen_random_uuid(), price numeric, kind char(3), name text,
  details jsonb, at timestamptz DEFAULT clock_timestamp())`
const rows = (from: string, to: string) =>
  `INSERT INTO changes (n, price, kind, name, details)
   SELECT s, s / 7.0, 'abc', 'name ' || s, jsonb_build_object('n', s, 'tags', '["a","b"]'::jsonb) FROM generate_series(${from}, ${to}) s`

const PER_SECOND = 200
const LIVE_SECONDS = 15
const CONNECTIONS = 40
/** Of each backlog, for the tool and for the feed: rates differ by a quarter from one to the next. */
const RUNS = 5
/** A second, on the machines of today. */
const MOST_SCANS = 8000

export async function* feedRows(bench: FeedBench): AsyncGenerator<Row> {
  // Database, feed and receiver share the machine, as they would on one.
  unpinLoad()
  {
    bench.progress('PostgreSQL: starting')
    await using postgres = await Postgres.start({
      version: 15,
      settings: { max_wal_size: '8GB', synchronous_commit: 'on' },
    })
    await postgres.query(TABLE)
    const count = Math.ceil(bench.tickets / 3)
    for (const size of [1, 100, 10_000]) yield* drained(postgres, { ...bench, count, size })
    yield await live(postgres, bench)
    yield* memory(postgres, bench)
  }
  yield await drainedSqlite(bench)
  yield await costOfScans(bench)
}

interface Backlog extends FeedBench {
  count: number
  /** Rows in each transaction. */
  size: number
}

/** The same backlog, drained by PostgreSQL's own tool and by the feed, in turns; and what an event costs the feed's processor. */
async function* drained(postgres: Postgres, { count, size, folder, progress }: Backlog): AsyncGenerator<Row> {
  const limits: number[] = []
  const drains: Drain[] = []
  progress(`${count} rows in transactions of ${size}: writing`)
  await postgres.query('TRUNCATE changes')
  await postgres.query('DROP PUBLICATION IF EXISTS bench')
  await postgres.query('CREATE PUBLICATION bench FOR TABLE changes')
  const slots = Array.from({ length: RUNS }, (_, run) => [`tool_${run}`, `feed_${run}`]).flat()
  for (const slot of slots) await postgres.query(`SELECT pg_create_logical_replication_slot('${slot}', 'pgoutput')`)
  await postgres.query(`CREATE OR REPLACE PROCEDURE fill(rows int, size int) LANGUAGE plpgsql AS $$
    BEGIN FOR i IN 1..rows BY size LOOP ${rows('i', 'least(i + size - 1, rows)')}; COMMIT; END LOOP; END $$`)
  await postgres.query(`CALL fill(${count}, ${size})`)
  await postgres.query(`SELECT pg_switch_wal()`)
  const [end] = (await postgres.query('SELECT pg_current_wal_lsn()::text AS lsn')) as { lsn: string }[]
  for (const [i, slot] of slots.entries()) {
    progress(`${count} rows in transactions of ${size}: ${i % 2 === 0 ? 'pg_recvlogical' : 'changefeed'}`)
    if (i % 2 === 0) limits.push(drainWithTool(postgres, slot, end?.lsn ?? '', count))
    else drains.push(await drainWithFeed(postgres, slot, join(folder, 'feed'), count))
    await postgres.query(`SELECT pg_drop_replication_slot('${slot}')`)
  }
  const measured = limits.every((limit) => !Number.isNaN(limit))
  const rates = drains.map(({ rate }) => rate)
  const costs = drains.map(({ processorUs }) => processorUs)
  const what = `${size === 1 ? '1 row' : `${size} rows`} a transaction`
  yield {
    id: `feed-drain-${size}`,
    what: `feed, PostgreSQL to gRPC, ${what}`,
    ...{ value: median(rates), limit: measured ? median(limits) : median(rates), unit: '/s' },
    budget: measured ? { ratio: 'at least', of: 0.7 } : null,
    note: measured
      ? `pg_recvlogical on the same backlog; median of ${RUNS} runs each, in turns`
      : 'no pg_recvlogical on this machine (package postgresql-client)',
    details: { rates, limits, events: count },
  }
  yield {
    id: `feed-processor-${size}`,
    what: `  processor of the feed for an event, ${what}`,
    // The share of one processor that the feed needs at the rate above.
    ...{ value: median(costs), limit: 1e6 / median(rates), unit: 'us', budget: null },
    note: 'all threads, without the start; against the time between two events',
    details: { costs },
  }
}

interface Drain {
  /** Events a second. */
  rate: number
  /** For each event. */
  processorUs: number
}

/** @returns events a second; NaN where the tool is not installed */
function drainWithTool(postgres: Postgres, slot: string, endpos: string, count: number): number {
  const tool = ['/usr/bin/pg_recvlogical', '/usr/lib/postgresql/15/bin/pg_recvlogical'].find((path) => existsSync(path))
  if (!tool) return Number.NaN
  const started = performance.now()
  const options = ['-o', 'proto_version=1', '-o', 'publication_names=bench', '-f', '/dev/null', '-E', endpos]
  const { status, stderr } = spawnSync(tool, ['-d', postgres.url(), '-S', slot, '--start', '--no-loop', ...options])
  if (status !== 0) throw new Error(`pg_recvlogical failed: ${stderr}`)
  return (count / (performance.now() - started)) * 1000
}

async function drainWithFeed(postgres: Postgres, slot: string, folder: string, count: number): Promise<Drain> {
  await using receiver = await Receiver.start()
  await using feed = await Feed.start(folder, postgresSource(postgres, slot), receiver.port)
  const opened = Date.now()
  const { pid = 0 } = feed.child
  const before = countedOf(pid).processorUs
  const { lastAt } = await receiver.until(count)
  const processorUs = (countedOf(pid).processorUs - before) / count
  return { rate: (count / (lastAt - opened)) * 1000, processorUs }
}

const postgresSource = (postgres: Postgres, slot: string) => ({
  ...{ kind: 'postgres', url: postgres.url(), slot: { name: slot, create: true } },
  publication: { name: 'bench', create: true, tables: ['public.changes'] },
})

/** From the moment that a row is written to the moment that the receiver has it, the commit's own time included. */
async function live(postgres: Postgres, { folder, progress }: FeedBench): Promise<Row> {
  progress(`${PER_SECOND} transactions a second`)
  await postgres.query('CREATE TABLE moments (n bigint PRIMARY KEY, sent_ms bigint)')
  await postgres.query('CREATE PUBLICATION live FOR TABLE moments')
  await using receiver = await Receiver.start()
  receiver.say('timed')
  const source = { ...postgresSource(postgres, 'live'), publication: { name: 'live' } }
  await using feed = await Feed.start(join(folder, 'feed'), source, receiver.port)
  await sleep(1000)
  const started = performance.now()
  const writes: Promise<unknown>[] = []
  for (let n = 0; n < PER_SECOND * LIVE_SECONDS; n++) {
    await sleep(Math.max(0, started + (n / PER_SECOND) * 1000 - performance.now()))
    writes.push(postgres.query(`INSERT INTO moments VALUES (${n}, ${Date.now()})`))
  }
  await Promise.all(writes)
  const times: number[] = []
  for (let counted = 0; counted < PER_SECOND * LIVE_SECONDS; ) {
    const { events, latencies } = await receiver.count()
    counted = events
    times.push(...latencies)
    await sleep(20)
  }
  void feed
  const latency = latencyOf(times)
  return {
    id: 'feed-latency',
    what: `feed, live latency at ${PER_SECOND} transactions/s, p99`,
    ...{ value: latency.p99, limit: 50, unit: 'ms', budget: null },
    note: `p50 ${latency.p50.toFixed(0)} ms, from before the INSERT is sent; fsync off`,
    details: { latency_ms: latency },
  }
}

async function* memory(postgres: Postgres, { tickets, folder, progress }: FeedBench): AsyncGenerator<Row> {
  progress(`one transaction of ${tickets} rows`)
  await postgres.query('TRUNCATE changes')
  await postgres.query('DROP PUBLICATION IF EXISTS bench')
  await postgres.query('CREATE PUBLICATION bench FOR TABLE changes')
  await postgres.query(`SELECT pg_create_logical_replication_slot('large', 'pgoutput')`)
  await postgres.query(`SELECT pg_create_logical_replication_slot('slow', 'pgoutput')`)
  await postgres.query(rows('1', String(tickets)))
  {
    await using receiver = await Receiver.start()
    await using feed = await Feed.start(join(folder, 'feed'), postgresSource(postgres, 'large'), receiver.port)
    const atRest = feed.highestMemory() ?? Number.NaN
    const { firstAt, lastAt } = await receiver.until(tickets)
    const highest = feed.highestMemory() ?? Number.NaN
    yield {
      id: 'feed-memory-transaction',
      what: `feed, memory over a transaction of ${tickets} rows`,
      ...{ value: highest, limit: atRest, unit: 'MB', budget: null },
      note: `at its highest, against at rest; ${((tickets / (lastAt - firstAt)) * 1000).toFixed(0)} events/s`,
      details: { highest, at_rest: atRest },
    }
  }
  progress('a slow receiver')
  await using receiver = await Receiver.start()
  receiver.say('slow 1000')
  await using feed = await Feed.start(join(folder, 'feed'), postgresSource(postgres, 'slow'), receiver.port)
  const atRest = feed.highestMemory() ?? Number.NaN
  await sleep(12_000)
  const highest = feed.highestMemory() ?? Number.NaN
  yield {
    id: 'feed-memory-slow',
    what: '  and over a receiver that takes one batch a second',
    ...{ value: highest, limit: 300, unit: 'MB', budget: { ratio: 'at most', of: 1 } },
    note: `${atRest.toFixed(0)} MB at rest; a backlog of ${tickets}`,
    details: { highest, at_rest: atRest },
  }
}

async function drainedSqlite({ tickets, folder, progress }: FeedBench): Promise<Row> {
  progress(`SQLite: writing ${tickets} rows`)
  const path = join(folder, 'changes.db')
  const db = new Sqlite(path)
  db.pragma('journal_mode = WAL')
  db.exec('CREATE TABLE changes (n INTEGER PRIMARY KEY, id TEXT, price REAL, name TEXT, details TEXT, at TEXT)')
  const tables = [{ name: 'changes' }]
  installChangelog(db, { tables, maxRows: tickets * 10, onFull: 'drop' }, 1, 'bench')
  const mark = openCommitMark(db)
  const insert = db.prepare('INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?)')
  for (let n = 1; n <= tickets; ) {
    db.exec('BEGIN')
    mark?.begin()
    for (let i = 0; i < 100 && n <= tickets; i++, n++) {
      insert.run(n, `id-${n}`, n / 7, `name ${n}`, `{"n":${n},"tags":["a","b"]}`, new Date(n).toISOString())
    }
    mark?.end()
    db.exec('COMMIT')
  }
  db.close()
  progress('SQLite: draining')
  await using receiver = await Receiver.start()
  const source = { kind: 'sqlite', path, tables, create: true, maxRows: tickets * 10 }
  await using feed = await Feed.start(join(folder, 'feed'), source, receiver.port)
  const opened = Date.now()
  const { lastAt } = await receiver.until(tickets)
  void feed
  return {
    id: 'feed-sqlite',
    what: 'feed, SQLite to gRPC, 100 rows a transaction',
    ...{
      value: (tickets / (lastAt - opened)) * 1000,
      limit: 100_000,
      unit: '/s',
      budget: { ratio: 'at least', of: 1 },
    },
    note: `a backlog of ${tickets}`,
    details: { events: tickets },
  }
}

/** The same scans at a box with a change feed and at a box without one, in turns. */
async function costOfScans({ tickets, seconds, rounds, folder, progress }: FeedBench): Promise<Row> {
  // Enough tickets that none is admitted twice, even if the other rows measure only a few.
  const size = Math.max(Math.ceil(tickets / 4), MOST_SCANS * seconds * rounds)
  const crowds = ['followed', 'alone'].map((name) => new Crowd(join(folder, name), size))
  const [followed, alone] = crowds as [Crowd, Crowd]
  for (const crowd of crowds) await crowd.write((done) => progress(`making tickets: ${done} of ${crowd.size}`))
  await using withFeed = await RunningBox.open(followed, { pinned: false, asStarted: true })
  await using without = await RunningBox.open(alone, { pinned: false, asStarted: true, feed: 'off' })
  const load = async (box: RunningBox) => ({
    ...{ connections: await box.connect(CONNECTIONS), seconds, onAnswer: admitted },
    body: bodies(box.crowd),
  })
  const [fed, unfed] = [await load(withFeed), await load(without)]
  progress('scans with a feed and without: warming up')
  for (const warm of [fed, unfed]) await saturate({ ...warm, seconds: 1 })
  const measured: { fed: Round; unfed: Round }[] = []
  for (let n = 1; n <= rounds; n++) {
    progress(`scans with a feed and without: round ${n} of ${rounds}`)
    measured.push({ fed: await saturate(fed), unfed: await saturate(unfed) })
  }
  const [p99, limitP99] = (['fed', 'unfed'] as const).map((key) =>
    median(measured.map((round) => latencyOf(round[key].latencies).p99)),
  )
  return {
    id: 'feed-scans',
    what: `durable scans with the feed beside, ${CONNECTIONS} connections`,
    value: median(measured.map((round) => round.fed.rate)),
    limit: median(measured.map((round) => round.unfed.rate)),
    ...{ unit: '/s', budget: null },
    note: `the same without a feed; p99 ${p99?.toFixed(0)} ms, and ${limitP99?.toFixed(0)} without`,
    details: { rounds: measured.map(({ fed, unfed }) => [fed.rate, unfed.rate]), p99_ms: [p99, limitP99] },
  }
}
