/**
 * `node box/bench/shop-push.ts`: what a scan pays for a connected pretix. One desk scans a hundred tickets a second and then as fast as it
 * can, in turns with the push running and without; pretix is an HTTP server in a thread of its own that takes everything.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { createLogger } from '../src/log.ts'
import { PretixApi } from '../src/shop/pretix/api.ts'
import { pretixSide } from '../src/shop/pretix/up/pretix-side.ts'
import { Push } from '../src/shop/pretix/up/push.ts'
import { RowStore } from '../src/shop/rows.ts'
import { Desk } from '../test/world/desk.ts'
import { latencyOf, median } from './figures.ts'

const SECONDS = 4
const ROUNDS = 5
const EVERY_MS = 10
const AT_ONCE = 40

const SERVER = `
  const { createServer } = require('node:http')
  const { parentPort } = require('node:worker_threads')
  const body = JSON.stringify({ status: 'ok', position: { checkins: [] } })
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(201, { 'content-type': 'application/json' }).end(body))
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`

const worker = new Worker(SERVER, { eval: true })
const port = await new Promise<number>((resolve) => worker.once('message', resolve))
const now = Date.now()
using desk = await Desk.open({ now })
const codes = Array.from({ length: 200_000 }, (_, i) => `T-${i}`)
await desk.import(codes.map((code) => `${code},once,valid,,,`))
const next = codes.values()

/** @returns ends it */
function pushing(target: string): AsyncDisposable {
  const { ledger, flags, tickets } = desk.deps
  const api = new PretixApi({ url: `http://127.0.0.1:${port}`, token: { kind: 'Token', secret: 'x'.repeat(64) } })
  const connection = { url: `http://127.0.0.1:${port}`, organizer: 'o', event: target } as never
  const mapping = { lists: new Map([[1, ['a-in']]]), tiers: {} }
  const side = pretixSide({
    api,
    connection,
    mapping,
    rows: new RowStore(ledger.db),
    tickets,
    event: desk.event,
    dates: () => null,
    isSigned: () => false,
    poke: () => {},
  })
  const push = new Push({
    ...{ ledger, flags, boxId: desk.id, event: desk.event.id, now: () => Date.now(), random: Math.random },
    shop: { ...side, positionOf: (ref) => ({ id: 1, secret: tickets.byRef(ref)?.code ?? '' }) },
    speaker: { maySpeak: async () => true },
    logger: createLogger('error', process.stderr),
    passageOf: () => undefined,
    admittedAt: () => undefined,
    ownTimes: () => [],
  })
  push.start()
  return {
    async [Symbol.asyncDispose]() {
      sent += push.status().sent
      await push[Symbol.asyncDispose]()
      await api[Symbol.asyncDispose]()
    },
  }
}

let sent = 0
let round = 0
const figures = {
  off: { paced: [] as number[][], rates: [] as number[] },
  on: { paced: [] as number[][], rates: [] as number[] },
}
for (let n = 0; n < 2 * ROUNDS; n++) {
  const how = n % 2 === 0 ? 'off' : 'on'
  // Each round begins at the journal's end: what went before is another connection's.
  await using _ = how === 'on' ? await fromHere() : { async [Symbol.asyncDispose]() {} }
  figures[how].paced.push(await paced())
  figures[how].rates.push(await saturated())
}
for (const how of ['off', 'on'] as const) {
  const each = figures[how].paced.map(latencyOf)
  const [p50, p99] = [median(each.map((one) => one.p50)), median(each.map((one) => one.p99))]
  console.log(
    `push ${how}: p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, ${median(figures[how].rates).toFixed(0)} scans/s`,
  )
}
console.log(`${sent} entries were sent`)
await worker.terminate()

async function fromHere(): Promise<AsyncDisposable> {
  const { Outbox } = await import('../src/shop/pretix/up/outbox.ts')
  const { ledger } = desk.deps
  const event = `round-${round++}`
  ledger.transact(() => new Outbox(ledger.db, `pretix/127.0.0.1:${port}/o/${event}`).moveTo({ [desk.id]: ledger.size }))
  return pushing(event)
}

async function paced(): Promise<number[]> {
  const latencies: number[] = []
  const scans: Promise<void>[] = []
  const began = performance.now()
  for (let i = 0; i < (SECONDS * 1000) / EVERY_MS; i++) {
    await sleep(Math.max(began + i * EVERY_MS - performance.now(), 0))
    scans.push(scan().then((ms) => void latencies.push(ms)))
  }
  await Promise.all(scans)
  return latencies
}

async function saturated(): Promise<number> {
  const until = performance.now() + SECONDS * 1000
  let count = 0
  const lane = async () => {
    while (performance.now() < until) {
      await scan()
      count += 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return count / SECONDS
}

async function scan(): Promise<number> {
  const began = performance.now()
  // As the route does it: patient work makes way.
  using _ = desk.deps.ledger.liveScans.begin()
  await desk.scan(next.next().value ?? 'T-0')
  return performance.now() - began
}
