/** The scan rows of the budgets: throughput, latency, streams to other scanners, large ledgers, and the start after a kill. */
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Answer, Connection, type Credentials } from './connection.ts'
import { Crowd, scanOf } from './crowd.ts'
import { latencyOf, median } from './figures.ts'
import { type Load, pace, type Round, saturate } from './load.ts'
import type { Row } from './row.ts'
import { RunningBox } from './running-box.ts'
import { Server } from './server.ts'

export interface ScanBench {
  /** Two ledgers, of so many tickets and of a hundredth of them, are made in here. */
  folder: string
  tickets: number
  /** Length of one round, and the number of rounds of each kind. */
  seconds: number
  rounds: number
  /** Length of each flood in seconds; the rows' own default where absent. */
  floodSeconds?: number | undefined
  /** Ids of the only floods to measure, without the rows that follow them; all where absent. */
  floods?: readonly string[] | undefined
  /** True if servers and load each have a core. */
  pinned: boolean
  progress: (what: string) => void
}

const CONNECTIONS = 40
/** 60,000 seats that fill within an hour, all gates together. */
const ARRIVALS = 16
const LISTENERS = 50
const DASHBOARDS = 20
/** Number of requests for the statistics. */
const STATISTICS = 200
/** A rate well below the box's limit, so that a scan waits for the ledger and not for other scans. */
const STEADY = 100

/** Runs the bench row by row; a row is there as soon as it is measured. */
export async function* scanRows(bench: ScanBench): AsyncGenerator<Row> {
  const large = new Crowd(join(bench.folder, 'large'), bench.tickets)
  const small = new Crowd(join(bench.folder, 'small'), Math.ceil(bench.tickets / 100))
  for (const crowd of [large, small]) {
    await crowd.write((done) => bench.progress(`making tickets: ${done} of ${crowd.size}`))
  }
  {
    await using box = await RunningBox.open(large, bench)
    await box.atRest(bench.progress)
    yield* saturated(box, bench)
    yield await lane(box, bench)
    yield await gates(box, bench)
    yield await watchedFromDashboards(box, bench)
    yield* grown(box, small, bench)
    await letIn(box, bench)
    yield await statistics(box, bench)
  }
  yield await restarted(large, bench)
}

/** As many scans as the box takes, in turns with as many requests as a bare echo takes. */
async function* saturated(box: RunningBox, { seconds, rounds, pinned, progress }: ScanBench): AsyncGenerator<Row> {
  await using echo = await Server.echo(box.crowd.folder, { pinned })
  const scans = {
    connections: await box.connect(CONNECTIONS),
    seconds,
    body: bodies(box.crowd),
    onAnswer: admitted,
  }
  // An echo uses up no ticket.
  const code = box.crowd.next()
  const echoes = {
    ...{ connections: await box.connect(CONNECTIONS, echo), seconds, onAnswer: echoed },
    body: () => bodyOf(code),
  }
  progress('echo and scans: warming up')
  await saturate(echoes)
  await saturate(scans)
  const measured: { scans: Round & Used; echoes: Round & Used }[] = []
  for (let n = 1; n <= rounds; n++) {
    progress(`echo and scans: round ${n} of ${rounds}`)
    measured.push({ echoes: await watched(echo, echoes), scans: await watched(box.server, scans) })
  }
  const rates = measured.map((round) => round.scans.rate)
  const limits = measured.map((round) => round.echoes.rate)
  const p99s = measured.map((round) => latencyOf(round.scans.latencies).p99)
  const details = {
    rates,
    echo_rates: limits,
    ratios: measured.map((round) => round.scans.rate / round.echoes.rate),
    p99_ms: p99s,
    echo_p99_ms: measured.map((round) => latencyOf(round.echoes.latencies).p99),
    processor_us: measured.map((round) => round.scans.processorUs),
    echo_processor_us: measured.map((round) => round.echoes.processorUs),
  }
  const [used, usedByEcho] = [median(details.processor_us), median(details.echo_processor_us)]
  yield {
    id: 'scan-rate',
    what: `durable scans, mutual TLS, ${CONNECTIONS} connections`,
    ...{ value: median(rates), limit: median(limits), unit: '/s', budget: { ratio: 'at least', of: 0.3 } },
    note: `a bare fastify echo; processor time ${used.toFixed(0)} us each, and ${usedByEcho.toFixed(0)} for an echo`,
    details,
  }
  yield {
    id: 'scan-rate-p99',
    what: '  their latency, p99',
    ...{ value: median(p99s), limit: 15, unit: 'ms', budget: { ratio: 'at most', of: 1 } },
    note: `echo: ${median(details.echo_p99_ms).toFixed(1)} ms`,
    details,
  }
  progress('rotating codes')
  const codes = (await box.crowd.rotating(20_000)).values()
  const rotating = await saturate({ ...scans, body: () => bodyOf(codes.next().value) })
  yield {
    id: 'scan-rate-rotating',
    what: '  the same, rotating codes',
    ...{ value: rotating.rate, limit: median(limits), unit: '/s', budget: null },
    note: 'an Ed25519 signature checked for each',
    details: { latency_ms: latencyOf(rotating.latencies) },
  }
}

/** Scans as an arrival brings them. */
async function lane(box: RunningBox, { seconds, rounds, progress }: ScanBench): Promise<Row> {
  progress(`${ARRIVALS} scans a second`)
  const { latencies } = await pace({
    connections: await box.connect(ARRIVALS),
    ...{ seconds: seconds * rounds, perSecond: ARRIVALS },
    ...{ body: bodies(box.crowd), onAnswer: admitted },
  })
  const latency = latencyOf(latencies)
  return {
    id: 'lane-latency',
    what: `lane latency at ${ARRIVALS} scans/s in all, p99`,
    ...{ value: latency.p99, limit: 10, unit: 'ms', budget: { ratio: 'at most', of: 1 } },
    note: `median ${latency.p50.toFixed(1)} ms, ${latencies.length} scans`,
    details: { latency_ms: latency, scans: latencies.length },
  }
}

/** Time until the last of all other scanners has received a redemption. */
async function gates(box: RunningBox, { seconds, rounds, progress }: ScanBench): Promise<Row> {
  progress(`${ARRIVALS} scans a second, ${LISTENERS} scanners on the stream`)
  const [first, ...others] = box.devices
  const scanners = await box.connect(ARRIVALS, box.server, first ? [first] : [])
  const listeners = await box.connect(LISTENERS, box.server, others)
  /** For each scan, by its clock reading: when it was sent and answered, and when each listener received it. */
  const heard = new Map<string, number[]>()
  const scans = new Map<string, { sent: number; answered: number }>()
  for (const listener of listeners) {
    await listener.follow('/v1/stream', (lines) => {
      const hlc = hlcOf(lines)
      if (hlc !== undefined) heard.set(hlc, [...(heard.get(hlc) ?? []), performance.now()])
    })
  }
  const onAnswer = (answer: Answer, sent: number) => {
    admitted(answer)
    scans.set(hlcOf(answer.body) ?? '', { sent, answered: performance.now() })
  }
  const body = bodies(box.crowd)
  await pace({ connections: scanners, seconds: seconds * rounds, perSecond: ARRIVALS, body, onAnswer })
  await setTimeout(500)
  for (const listener of listeners) listener.close()

  const last = [...scans].map(([hlc, { sent, answered }]) => {
    const times = heard.get(hlc) ?? []
    if (times.length !== LISTENERS) throw new Error(`${times.length} of ${LISTENERS} scanners heard of a redemption.`)
    const lastHeard = Math.max(...times)
    return { fromRequest: lastHeard - sent, fromAnswer: Math.max(0, lastHeard - answered) }
  })
  const fromRequest = latencyOf(last.map((scan) => scan.fromRequest))
  const fromAnswer = latencyOf(last.map((scan) => scan.fromAnswer))
  return {
    id: 'other-gates',
    what: `the last of ${LISTENERS} other scanners knows, p99`,
    ...{ value: fromRequest.p99, limit: 50, unit: 'ms', budget: { ratio: 'at most', of: 1 } },
    note: `from the request sent; ${fromAnswer.p99.toFixed(1)} ms from its answer`,
    details: { from_request_ms: fromRequest, from_answer_ms: fromAnswer, scans: last.length },
  }
}

/** The same steady load with and without dashboards on the control room's stream, in turns. */
async function watchedFromDashboards(box: RunningBox, { seconds, rounds, progress }: ScanBench): Promise<Row> {
  const connections = await box.connect(CONNECTIONS)
  progress('dashboards: warming up')
  await pace(steady(box, connections, seconds / 2))
  const latencies = { without: [] as number[], watched: [] as number[] }
  // Beside the latency, which other work on the machine shifts.
  const processor = { without: 0, watched: 0 }
  const round = async (kind: 'without' | 'watched') => {
    const before = box.server.processorSeconds() ?? Number.NaN
    latencies[kind].push(...(await pace(steady(box, connections, seconds))).latencies)
    processor[kind] += (box.server.processorSeconds() ?? Number.NaN) - before
  }
  let events = 0
  await using dashboards = await box.dashboards()
  for (let n = 1; n <= rounds; n++) {
    progress(`${DASHBOARDS} dashboards on the stream: round ${n} of ${rounds}`)
    await round('without')
    await dashboards.open(DASHBOARDS)
    await round('watched')
    events += await dashboards.close()
  }
  const [without, watched] = [latencyOf(latencies.without), latencyOf(latencies.watched)]
  const percent = (used: number) => ((used / (seconds * rounds)) * 100).toFixed(1)
  return {
    id: 'dashboards-p99',
    what: `${DASHBOARDS} dashboards on the stream, p99 of a scan`,
    ...{ value: watched.p99, limit: without.p99, unit: 'ms', budget: { ratio: 'at most', of: 1.3 } },
    note: `at ${STEADY} scans/s; medians ${watched.p50.toFixed(1)} and ${without.p50.toFixed(1)} ms; ${percent(processor.watched)} and ${percent(processor.without)} % of a core`,
    details: {
      ...{ latency_ms: watched, limit_latency_ms: without, events, scans: latencies.watched.length },
      processor_seconds: processor,
    },
  }
}

/** The control room's whole object, with everybody inside. */
async function statistics(box: RunningBox, { progress }: ScanBench): Promise<Row> {
  progress('statistics')
  const [connection] = await box.connectAdmin(1)
  if (!connection) throw new Error('no device is paired.')
  const latencies: number[] = []
  let answer = await connection.get('/v1/admin/stats')
  for (let n = 0; n < STATISTICS; n++) {
    const asked = performance.now()
    answer = await connection.get('/v1/admin/stats')
    latencies.push(performance.now() - asked)
  }
  const { admissions, tickets } = JSON.parse(answer.body) as { admissions: number; tickets: number }
  const latency = latencyOf(latencies)
  return {
    id: 'statistics',
    what: `the control room's whole object, ${admissions} admissions, p99`,
    ...{ value: latency.p99, limit: 5, unit: 'ms', budget: { ratio: 'at most', of: 1 } },
    note: `median ${latency.p50.toFixed(2)} ms, over TLS; ${tickets} tickets`,
    details: { latency_ms: latency, bytes: answer.body.length },
  }
}

/** The same steady load on a large and on a small ledger, in turns; then the memory of the box with the large one. */
async function* grown(large: RunningBox, crowd: Crowd, bench: ScanBench): AsyncGenerator<Row> {
  await using small = await RunningBox.open(crowd, bench)
  const { rounds, progress } = bench
  await small.atRest(progress)
  const [few, many] = [await small.connect(CONNECTIONS), await large.connect(CONNECTIONS)]
  // All of the small crowd comes, and nobody twice: rounds are as long as it lasts.
  const seconds = Math.min(bench.seconds, crowd.size / STEADY / (rounds + 1))
  progress(`${crowd.size} and ${large.crowd.size} tickets: warming up`)
  await pace(steady(small, few, seconds / 2))
  await pace(steady(large, many, seconds / 2))
  const latencies = { few: [] as number[], many: [] as number[] }
  for (let n = 1; n <= rounds; n++) {
    progress(`${crowd.size} and ${large.crowd.size} tickets: round ${n} of ${rounds}`)
    latencies.few.push(...(await pace(steady(small, few, seconds))).latencies)
    latencies.many.push(...(await pace(steady(large, many, seconds))).latencies)
  }
  const [withFew, withMany] = [latencyOf(latencies.few), latencyOf(latencies.many)]
  yield {
    id: 'tickets-p99',
    what: `${large.crowd.size} tickets instead of ${crowd.size}, p99`,
    ...{ value: withMany.p99, limit: withFew.p99, unit: 'ms', budget: { ratio: 'at most', of: 1.3 } },
    note: `at ${STEADY} scans/s; medians ${withMany.p50.toFixed(1)} and ${withFew.p50.toFixed(1)} ms`,
    details: { latency_ms: withMany, limit_latency_ms: withFew, scans: latencies.many.length },
  }
  const scanning = large.server.memory()
  if (!scanning) return
  progress('a manifest')
  await using phone = await large.phone()
  const manifest = await phone.fetchManifest()
  const highest = large.server.memory()?.highest ?? Number.NaN
  yield {
    id: 'tickets-memory',
    what: '  resident memory, at its highest',
    ...{ value: highest / 1e6, limit: 300, unit: 'MB', budget: { ratio: 'at most', of: 1 } },
    note: `${(scanning.highest / 1e6).toFixed(0)} MB before the first manifest was asked for`,
    details: { scanning, highest, manifest },
  }
}

function steady(box: RunningBox, connections: Connection[], seconds: number): Load & { perSecond: number } {
  return { connections, seconds, perSecond: STEADY, body: bodies(box.crowd), onAnswer: admitted }
}

/** Admits all remaining tickets, as fast as the box can. */
async function letIn(box: RunningBox, { progress }: ScanBench): Promise<void> {
  progress('letting the others in')
  const connections = await box.connect(CONNECTIONS)
  await saturate({ connections, seconds: Number.POSITIVE_INFINITY, body: bodies(box.crowd), onAnswer: admitted })
}

/** From the start of the process to the first answered scan, with everybody inside, after a box that was killed. */
async function restarted(crowd: Crowd, { pinned, rounds, progress }: ScanBench): Promise<Row> {
  const [device] = await interrupted(crowd, pinned)
  if (!device) throw new Error('no device is paired.')
  const times: number[] = []
  for (let n = 1; n <= rounds; n++) {
    progress(`restart ${n} of ${rounds}`)
    const started = performance.now()
    const box = await Server.box(crowd.folder, { pinned })
    const connection = await Connection.open(box.ports.device, device)
    const { status } = await connection.post('/v1/scan', JSON.stringify(scanOf('nobody')))
    if (status !== 200) throw new Error(`the first scan after a restart was answered with ${status}.`)
    times.push((performance.now() - started) / 1000)
    connection.close()
    await box.stop('SIGKILL')
  }
  return {
    id: 'restart',
    what: `restart after a kill, ${crowd.size} tickets and scans`,
    ...{ value: median(times), limit: 3, unit: 's', budget: { ratio: 'at most', of: 1 } },
    note: 'to the first answered scan',
    details: { seconds: times },
  }
}

/** A box that is killed while it scans. @returns the devices that it knows */
async function interrupted(crowd: Crowd, pinned: boolean): Promise<readonly Credentials[]> {
  const box = await RunningBox.open(crowd, { pinned })
  const connections = await box.connect(CONNECTIONS)
  const body = () => JSON.stringify(scanOf('nobody'))
  await saturate({ connections, seconds: 1, body, onAnswer: () => {} })
  await box.server.stop('SIGKILL')
  return box.devices
}

interface Used {
  /** Microseconds of processor time that the server used for each request; NaN where it cannot be known. */
  readonly processorUs: number
}

/** Other work on the machine slows a round down; what the server itself used hardly changes with it. */
async function watched(server: Server, load: Load): Promise<Round & Used> {
  const before = server.processorSeconds() ?? Number.NaN
  const round = await saturate(load)
  const used = (server.processorSeconds() ?? Number.NaN) - before
  return { ...round, processorUs: (used / round.latencies.length) * 1e6 }
}

export function bodies(crowd: Crowd): () => string | undefined {
  return () => bodyOf(crowd.next())
}

export function bodyOf(code: string | undefined): string | undefined {
  return code === undefined ? undefined : JSON.stringify(scanOf(code))
}

/** Every scan of this bench has to be admitted: a refusal writes less, and would improve the figures. */
export function admitted({ status, body }: Answer): void {
  if (status !== 200 || !body.includes('"verdict":"ADMIT"'))
    throw new Error(`a scan was not admitted: ${status} ${body}`)
}

export function echoed({ status, body }: Answer): void {
  if (status !== 200 || !body.startsWith('{"scan_id"')) throw new Error(`the echo is wrong: ${status} ${body}`)
}

function hlcOf(text: string): string | undefined {
  return /"hlc":"(\d+\.\d+)"/.exec(text)?.[1]
}
