/** The daemon, and for SQLite its writer, are killed again and again while rows pass; nothing may be missing afterwards. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadPackageDefinition, Server, ServerCredentials, type ServiceDefinition } from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'
import Sqlite from 'better-sqlite3'
import { comparePositions, type Position, parseEventId } from '../../src/feed/lsn.ts'
import { Postgres } from '../world/postgres.ts'
import { BoxProcess } from '../world/process-box.ts'
import { until } from '../world/until.ts'
import { FeedFolder } from './daemon-world.ts'

const LONG = process.env.GATEHOUSE_TEST_LONG === '1'
const KILLS = LONG ? 200 : 5
const ROWS = LONG ? 1_000_000 : 20_000
const PROTO = join(import.meta.dirname, '../../../proto/changefeed/v1/changefeed.proto')

interface Event {
  id: string
  table: string
  op: string
  after_json: string
}

/**
 * A receiver that follows the specification's rules and keeps next to nothing: it drops what it has seen, by position, and
 * compares everything else with what must come next. What it takes it has taken, also when the answer is lost.
 */
class Ledger {
  #last: Position = { commitLsn: -1n, index: 0 }
  /** The last rows, by id: a redelivery must say what was said before. */
  readonly #recent = new Map<string, string>()
  next = 1
  again = 0
  problem: string | undefined

  take(events: readonly Event[]): void {
    for (const event of events) this.#takeOne(event)
  }

  #takeOne({ id, table, op, after_json }: Event): void {
    if (table !== 'numbers') return
    const position = parseEventId(id)
    const text = `${op} ${after_json}`
    if (!position) {
      this.#complain(`the id ${id}`)
      return
    }
    if (comparePositions(position, this.#last) <= 0) {
      this.again++
      const before = this.#recent.get(id)
      if (before !== undefined && before !== text) this.#complain(`${id} says ${text}, and said ${before}`)
      return
    }
    const { n } = JSON.parse(after_json) as { n: string }
    if (op !== 'insert' || Number(n) !== this.next) this.#complain(`${id} is ${op} ${n}, and ${this.next} was next`)
    this.#last = position
    this.next = Number(n) + 1
    this.#recent.set(id, text)
    if (this.#recent.size > 50_000) this.#recent.delete(this.#recent.keys().next().value ?? '')
  }

  #complain(problem: string): void {
    this.problem ??= problem
  }
}

async function serve(ledger: Ledger) {
  const loaded = loadPackageDefinition(loadSync(PROTO, { keepCase: true, defaults: true }))
  const { service } = (loaded.changefeed as unknown as { v1: { ChangefeedSink: { service: ServiceDefinition } } }).v1
    .ChangefeedSink
  const server = new Server()
  server.addService(service, {
    deliver({ request }: { request: { events: Event[] } }, answer: (error: null, ack: object) => void) {
      ledger.take(request.events)
      answer(null, { ok: true })
    },
  })
  const port = await new Promise<number>((resolve, reject) => {
    const bound = (error: Error | null, port: number) => (error ? reject(error) : resolve(port))
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), bound)
  })
  return { port, [Symbol.dispose]: () => server.forceShutdown() }
}

/** Kills the daemon at moments of chance, at the start as well as in full flow, until all rows have been written. */
async function killing(folder: FeedFolder, ledger: Ledger, alsoKill: () => Promise<void>): Promise<number> {
  let midway = 0
  for (let kill = 0; kill < KILLS; kill++) {
    await using feed = folder.start()
    const before = ledger.next
    // Some before anything has come, most in full flow.
    if (kill % 4 > 0) await Promise.race([until(() => ledger.next > before, 'rows pass'), sleep(4000)])
    await sleep(Math.random() ** 2 * 1000)
    if (kill % 2 === 0) await alsoKill()
    await feed.kill()
    if (ledger.next > before) midway++
    assert.equal(ledger.problem, undefined)
  }
  return midway
}

const sink = (port: number) => ({
  id: 'receiver',
  kind: 'grpc',
  batch: { maxEvents: 200 },
  options: { address: `127.0.0.1:${port}`, plaintext: true },
})

describe('a feed that is killed', () => {
  for (const version of LONG ? ([15, 18] as const) : ([18] as const)) {
    it(`loses nothing of PostgreSQL ${version}, and invents nothing`, async (t) => {
      await using postgres = await Postgres.start({ version })
      await postgres.query('CREATE TABLE numbers (n bigint PRIMARY KEY, pad text)')
      const ledger = new Ledger()
      using receiver = await serve(ledger)
      using folder = new FeedFolder({
        source: {
          kind: 'postgres',
          url: postgres.url(),
          slot: { name: 'kill', create: true },
          publication: { name: 'kill', create: true, tables: ['public.numbers'] },
        },
        sinks: [sink(receiver.port)],
      })
      {
        await using feed = folder.start()
        await feed.ready()
      }
      let done = 0
      const stopped = new AbortController()
      const writing = (async () => {
        while (done < ROWS && !stopped.signal.aborted) {
          const rows = Math.min(ROWS - done, Math.ceil(Math.random() ** 4 * 10_000))
          const insert = `INSERT INTO numbers SELECT n, repeat(n || ' ', 20) FROM generate_series(${done + 1}, ${done + rows}) n`
          if (Math.random() < 0.1) await postgres.query(`BEGIN; ${insert}; ROLLBACK`)
          else {
            await postgres.query(insert)
            done += rows
          }
          // All of it while the kills go on, and not before.
          await sleep((KILLS * 1000 * rows) / ROWS)
        }
      })()
      try {
        const midway = await killing(folder, ledger, async () => {})
        await writing
        await using feed = folder.start()
        await until(() => ledger.next > ROWS || ledger.problem !== undefined, 'every row has come')
        assert.equal(ledger.problem, undefined)
        t.diagnostic(`${KILLS} kills, ${midway} with rows passing; ${ROWS} rows, ${ledger.again} came again`)
        assert.ok(midway > 0)
        assert.equal((await feed.stats()).engine.sinks[0].status, 'running')
      } finally {
        stopped.abort()
        await writing
      }
    })
  }

  it('loses nothing of SQLite, whose writer is killed as well', async (t) => {
    const ledger = new Ledger()
    using receiver = await serve(ledger)
    using folder = new FeedFolder({})
    const path = join(folder.path, 'numbers.db')
    const db = new Sqlite(path)
    db.pragma('journal_mode = WAL')
    db.exec('CREATE TABLE numbers (n INTEGER PRIMARY KEY, pad TEXT)')
    db.close()
    folder.write({
      source: { kind: 'sqlite', path, create: true, tables: [{ name: 'numbers' }] },
      sinks: [sink(receiver.port)],
    })
    {
      await using feed = folder.start()
      await feed.ready()
    }
    const pauseMs = Math.ceil((KILLS * 1000 * 400) / ROWS)
    const write = () =>
      new BoxProcess(
        [process.execPath, join(import.meta.dirname, 'writer.ts'), path, String(ROWS), String(pauseMs)],
        {},
      )
    let writer = write()
    await using stack = new AsyncDisposableStack()
    stack.defer(() => writer.kill())
    const midway = await killing(folder, ledger, async () => {
      await writer.kill()
      writer = write()
    })
    await writer.exited()
    await using feed = folder.start()
    await until(() => ledger.next > ROWS || ledger.problem !== undefined, 'every row has come')
    assert.equal(ledger.problem, undefined)
    t.diagnostic(`${KILLS} kills of each, ${midway} with rows passing; ${ROWS} rows, ${ledger.again} came again`)
    assert.ok(midway > 0)
    assert.equal((await feed.stats()).engine.sinks[0].status, 'running')
  })
})
