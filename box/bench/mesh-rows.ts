/** The mesh rows of the budgets: a scan that reserves its right with two other boxes, and the upload of offline admissions. */
import { randomUUID } from 'node:crypto'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type MeshBox, MeshWorld } from '../test/mesh/world.ts'
import { natsServer } from '../test/world/nats-server.ts'
import { scanOf } from '../test/world/scan-of.ts'
import { until } from '../test/world/until.ts'
import { Connection } from './connection.ts'
import { latencyOf } from './figures.ts'
import { pace } from './load.ts'
import type { Row } from './row.ts'
import type { ScanBench } from './scan-rows.ts'

/** 60,000 seats that fill within an hour, all gates together. */
const ARRIVALS = 16
const ALONE = 10_000
/** Scans of one upload. */
const UPLOAD = 200
const MINUTES = 5

export async function* meshRows({ folder, seconds, rounds, progress }: ScanBench): AsyncGenerator<Row> {
  const { whyNot } = await natsServer()
  if (whyNot) return progress(`no mesh: ${whyNot}`)
  // The boxes' folders, and their servers' stores, on the disk that is measured.
  process.env.TMPDIR = folder
  const arrivals = Math.ceil(ARRIVALS * seconds * rounds)
  progress('three boxes, until they hear each other')
  await using world = await MeshWorld.open({
    boxes: 3,
    tickets: Array.from({ length: arrivals + ALONE }, (_, i) => `T-${i},once,,,,,,valid`),
  })
  for (const box of world.boxes) await until(async () => (await meshOf(box)).mode === 'STRICT', 'STRICT', MINUTES)
  yield await lane(world, { scans: arrivals, seconds: seconds * rounds, progress })
  yield await replayed(world, { from: arrivals, progress })
}

/** Scans as an arrival brings them, at three boxes in turn. */
async function lane(
  { boxes }: MeshWorld,
  { scans, seconds, progress }: { scans: number; seconds: number } & Pick<ScanBench, 'progress'>,
): Promise<Row> {
  progress(`${ARRIVALS} scans a second at three boxes`)
  const connections: Connection[] = []
  for (let i = 0; i < ARRIVALS; i++) {
    const box = boxes[i % boxes.length]
    if (box) connections.push(await connectionTo(box))
  }
  const confidences = new Map<string, number>()
  let next = 0
  const { latencies } = await pace({
    ...{ connections, seconds, perSecond: ARRIVALS },
    body: () => (next < scans ? JSON.stringify(scanOf(`T-${next++}`)) : undefined),
    onAnswer: ({ status, body }) => {
      const { verdict, confidence } = JSON.parse(body) as { verdict: string; confidence: string }
      if (status !== 200 || verdict !== 'ADMIT') throw new Error(`a scan was answered ${status} ${body}`)
      confidences.set(confidence, (confidences.get(confidence) ?? 0) + 1)
    },
  })
  for (const connection of connections) connection.close()
  const latency = latencyOf(latencies)
  const load = loadavg()[0] ?? Number.NaN
  return {
    id: 'mesh-lane-latency',
    what: `three boxes, lane latency at ${ARRIVALS} scans/s, p99`,
    ...{ value: latency.p99, limit: 30, unit: 'ms', budget: { ratio: 'at most', of: 1 } },
    note: `median ${latency.p50.toFixed(1)} ms, ${latencies.length} scans, ${confidences.get('provisional') ?? 0} unconfirmed; load average ${load.toFixed(1)}`,
    details: { latency_ms: latency, confidences: Object.fromEntries(confidences), load_average: load },
  }
}

/** Offline admissions during a standstill of the other boxes: the time until all of them are reserved. */
async function replayed(
  { boxes }: MeshWorld,
  { from, progress }: { from: number } & Pick<ScanBench, 'progress'>,
): Promise<Row> {
  progress(`${ALONE} admissions alone`)
  const [first, ...others] = boxes
  if (!first) throw new Error('there are no boxes')
  const connection = await connectionTo(first)
  await Promise.all(others.map((box) => box.pause()))
  await until(async () => (await meshOf(first)).mode === 'DEGRADED', 'DEGRADED', MINUTES)
  for (let done = 0; done < ALONE; done += UPLOAD) {
    const scans = Array.from({ length: UPLOAD }, (_, i) => {
      return scanOf(`T-${from + done + i}`, Date.now(), { offline_admitted: true, scan_id: randomUUID() })
    })
    const { status, body } = await connection.post('/v1/scans', JSON.stringify({ scans }))
    if (status !== 200) throw new Error(`an upload was answered ${status} ${body}`)
  }
  for (const box of others) box.resume()
  progress(`${(await meshOf(first)).unconfirmed} to be claimed`)
  const resumed = performance.now()
  // The voters first elect a leader, which the box cannot speed up.
  await until(async () => (await meshOf(first)).unconfirmed < ALONE, 'the first is claimed', MINUTES)
  const begun = performance.now()
  while ((await meshOf(first)).unconfirmed > 0) await sleep(50)
  const ended = performance.now()
  connection.close()
  return {
    id: 'mesh-replay',
    what: `${ALONE} admissions of a box alone, claimed`,
    ...{ value: (ended - begun) / 1000, limit: 30, unit: 's', budget: { ratio: 'at most', of: 1 } },
    note: `from the first one on, which was ${((begun - resumed) / 1000).toFixed(1)} s after the others were back`,
    details: { resumed_to_first_s: (begun - resumed) / 1000, load_average: loadavg()[0] },
  }
}

async function connectionTo(box: MeshBox): Promise<Connection> {
  const { paired } = await box.device()
  return Connection.open(box.ports.device, paired)
}

async function meshOf(box: MeshBox) {
  const { data } = await box.admin().GET('/v1/admin/stats')
  if (!data?.mesh) throw new Error('a box says nothing of the others')
  return data.mesh
}
