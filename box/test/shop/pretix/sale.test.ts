/** Walk-up sales on their way to pretix: an order each, once, whatever fails between. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sell, voidSale } from '../../../src/sales/sell.ts'
import { SalesTable } from '../../../src/sales/statements.ts'
import { orderCodeOf } from '../../../src/shop/pretix/up/sale.ts'
import type { Desk } from '../../world/desk.ts'
import { Killed, PushWorld } from './push-world.ts'

const BY = { actor: 'Mia', address: '10.0.0.7' }

function depsOf(desk: Desk) {
  const salesTable = new SalesTable(desk.deps.ledger.db, desk.id)
  return { ...desk.deps, now: () => desk.now, event: desk.event, salesTable, boxId: desk.id, occupancyOf: () => 0 }
}

const SALE = { sale_id: 's-1', tier: 'once', tickets: 2, paid: 'cash', price: 2500, name: 'Ana Reis' } as const

/** @returns the codes of its tickets */
async function sold(world: PushWorld, more: object = {}): Promise<string[]> {
  const { tickets } = await sell({ ...SALE, overrideReason: undefined, ...more }, BY, depsOf(world.desk))
  return tickets.map((ref) => world.desk.deps.tickets.byRef(ref)?.code ?? '')
}

const conflicts = ({ desk }: PushWorld) => desk.flags().filter(({ kind }) => kind === 'shop_conflict')

describe('a walk-up sale', () => {
  it('is an order with its tickets and their codes, and their passages follow', async () => {
    using world = await PushWorld.open({ 'ONCE-1': 'once' })
    const bodies: Record<string, unknown>[] = []
    world.network = (send, body) => {
      bodies.push(body)
      return send()
    }
    const [first = '', second = ''] = await sold(world)
    await world.scan(first, 'a-in')
    await world.settle()
    const [order] = bodies
    assert.equal(order?.code, orderCodeOf(world.desk.event.id, 's-1'))
    assert.match(String(order?.code), /^[A-HJ-NP-Z]{16}$/)
    assert.deepEqual(order?.positions, [
      {
        positionid: 1,
        item: 1,
        variation: null,
        subevent: null,
        price: '25.00',
        secret: first,
        answers: [],
        attendee_name: 'Ana Reis',
      },
      {
        positionid: 2,
        item: 1,
        variation: null,
        subevent: null,
        price: '25.00',
        secret: second,
        answers: [],
        attendee_name: 'Ana Reis',
      },
    ])
    assert.equal(world.pretix.successes().length, 1)
  })

  it('is there once, although every answer is lost and the box dies at any step', async () => {
    for (let killAt = 1; ; killAt++) {
      using world = await PushWorld.open({ 'ONCE-1': 'once' })
      const [first = ''] = await sold(world)
      await world.scan(first, 'a-in')
      world.steps = 0
      world.killAt = killAt
      const died = await world.settle().then(
        () => false,
        (error: unknown) => {
          if (error instanceof Killed) return true
          throw error
        },
      )
      world.killAt = Number.POSITIVE_INFINITY
      world.open()
      let lost = 0
      world.network = (send) => {
        const answer = send()
        return lost++ === 0 ? { why: 'The answer was lost.', lasting: false } : answer
      }
      world.desk.now += 120_000
      await world.settle()
      assert.equal(world.pretix.orders.size, 1, `killed at step ${killAt}`)
      assert.equal(world.pretix.positions.length, 3)
      assert.equal(world.pretix.successes().length, 1)
      assert.deepEqual(conflicts(world), [])
      if (!died) return
    }
  })

  it('that is void is cancelled there; once more, and one that pretix never had, change nothing', async () => {
    using world = await PushWorld.open({ 'ONCE-1': 'once' })
    await sold(world)
    await world.settle()
    await voidSale('s-1', { reason: 'wrong tier', ...BY }, depsOf(world.desk))
    await world.settle()
    assert.deepEqual(
      world.pretix.positions.map(({ status }) => status),
      ['p', 'c', 'c'],
    )
    // Cancelled there by hand, or never there.
    await sold(world, { sale_id: 's-2' })
    await sold(world, { sale_id: 's-3' })
    await world.settle()
    for (const position of world.pretix.orders.get(orderCodeOf(world.desk.event.id, 's-2')) ?? []) position.status = 'c'
    world.pretix.orders.delete(orderCodeOf(world.desk.event.id, 's-3'))
    for (const id of ['s-2', 's-3']) await voidSale(id, { reason: 'wrong tier', ...BY }, depsOf(world.desk))
    await world.settle()
    assert.deepEqual([world.push.status().waiting, conflicts(world)], [0, []])
    assert.equal(world.push.status().state, 'sending')
  })

  it('which pretix refuses is a case with its word, holds up nothing else, and is tried again by a person', async () => {
    using world = await PushWorld.open({ 'ONCE-1': 'once' })
    world.network = (send, body) => {
      return 'positions' in body ? { status: 400, body: { positions: [{ item: ['No such item.'] }] } } : send()
    }
    const [first = ''] = await sold(world)
    await world.scan(first, 'a-in')
    await world.scan('ONCE-1', 'a-in')
    await world.settle()
    assert.equal(world.pretix.successes().length, 1)
    const [conflict, another] = conflicts(world)
    assert.deepEqual([conflict?.shop?.reason, conflict?.shop?.done, another], ['sale_positions', 'waits', undefined])
    world.network = (send) => send()
    await world.push.retry()
    await world.settle()
    assert.equal(world.pretix.successes().length, 2)
    assert.equal(world.push.status().waiting, 0)
  })

  it('for which the token may make no orders, or the organiser has mapped no product, waits alone', async () => {
    using world = await PushWorld.open({ 'ONCE-1': 'once' })
    world.network = (send, body) => ('positions' in body ? { status: 403, body: { detail: 'No.' } } : send())
    await sold(world)
    await world.scan('ONCE-1', 'a-in')
    await world.settle()
    const refusal = { reason: 'sale_no_product', usedAt: null, usedBy: null }
    world.orderOf = () => ({ next: 'park', refusal })
    await sold(world, { sale_id: 's-2' })
    await world.settle()
    assert.deepEqual(
      conflicts(world)
        .map(({ shop }) => shop?.reason)
        .sort(),
      ['sale_forbidden', 'sale_no_product'],
    )
    assert.deepEqual([world.push.status().state, world.pretix.successes().length], ['sending', 1])
  })
})
