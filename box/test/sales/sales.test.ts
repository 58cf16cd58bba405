/** Walk-up sales and guests at real boxes. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { GuestsRequest, SaleRequest } from '@gatehouse/proto/wire/sales.ts'
import type { EventFile } from '../../src/event/event.ts'
import type { NewEntry } from '../../src/ledger/entries.ts'
import { type SalesDeps, sell, voidSale } from '../../src/sales/sell.ts'
import { SalesTable } from '../../src/sales/statements.ts'
import { ReplicatingDesks } from '../mesh/replicating-desks.ts'
import { stateOf } from '../mesh/state.ts'
import type { Desk } from '../world/desk.ts'
import { TEST_EVENT } from '../world/event.ts'
import { problemsIn } from '../world/problems.ts'
import { until } from '../world/until.ts'
import { World } from '../world/world.ts'

const BY = { actor: 'Mia', address: '10.0.0.7' }

const EVENT: EventFile = {
  ...TEST_EVENT,
  currency: 'EUR',
  tiers: TEST_EVENT.tiers.map((tier) =>
    tier.id === 'once' ? { ...tier, at_the_gate: { most: 3, price: 2500 } } : tier,
  ),
}

function saleOf(more: Partial<SaleRequest> = {}): SaleRequest {
  return { sale_id: crypto.randomUUID(), tier: 'once', tickets: 1, paid: 'cash', price: 2500, actor: 'Mia', ...more }
}

async function post(world: World, body: SaleRequest) {
  const { data, error } = await (await world.admin()).POST('/v1/admin/sales', { body })
  if (!data) throw new Error(`${error.code}: ${error.message}`)
  return data
}

async function guests(world: World, more: Partial<GuestsRequest> & Pick<GuestsRequest, 'list'>) {
  const body = { list_id: 'l-1', tier: 'daily', dry_run: false, actor: 'Mia', ...more }
  const { data, error } = await (await world.admin()).POST('/v1/admin/guests', { body })
  if (!data) throw new Error(`${error.code}: ${error.message}`)
  return data
}

const journalOf = (world: World) => world.box.ledger.read(0, 10_000)

describe('a sale at the desk', () => {
  test('makes tickets that are admitted, with code, link, picture, price and receipt', async () => {
    await using world = await World.open({ event: EVENT })
    const sale = await post(world, saleOf({ tickets: 2, name: 'Ana Reis', note: 'friend of the band' }))
    assert.match(sale.receipt, /\/1$/)
    assert.deepEqual(
      [sale.total, sale.currency, sale.paid, sale.sold_by, sale.name],
      [5000, 'EUR', 'cash', 'Mia', 'Ana Reis'],
    )
    assert.equal(new Set(sale.made.map(({ code }) => code)).size, 2)
    const device = await world.device()
    for (const { code, link, qr_svg } of sale.made) {
      assert.match(code ?? '', /^[2-9A-HJKMNP-Z]{16}$/)
      assert.match(link, /#t=[\w-]{22}&k=/)
      assert.match(qr_svg, /^<svg/)
      assert.equal((await device.scan(code ?? '')).verdict, 'ADMIT')
    }
    const { data } = await (await world.admin()).GET('/v1/admin/sales')
    assert.deepEqual(
      data?.sales.map(({ receipt, admitted }) => [receipt, admitted]),
      [[sale.receipt, 2]],
    )
    const journal = journalOf(world)
      .map(({ bytes }) => bytes.toString())
      .join('\n')
    // A signature in base64 may look like some code: only those of this sale are looked for.
    for (const secret of ['Ana Reis', 'friend of', ...sale.made.flatMap(({ code }) => code ?? [])])
      assert.ok(!journal.includes(secret), 'neither name, nor note, nor code')
    const verified = await (await world.admin()).GET('/v1/admin/verify')
    assert.deepEqual(verified.data?.problems, [])
  })

  test('is the same sale when the answer was lost, also after a restart; and another one under its id is refused', async () => {
    await using world = await World.open({ event: EVENT })
    const wanted = saleOf()
    const first = await post(world, wanted)
    const [second, third] = await Promise.all([post(world, wanted), post(world, wanted)])
    await world.restart()
    const fourth = await post(world, wanted)
    for (const again of [second, third, fourth]) assert.deepEqual(again.tickets, first.tickets)
    await assert.rejects(post(world, { ...wanted, tickets: 2 }), /conflict: This sale was made already/)
    assert.match((await post(world, saleOf())).receipt, /\/2$/, 'a repeated sale takes no number')
  })

  test('has receipts without a gap, whatever is refused in between and however many ask at once', async () => {
    await using world = await World.open({ event: EVENT })
    const wanted = Array.from({ length: 12 }, (_, i) => saleOf({ tier: i % 3 === 0 ? 'nowhere' : 'daily', price: 100 }))
    const answers = await Promise.allSettled(wanted.map((one) => post(world, one)))
    const numbers = answers.flatMap((one) =>
      one.status === 'fulfilled' ? [Number(one.value.receipt.split('/')[1])] : [],
    )
    assert.deepEqual(
      numbers.sort((a, b) => a - b),
      [1, 2, 3, 4, 5, 6, 7, 8],
    )
  })

  test('asks before a tier or a zone is over its capacity, and is made with a reason, which is kept', async () => {
    const zones = TEST_EVENT.zones.map((zone) => (zone.id === 'arena' ? { ...zone, capacity: 1 } : zone))
    await using world = await World.open({ event: { ...EVENT, zones } })
    await post(world, saleOf())
    await assert.rejects(
      post(world, saleOf({ tickets: 3 })),
      /over_capacity: Day ticket: 2 of 3 left .* Arena: 0 of 1 people/,
    )
    await (await world.device()).scan('DAILY-1')
    await assert.rejects(
      post(world, saleOf({ tier: 'daily' })),
      /over_capacity: Arena: 1 of 1 people are inside, and 1 more/,
    )
    const sale = await post(world, saleOf({ tier: 'daily', override_reason: 'artist' }))
    assert.equal(sale.override_reason, 'artist')
    assert.equal((await post(world, saleOf({ tier: 'vip', tickets: 1, override_reason: 'x' }))).override_reason, 'x')
  })

  test('is refused where free has a price, and a tier that prints no code gets a link', async () => {
    await using world = await World.open({ event: EVENT })
    await assert.rejects(post(world, saleOf({ paid: 'free' })), /bad_request: A free ticket has no price/)
    const { made } = await post(world, saleOf({ tier: 'phone', paid: 'free', price: 0 }))
    assert.equal(made[0]?.code, null)
    assert.match(made[0]?.link ?? '', /#t=/)
  })

  test('is voided with a reason: its tickets are refused, its receipt stays, and totals leave it out', async () => {
    await using world = await World.open({ event: EVENT })
    const kept = await post(world, saleOf({ paid: 'card' }))
    const sale = await post(world, saleOf({ tickets: 2 }))
    const admin = await world.admin()
    const request = { params: { path: { id: sale.sale_id } }, body: { actor: 'Bo', reason: 'wrong day' } }
    const { data: voided } = await admin.POST('/v1/admin/sales/{id}/void', request)
    assert.deepEqual([voided?.voided_by, voided?.void_reason], ['Bo', 'wrong day'])
    const { data: again } = await admin.POST('/v1/admin/sales/{id}/void', {
      ...request,
      body: { actor: 'Cy', reason: 'x' },
    })
    assert.equal(again?.voided_by, 'Bo')
    const device = await world.device()
    for (const { code } of sale.made) assert.equal((await device.scan(code ?? '')).verdict, 'REVOKED')
    assert.equal((await device.scan(kept.made[0]?.code ?? '')).verdict, 'ADMIT')
    const { data: day } = await admin.GET('/v1/admin/sales')
    assert.deepEqual(
      day?.totals.map(({ paid, tickets, total }) => [paid, tickets, total]),
      [['card', 1, 2500]],
    )
    assert.equal(day?.voided, 1)
    assert.equal(day?.tiers.find(({ id }) => id === 'once')?.sold, 1, 'they are for sale again')
    const verified = await admin.GET('/v1/admin/verify')
    assert.deepEqual(verified.data?.problems, [])
    assert.match(await textOf(world, `/v1/admin/sales/${sale.sale_id}/slip`), /VOID/)
  })

  test('is in the CSV of its day, in which no cell is a formula and no holder is named', async () => {
    await using world = await World.open({ event: EVENT })
    await post(world, saleOf({ actor: '=HYPERLINK("http://x","y")', name: 'Ana Reis' }))
    const csv = await textOf(world, '/v1/admin/sales.csv')
    assert.match(csv, /^receipt,box,sold_at,sold_by,/)
    assert.match(csv, /,"'=HYPERLINK\(""http:\/\/x"",""y""\)",Day ticket,1,25.00,25.00,EUR,cash,/)
    assert.doesNotMatch(csv, /Ana Reis/)
    assert.equal((await textOf(world, '/v1/admin/sales.csv?day=2020-01-01')).trim().split('\r\n').length, 1)
  })

  test('has a slip for A4 and for 80 mm, with nothing from the network and nothing that acts', async () => {
    await using world = await World.open({ event: EVENT })
    const sale = await post(world, saleOf({ tickets: 2, name: '<img src=x onerror=alert(1)>' }))
    for (const [paper, size] of [
      ['a4', /size: A4/],
      ['80mm', /size: 80mm/],
    ] as const) {
      const page = await textOf(world, `/v1/admin/sales/${sale.sale_id}/slip?paper=${paper}`)
      assert.match(page, size)
      assert.equal(page.match(/<section class="slip">/g)?.length, 2)
      assert.match(page, new RegExp((sale.made[0]?.code ?? '').match(/.{4}/g)?.join(' ') ?? ''))
      assert.doesNotMatch(page, /<img|<script|<[^>]*(src|href)=/)
      assert.match(page, /&lt;img/)
    }
  })
})

describe('a guest list', () => {
  test('is checked without adding anybody, then added, one receipt a guest; the same list again adds nobody', async () => {
    await using world = await World.open({ event: EVENT })
    const list = 'Ana Reis, +1\nBo Ek, VIP'
    const dry = await guests(world, { list, dry_run: true })
    assert.deepEqual([dry.added, dry.guests, dry.tickets], [false, 2, 3])
    assert.equal(journalOf(world).filter(({ kind }) => kind === 'sale').length, 0)
    const added = await guests(world, { list })
    assert.equal(added.added, true)
    const again = await guests(world, { list })
    assert.deepEqual(again.lines, added.lines)
    assert.equal(journalOf(world).filter(({ kind }) => kind === 'sale').length, 2)
    const { data } = await (await world.admin()).GET('/v1/admin/sales')
    assert.deepEqual(
      data?.sales.map(({ name, tier, paid, tickets }) => [name, tier, paid, tickets.length]),
      [
        ['Bo Ek', 'vip', 'free', 1],
        ['Ana Reis', 'daily', 'free', 2],
      ],
    )
  })

  test('adds nobody while one line has a problem, and asks where a tier has fewer left', async () => {
    await using world = await World.open({ event: EVENT })
    const bad = await guests(world, { list: 'Ana\nBo, Gold' })
    assert.equal(bad.added, false)
    assert.match(bad.lines[1]?.problem ?? '', /There is no ticket type "Gold"/)
    assert.equal(bad.lines[1]?.problem_coded?.code, 'tier_strange')
    const many = { list: 'Ana, +3', tier: 'once' }
    const { full, full_coded } = await guests(world, { ...many, dry_run: true })
    assert.match(full[0] ?? '', /3 of 3 left .* 4 wanted/)
    const left = { tier: 'Day ticket', left: 3, most: 3, wanted: 4 }
    assert.deepEqual(full_coded, [{ code: 'tier_full', values: left }])
    await assert.rejects(guests(world, many), /over_capacity/)
    assert.equal(journalOf(world).filter(({ kind }) => kind === 'sale').length, 0)
    assert.equal((await guests(world, { ...many, override_reason: 'family' })).added, true)
  })
})

describe('a sale at one of several boxes', { timeout: 600_000 }, () => {
  const depsOf = (desk: Desk): SalesDeps => {
    const salesTable = new SalesTable(desk.deps.ledger.db, desk.id)
    return { ...desk.deps, now: () => desk.now, event: desk.event, salesTable, boxId: desk.id, occupancyOf: () => 0 }
  }
  const wanted = (id: string) => ({ ...saleOf({ sale_id: id }), overrideReason: undefined })
  const codesOf = (desk: Desk, refs: readonly string[]) => refs.map((ref) => desk.deps.tickets.byRef(ref)?.code ?? '')

  test('made while the others are not heard, its tickets are admitted there once they hear of it, and voided for all', async () => {
    await using world = await ReplicatingDesks.open(3)
    const [a, b, c] = world.boxes
    world.wires.cut('box-0', 'box-1')
    world.wires.cut('box-0', 'box-2')
    const sale = await sell(wanted('s-1'), BY, depsOf(a))
    const [code = ''] = codesOf(a, sale.tickets)
    assert.equal((await b.scan(code)).verdict, 'UNKNOWN')
    world.wires.mend()
    await until(() => [b, c].every((desk) => depsOf(desk).salesTable.find('s-1') !== undefined))
    assert.equal((await b.scan(code)).verdict, 'ADMIT')
    // The number of a receipt is a box's own.
    assert.deepEqual([(await sell(wanted('s-2'), BY, depsOf(b))).receipt, sale.receipt], [1, 1])
    await voidSale('s-1', { ...BY, reason: 'wrong day' }, depsOf(c))
    await until(() => [a, b].every((desk) => depsOf(desk).salesTable.find('s-1')?.voidedAt != null))
    const refused = async () => (await a.scan(code, { checkpoint: 'b-in' })).verdict === 'REVOKED'
    await until(refused)
    await until(() => world.boxes.every((desk) => depsOf(desk).salesTable.find('s-2') !== undefined))
    const [first, ...others] = world.boxes.map((desk) => stateOf(desk).sales)
    for (const other of others) assert.deepEqual(other, first)
    for (const desk of world.boxes) assert.deepEqual(problemsIn(desk.folder), [])
  })

  test('a member makes no sale in the name of another box, and takes no receipt number from it', async () => {
    await using world = await ReplicatingDesks.open(2)
    const [a, b] = world.boxes
    const forged: NewEntry<'sale'> = {
      ...{
        ...BY,
        action: 'made',
        at: '2026-07-04T12:00:00.000Z',
        sale: 'forged',
        box: b.id,
        receipt: 1_000,
        tier: 'once',
      },
      ...{ tickets: [], paid: 'cash', price: 0, currency: 'EUR', reason: null, sold_by: 'Mia' },
      ...{ sold_at: '2026-07-04T12:00:00.000Z', tickets_digest: null },
    }
    a.deps.ledger.transact(() => a.deps.ledger.append('sale', forged))
    await until(() => depsOf(b).salesTable.find('forged') !== undefined)
    assert.equal(depsOf(b).salesTable.find('forged')?.homeBox, a.id)
    assert.equal((await sell(wanted('s-1'), BY, depsOf(b))).receipt, 1)
  })
})

async function textOf(world: World, path: string): Promise<string> {
  const admin = await world.admin()
  const [route = '', query = ''] = path.split('?')
  const { data } = await admin.GET(route as '/v1/admin/sales.csv', {
    params: { query: Object.fromEntries(new URLSearchParams(query)) },
    parseAs: 'text',
  })
  return String(data)
}
