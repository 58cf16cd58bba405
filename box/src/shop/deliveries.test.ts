import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { runs } from '@gatehouse/proto/properties.testing.ts'
import fc from 'fast-check'
import { type Change, change, changeEvent, PAID_ORDER, sell, shopAt, ticketAt } from '../../test/shop/desk.ts'
import { Desk } from '../../test/world/desk.ts'
import { problemsIn } from '../../test/world/problems.ts'
import { COMMAND_LINE } from '../ca/actor.ts'
import { erasePersonalData } from '../tickets/erasure.ts'
import { revokeTicket } from '../tickets/revoke.ts'
import { BatchError } from './event.ts'

const NOON = Date.parse('2026-07-04T12:00:00+01:00')

describe('a delivery', () => {
  let desk: Desk
  let shop: ReturnType<typeof shopAt>
  let n: number
  beforeEach(async () => {
    desk = await Desk.open({ now: NOON })
    shop = shopAt(desk)
    n = 0
    await send(PAID_ORDER)
  })
  afterEach(() => {
    assert.deepEqual(problemsIn(desk.folder), [], 'the journal explains what the shop has made')
    desk[Symbol.dispose]()
  })

  const send = (...changes: Change[]) => shop.deliver(...changes.map((change) => changeEvent(++n, change)))
  const ticketOf = (code: string) => ticketAt(desk, code)
  const problems = () => shop.rows.problems(10).map(({ key, problem }) => [key, problem])

  it('is one entry in the journal, with no name and no code', async () => {
    const size = desk.deps.ledger.size
    await send(sell('1', 'SECRET-1'), sell('2', 'SECRET-2'), change('1', { seat: 'Row 1' }))
    const entries = desk.deps.ledger.read(size, 10)
    assert.deepEqual(
      entries.map(({ kind }) => kind),
      ['shop'],
    )
    assert.doesNotMatch(entries[0]?.bytes.toString() ?? '', /SECRET|Ana|Row 1|a@shop/)
    const { tier, seat, holderName, email } = ticketOf('SECRET-1')
    assert.deepEqual(
      { tier, seat, holderName, email },
      { tier: 'once', seat: 'Row 1', holderName: 'Ana', email: 'a@shop.example' },
    )
  })

  it('that came before changes nothing, not even the journal', async () => {
    await send(sell('1', 'A'), change('1', { code: 'B' }))
    const [size, before] = [desk.deps.ledger.size, shop.state()]
    await shop.deliver(changeEvent(2, sell('1', 'A')), changeEvent(3, change('1', { code: 'B' })))
    assert.equal(desk.deps.ledger.size, size)
    assert.deepEqual(shop.state(), before)
  })

  it('of a column that was not told leaves it as it was', async () => {
    await send(sell('1', 'A', { seat: 'Row 1', until: '2026-07-05 02:00:00+00' }), change('1', { product: 'Lounge' }))
    const { tier, seat, holderName, validUntil } = ticketOf('A')
    assert.deepEqual({ tier, seat, holderName }, { tier: 'vip', seat: 'Row 1', holderName: 'Ana' })
    assert.equal(validUntil, Date.parse('2026-07-05T02:00:00Z'))
  })

  it('never undoes what happened at the gate, or what an admin decided', async () => {
    await send(sell('1', 'A'), sell('2', 'B'))
    assert.equal((await desk.scan('A')).verdict, 'ADMIT')
    await revokeTicket('B', { ...COMMAND_LINE, reason: 'stolen' }, { ...desk.deps, now: () => NOON })
    await send(change('1', { code: 'A2' }), change('2', { seat: 'Row 9' }))
    assert.equal((await desk.scan('A2')).verdict, 'ALREADY_USED', 'a new code is not a new admission')
    assert.equal((await desk.scan('A')).verdict, 'BLOCKED')
    assert.equal((await desk.scan('B')).verdict, 'REVOKED')
    await send({ table: 'tickets', op: 'delete', before: { id: '1' } }, sell('1', 'A2'))
    assert.equal((await desk.scan('A2')).verdict, 'ALREADY_USED', 'nor is a row that was deleted and made again')
    await send({ table: 'tickets', op: 'truncate' }, sell('7', 'A2'), sell('8', 'B'))
    assert.equal((await desk.scan('A2')).verdict, 'ALREADY_USED', 'nor a table that was filled anew')
    assert.equal((await desk.scan('B')).verdict, 'REVOKED')
    await send(change('7', { code: 'A' }))
    assert.equal((await desk.scan('A')).verdict, 'ALREADY_USED', 'the first code is its own again')
  })

  it('keeps what it cannot apply, and takes the refund out of it all the same', async () => {
    await send(sell('1', 'A'), sell('2', 'A'), sell('3', 'C'), change('3', { product: 'Yacht' }))
    assert.deepEqual(problems().sort(), [
      ['2', 'duplicate'],
      ['3', 'tier'],
    ])
    assert.equal(ticketOf('C').tier, 'once', 'as it was')
    await send({ table: 'orders', op: 'update', after: { id: '1', state: 'r' } })
    assert.equal(ticketOf('C').status, 'revoked')
    await send(
      { table: 'tickets', op: 'delete', before: { id: '1' } },
      change('2', {}),
      change('3', { product: 'Day' }),
    )
    assert.deepEqual(problems(), [])
  })

  it('reads the rows again that it could not apply, when told to, and by another mapping', async () => {
    await send(sell('1', 'A', { product: 'Yacht' }), sell('2', 'B'))
    assert.equal(await shop.deliveries.retry('shop', false), 1)
    const tables = {
      'public.tickets': {
        key: 'id',
        code: 'code',
        tier: { column: 'product', values: { Yacht: 'vip', Day: 'daily' } },
      },
    }
    shop = shopAt(desk, { tables })
    await shop.deliveries.applyNewMapping()
    assert.deepEqual(problems(), [])
    assert.deepEqual([ticketOf('A').tier, ticketOf('B').tier], ['vip', 'daily'])
  })

  it('of a row whose key has changed is of the same ticket', async () => {
    await send(sell('1', 'A'))
    assert.equal((await desk.scan('A')).verdict, 'ADMIT')
    await send({ table: 'tickets', op: 'update', before: { id: '1' }, after: { id: '9', code: 'B' } })
    assert.equal((await desk.scan('B')).verdict, 'ALREADY_USED')
    await send({ table: 'tickets', op: 'delete', before: { id: '9' } })
    assert.equal(ticketOf('B').status, 'revoked')
  })

  it('of a database that was restored is refused, until it is loaded anew', async () => {
    await send(sell('1', 'A'), sell('2', 'B'))
    const restored = changeEvent(1, sell('3', 'C'), 5_000_000)
    await assert.rejects(
      shop.deliver(restored),
      (error: Error) => error instanceof BatchError && /shop load/.test(error.message),
    )
    await shop.deliveries.load('shop', { step: 'begin' }, [])
    await assert.rejects(shop.deliver(restored), /being loaded/)
    const order = { table: 'orders', op: 'insert', after: { id: '1', state: 'p' } } as const
    await shop.deliveries.load('shop', { step: 'rows' }, [changeEvent(0, sell('1', 'A')), changeEvent(0, order)])
    await shop.deliveries.load('shop', { step: 'end', lsn: '0/10', at: 4_000_000 }, [])
    assert.deepEqual([ticketOf('A').status, ticketOf('B').status], ['valid', 'revoked'], 'B is no longer in the shop')
    await shop.deliver(restored)
    assert.equal(ticketOf('C').status, 'valid')
  })

  it('brings no name back that was forgotten', async () => {
    await send(sell('1', 'A'))
    erasePersonalData(desk.deps.ledger, COMMAND_LINE, () => NOON)
    assert.equal(
      shop.rows.page('shop', 0, false).some(({ personal }) => personal !== null),
      false,
    )
    await send(change('1', { holder: 'Ana', seat: 'Row 2' }), sell('2', 'B'))
    assert.deepEqual([ticketOf('A').holderName, ticketOf('A').seat, ticketOf('B').holderName], [null, 'Row 2', null])
  })

  it('takes any change that is none, and goes on', async () => {
    const bad: Change[] = [
      { table: 'tickets', op: 'upsert', after: { id: '1' } },
      { table: 'tickets', op: 'insert' },
      { table: 'tickets', op: 'insert', after: { code: 'A' } },
      { table: 'tickets', op: 'delete', before: {} },
      { table: 'tickets', op: 'insert', after: ['x'] as never },
      { table: 'others', op: 'insert', after: { id: '1' } },
    ]
    await send(...bad, sell('1', 'A'))
    assert.equal(ticketOf('A').status, 'valid')
    assert.equal(problems().filter(([, kind]) => kind === 'broken').length, 5)
    const odd = {
      ...changeEvent(50, sell('2', 'B')),
      afterJson: '{"id":"2","code":"B","order_id":1,"product":"Day","__proto__":{"x":1}}',
    }
    const cut = { ...changeEvent(51, sell('3', 'C')), afterJson: '{"id":' }
    await shop.deliver(odd, cut)
    assert.equal(ticketOf('B').status, 'valid')
    for (const id of ['', 'x', '0/10', '0/10:-1', '0/G:1']) {
      await assert.rejects(shop.deliver({ ...changeEvent(60, sell('4', 'D')), id }), BatchError)
    }
    await assert.rejects(shop.deliver({ ...changeEvent(60, sell('4', 'D')), commitTime: 'noon' }), BatchError)
  })
})

describe('any changes of a shop', () => {
  const id = fc.constantFrom('1', '2', '3')
  const code = fc.constantFrom('A', 'B', 'C', 'D', null)
  const product = fc.constantFrom('Day', 'Lounge', 'Mug', 'Yacht')
  const columns = fc.record(
    {
      order_id: fc.constantFrom('1', '2', null),
      code,
      product,
      seat: fc.constantFrom('x', 'y', null),
      until: fc.constantFrom('2026-07-05', 'soon', null),
    },
    { requiredKeys: [] },
  )
  const change: fc.Arbitrary<Change> = fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .record({ id, code, product, order_id: fc.constantFrom('1', '2') })
        .map((after) => ({ table: 'tickets', op: 'insert', after }) as const),
    },
    {
      weight: 4,
      arbitrary: fc
        .tuple(id, columns)
        .map(([id, more]) => ({ table: 'tickets', op: 'update', after: { id, ...more } }) as const),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(id, id)
        .map(([from, to]) => ({ table: 'tickets', op: 'update', before: { id: from }, after: { id: to } }) as const),
    },
    { weight: 1, arbitrary: id.map((id) => ({ table: 'tickets', op: 'delete', before: { id } }) as const) },
    {
      weight: 3,
      arbitrary: fc
        .record({ id: fc.constantFrom('1', '2'), state: fc.constantFrom('p', 'p', 'n', 'r', '?') })
        .map((after) => ({ table: 'orders', op: 'update', after }) as const),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('1', '2').map((id) => ({ table: 'orders', op: 'delete', before: { id } }) as const),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('tickets' as const, 'orders' as const)
        .map((table) => ({ table, op: 'truncate' }) as const),
    },
  )
  /** Number of changes that come at once, and of those before that come again with them. */
  const cuts = fc.infiniteStream(
    fc.record({ more: fc.integer({ min: 1, max: 6 }), again: fc.integer({ min: 0, max: 8 }) }),
  )

  it('make the same tickets however they are batched, and however often they come; what is used stays used', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 30 }),
        cuts,
        fc.nat(30),
        async (changes, stream, pause) => {
          using once = await Desk.open({ now: NOON })
          using often = await Desk.open({ now: NOON })
          const events = changes.map((change, i) => changeEvent(i + 1, change))
          const [plain, cut] = [shopAt(once), shopAt(often)]
          /** People come, and an admin revokes, between two changes. */
          const meanwhile = async (desk: Desk) => {
            const verdicts = []
            for (const code of ['A', 'B']) verdicts.push((await desk.scan(code, { checkpoint: 'b-in' })).verdict)
            const there = desk.deps.tickets.openedBy({ kind: 'static', codeHash: desk.deps.codes.hash('C') })
            if (there)
              await revokeTicket(there.ref, { ...COMMAND_LINE, reason: 'stolen' }, { ...desk.deps, now: () => NOON })
            return verdicts
          }
          const stop = Math.min(pause, events.length)
          for (const event of events.slice(0, stop)) await plain.deliver(event)
          const first = await meanwhile(once)
          for (const event of events.slice(stop)) await plain.deliver(event)

          let done = 0
          const advance = async (to: number) => {
            while (done < to) {
              const { more, again } = stream.next().value
              const from = Math.max(0, done - again)
              done = Math.min(to, done + more)
              await cut.deliver(...events.slice(from, done))
            }
          }
          await advance(stop)
          assert.deepEqual(await meanwhile(often), first)
          await advance(events.length)
          assert.deepEqual(cut.state(), plain.state())
          assert.deepEqual(problemsIn(often.folder), [])
          const used = [...often.deps.tickets.pages.moved()].flat()
          assert.equal(used.length, first.filter((verdict) => verdict === 'ADMIT').length)
          const revoked = cut.state().tickets.filter(({ revoked }) => revoked).length
          assert.equal(revoked, plain.state().tickets.filter(({ revoked }) => revoked).length)
        },
      ),
      runs(20, 1000),
    )
  })
})
