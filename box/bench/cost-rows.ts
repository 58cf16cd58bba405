/** The rows of what one scan costs the machine: bytes written, processor time, system calls and syncs; and a slow machine. */
import { join } from 'node:path'
import { pid as OWN } from 'node:process'
import Sqlite from 'better-sqlite3'
import type { Answer, Connection } from './connection.ts'
import { callsOf, countedOf, writtenBy } from './counters.ts'
import { Crowd } from './crowd.ts'
import { latencyOf } from './figures.ts'
import { pace, type Round, saturate } from './load.ts'
import type { Row } from './row.ts'
import { RunningBox } from './running-box.ts'
import { admitted, bodies, bodyOf, echoed, type ScanBench } from './scan-rows.ts'
import { Server } from './server.ts'
import { partOfCore, slowSyncs } from './slow-machine.ts'

const BUSY = 40
/** Tickets of the ledger, and how many of them come: enough for the log to be copied back several times. */
const TICKETS = 100_000
const SCANS = { alone: 4000, busy: 24_000 } as const
/** For counting system calls, which slows them down. */
const CALLS = { alone: 500, busy: 4000 } as const
const ARRIVALS = 16
const SLOW_SYNC_MS = 15
const SLOW_CORE = 1 / 5
/** Rounds of the slow machine before it is measured: meanwhile V8 compiles and collects memory once, in threads that share the core here. */
const SLOW_WARM_ROUNDS = 10
/** The slow machine is measured for `rounds` times this: a collection of memory delays about seven scans, less than 1 % of the 864 by default. */
const SLOW_ROUNDS_FACTOR = 3

type Kind = keyof typeof SCANS

/** Of one request. */
interface Cost {
  bytes: number
  processorUs: number
  calls: number
  syncs: number
}

type Costs = Record<Kind, Cost>

/** The server under load: a box, or an echo. */
interface Target {
  server: Server
  /** Of the scans that a full ledger has tickets for, 0 to 1. */
  share: number
  connect: (count: number) => Promise<Connection[]>
  body: () => string | undefined
  onAnswer: (answer: Answer) => void
  /** Writes what a commit has left for later, and returns the bytes of it. */
  settle: () => number
}

export async function* costRows(bench: ScanBench): AsyncGenerator<Row> {
  const logged = await costOf('logged', bench)
  const unlogged = await costOf('unlogged', bench)
  const rows = rowsOf({ logged: logged.costs, unlogged: unlogged.costs, echo: logged.echo })
  yield* rows
  yield* slow(logged.crowd, bench)
}

/** A ledger that logs its changes for the feed, or one without a change log; and the echo beside the first. */
async function costOf(name: 'logged' | 'unlogged', bench: ScanBench) {
  const { folder, pinned, progress, tickets } = bench
  const crowd = new Crowd(join(folder, name), Math.min(tickets, TICKETS))
  await crowd.write((done) => progress(`making tickets: ${done} of ${crowd.size}`))
  await using box = await RunningBox.open(crowd, { pinned, ...(name === 'unlogged' && { feed: 'off' }) })
  await box.atRest(progress)
  const connect = (count: number) => box.connect(count)
  const settle = () => copiedBack(join(crowd.folder, 'data/ledger.db'))
  const share = crowd.size / TICKETS
  const scans = { server: box.server, share, connect, body: bodies(crowd), onAnswer: admitted, settle }
  progress(`what a scan costs, ${name}`)
  const costs = await measured(scans)
  if (name === 'unlogged') return { crowd, costs, echo: undefined }
  progress('what an echo costs')
  await using server = await Server.echo(crowd.folder, { pinned })
  const code = crowd.next()
  const toEcho = (count: number) => box.connect(count, server)
  const echo = { server, share, connect: toEcho, body: () => bodyOf(code), onAnswer: echoed, settle: () => 0 }
  return { crowd, costs, echo: await measured(echo) }
}

async function measured(target: Target): Promise<Costs> {
  // A box ends connections that are idle for long: each kind is opened when it is needed.
  const busy = () => target.connect(BUSY)
  await load(target, await busy(), Math.floor(target.share * CALLS.busy))
  const alone = await costFor(target, await target.connect(1), 'alone')
  return { alone, busy: await costFor(target, await busy(), 'busy') }
}

async function costFor(target: Target, connections: Connection[], kind: Kind): Promise<Cost> {
  const { pid } = target.server
  const [scans, counted] = [SCANS, CALLS].map((counts) => Math.floor(target.share * counts[kind])) as [number, number]
  await load(target, connections, counted)
  // The log starts empty and ends empty: each byte is counted for the scan that caused it.
  target.settle()
  const before = countedOf(pid)
  await load(target, connections, scans)
  const after = countedOf(pid)
  const left = target.settle()
  const calls = await callsOf(pid, () => load(target, connections, counted))
  return {
    bytes: (after.bytes - before.bytes + left) / scans,
    processorUs: (after.processorUs - before.processorUs) / scans,
    calls: (calls?.all ?? Number.NaN) / counted,
    syncs: (calls?.syncs ?? Number.NaN) / counted,
  }
}

/** `count` requests, each connection one after the other. */
function load({ body, onAnswer }: Target, connections: Connection[], count: number): Promise<Round> {
  let left = count
  const next = () => (left-- > 0 ? body() : undefined)
  return saturate({ connections, seconds: Number.POSITIVE_INFINITY, body: next, onAnswer })
}

/** Copies the write-ahead log back into the ledger. @returns the bytes that this has written */
function copiedBack(path: string): number {
  const before = writtenBy(OWN)
  const db = new Sqlite(path)
  db.pragma('wal_checkpoint(PASSIVE)')
  db.close()
  return writtenBy(OWN) - before
}

function rowsOf({ logged, unlogged, echo }: { logged: Costs; unlogged: Costs; echo: Costs | undefined }): Row[] {
  const details = { logged, unlogged, echo }
  const kinds = [
    ['alone', 'one scan at a time', 12],
    ['busy', `${BUSY} connections`, 5],
  ] as const
  return kinds.flatMap(([kind, when, kilobytes]): Row[] => {
    const [of, without, bare] = [logged[kind], unlogged[kind], echo?.[kind]]
    const figure = (key: keyof Cost, digits: number) => `${without[key].toFixed(digits)} without change log`
    return [
      {
        id: `scan-bytes-${kind}`,
        what: `written to disk for a scan, ${when}`,
        ...{ value: of.bytes / 1000, limit: kilobytes, unit: 'kB', budget: { ratio: 'at most', of: 1 } },
        note: `limit: the budget; ${(without.bytes / 1000).toFixed(1)} without change log`,
        details,
      },
      {
        id: `scan-processor-${kind}`,
        what: '  its processor time',
        ...{ value: of.processorUs, limit: bare?.processorUs ?? Number.NaN, unit: 'us' },
        budget: { ratio: 'at most', of: 3 },
        note: `limit: an echo; ${figure('processorUs', 0)}`,
        details,
      },
      {
        id: `scan-calls-${kind}`,
        what: '  its system calls',
        ...{ value: of.calls, limit: bare?.calls ?? Number.NaN, unit: '', budget: null },
        note: `limit: an echo; ${figure('calls', 1)}`,
        details,
      },
      {
        id: `scan-syncs-${kind}`,
        what: '  its syncs',
        ...{ value: of.syncs, limit: 1, unit: '', budget: null },
        note: figure('syncs', 2),
        details,
      },
    ]
  })
}

/** A disk and a processor that stand for a small board with a card. Rows that this machine cannot measure are left out, with a word. */
async function* slow(crowd: Crowd, bench: ScanBench): AsyncGenerator<Row> {
  const { folder, progress } = bench
  const env = slowSyncs(folder, SLOW_SYNC_MS)
  if ('skipped' in env) return progress(`slow disk: not measured, ${env.skipped}`)
  yield await slowLane(crowd, { ...bench, env, what: `syncs of ${SLOW_SYNC_MS} ms`, id: 'slow-disk' })
  const part = partOfCore(SLOW_CORE)
  if ('skipped' in part) return progress(`slow processor: not measured, ${part.skipped}`)
  using core = part
  const what = `  and a fifth of a core`
  yield await slowLane(crowd, { ...bench, env, what, id: 'slow-machine', take: core.take })
}

interface Slowed extends ScanBench {
  env: Record<string, string>
  id: string
  what: string
  take?: (pid: number) => void
}

async function slowLane(crowd: Crowd, { id, what, take, ...bench }: Slowed): Promise<Row> {
  const { pinned, env, seconds, rounds, progress } = bench
  await using box = await RunningBox.open(crowd, { pinned, env })
  await box.atRest(progress)
  progress(`${what}: ${ARRIVALS} scans a second`)
  take?.(box.server.pid)
  const scans = { body: bodies(crowd), onAnswer: admitted }
  const lane = await box.connect(ARRIVALS)
  const scanFor = (count: number) =>
    pace({ ...scans, connections: lane, seconds: seconds * count, perSecond: ARRIVALS })
  await scanFor(SLOW_WARM_ROUNDS)
  const { latencies } = await scanFor(rounds * SLOW_ROUNDS_FACTOR)
  const latency = latencyOf(latencies)
  const { rate } = await saturate({ ...scans, connections: await box.connect(BUSY), seconds })
  return {
    id,
    what: `${what}: lane latency at ${ARRIVALS} scans/s, p99`,
    ...{ value: latency.p99, limit: SLOW_SYNC_MS + 10, unit: 'ms', budget: { ratio: 'at most', of: 1 } },
    note: `limit: the sync and 10 ms; ${latencies.length} scans, median ${latency.p50.toFixed(1)} ms; ${rate.toFixed(0)} scans/s at ${BUSY} connections`,
    details: { latency_ms: latency, scans: latencies.length, rate },
  }
}
