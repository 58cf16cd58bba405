/** A shop's feed under faults: wrong certificates, hostile batches, a killed box; and a large shop. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import {
  type ChangeEvent,
  ChangeEventBatchSchema,
  type DeliverAck,
  DeliverAckSchema,
} from '@gatehouse/proto/gen/changefeed/v1/changefeed_pb.ts'
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { tlsFetch } from '../../src/device/tls-fetch.ts'
import { makeAuthority } from '../world/certificates.ts'
import { until } from '../world/until.ts'
import { changeEvent, TWO_TABLES } from './desk.ts'
import { ShopWorld, verdictOf } from './world.ts'

const SCHEMA = `
  CREATE TABLE orders (id bigint PRIMARY KEY, state text, email text);
  CREATE TABLE tickets (id bigint PRIMARY KEY, order_id bigint, code text, product text, seat text, holder text, until timestamptz)`

const LONG = process.env.GATEHOUSE_TEST_LONG !== undefined

interface Pair {
  cert: string
  key: string
}

/** One call as an attacker writes it. @returns the ack, or the status and its text */
async function call(
  world: ShopWorld,
  pair: Pair | undefined,
  message: Buffer,
): Promise<DeliverAck | { code: number; details: string }> {
  const ca = Buffer.from(await (await fetch(`http://127.0.0.1:${world.box.ports.http}/ca.crt`)).text())
  const tls = pair
    ? credentials.createSsl(ca, Buffer.from(pair.key), Buffer.from(pair.cert))
    : credentials.createSsl(ca)
  const client = new Client(`localhost:${world.receiverPort}`, tls)
  try {
    return await new Promise((resolve) => {
      client.makeUnaryRequest(
        '/changefeed.v1.ChangefeedSink/Deliver',
        (bytes: Buffer) => bytes,
        (bytes: Buffer) => fromBinary(DeliverAckSchema, bytes),
        message,
        new Metadata(),
        { deadline: Date.now() + 20_000 },
        (error: ServiceError | null, ack?: DeliverAck) =>
          resolve(ack ?? { code: error?.code ?? -1, details: error?.details ?? '' }),
      )
    })
  } finally {
    client.close()
  }
}

function batch(...events: ChangeEvent[]): Buffer {
  return Buffer.from(toBinary(ChangeEventBatchSchema, create(ChangeEventBatchSchema, { events })))
}

const ticket = (id: string, code: string) =>
  ({ table: 'tickets', op: 'insert', after: { id, code, product: 'Day', order_id: null } }) as const
const NO_ORDERS = {
  tables: { 'public.tickets': { key: 'id', code: 'code', tier: TWO_TABLES.tables['public.tickets'].tier } },
}

describe('the sender of changes', { timeout: 300_000 }, () => {
  let world: ShopWorld
  let shop: Pair
  before(async () => {
    world = await ShopWorld.open({ schema: SCHEMA, mapping: NO_ORDERS })
    await world.certify()
    shop = { cert: read('shop.crt'), key: read('shop.key') }
  })
  after(() => world[Symbol.asyncDispose]())
  const read = (name: string) => readFileSync(join(world.feedFolder, name), 'utf8')
  const taken = async (pair: Pair | undefined, message: Buffer) => call(world, pair, message)

  it('must have the shop’s certificate', async () => {
    const good = batch(changeEvent(1, ticket('1', 'S-1')))
    assert.equal(((await taken(undefined, good)) as ServiceError).code, status.UNAVAILABLE)
    const stranger = await (await makeAuthority('others')).issue('shop')
    assert.equal(((await taken(stranger, good)) as ServiceError).code, status.UNAVAILABLE)
    const device = await world.box.folder.pair(world.box.ports, 'a scanner')
    assert.equal(
      ((await taken({ cert: device.certificate, key: device.key }, good)) as ServiceError).code,
      status.UNAVAILABLE,
    )
    await world.box.process.said(/"event":"shop_refused"/)
    assert.deepEqual((await world.shop('status')).sources, [], 'nothing was taken from any of them')
    const ack = await taken(shop, good)
    assert.equal((ack as DeliverAck).ok, true)
    // And the shop is not a scanner.
    await using asShop = tlsFetch({ ca: device.ca, cert: shop.cert, key: shop.key })
    const answer = await asShop(
      new Request(`https://127.0.0.1:${world.box.ports.device}/v1/manifest`, {
        headers: { authorization: `Bearer ${device.token}` },
      }),
    )
    assert.equal(answer.status, 401)
  })

  it('may send malformed batches without harm', async () => {
    const bad: [what: string, message: Buffer, outcome: RegExp][] = [
      ['no protobuf', Buffer.from('ffffffff', 'hex'), /13|"code":/],
      ['nothing', Buffer.alloc(0), /"ok":true/],
      ['no id', batch({ ...changeEvent(2, ticket('2', 'S-2')), id: 'x' }), /not <commit_lsn>/],
      ['an unknown op', batch(changeEvent(3, { ...ticket('3', 'S-3'), op: 'merge' })), /"ok":true/],
      ['bad JSON', batch({ ...changeEvent(4, ticket('4', 'S-4')), afterJson: '{"id":"4",' }), /"ok":true/],
      ['another table', batch({ ...changeEvent(5, ticket('5', 'S-5')), table: 'users' }), /"ok":true/],
      [
        'no UTF-8',
        Buffer.from(
          batch(changeEvent(6, ticket('6', 'S-6Z')))
            .toString('latin1')
            .replace('S-6Z', 'S-6\xff'),
          'latin1',
        ),
        /./,
      ],
      [
        'a deep JSON',
        batch({ ...changeEvent(7, ticket('7', 'S-7')), afterJson: `{"id":"7","code":${'['.repeat(50_000)}` }),
        /"ok":true/,
      ],
      ['a long code', batch(changeEvent(8, ticket('8', 'x'.repeat(1_000_000)))), /"ok":true/],
      ['a huge batch', batch(changeEvent(9, ticket('9', 'x'.repeat(17 * 1024 * 1024)))), /"code":8/],
      [
        '10,000 changes',
        batch(...Array.from({ length: 10_000 }, (_, i) => changeEvent(100 + i, ticket(`${1000 + i}`, `MANY-${i}`)))),
        /"ok":true/,
      ],
    ]
    for (const [what, message, outcome] of bad) {
      assert.match(JSON.stringify(await taken(shop, message)), outcome, what)
    }
    const { scan } = await world.box.device()
    assert.equal((await scan('MANY-9999', { checkpoint: 'a-in' })).verdict, 'ADMIT')
    const { kept } = await world.shop('status')
    assert.equal(kept.broken, 3, 'an unknown op, and JSON that is none, twice')
    assert.doesNotMatch(world.box.output, /S-\d|MANY-\d/, 'no code is in the log')
    assert.deepEqual((await world.verified()).problems, [])
  })

  it('is refused as soon as its certificate is revoked', async () => {
    const { certificates } = await world.shop('status')
    await world.shop('revoke', certificates[0].fingerprint.slice(0, 16), '--reason', 'laptop stolen')
    await until(async () => 'code' in (await taken(shop, batch(changeEvent(90_000, ticket('90', 'LATE'))))))
    assert.equal((await (await world.box.device()).scan('LATE')).verdict, 'UNKNOWN')
    assert.deepEqual((await world.verified()).problems, [])
  })
})

describe('a shop and a box that is killed', { timeout: 300_000 }, () => {
  it('lose nothing and repeat nothing', async (t) => {
    await using world = await ShopWorld.open({ schema: SCHEMA, mapping: TWO_TABLES })
    const { postgres } = world
    await postgres.query(`INSERT INTO orders VALUES (1, 'p')`)
    await world.certify()
    await world.startFeed()
    await world.load()
    const sales = LONG ? 20_000 : 400
    let sold = 0
    const selling = (async () => {
      for (; sold < sales; sold += 10) {
        await postgres.query(
          `INSERT INTO tickets SELECT i, 1, 'K-' || i, 'Day' FROM generate_series(${sold + 1}, ${sold + 10}) i;
           UPDATE tickets SET product = 'Lounge' WHERE id = ${sold + 1}`,
        )
        await sleep(10)
      }
    })()
    for (let kills = 1; kills <= 3; kills++) {
      await until(() => sold >= (kills * sales) / 4)
      await world.box.kill()
      await world.box.start()
    }
    await selling
    await world.box.kill()
    await postgres.query(`UPDATE tickets SET product = 'Lounge' WHERE id = 2`)
    await world.box.start()
    const { scan } = await world.box.device()
    await verdictOf(
      (code) => scan(code, { checkpoint: 'v-in' }),
      'K-2',
      ({ verdict }) => verdict === 'ADMIT',
    )
    const { data } = await world.box.admin().GET('/v1/admin/stats')
    const vips = (data?.tiers.find(({ name }) => name === 'VIP')?.sold ?? 0) - 1
    assert.equal(vips, sales / 10 + 1)
    const [source] = (await world.shop('status')).sources
    assert.equal(source.tickets_added, sales)
    assert.deepEqual((await world.verified()).problems, [])
    t.diagnostic(`${sales} sales, four kills: ${JSON.stringify(source)}`)
  })

  it('reconnect: here the box runs the feed itself', async () => {
    const source = { slot: { name: 'own' }, publication: { name: 'own', create: true } }
    await using world = await ShopWorld.open({ schema: SCHEMA, mapping: { source, ...TWO_TABLES } })
    const { postgres } = world
    await world.box.process.said(/"event":"source_streaming"/)
    await postgres.query(`INSERT INTO orders VALUES (1, 'p'); INSERT INTO tickets VALUES (1, 1, 'OWN-1', 'Day')`)
    const { scan } = await world.box.device()
    await verdictOf(
      (code) => scan(code, { checkpoint: 'a-in' }),
      'OWN-1',
      ({ verdict }) => verdict === 'ADMIT',
    )
    assert.deepEqual((await world.shop('load')).tables, { 'public.orders': 1, 'public.tickets': 1 })
    await world.box.kill()
    await postgres.query(`UPDATE orders SET state = 'r'`)
    await world.box.start()
    await verdictOf(
      (code) => scan(code, { checkpoint: 'a-in' }),
      'OWN-1',
      ({ verdict }) => verdict === 'REVOKED',
    )
    assert.deepEqual((await world.verified()).problems, [])
  })
})

describe('a large shop', { timeout: 600_000 }, () => {
  it('is loaded while people enter, and its changes arrive within a second', async (t) => {
    await using world = await ShopWorld.open({ schema: SCHEMA, mapping: TWO_TABLES })
    const { postgres } = world
    const tickets = LONG ? 100_000 : 2000
    await postgres.query(`
      INSERT INTO orders SELECT i, 'p', 'buyer' || i || '@shop.example' FROM generate_series(1, ${tickets / 4}) i;
      INSERT INTO tickets SELECT i, 1 + i / 4, 'L-' || i, 'Day', 'Row ' || i, 'Holder ' || i FROM generate_series(1, ${tickets - 1}) i`)
    await world.certify()
    await world.startFeed()
    const { scan } = await world.box.device()
    let loading = true
    const waits: number[] = []
    const scanning = (async () => {
      while (loading) {
        const begun = performance.now()
        await scan('ONCE-1', { checkpoint: 'b-in' })
        waits.push(performance.now() - begun)
      }
    })()
    const { tables, seconds } = await world.load()
    loading = false
    await scanning
    assert.deepEqual(tables, { 'public.orders': tickets / 4, 'public.tickets': tickets - 1 })
    assert.equal((await scan(`L-${tickets - 1}`, { checkpoint: 'a-in' })).verdict, 'ADMIT')
    waits.sort((a, b) => a - b)
    t.diagnostic(
      `${tickets} tickets in ${seconds.toFixed(1)} s; ${waits.length} scans meanwhile, p99 ${waits[Math.floor(waits.length * 0.99)]?.toFixed(0)} ms, the longest ${waits.at(-1)?.toFixed(0)} ms`,
    )

    const took: number[] = []
    for (let n = 0; n < (LONG ? 1000 : 40); n++) {
      await postgres.query(`INSERT INTO tickets VALUES (${tickets + n}, 1, 'P-${n}', 'Day')`)
      took.push(
        await verdictOf(
          (code) => scan(code, { checkpoint: 'a-in' }),
          `P-${n}`,
          ({ verdict }) => verdict === 'ADMIT',
        ),
      )
    }
    took.sort((a, b) => a - b)
    const at = (part: number) => took[Math.floor(took.length * part)]?.toFixed(0)
    t.diagnostic(
      `from commit to admission, ${took.length} sales: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, the longest ${took.at(-1)?.toFixed(0)} ms`,
    )

    const begun = performance.now()
    await postgres.query('TRUNCATE tickets')
    await until(async () => (await world.shop('status')).sources[0].tickets_changed >= tickets)
    assert.equal((await scan('P-1', { checkpoint: 'a-in' })).verdict, 'REVOKED')
    t.diagnostic(
      `all ${tickets} deleted at once: the last is refused after ${((performance.now() - begun) / 1000).toFixed(1)} s`,
    )
    assert.deepEqual((await world.verified()).problems, [])
  })
})
