/** The rows of the ticket desk: a look-up by name among all tickets while a gate scans, and the gate meanwhile and without it. */
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../src/drizzle/core.ts'
import { openDb } from '../src/ledger/db.ts'
import { Crowd } from './crowd.ts'
import { latencyOf } from './figures.ts'
import { pace } from './load.ts'
import type { Row } from './row.ts'
import { RunningBox } from './running-box.ts'
import { admitted, bodies, type ScanBench } from './scan-rows.ts'

const LOOK_UP_MS = 50
/** Scans a second of the gate. */
const STEADY = 50
/** Each address may look up so often at once. */
const BURST = 30
const ADDRESSES = 20
const INDEX_MS = 600_000
const SYLLABLES = 'ma ri an na jo ha li sa to mi ka el se be ra lu ti no ve do pe gra schu mu ler son ski ez'.split(' ')

export async function* deskRows(bench: ScanBench): AsyncGenerator<Row> {
  const crowd = new Crowd(join(bench.folder, 'desk'), bench.tickets)
  await crowd.write((done) => bench.progress(`making tickets: ${done} of ${crowd.size}`))
  bench.progress('naming their holders')
  nameHolders(crowd)
  await using box = await RunningBox.open(crowd, bench)
  const ask = askerAt(box)
  bench.progress('the index')
  const started = performance.now()
  while ((await ask('lookup', `127.0.1.${1 + (Math.floor(performance.now() / 60_000) % 200)}`)).indexing) {
    if (performance.now() - started > INDEX_MS) throw new Error('the search index takes more than ten minutes.')
    await sleep(3_000)
  }
  const indexed = (performance.now() - started) / 1000
  const alone = await scansFor(box, crowd, bench.seconds * 2)
  bench.progress('look-ups beside scans')
  const scanning = scansFor(box, crowd, bench.seconds * 4)
  const took: number[] = []
  const random = randomOf(7)
  for (let n = 0; n < BURST * ADDRESSES; n++) {
    const from = performance.now()
    await ask(questionOf(random), `127.0.2.${1 + (n % ADDRESSES)}`)
    took.push(performance.now() - from)
  }
  const beside = await scanning
  const latency = latencyOf(took)
  yield {
    id: 'desk-look-up',
    what: 'a look-up by name at the desk, beside scans',
    ...{ value: latency.p99, limit: LOOK_UP_MS, unit: 'ms', budget: { ratio: 'at most', of: 1 } },
    note: `p99, to the answer, of ${took.length} among ${crowd.size} tickets; median ${latency.p50.toFixed(1)}, longest ${latency.max.toFixed(0)} ms; the index was made in ${indexed.toFixed(0)} s`,
    details: { latency_ms: latency, index_seconds: indexed },
  }
  yield {
    id: 'desk-scan',
    what: 'a live scan beside look-ups, against one without',
    ...{ value: beside.p99, limit: alone.p99, unit: 'ms', budget: { ratio: 'at most', of: 2 } },
    note: `p99; median ${beside.p50.toFixed(1)} against ${alone.p50.toFixed(1)} ms`,
    details: { beside_ms: beside, alone_ms: alone },
  }
}

async function scansFor(box: RunningBox, crowd: Crowd, seconds: number) {
  const connections = await box.connect(8)
  const round = await pace({ connections, seconds, perSecond: STEADY, body: bodies(crowd), onAnswer: admitted })
  return latencyOf(round.latencies)
}

/** Asks with a keep-alive connection of its own from each address. */
function askerAt({ crowd, server, devices }: RunningBox) {
  const token = readFileSync(join(crowd.folder, 'data/admin-token'), 'utf8').trim()
  const agents = new Map<string, Agent>()
  return (text: string, localAddress: string): Promise<{ indexing: boolean }> => {
    const agent = agents.get(localAddress) ?? new Agent({ keepAlive: true, localAddress, ca: devices[0]?.ca })
    agents.set(localAddress, agent)
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const path = '/v1/admin/desk/look-up'
      const options = { agent, host: '127.0.0.1', port: server.ports.https, path, method: 'POST', headers }
      const asked = request(options, (answer) => {
        let body = ''
        answer.on('data', (bytes) => (body += bytes))
        answer.on('end', () => (answer.statusCode === 200 ? resolve(JSON.parse(body)) : reject(new Error(body))))
      })
      asked.on('error', reject)
      asked.end(JSON.stringify({ text, actor: 'bench' }))
    })
  }
}

/** First names of thousands of people, surnames of tens of thousands, the common ones often. */
function nameHolders({ folder, size }: Crowd): void {
  const db = openDb(join(folder, 'data/ledger.db'))
  const random = randomOf(1)
  try {
    for (let id = 1; id <= size; ) {
      db.transaction(() => {
        for (const until = Math.min(size, id + 20_000); id <= until; id++) {
          db.drizzle.run(sql`UPDATE tickets SET holder_name = ${nameOf(random)} WHERE id = ${id}`)
        }
      })
    }
  } finally {
    db.close()
  }
}

function nameOf(random: () => number): string {
  return `${wordOf(random, 2, 3_000)} ${wordOf(random, 3, 60_000)}`
}

/** Three letters of one name, of both, or a whole name with the first letter of the other. */
function questionOf(random: () => number): string {
  const [first = '', last = ''] = nameOf(random).split(' ')
  const forms = [first.slice(0, 3), `${first.slice(0, 3)} ${last.slice(0, 3)}`, `${first} ${last.slice(0, 1)}`, last]
  return forms[Math.floor(random() * forms.length)] ?? last
}

function wordOf(random: () => number, syllables: number, many: number): string {
  const own = randomOf(Math.floor(random() ** 3 * many) + 1)
  return Array.from({ length: syllables }, () => SYLLABLES[Math.floor(own() ** 1.7 * SYLLABLES.length)]).join('')
}

/** The same numbers every time (Park and Miller). */
function randomOf(seed: number): () => number {
  let state = (seed * 48_271) % 2_147_483_647
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
