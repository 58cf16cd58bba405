/** The change feed beside the box, as `npm start` runs it: it tells what happens at the gates, and no gate waits for it. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { gatehouseClient } from '@gatehouse/proto/client.ts'
import { readEvents } from '@gatehouse/proto/sse.ts'
import Sqlite from 'better-sqlite3'
import type { PairedDevice } from '../src/device/pair.ts'
import { tlsFetch } from '../src/device/tls-fetch.ts'
import { PUBLISHED } from '../src/ledger/published.ts'
import { BoxFolder, BoxProcess, type Ports } from './process-box.ts'
import { scanOf } from './scan-of.ts'
import { until } from './until.ts'

const MAIN = join(import.meta.dirname, '../src/main.ts')
const TICKETS = ['CODE-IN-CSV,once,Seat 7,Ana Holder,ana@holder.example,,,valid', 'CODE-TWO,once,,,,,,valid']
const DONE = { code: 0, signal: null }

/** A box with its feed, as `npm start` does it. */
class Both implements AsyncDisposable {
  readonly box: BoxProcess
  readonly #folder: BoxFolder

  constructor(folder: BoxFolder) {
    this.#folder = folder
    this.box = new BoxProcess([process.execPath, MAIN], { ...folder.environment, GATEHOUSE_FEED_PORT: '0' })
  }

  /** Where the feed's control plane is, the newest. @param starts how often it has started by then */
  async feedUrl(starts = 1): Promise<string> {
    const opened = () => [...this.box.output.matchAll(/^\{.*"event":"feed_open".*\}$/gm)]
    await until(() => opened().length >= starts, `the feed has started ${starts} times`)
    return JSON.parse(opened().at(-1)?.[0] ?? '{}').url
  }

  get token(): string {
    return readFileSync(join(this.#folder.dataDir, 'feed/token'), 'utf8').trim()
  }

  /** Changes of the ledger as they come; ends with the signal. */
  async *changes(url: string, signal: AbortSignal) {
    const headers = { authorization: `Bearer ${this.token}` }
    for await (const { event, data } of readEvents(`${url}/plugins/events/events`, { headers, signal })) {
      if (event === 'change')
        yield JSON.parse(data) as { table: string; op: string; after: Record<string, string> | null }
    }
  }

  /** As `kill -9` from a shell would. @returns when it is gone */
  async killFeed(): Promise<void> {
    const [feed] = readFileSync(`/proc/${this.box.pid}/task/${this.box.pid}/children`, 'utf8').trim().split(' ')
    process.kill(Number(feed), 'SIGKILL')
    await until(() => this.box.output.includes('"event":"feed_ended"'), 'the box has noticed')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.box[Symbol.asyncDispose]()
  }
}

function scanning({ ca, certificate: cert, key, token }: PairedDevice, ports: Ports) {
  const fetch = tlsFetch({ ca, cert, key })
  const client = gatehouseClient({ baseUrl: `https://127.0.0.1:${ports.device}`, token, fetch })
  return {
    async scan(payload: string) {
      const { data, error, response } = await client.POST('/v1/scan', { body: scanOf(payload) })
      return data?.verdict ?? JSON.stringify([response.status, data, error])
    },
    [Symbol.asyncDispose]: () => fetch[Symbol.asyncDispose](),
  }
}

describe('the change feed beside the box', () => {
  it('tells of an admission as it happens, is missed by nobody when it is killed, and comes back', async () => {
    using folder = new BoxFolder({ tickets: TICKETS })
    await using both = new Both(folder)
    const ports = await both.box.opened()
    const url = await both.feedUrl()
    await using device = scanning(await folder.pair(ports, 'scanner'), ports)

    const stop = new AbortController()
    const changes = both.changes(url, stop.signal)
    const first = changes.next()
    // The stream begins with what happens from now on: wait until it is there.
    await until(async () => (await sinkOf(both, url)).readers === 1, 'somebody reads the stream')
    assert.equal(await device.scan('CODE-IN-CSV'), 'ADMIT')
    const told = [(await first).value]
    while (!told.some((change) => change?.table === 'movements')) told.push((await changes.next()).value)
    stop.abort()
    const scan = told.find((change) => change?.table === 'journal' && change.after?.kind === 'scan')
    const movement = told.at(-1)
    assert.equal(JSON.parse(scan?.after?.bytes ?? '').verdict, 'ADMIT')
    assert.deepEqual([movement?.op, movement?.after?.checkpoint, movement?.after?.direction], ['insert', 'a-in', 'in'])

    await both.killFeed()
    assert.equal(await device.scan('CODE-TWO'), 'ADMIT')
    assert.equal(await device.scan('CODE-TWO'), 'ALREADY_USED')
    const again = await both.feedUrl(2)
    await until(async () => (await sinkOf(both, again)).acked, 'it has taken what happened meanwhile')
    both.box.signal('SIGTERM')
    assert.deepEqual(await both.box.exited(), DONE)
    assert.ok(!both.box.output.includes('feed_not_started'))
  })

  it('goes when the box is killed', async () => {
    using folder = new BoxFolder({ tickets: TICKETS })
    await using both = new Both(folder)
    const url = await both.feedUrl()
    await both.box.kill()
    const isGone = () =>
      fetch(`${url}/healthz`).then(
        () => false,
        () => true,
      )
    await until(isGone, 'the feed has gone too')
  })

  it('publishes no ticket id, no code, no key and no holder', async () => {
    using folder = new BoxFolder({ tickets: TICKETS })
    await using box = folder.start()
    const ports = await box.opened()
    await using device = scanning(await folder.pair(ports, 'Gate North 1'), ports)
    await device.scan('CODE-IN-CSV')
    box.signal('SIGTERM')
    await box.exited()
    const db = new Sqlite(join(folder.dataDir, 'ledger.db'))
    const log = JSON.stringify(db.prepare('SELECT * FROM changefeed_log').all())
    const [ticket] = db.prepare('SELECT * FROM tickets').all() as Record<string, string | Buffer>[]
    db.close()
    assert.match(log, /"tbl":"tickets"/)
    for (const column of ['capability', 'code', 'holder_name', 'email'] as const) {
      assert.ok(ticket?.[column], column)
      assert.ok(!log.includes(String(ticket[column])), column)
    }
    const columns = PUBLISHED.flatMap(({ name, columns = [] }) => columns.map((column) => `${name}.${column}`))
    assert.deepEqual(
      columns.filter((column) =>
        /capability|\.code|seed|key|token|secret|name|email|digest|salt|note|response/.test(column),
      ),
      ['seals.note', 'devices.name'],
    )
  })

  it('follows nothing when it is turned off, and lets the box open whatever its configuration says', async () => {
    using folder = new BoxFolder({ tickets: TICKETS })
    const tables = () => {
      const db = new Sqlite(join(folder.dataDir, 'ledger.db'), { readonly: true })
      const names = db.prepare(`SELECT name FROM sqlite_master WHERE name LIKE 'changefeed%'`).pluck().all()
      db.close()
      return names.length
    }
    const run = async (environment: Record<string, string>) => {
      await using box = new BoxProcess([process.execPath, MAIN], { ...folder.environment, ...environment })
      await box.opened()
      box.signal('SIGTERM')
      assert.deepEqual(await box.exited(), DONE)
      return box.output
    }
    await run({ GATEHOUSE_FEED_PORT: '0' })
    assert.ok(tables() > 0)
    await run({ GATEHOUSE_FEED: '0' })
    assert.equal(tables(), 0)
    const config = join(folder.path, 'feed.yaml')
    writeFileSync(config, 'source: nonsense')
    const output = await run({ GATEHOUSE_FEED_CONFIG: config })
    assert.match(output, /"event":"feed_config".*feed\.yaml/)
    assert.equal(tables(), 0)
  })
})

async function sinkOf(both: Both, url: string): Promise<{ readers: number; acked: boolean }> {
  const answer = await fetch(`${url}/api/stats`, { headers: { authorization: `Bearer ${both.token}` } })
  const { engine, slot } = await answer.json()
  return { readers: engine.sinks[0].readers, acked: slot !== null && engine.eventsTotal > 0 }
}
