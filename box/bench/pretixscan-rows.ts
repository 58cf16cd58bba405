/** The row of handhelds with pretixSCAN: a hundred of them, each on a connection of its own, scan at the rate of an arrival; beside them, in turns, our scanners and a bare echo. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from '../test/world/ports.ts'
import { Crowd } from './crowd.ts'
import { type Latency, latencyOf, median } from './figures.ts'
import { call, type Handheld, listOf, pairHandheld } from './handheld.ts'
import { pace } from './load.ts'
import type { Row } from './row.ts'
import { RunningBox } from './running-box.ts'
import { admitted, bodies, bodyOf, echoed, type ScanBench } from './scan-rows.ts'
import { Server } from './server.ts'

const HANDHELDS = 100
/** Scans a second, of all of them together: as in the row of a lane. */
const ARRIVALS = 16
/** Scans a second before anything is measured, and for how many seconds: the lane's row, too, meets a box that has scanned for a while. */
const WARM_UP = { perSecond: 100, seconds: 10 }
/** The lane's budget, ms: as for our own scanners. What the machine makes of it stands beside it: their figures, and a bare echo's. */
const LANE_MS = 10

/** In this order within a round: they meet the same machine. */
const KINDS = ['handhelds', 'ours', 'echo'] as const
type Kind = (typeof KINDS)[number]

interface Pace {
  perSecond: number
  seconds: number
}

interface Sender {
  server: Server
  /** @returns what each request has taken, ms */
  send: (at: Pace) => Promise<readonly number[]>
}

interface Round {
  /** ms */
  latency: Latency
  /** Microseconds of the server's processor time for each. */
  processorUs: number
}

export async function* pretixScanRows(bench: ScanBench): AsyncGenerator<Row> {
  const crowd = new Crowd(join(bench.folder, 'pretixscan'), bench.tickets)
  await crowd.write((done) => bench.progress(`making tickets: ${done} of ${crowd.size}`))
  const [port = 0] = await freePorts(1)
  await using box = await RunningBox.open(crowd, { ...bench, env: { GATEHOUSE_PRETIXSCAN_PORT: String(port) } })
  await box.atRest(bench.progress)
  bench.progress(`pairing ${HANDHELDS} handhelds`)
  const all: Handheld[] = []
  for (let n = 0; n < HANDHELDS; n++) all.push(await pairHandheld(box, port, `127.0.3.${1 + n}`))
  const list = await listOf(all[0] as Handheld, port)
  const scan = async (n: number) => {
    const sent = performance.now()
    const ticketid = crowd.next()
    const body = { events_and_checkin_lists: { bench: list }, ticketid, type: 'ENTRY', nonce: null, answers: [] }
    const { type } = (await call(all[n % HANDHELDS] as Handheld, port, '/proxyapi/v1/rpc/check/', body)) as {
      type: string
    }
    if (type !== 'VALID') throw new Error(`a scan was answered ${type}.`)
    return performance.now() - sent
  }
  await using echo = await Server.echo(crowd.folder, bench)
  const code = crowd.next()
  const [toBox, toEcho] = [await box.connect(ARRIVALS), await box.connect(ARRIVALS, echo)]
  const senders: Record<Kind, Sender> = {
    handhelds: { server: box.server, send: (at) => scanFor(at, scan) },
    ours: {
      server: box.server,
      send: async (at) =>
        (await pace({ connections: toBox, ...at, body: bodies(crowd), onAnswer: admitted })).latencies,
    },
    echo: {
      server: echo,
      send: async (at) =>
        (await pace({ connections: toEcho, ...at, body: () => bodyOf(code), onAnswer: echoed })).latencies,
    },
  }
  for (const kind of KINDS) {
    bench.progress(`${kind}: warming up`)
    await senders[kind].send(WARM_UP)
  }
  const at = { perSecond: ARRIVALS, seconds: bench.seconds }
  const rounds: Record<Kind, Round>[] = []
  for (let n = 1; n <= bench.rounds; n++) {
    bench.progress(
      `${ARRIVALS} scans a second of handhelds, then of our scanners, then echoes: ${n} of ${bench.rounds}`,
    )
    const { handhelds, ours, echo } = senders
    rounds.push({
      handhelds: await measured(handhelds, at),
      ours: await measured(ours, at),
      echo: await measured(echo, at),
    })
  }
  for (const { agent } of all) agent.destroy()
  yield rowOf(rounds)
}

/** A stall of the machine is in one round: what counts is the median of the rounds' p99. */
function rowOf(rounds: readonly Record<Kind, Round>[]): Row {
  const middle = (kind: Kind, of: (round: Round) => number) => median(rounds.map((round) => of(round[kind])))
  const p99 = (kind: Kind) => middle(kind, ({ latency }) => latency.p99)
  const line = (kind: Kind) =>
    [
      `${p99(kind).toFixed(1)}, median ${middle(kind, ({ latency }) => latency.p50).toFixed(1)} ms,`,
      `${middle(kind, ({ processorUs }) => processorUs).toFixed(0)} us of processor`,
    ].join(' ')
  return {
    id: 'pretixscan',
    what: `${HANDHELDS} handhelds with pretixSCAN, ${ARRIVALS} scans/s in all, p99`,
    ...{ value: p99('handhelds'), limit: LANE_MS, unit: 'ms', budget: { ratio: 'at most', of: 1 } },
    note: `${line('handhelds')}; beside them our scanners ${line('ours')}; an echo ${line('echo')}`,
    details: { rounds },
  }
}

async function measured({ server, send }: Sender, at: Pace): Promise<Round> {
  const before = server.processorSeconds() ?? Number.NaN
  const latencies = await send(at)
  const used = (server.processorSeconds() ?? Number.NaN) - before
  return { latency: latencyOf(latencies), processorUs: (used / latencies.length) * 1e6 }
}

/** Calls at an even rate without waiting for earlier ones, each timed from its sending, as in `pace`. @returns what each has taken, ms */
async function scanFor({ perSecond, seconds }: Pace, scan: (n: number) => Promise<number>): Promise<number[]> {
  const started = performance.now()
  const under: Promise<number>[] = []
  for (let n = 0; n < seconds * perSecond; n++) {
    const due = started + (n * 1000) / perSecond
    await sleep(Math.max(0, due - performance.now()))
    under.push(scan(n))
  }
  return Promise.all(under)
}
