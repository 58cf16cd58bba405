/** The cost of the staff for a scan: the same load on a box without people, and on one with sessions open and somebody signed on at each scanner. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type Answer, Connection } from './connection.ts'
import { Crowd, EVENT } from './crowd.ts'
import { latencyOf } from './figures.ts'
import { pace, saturate } from './load.ts'
import type { Row } from './row.ts'
import { RunningBox } from './running-box.ts'
import { admitted, bodies, type ScanBench } from './scan-rows.ts'

const CONNECTIONS = 40
const STEADY = 100
const TICKETS = 200_000
/** People on the list, and sessions of each that are open. */
const [PEOPLE, SESSIONS] = [20, 10]
const PIN = '274951'

interface Side {
  box: RunningBox
  connections: Connection[]
  latencies: number[]
  /** Microseconds of processor time for each scan, of each round. */
  processorUs: number[]
}

export async function* staffRows(bench: ScanBench): AsyncGenerator<Row> {
  const { folder, progress, rounds, seconds } = bench
  const size = Math.min(bench.tickets, TICKETS)
  const crowds = [
    new Crowd(join(folder, 'without-staff'), size),
    new Crowd(join(folder, 'with-staff'), size, { ...EVENT, scanners_sign_on: {} }),
  ] as const
  for (const crowd of crowds) await crowd.write((done) => progress(`making tickets: ${done} of ${crowd.size}`))
  await using without = await RunningBox.open(crowds[0], bench)
  await using withStaff = await RunningBox.open(crowds[1], bench)
  progress(`${PEOPLE} people sign in, and on at the scanners`)
  await signEverybodyIn(withStaff)
  await Promise.all([without, withStaff].map((box) => box.atRest(progress)))
  const [plain, staffed] = [await sideOf(without), await sideOf(withStaff)]
  for (const side of [plain, staffed]) await steady(side, seconds / 2)
  for (let n = 1; n <= rounds; n++) {
    progress(`a scan with and without staff: round ${n} of ${rounds}`)
    // In turns, and each first in every other round: what else the machine does meets both.
    for (const side of n % 2 === 0 ? [plain, staffed] : [staffed, plain]) {
      side.latencies.push(...(await steady(side, seconds)))
      side.processorUs.push(await processorOf(side, seconds))
    }
  }
  yield* rowsOf(plain, staffed)
}

function rowsOf(plain: Side, staffed: Side): Row[] {
  // The least disturbed round of each: what other work on the machine does to a round only adds to it.
  const used = [Math.min(...staffed.processorUs), Math.min(...plain.processorUs)] as const
  const [latency, limit] = [latencyOf(staffed.latencies), latencyOf(plain.latencies)]
  const details = { processor_us: staffed.processorUs, limit_processor_us: plain.processorUs }
  return [
    {
      id: 'staff-processor',
      what: `${PEOPLE * SESSIONS} sessions open, signed on at each scanner: a scan`,
      ...{ value: used[0], limit: used[1], unit: 'us', budget: { ratio: 'at most', of: 1.1 } },
      note: `processor time, ${CONNECTIONS} connections; the limit: a box without people`,
      details,
    },
    {
      id: 'staff-p99',
      what: '  its latency, p99',
      ...{ value: latency.p99, limit: limit.p99, unit: 'ms', budget: { ratio: 'at most', of: 1.3 } },
      note: `at ${STEADY} scans/s; medians ${latency.p50.toFixed(1)} and ${limit.p50.toFixed(1)} ms`,
      details: { latency_ms: latency, limit_latency_ms: limit, scans: staffed.latencies.length },
    },
  ]
}

async function sideOf(box: RunningBox): Promise<Side> {
  return { box, connections: await box.connect(CONNECTIONS), latencies: [], processorUs: [] }
}

async function steady({ box, connections }: Side, seconds: number): Promise<readonly number[]> {
  const load = { connections, seconds, perSecond: STEADY, body: bodies(box.crowd), onAnswer: admitted }
  return (await pace(load)).latencies
}

/** As many scans as the box takes: what each costs the box itself changes little with other work on the machine. */
async function processorOf({ box, connections }: Side, seconds: number): Promise<number> {
  const before = box.server.processorSeconds() ?? Number.NaN
  const { latencies } = await saturate({ connections, seconds, body: bodies(box.crowd), onAnswer: admitted })
  return (((box.server.processorSeconds() ?? Number.NaN) - before) / latencies.length) * 1e6
}

async function signEverybodyIn(box: RunningBox): Promise<void> {
  const [admin] = await box.connectAdmin(1)
  if (!admin) throw new Error('no device is paired.')
  const names = Array.from({ length: PEOPLE }, (_, n) => `Person ${n + 1} ${randomUUID().slice(0, 8)}`)
  for (const name of names)
    require201(await admin.post('/v1/admin/staff', JSON.stringify({ name, role: 'admin', secret: PIN })))
  for (const name of names) {
    const basic = `Basic ${Buffer.from(`${name}:${PIN}`).toString('base64')}`
    const [device] = box.devices
    if (!device) continue
    const door = await Connection.open(box.server.ports.https, { ...device, authorization: basic })
    for (let n = 0; n < SESSIONS; n++) require201(await door.post('/v1/admin/session', '{}'))
    door.close()
  }
  for (const [i, device] of box.devices.entries()) {
    const scanner = await Connection.open(box.server.ports.device, device)
    require201(await scanner.post('/v1/sign-on', JSON.stringify({ name: names[i % PEOPLE], secret: PIN })))
    scanner.close()
  }
}

function require201({ status, body }: Answer): void {
  if (status !== 201) throw new Error(`somebody could not sign in: ${status} ${body}`)
}
