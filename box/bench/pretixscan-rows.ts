/** The row of handhelds with pretixSCAN: a hundred of them, each on a connection of its own, scan at the rate of an arrival. */
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../src/mesh/membership/address.ts'
import { CHECKPOINT, Crowd } from './crowd.ts'
import { latencyOf } from './figures.ts'
import { pace } from './load.ts'
import type { Row } from './row.ts'
import { RunningBox } from './running-box.ts'
import { admitted, bodies, type ScanBench } from './scan-rows.ts'

const HANDHELDS = 100
/** Scans a second, of all of them together: as in the row of a lane. */
const ARRIVALS = 16
/** Scans a second before anything is measured, and for how many seconds: the lane's row, too, meets a box that has scanned for a while. */
const WARM_UP = { perSecond: 100, seconds: 10 }
/** The lane's budget, ms. */
const LANE_MS = 10

interface Handheld {
  agent: Agent
  token: string
}

export async function* pretixScanRows(bench: ScanBench): AsyncGenerator<Row> {
  const crowd = new Crowd(join(bench.folder, 'pretixscan'), bench.tickets)
  await crowd.write((done) => bench.progress(`making tickets: ${done} of ${crowd.size}`))
  const port = await freePort('127.0.0.1')
  await using box = await RunningBox.open(crowd, { ...bench, env: { GATEHOUSE_PRETIXSCAN_PORT: String(port) } })
  bench.progress(`pairing ${HANDHELDS} handhelds`)
  const all: Handheld[] = []
  for (let n = 0; n < HANDHELDS; n++) all.push(await pairHandheld(box, port, `127.0.3.${1 + n}`))
  const list = await listOf(all[0] as Handheld, port)
  const scan = async (n: number, due: number) => {
    const ticketid = crowd.next()
    const body = { events_and_checkin_lists: { bench: list }, ticketid, type: 'ENTRY', nonce: null, answers: [] }
    const { type } = (await call(all[n % HANDHELDS] as Handheld, port, '/proxyapi/v1/rpc/check/', body)) as {
      type: string
    }
    if (type !== 'VALID') throw new Error(`a scan was answered ${type}.`)
    return performance.now() - due
  }
  bench.progress(`${WARM_UP.perSecond} scans a second, which do not count`)
  await scanFor(WARM_UP, scan)
  bench.progress(`${ARRIVALS} scans a second from scanners of ours`)
  const seconds = bench.seconds * bench.rounds
  const connections = await box.connect(ARRIVALS)
  const ours = await pace({ connections, seconds, perSecond: ARRIVALS, body: bodies(crowd), onAnswer: admitted })
  const own = latencyOf(ours.latencies)
  bench.progress(`${ARRIVALS} scans a second from ${HANDHELDS} handhelds`)
  const latencies = await scanFor({ perSecond: ARRIVALS, seconds }, scan)
  for (const { agent } of all) agent.destroy()
  const latency = latencyOf(latencies)
  yield {
    id: 'pretixscan',
    what: `${HANDHELDS} handhelds with pretixSCAN, ${ARRIVALS} scans/s in all, p99`,
    ...{ value: latency.p99, limit: LANE_MS, unit: 'ms', budget: { ratio: 'at most', of: 1 } },
    note: `median ${latency.p50.toFixed(1)} ms, ${latencies.length} scans; scanners of ours in the same run: ${own.p99.toFixed(1)}, median ${own.p50.toFixed(1)} ms`,
    details: { latency_ms: latency, own_ms: own, scans: latencies.length },
  }
}

/** Calls at an even rate without waiting for earlier ones. @returns what each has taken, ms */
async function scanFor(
  { perSecond, seconds }: { perSecond: number; seconds: number },
  scan: (n: number, due: number) => Promise<number>,
): Promise<number[]> {
  const started = performance.now()
  const under: Promise<number>[] = []
  for (let n = 0; n < seconds * perSecond; n++) {
    const due = started + (n * 1000) / perSecond
    await sleep(Math.max(0, due - performance.now()))
    under.push(scan(n, due))
  }
  return Promise.all(under)
}

async function pairHandheld({ crowd, server }: RunningBox, port: number, localAddress: string): Promise<Handheld> {
  const agent = new Agent({ keepAlive: true, localAddress, rejectUnauthorized: false })
  const admin = readFileSync(join(crowd.folder, 'data/admin-token'), 'utf8').trim()
  const wanted = { checkpoints: [CHECKPOINT], actor: 'bench' }
  const path = '/v1/admin/pretixscan/invite'
  const { token } = (await send(agent, server.ports.https, path, { wanted, authorization: `Bearer ${admin}` })) as {
    token: string
  }
  const setup = { token, software_brand: 'bench', software_version: '1' }
  const paired = (await send(agent, port, '/api/v1/device/initialize', { wanted: setup })) as { api_token: string }
  return { agent, token: paired.api_token }
}

async function listOf(handheld: Handheld, port: number): Promise<number> {
  const path = '/api/v1/organizers/gatehouse/events/bench/checkinlists/'
  const { results } = (await call(handheld, port, path)) as { results: { id: number }[] }
  return results[0]?.id ?? 0
}

function call({ agent, token }: Handheld, port: number, path: string, wanted?: object): Promise<unknown> {
  return send(agent, port, path, { wanted, authorization: `Device ${token}` })
}

function send(
  agent: Agent,
  port: number,
  path: string,
  { wanted, authorization }: { wanted?: object | undefined; authorization?: string },
): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) }
  const method = wanted ? 'POST' : 'GET'
  const asked = request({ agent, host: '127.0.0.1', port, path, method, headers }, (answer) => {
    let body = ''
    answer.on('data', (bytes) => (body += bytes))
    answer.on('end', () => {
      if ((answer.statusCode ?? 500) < 300) resolve(JSON.parse(body))
      else reject(new Error(`${path}: ${answer.statusCode} ${body}`))
    })
  })
  asked.on('error', reject)
  asked.end(wanted && JSON.stringify(wanted))
  return promise
}
