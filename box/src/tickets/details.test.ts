import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { textIn } from '@gatehouse/proto/wire/ticket-details.ts'
import { Desk } from '../../test/world/desk.ts'
import { eq } from '../drizzle/core.ts'
import { products, type Ticket, tickets } from '../ledger/schema.ts'
import { hasDetails, NO_DETAILS } from './details.ts'

const DINNER = {
  name: 'Dinner',
  variation: 'Vegan',
  attention: true,
  note: 'Green band',
  admission: false,
  questions: [],
}

describe('what a ticket knows', () => {
  let desk: Desk
  before(async () => {
    desk = await Desk.open({ now: Date.parse('2026-07-04T18:00:00Z') })
    await desk.import(['A,once', 'B,once', 'C,once', 'D,once'])
    const { db } = desk.deps.ledger
    db.drizzle
      .insert(products)
      .values({ key: 'item:2/5', product: JSON.stringify(DINNER), hlc: '', entry: 0 })
      .run()
    say('A', {
      orderCode: 'FOO',
      position: 2,
      product: 'item:2/5',
      price: '23.00 EUR',
      personal: JSON.stringify({ company: 'Acme', answers: { 7: 'true' }, later: 'a field of a newer box' }),
      extras: JSON.stringify([{ position: 3, product: 'item:9' }]),
    })
    say('B', { orderCode: 'FOO', position: 1, attention: 1, personal: '{"note":', extras: '[{"product":1}]' })
    say('C', { orderCode: 'FOO', addonTo: 1 })
  })
  after(() => desk[Symbol.dispose]())

  const ticketOf = (code: string) =>
    desk.deps.tickets.lookUp(code, desk.deps.codes) ?? assert.fail(`There is no ticket ${code}.`)
  const say = (code: string, said: Partial<Ticket>) =>
    desk.deps.ledger.db.drizzle.update(tickets).set(said).where(eq(tickets.code, code)).run()
  const detailsOf = (code: string) => desk.deps.tickets.details.detailsOf(ticketOf(code))

  it('is its order, product, price, add-ons and person', () => {
    const details = detailsOf('A')
    assert.deepEqual(details.order, { code: 'FOO', position: 2 })
    assert.deepEqual(details.product, DINNER)
    assert.equal(details.attention, true, 'its product asks for it')
    assert.equal(details.price, '23.00 EUR')
    assert.deepEqual(details.extras, [{ position: 3, key: 'item:9', product: null }])
    assert.equal(details.personal.company, 'Acme')
    assert.deepEqual(details.personal.answers, { 7: 'true' })
  })

  it('is nothing where the shop says nothing, which its row alone shows', () => {
    assert.equal(hasDetails(ticketOf('D')), false)
    assert.equal(hasDetails(ticketOf('C')), true)
    const nothing = {
      order: null,
      addonTo: null,
      product: null,
      price: null,
      attention: false,
      extras: [],
      personal: {},
    }
    assert.deepEqual(detailsOf('D'), nothing)
    assert.deepEqual(
      Object.keys(NO_DETAILS).filter((name) => !(name in ticketOf('D'))),
      [],
    )
  })

  it('leaves out a detail that cannot be read: it is no reason to stop anybody', () => {
    const { attention, personal, extras } = detailsOf('B')
    assert.deepEqual({ attention, personal, extras }, { attention: true, personal: {}, extras: [] })
  })

  it('has the tickets of an order, by position', () => {
    const { details } = desk.deps.tickets
    assert.deepEqual(
      details.ticketsOfOrder('FOO').map(({ code }) => code),
      ['B', 'A', 'C'],
    )
    assert.deepEqual(details.ticketsOfOrder('foo'), [])
  })

  it('of more than it reads, has those that were imported first', async () => {
    const codes = Array.from({ length: 101 }, (_, n) => `L${n}`)
    await desk.import(codes.map((code) => `${code},once`))
    // Their numbers in the order run against the order of the import.
    codes.forEach((code, n) => void say(code, { orderCode: 'LARGE', position: 1_000 - n, addonTo: n < 30 ? 5 : null }))
    const { details } = desk.deps.tickets
    assert.deepEqual(
      details.addonsOf('LARGE', 5).map(({ code }) => code),
      codes.slice(0, 20),
    )
    assert.deepEqual(
      details.ticketsOfOrder('LARGE').map(({ code }) => code),
      codes.toReversed(),
    )
    assert.equal(details.ticketsOfSmallOrder('LARGE'), undefined)
    say('L100', { orderCode: null })
    assert.equal(details.ticketsOfSmallOrder('LARGE')?.length, 100)
  })

  it('shows one language of a text', () => {
    assert.equal(textIn('Dinner'), 'Dinner')
    assert.equal(textIn({ de: 'Abendessen', en: 'Dinner' }, 'de'), 'Abendessen')
    assert.equal(textIn({ de: 'Abendessen', en: 'Dinner' }, 'fr'), 'Dinner')
    assert.equal(textIn({ de: '', pt: 'Jantar' }, 'constructor'), 'Jantar')
    assert.equal(textIn({}), '')
  })
})
