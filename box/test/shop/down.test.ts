/** A shop's changes at the gates: a real PostgreSQL, a real feed, a real box, joined by mutual TLS. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { until } from '../world/until.ts'
import { ShopWorld, verdictOf } from './world.ts'

const SCHEMA = `
  CREATE TABLE orders (id bigint PRIMARY KEY, state text NOT NULL, email text);
  CREATE TABLE tickets (
    id bigint PRIMARY KEY, order_id bigint NOT NULL, barcode text UNIQUE, product text, seat text, holder text,
    valid_until timestamptz, cancelled boolean NOT NULL DEFAULT false, note text
  )`

const MAPPING = {
  tables: {
    'public.tickets': {
      key: 'id',
      code: 'barcode',
      tier: { column: 'product', values: { 'Early Bird': 'once', Backstage: 'vip', Parking: '' } },
      seat: 'seat',
      holder_name: 'holder',
      email: 'order.email',
      valid_until: 'valid_until',
      status: [
        { column: 'cancelled', values: { true: 'cancelled', false: 'valid' } },
        { column: 'order.state', values: { paid: 'paid', new: 'pending', refunded: 'refunded' } },
      ],
      lookups: { order: { table: 'public.orders', key: 'id', by: 'order_id' } },
    },
  },
}

describe('a shop and its box', { timeout: 300_000 }, () => {
  it('a sale admits, a refund refuses, an upgrade changes the tier, a new code takes over', async (t) => {
    await using world = await ShopWorld.open({ schema: SCHEMA, mapping: MAPPING })
    const { postgres } = world
    await postgres.query(
      `INSERT INTO orders VALUES (1, 'paid', 'a@shop.example'); INSERT INTO tickets VALUES (1, 1, 'OLD-1', 'Early Bird')`,
    )
    await world.certify()
    await world.startFeed()
    const admin = world.box.admin()
    const down = async () => (await admin.GET('/v1/admin/links')).data?.down
    await until(async () => (await down())?.connected === true, 'the feed is seen before it has told anything')
    assert.equal((await down())?.lag_seconds, null, 'and nobody knows what waits')
    const loaded = await world.load()
    assert.deepEqual(loaded.tables, { 'public.orders': 1, 'public.tickets': 1 })
    const { scan } = await world.box.device()
    assert.equal((await scan('OLD-1', { checkpoint: 'a-in' })).verdict, 'ADMIT', 'what was there before the feed')

    const took: Record<string, number> = {}
    const at = async (what: string, sql: string, code: string, wanted: Parameters<typeof verdictOf>[2]) => {
      await postgres.query(sql)
      took[what] = Math.round(await verdictOf((payload) => scan(payload, { checkpoint: 'v-in' }), code, wanted))
    }
    // At the lounge's door, where a day ticket is sent elsewhere and is not used up.
    await at(
      'sale',
      `INSERT INTO orders VALUES (2, 'paid', NULL); INSERT INTO tickets VALUES (2, 2, 'NEW-2', 'Early Bird', 'Row 1')`,
      'NEW-2',
      (v) => v.verdict === 'REDIRECT',
    )
    await at(
      'upgrade',
      `UPDATE tickets SET product = 'Backstage' WHERE id = 2`,
      'NEW-2',
      (v) => v.verdict === 'ADMIT' && v.tier_name === 'VIP',
    )
    await at(
      'new code',
      `UPDATE tickets SET barcode = 'NEWER-2' WHERE id = 2`,
      'NEWER-2',
      (v) => v.verdict === 'ALREADY_USED',
    )
    const replaced = await scan('NEW-2', { checkpoint: 'v-in' })
    assert.equal(replaced.verdict, 'BLOCKED')
    assert.match(JSON.stringify(replaced.evidence), /replaced this code/)
    await at(
      'refund, by its order',
      `UPDATE orders SET state = 'refunded' WHERE id = 2`,
      'NEWER-2',
      (v) => v.verdict === 'REVOKED',
    )
    assert.equal((await scan('NEWER-2', { checkpoint: 'v-in' })).reason.length > 0, true)
    await at(
      'paid again',
      `UPDATE orders SET state = 'paid' WHERE id = 2`,
      'NEWER-2',
      (v) => v.verdict === 'ALREADY_USED',
    )
    await at(
      'not paid',
      `INSERT INTO orders VALUES (3, 'new'); INSERT INTO tickets VALUES (3, 3, 'NEW-3', 'Backstage')`,
      'NEW-3',
      (v) => v.verdict === 'NOT_PAID',
    )
    await at('paid', `UPDATE orders SET state = 'paid' WHERE id = 3`, 'NEW-3', (v) => v.verdict === 'ADMIT')
    await at('deleted', `DELETE FROM tickets WHERE id = 3`, 'NEW-3', (v) => v.verdict === 'REVOKED')
    await at('all deleted', `TRUNCATE tickets`, 'OLD-1', (v) => v.verdict === 'REVOKED')
    t.diagnostic(`from commit to the gate, ms: ${JSON.stringify(took)}`)

    // The feed sends while it reads: what waited behind one batch has come with the next.
    await until(async () => (await down())?.lag_events === 0)
    const link = await down()
    assert.deepEqual([link?.connected, link?.kept, link?.last_error, link?.lag_seconds], [true, 0, null, 0])
    t.diagnostic(`links: ${JSON.stringify(link)}`)
    const { data: stats } = await admin.GET('/v1/admin/stats')
    assert.deepEqual(stats?.shop, { connected: true, lag_seconds: 0, problems: 0 })
    assert.deepEqual((await world.verified()).problems, [])
  })

  it('a row that cannot be applied is kept with its reason, and delays nothing', async () => {
    await using world = await ShopWorld.open({ schema: SCHEMA, mapping: MAPPING })
    const { postgres } = world
    await world.certify()
    await world.startFeed()
    await postgres.query(`
      INSERT INTO orders VALUES (1, 'paid');
      INSERT INTO tickets VALUES (1, 1, 'BAD-TIER', 'Platinum'), (2, 1, NULL, 'Early Bird'), (3, 1, 'PARK-1', 'Parking'),
        (4, 1, 'G1:ABC', 'Early Bird'), (5, 7, 'NO-ORDER', 'Early Bird'), (6, 1, 'GOOD-6', 'Early Bird')`)
    const { scan } = await world.box.device()
    await verdictOf(
      (code) => scan(code, { checkpoint: 'a-in' }),
      'GOOD-6',
      (v) => v.verdict === 'ADMIT',
    )
    const { problems } = await world.shop('problems')
    const kinds = problems.map(({ key, kind }: { key: string; kind: string }) => [key, kind]).sort()
    assert.deepEqual(kinds, [
      ['1', 'tier'],
      ['2', 'code'],
      ['4', 'code'],
      ['5', 'lookup'],
    ])
    assert.doesNotMatch(JSON.stringify(problems), /BAD-TIER|NO-ORDER|G1:ABC/, 'no reason has a code in it')
    assert.doesNotMatch(world.box.output, /BAD-TIER|NO-ORDER|GOOD-6/)
    await world.box.process.said(/"event":"shop_rows_not_applied".*"tier":1/)
    const { data: stats } = await world.box.admin().GET('/v1/admin/stats')
    assert.equal(stats?.shop?.problems, 4)
    assert.equal((await scan('PARK-1')).verdict, 'UNKNOWN')

    await postgres.query(
      `UPDATE tickets SET product = 'Early Bird' WHERE id = 1; INSERT INTO orders VALUES (7, 'paid')`,
    )
    await verdictOf(
      (code) => scan(code, { checkpoint: 'a-in' }),
      'BAD-TIER',
      (v) => v.verdict === 'ADMIT',
    )
    await verdictOf(
      (code) => scan(code, { checkpoint: 'a-in' }),
      'NO-ORDER',
      (v) => v.verdict === 'ADMIT',
    )
    await until(async () => (await world.shop('problems')).problems.length === 2)
    assert.deepEqual((await world.verified()).problems, [])
  })
})
