/** The rows of bulk work beside a live gate: an import of a hundred thousand tickets, and the manifest of a phone that is paired. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { tlsFetch } from '../src/device/tls-fetch.ts'
import { cli } from '../test/world/programs.ts'
import type { Connection } from './connection.ts'
import { Crowd } from './crowd.ts'
import { type Latency, latencyOf } from './figures.ts'
import { pace } from './load.ts'
import type { Row } from './row.ts'
import { RunningBox } from './running-box.ts'
import { admitted, bodies, type ScanBench } from './scan-rows.ts'
import { besideServer } from './server.ts'

const ROWS = 100_000
/** Limits of the issue: a live scan's p99, an import alone, and the box's part of a pairing. */
const LANE_MS = 50
const IMPORT_S = 10
const MANIFEST_S = 0.5
/** A scan of the live gate is timed in rounds of so many seconds, for as long as the work takes. */
const ROUND_S = 1

/** The live gate. */
const TICKETS = 50_000
const ARRIVALS = 50

type Scan = (seconds: number) => Promise<{ latencies: readonly number[] }>

export async function* bulkRows(bench: ScanBench): AsyncGenerator<Row> {
  const { progress } = bench
  const crowd = new Crowd(join(bench.folder, 'bulk'), Math.min(bench.tickets, TICKETS))
  await crowd.write((done) => progress(`making tickets: ${done} of ${crowd.size}`))
  const { folder } = crowd
  await using box = await RunningBox.open(crowd, { ...bench, limits: 'usual' })
  let gate: Connection[] = []
  /** Waits until the box is at rest, and connects the gate anew: the next row measures no work that the start or the import before has left. */
  const rested = async () => {
    // The box would close those that are idle for long.
    for (const connection of gate) connection.close()
    await box.atRest(progress)
    gate = await box.connect(ARRIVALS)
  }
  const scan = (seconds: number) =>
    pace({ connections: gate, seconds, perSecond: ARRIVALS, body: bodies(crowd), onAnswer: admitted })
  await rested()
  progress('a live gate: warming up')
  await scan(bench.seconds)
  yield beside('bulk-nothing', 'nothing', await scanDuring(scan, sleep(bench.seconds * 1000)))
  // The gate is quiet by then, and the box knows it.
  await rested()
  progress('an import alone')
  const alone = await secondsOf(imported(box, manyTickets(folder, 'A')))
  yield {
    id: 'bulk-import-alone',
    what: `import of ${ROWS} rows, nobody scanning`,
    ...{ value: alone, limit: IMPORT_S, unit: 's', budget: { ratio: 'at most', of: 1 } },
    note: 'through the admin endpoint, to the answer',
    details: { seconds: alone },
  }
  for (const [id, how, work] of [
    ['admin', 'the admin endpoint', imported],
    ['command', 'the command line', importedByCommand],
  ] as const) {
    await rested()
    progress(`an import through ${how}`)
    const file = manyTickets(folder, id)
    yield beside(`bulk-import-${id}`, `import of ${ROWS} rows, ${how}`, await scanDuring(scan, work(box, file, bench)))
  }
  await rested()
  progress('manifests')
  await using phone = await box.phone()
  // The first one after an import makes the texts that all share.
  await phone.fetchManifest()
  const { seconds, bytes } = await phone.fetchManifest()
  yield {
    id: 'bulk-manifest',
    what: 'a manifest for a pairing phone',
    ...{ value: seconds, limit: MANIFEST_S, unit: 's', budget: { ratio: 'at most', of: 1 } },
    note: `${(bytes / 1e6).toFixed(1)} MB for ${box.crowd.size + 3 * ROWS} tickets`,
    details: { seconds, bytes },
  }
  const many = await scanDuring(
    scan,
    (async () => {
      for (let n = 0; n < 10; n++) await phone.fetchManifest()
    })(),
  )
  yield beside('bulk-manifests', 'ten manifests, one after the other', many)
}

function beside(id: string, what: string, { latency, seconds }: { latency: Latency; seconds: number }): Row {
  return {
    id,
    what,
    ...{ value: latency.p99, limit: LANE_MS, unit: 'ms', budget: { ratio: 'at most', of: 1 } },
    note: `p99 of a live scan; median ${latency.p50.toFixed(1)}, longest ${latency.max.toFixed(0)} ms; it took ${seconds.toFixed(1)} s`,
    details: { latency_ms: latency, seconds },
  }
}

/** Scans for as long as the work takes. */
async function scanDuring(scan: Scan, work: Promise<unknown>): Promise<{ latency: Latency; seconds: number }> {
  const latencies: number[] = []
  let isDone = false
  const timed = secondsOf(work).finally(() => {
    isDone = true
  })
  // Awaited below: a scan that fails first is what is reported.
  timed.catch(() => {})
  while (!isDone) latencies.push(...(await scan(ROUND_S)).latencies)
  return { latency: latencyOf(latencies), seconds: await timed }
}

async function secondsOf(work: Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work
  return (performance.now() - started) / 1000
}

function manyTickets(folder: string, prefix: string): string {
  const row = (n: number) =>
    `SHOP-${prefix}-${String(n).padStart(6, '0')},day,"Block ${(n % 40) + 1}, row ${((n >> 4) % 60) + 1}",Guest ${n},guest.${n}@mail.example`
  const path = join(folder, `shop-${prefix}.csv`)
  writeFileSync(
    path,
    ['code,tier,seat,holder_name,email', ...Array.from({ length: ROWS }, (_, n) => row(n)), ''].join('\n'),
  )
  return path
}

async function imported({ crowd, server }: RunningBox, file: string): Promise<void> {
  const ca = readFileSync(join(crowd.folder, 'data/ca/authority.pem'), 'utf8')
  const token = readFileSync(join(crowd.folder, 'data/admin-token'), 'utf8').trim()
  await using fetch = tlsFetch({ ca })
  const answer = await fetch(
    new Request(`https://127.0.0.1:${server.ports.https}/v1/admin/import/tickets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
      body: readFileSync(file),
    }),
  )
  const text = await answer.text()
  if (!answer.ok || JSON.parse(text).added !== ROWS) throw new Error(`the import was answered with ${text}`)
}

/** On the machine of the box, whose processor it shares. */
async function importedByCommand({ crowd: { folder } }: RunningBox, file: string, bench: ScanBench): Promise<void> {
  const [program = '', ...rest] = besideServer([process.execPath, cli(), 'import', file], bench)
  const environment = { GATEHOUSE_DATA_DIR: join(folder, 'data'), GATEHOUSE_EVENT_DIR: join(folder, 'event') }
  const child = spawn(program, rest, {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`gatehouse import has ended with ${code}.`)
}
