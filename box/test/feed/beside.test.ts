/** The change feed beside the box, as `npm start` runs it: it publishes what happens at the gates without slowing them. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { gatehouseClient } from '@gatehouse/proto/client.ts'
import Sqlite from 'better-sqlite3'
import type { PairedDevice } from '../../src/device/pair.ts'
import { tlsFetch } from '../../src/device/tls-fetch.ts'
import { PUBLISHED } from '../../src/ledger/published.ts'
import { BoxFolder, type Ports } from '../world/process-box.ts'
import { scanOf } from '../world/scan-of.ts'
import { until } from '../world/until.ts'
import { Both, sinkOf } from './both.ts'

const TICKETS = ['CODE-IN-CSV,once,Seat 7,Ana Holder,ana@holder.example,,,valid', 'CODE-TWO,once,,,,,,valid']
const DONE = { code: 0, signal: null }

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
  it('streams an admission as it happens, is restarted when it is killed, and the gates go on', async () => {
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

  it('ends when the box is killed', async () => {
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

  it('follows nothing when it is turned off, and a bad configuration does not keep the box from opening', async () => {
    using folder = new BoxFolder({ tickets: TICKETS })
    const tables = () => {
      const db = new Sqlite(join(folder.dataDir, 'ledger.db'), { readonly: true })
      const names = db.prepare(`SELECT name FROM sqlite_master WHERE name LIKE 'changefeed%'`).pluck().all()
      db.close()
      return names.length
    }
    const run = async (environment: Record<string, string>) => {
      await using box = folder.startWithFeed(environment)
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
