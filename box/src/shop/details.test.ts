/** Details of tickets from a shop's feed, and its changes of people whose names were erased. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { type Change, change, changeEvent, PAID_ORDER, sell, shopAt, ticketAt } from '../../test/shop/desk.ts'
import { Desk } from '../../test/world/desk.ts'
import { sayOfTicket } from '../../test/world/details.ts'
import { problemsIn } from '../../test/world/problems.ts'
import { COMMAND_LINE } from '../ca/actor.ts'
import { writeValue } from '../ledger/identity.ts'
import { products } from '../ledger/schema.ts'
import { Details } from '../tickets/details.ts'
import { forgetHolder } from '../tickets/forget-holder.ts'
import { currentSum, TICKET_SUM } from '../tickets/staging/publish.ts'

const NOON = Date.parse('2026-07-04T12:00:00+01:00')

/** Orders, and their tickets with all that the shop says of them. */
const DESCRIBED = {
  tables: {
    'public.tickets': {
      ...{ key: 'id', code: 'code', tier: { value: 'once' }, holder_name: 'holder' },
      ...{ order_code: 'order.code', position: 'positionid', attention: 'order.heed', note: 'order.note' },
      ...{ answers: 'order.answers', product: { name: 'item', questions: 'asked' } },
      lookups: { order: { table: 'public.orders', key: 'id', by: 'order_id' } },
    },
  },
}

describe('a delivery with details', () => {
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

  it('fills order, product, questions, note and answers by named columns, and products of its entry', async () => {
    const { ledger } = desk.deps
    const details = new Details(ledger.db)
    const described = shopAt(desk, DESCRIBED)
    const order = { id: '9', code: 'XK3FA', heed: 't', note: 'Has the keys.', answers: '{"size": "l"}' }
    const asked = [{ id: 'size', text: 'Size?', kind: 'text', required: true }]
    const row = { id: '9', order_id: '9', code: 'D-1', positionid: '1', item: 'Weekend', asked: JSON.stringify(asked) }
    const size = ledger.size
    await described.deliver(
      changeEvent(++n, { table: 'orders', op: 'insert', after: order }),
      changeEvent(++n, { table: 'tickets', op: 'insert', after: row }),
    )
    const now = () => details.detailsOf(ticketOf('D-1'))
    assert.deepEqual(now().order, { code: 'XK3FA', position: 1 })
    assert.deepEqual([now().product?.name, now().product?.questions, now().attention], ['Weekend', asked, true])
    assert.deepEqual(now().personal, { note: 'Has the keys.', answers: { size: 'l' } })
    const [{ bytes } = assert.fail()] = ledger.read(size, 10)
    assert.doesNotMatch(bytes.toString(), /XK3FA|Weekend|keys|size/)
    assert.deepEqual(ledger.db.drizzle.select({ entry: products.entry }).from(products).all(), [{ entry: size }])

    // A product that changes alone is an entry too, and its tickets stay as they are.
    const { entry } = ticketOf('D-1')
    await described.deliver(changeEvent(++n, { table: 'tickets', op: 'update', after: { id: '9', asked: '[]' } }))
    assert.deepEqual([now().product?.questions, ticketOf('D-1').entry, ledger.size], [[], entry, size + 2])

    forgetHolder('D-1', COMMAND_LINE, { ...desk.deps, now: () => NOON })
    await described.deliver(
      changeEvent(++n, { table: 'orders', op: 'update', after: { ...order, note: 'Came back.' } }),
      changeEvent(++n, { table: 'tickets', op: 'update', after: { ...row, positionid: '2' } }),
    )
    assert.deepEqual([now().personal, now().order?.position], [{}, 2])
    assert.doesNotMatch(JSON.stringify(described.rows.page('shop', 0, false)), /Came back/)
  })

  it('of an order, or of a new row with the same code, brings no name back of a holder who was erased', async () => {
    await send(sell('1', 'A'), sell('2', 'B'))
    const erase = (code: string) => forgetHolder(code, COMMAND_LINE, { ...desk.deps, now: () => NOON })
    const told = () => JSON.stringify(shop.rows.page('shop', 0, false).map(({ personal }) => personal))
    const buys = (email: string): Change => ({ table: 'orders', op: 'update', after: { id: '1', state: 'p', email } })
    erase('A')
    await send(buys('of-both@shop.example'))
    assert.match(told(), /of-both/, 'the order is also of somebody whose holder is known')
    assert.deepEqual([ticketOf('A').email, ticketOf('B').email], [null, 'of-both@shop.example'])
    erase('B')
    assert.doesNotMatch(told(), /of-both/)
    await send(buys('back@shop.example'))
    assert.doesNotMatch(told(), /back@/)
    await send({ table: 'tickets', op: 'delete', before: { id: '1' } }, sell('3', 'A', { holder: 'Ana again' }))
    assert.equal(ticketOf('A').status, 'valid')
    assert.doesNotMatch(told(), /Ana again/)
  })

  it('leaves alone what an import knows of a ticket and the mapping names no column for', async () => {
    await send(sell('1', 'A'))
    sayOfTicket(desk.deps.ledger.db, 'A', { orderCode: 'IMPORTED', personal: { note: 'Kept.' } })
    const sum = currentSum(desk.deps)
    const ticket = { ...ticketOf('A'), codeHash: desk.deps.codes.hash('A') }
    sum.remove({ ...ticket, orderCode: null })
    sum.add(ticket)
    writeValue(desk.deps.ledger.db, TICKET_SUM, sum.bytes())
    await send(change('1', { seat: 'Row 3' }))
    const { orderCode, personal, seat } = ticketOf('A')
    assert.deepEqual([orderCode, personal, seat], ['IMPORTED', '{"note":"Kept."}', 'Row 3'])
  })

  it('with a detail that cannot be read is a ticket without it, among the rows with a problem', async () => {
    const described = shopAt(desk, DESCRIBED)
    const row = { id: '8', order_id: '1', code: 'D-8', positionid: 'first', item: null, asked: null }
    await described.deliver(changeEvent(++n, { table: 'tickets', op: 'insert', after: row }))
    assert.equal(ticketOf('D-8').status, 'valid')
    assert.deepEqual(problems(), [['8', 'detail']])
    await described.deliver(changeEvent(++n, { table: 'tickets', op: 'update', after: { id: '8', positionid: '1' } }))
    assert.deepEqual([problems(), ticketOf('D-8').position], [[], 1])
  })
})
