/**
 * The rows of a hostile crowd: a live gate scans at a steady pace, alone and while one other process floods the box. A scan
 * may become twice as slow at most, and 50 ms slower at most, at its ninety-ninth percentile. Both are measured in turns, the
 * flood being held meanwhile: what else the machine does slows both.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { claimBytes } from '@gatehouse/proto/claim.ts'
import { MAX_SCANS_AT_ONCE } from '@gatehouse/proto/wire/scan.ts'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import type { Connection, Credentials } from './connection.ts'
import { CHECKPOINT, Crowd, scanOf } from './crowd.ts'
import { type Latency, latencyOf } from './figures.ts'
import type { FloodOutcome, FloodPlan } from './flood.ts'
import { pace } from './load.ts'
import type { Row } from './row.ts'
import { RunningBox } from './running-box.ts'
import { admitted, bodies, type ScanBench } from './scan-rows.ts'

/** Length of each flood, and of the measurement without one before it, unless `--seconds` says otherwise. */
const SECONDS = 10
/** Turns of both measurements. */
const TURNS = 5
/** Requests that a flood sent before it was suspended are answered within this. */
const SETTLES_MS = 500
/** Live scans a second: what eight busy lanes bring. */
const ARRIVALS = 50
/** Connections of a flood. */
const MANY = 200
/** Live scans of all rounds together need fewer. */
const TICKETS = 50_000
const QUEUE = 10_000
const QUEUE_LIMIT_S = 60
/** A scan may be slower by so much, ms, and by so many times. */
const SLOWER_MS = 50
const SLOWER_TIMES = 2
/** At its largest, what the routes of the issue were flooded with. */
const NESTED_BYTES = 60_000
const LIST_BYTES = 590_000

interface Flood {
  id: string
  what: string
  plan: FloodPlan
}

export async function* crowdRows(bench: ScanBench): AsyncGenerator<Row> {
  const { folder, progress } = bench
  const seconds = bench.floodSeconds ?? SECONDS
  const crowd = new Crowd(join(folder, 'crowd'), Math.min(bench.tickets, TICKETS))
  await crowd.write((done) => progress(`making tickets: ${done} of ${crowd.size}`))
  const ticket = await crowd.capability()
  // Uploads and rates are limited as on a box at an event; eight devices scan at a pace below their limit.
  await using box = await RunningBox.open(crowd, { ...bench, limits: 'usual' })
  await box.atRest(progress)
  const [attacker, ...others] = box.devices
  if (!attacker) throw new Error('no device is paired.')
  const gate = await box.connect(ARRIVALS, box.server, others)
  const scan = (round: number) =>
    pace({ connections: gate, seconds: round, perSecond: ARRIVALS, body: bodies(crowd), onAnswer: admitted })
  progress('a live gate: warming up')
  await scan(seconds / 2)
  const crowdOfStrangers = floods(box, attacker, ticket)
  const all = [...crowdOfStrangers, await backups(box, attacker), exports(box, attacker)]
  const isWanted = (id: string) => bench.floods?.includes(id) ?? true
  for (const flood of all.filter(({ id }) => isWanted(id))) {
    progress(flood.what)
    yield rowOf(flood, await inTurns(() => scan(seconds / TURNS), flood, folder))
  }
  if (isWanted('queue')) {
    progress(`a queue of ${QUEUE}`)
    yield await queued(box, attacker, { id: 'crowd-queue', what: 'while people enter', scan })
  }
  const [claims] = crowdOfStrangers
  if (!claims) throw new Error('there are no floods.')
  if (!isWanted('queue-flooded')) return
  progress(`a queue of ${QUEUE} and ${claims.what}`)
  using running = await startFlood(claims, folder)
  yield await queued(box, attacker, { id: 'crowd-queue-flooded', what: 'and a flood of claims goes on', scan })
  await endFlood(running)
}

/** The results of the scans alone, and of those under a flood. */
async function inTurns(scan: () => Promise<{ latencies: readonly number[] }>, flood: Flood, folder: string) {
  const alone: number[] = []
  const flooded: number[] = []
  alone.push(...(await scan()).latencies)
  // Its handshakes count, too.
  using running = await startFlood(flood, folder)
  for (let turn = 0; turn < TURNS; turn++) {
    if (turn > 0) {
      alone.push(...(await scan()).latencies)
      running.child.kill('SIGCONT')
    }
    flooded.push(...(await scan()).latencies)
    running.child.kill(turn < TURNS - 1 ? 'SIGSTOP' : 'SIGCONT')
    await sleep(SETTLES_MS)
  }
  return { alone: latencyOf(alone), flooded: latencyOf(flooded), outcome: await endFlood(running) }
}

function rowOf(
  { id, what }: Flood,
  { alone, flooded, outcome }: { alone: Latency; flooded: Latency; outcome: FloodOutcome },
): Row {
  const answers = Object.entries(outcome).map(([status, count]) => `${count} ${status}`)
  return {
    id: `crowd-${id}`,
    what,
    ...{ value: flooded.p99, limit: alone.p99, unit: 'ms' },
    budget: { ratio: 'at most', of: Math.min(SLOWER_TIMES, 1 + SLOWER_MS / alone.p99) },
    note: `p99 of a live scan; medians ${flooded.p50.toFixed(1)} and ${alone.p50.toFixed(1)} ms; flood: ${answers.join(', ') || 'no answer'}`,
    details: { latency_ms: flooded, limit_latency_ms: alone, flood: outcome },
  }
}

/** Every flood of somebody on the gate's network, and of somebody with one paired scanner. */
function floods({ server, crowd }: RunningBox, attacker: Credentials, ticket: string): Flood[] {
  const { http, https, device } = server.ports
  const stranger = { port: https, connections: MANY, tls: { ca: attacker.ca } }
  const scanner = {
    port: device,
    connections: 4,
    tls: { ca: attacker.ca, cert: attacker.certificate, key: attacker.key },
    headers: [`authorization: Bearer ${attacker.token}`],
    ...{ method: 'POST' as const, path: '/v1/scans' },
  }
  const upload = { atOnce: MAX_SCANS_AT_ONCE, checkpoint: CHECKPOINT }
  return [
    {
      id: 'claims',
      what: `claims of one's own ticket and bad proofs, ${MANY} connections`,
      plan: { ...stranger, method: 'POST', path: `/v1/ticket/${ticket}/claim`, bodies: claimsOf(ticket) },
    },
    {
      id: 'nested',
      what: '60 kB of "[" to /v1/enroll',
      plan: { ...stranger, method: 'POST', path: '/v1/enroll', bodies: ['['.repeat(NESTED_BYTES)] },
    },
    {
      id: 'topology',
      what: '590 kB to /v1/mesh/topology',
      plan: {
        ...stranger,
        ...{ method: 'POST', path: '/v1/mesh/topology' },
        bodies: [JSON.stringify({ topology: 'A'.repeat(LIST_BYTES) })],
      },
    },
    {
      id: 'openapi',
      what: `/v1/openapi.json, ${MANY} connections`,
      plan: { ...stranger, method: 'GET', path: '/v1/openapi.json' },
    },
    {
      id: 'setup-page',
      what: `the setup page, ${MANY} connections`,
      plan: { port: http, connections: MANY, method: 'GET', path: '/' },
    },
    {
      id: 'uploads',
      what: 'one scanner uploads what it let in',
      plan: { ...scanner, uploads: { ...upload, codes: crowd.take(TICKETS / 5) } },
    },
    {
      id: 'repeats',
      what: 'one scanner uploads one ticket, again and again',
      plan: { ...scanner, uploads: { ...upload, codes: crowd.take(1) } },
    },
  ]
}

/** Downloads of the whole box, encrypted, one after the other: not of an attacker, but of whoever makes a backup while people come in. */
async function backups({ server, crowd }: RunningBox, { ca }: Credentials): Promise<Flood> {
  const token = readFileSync(join(crowd.folder, 'data/admin-token'), 'utf8').trim()
  const recipients = [await identityToRecipient(await generateX25519Identity())]
  return {
    id: 'backups',
    what: 'encrypted backups, one after the other',
    plan: {
      ...{ port: server.ports.https, connections: 1, tls: { ca } },
      headers: [`authorization: Bearer ${token}`, 'connection: close'],
      ...{ method: 'POST', path: '/v1/admin/backup', bodies: [JSON.stringify({ recipients })] },
    },
  }
}

/** Downloads of the whole record, one after the other: of an auditor, or of an admin who has to hand it over at once. */
function exports({ server, crowd }: RunningBox, { ca }: Credentials): Flood {
  const token = readFileSync(join(crowd.folder, 'data/admin-token'), 'utf8').trim()
  return {
    id: 'exports',
    what: 'exports of the record, one after the other',
    plan: {
      ...{ port: server.ports.https, connections: 1, tls: { ca } },
      headers: [`authorization: Bearer ${token}`, 'connection: close'],
      ...{ method: 'GET', path: '/v1/admin/export' },
    },
  }
}

/** Half of them are the claim of the ticket's own phone, and half have another signature. */
function claimsOf(ticket: string): string[] {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64')
  const claim = (about: string) =>
    JSON.stringify({ public_key: key, proof: sign(null, claimBytes(about), privateKey).toString('base64') })
  return [claim(ticket), claim('another ticket')]
}

/** Ends with its object, also where the rows of its group could not be finished. */
interface RunningFlood extends Disposable {
  child: ChildProcess
  lines: Interface
}

/** @returns when its first request is on its way */
async function startFlood({ id, plan }: Flood, folder: string): Promise<RunningFlood> {
  const file = join(folder, `flood-${id}.json`)
  writeFileSync(file, JSON.stringify(plan))
  const command = [join(import.meta.dirname, 'flood.ts'), file]
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] })
  const last = () => child.kill('SIGKILL')
  process.once('exit', last)
  child.once('exit', () => process.off('exit', last))
  const lines = createInterface({ input: child.stdout })
  await once(lines, 'line')
  return { child, lines, [Symbol.dispose]: last }
}

async function endFlood({ child, lines }: RunningFlood): Promise<FloodOutcome> {
  if (child.exitCode !== null) throw new Error('the flooding process ended by itself.')
  const said = once(lines, 'line') as Promise<[string]>
  child.kill('SIGTERM')
  const [outcome] = await said
  return JSON.parse(outcome) as FloodOutcome
}

interface Queued {
  id: string
  /** A flood beside it, for as long as the queue lasts. */
  what: string
  /** The live gate beside it. */
  scan: (seconds: number) => Promise<{ latencies: readonly number[] }>
}

/** An evening's queue of one scanner, sent as the scanner's app does, while the gate beside it scans until its end. */
async function queued(box: RunningBox, device: Credentials, { id, what, scan }: Queued): Promise<Row> {
  const connect = async () => (await box.connect(1, box.server, [device]))[0] as Connection
  let connection = await connect()
  const codes = box.crowd.take(QUEUE)
  let isSent = false
  const latencies: number[] = []
  const scanUntilSent = async () => {
    while (!isSent) latencies.push(...(await scan(1)).latencies)
  }
  const started = performance.now()
  const live = scanUntilSent()
  // It is awaited at the end: a failure before that is no unhandled one.
  live.catch(() => {})
  for (let from = 0; from < codes.length; ) {
    const { isTaken, isLast } = await uploaded(connection, codes.slice(from, from + MAX_SCANS_AT_ONCE))
    if (isTaken) from += MAX_SCANS_AT_ONCE
    if (isLast) connection = await connect()
  }
  const seconds = (performance.now() - started) / 1000
  isSent = true
  await live
  const latency = latencyOf(latencies)
  return {
    id,
    what: `${codes.length} queued scans uploaded ${what}`,
    ...{ value: seconds, limit: QUEUE_LIMIT_S, unit: 's', budget: { ratio: 'at most', of: 1 } },
    note: `live scans all the while: median ${latency.p50.toFixed(1)} ms, p99 ${latency.p99.toFixed(1)} ms`,
    details: { seconds, latency_ms: latency },
  }
}

/** @returns whether the box took the batch, and whether it closes the connection; a refusal is waited for as an app does */
async function uploaded(connection: Connection, codes: readonly string[]) {
  const scans = codes.map((code) => ({ ...scanOf(code), offline_admitted: true }))
  const { status, body, isLast } = await connection.post('/v1/scans', JSON.stringify({ scans }))
  if (status !== 200 && status !== 429) throw new Error(`an upload was answered with ${status} ${body}`)
  if (status === 429) await sleep(100)
  return { isTaken: status === 200, isLast }
}
