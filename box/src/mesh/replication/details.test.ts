/** Details of tickets, and products, at the event's other boxes. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { apply, Desks, pageOf, pull, replicatedAt } from '../../../test/mesh/desks.ts'
import type { Desk } from '../../../test/world/desk.ts'
import { eq } from '../../drizzle/core.ts'
import { writeValue } from '../../ledger/identity.ts'
import { products, tickets, ticketVersions } from '../../ledger/schema.ts'
import { type DetailFields, NO_DETAILS } from '../../tickets/details.ts'
import { currentSum, TICKET_SUM } from '../../tickets/staging/publish.ts'
import { TicketSum } from '../../tickets/ticket-sum.ts'

const NOON = Date.parse('2026-07-04T12:00:00Z')
const FULL: DetailFields = {
  product: 'item:1',
  orderCode: 'FOO',
  position: 1,
  addonTo: 2,
  price: '23.00 EUR',
  attention: 1,
  personal: '{"company":"Acme"}',
  extras: '[{"position":3,"product":"item:9"}]',
}

const ticketAt = ({ deps }: Desk, code = 'A') =>
  deps.tickets.lookUp(code, deps.codes) ?? assert.fail(`no ticket ${code}`)
const detailsAt = (desk: Desk) => {
  const { product, orderCode, position, addonTo, price, attention, personal, extras } = ticketAt(desk)
  return { product, orderCode, position, addonTo, price, attention, personal, extras }
}
const shopSays = (desk: Desk, said: Partial<DetailFields>, { seat = null as string | null } = {}) => {
  const { ledger, tickets } = desk.deps
  const ticket = ticketAt(desk)
  ledger.transact(() => {
    const sum = currentSum(desk.deps)
    const codeHash = desk.deps.codes.hash(ticket.code)
    sum.remove({ ...ticket, codeHash })
    sum.add({ ...ticket, ...said, seat, codeHash })
    writeValue(ledger.db, TICKET_SUM, sum.bytes())
    const entry = { source: 's', position: null, added: 0, changed: 1, digest: '', tickets_digest: sum.digest() }
    const { index } = ledger.append('shop', entry)
    tickets.update(ticket.id, { ...ticket, ...said, seat }, index)
  })
}
const productAt = ({ deps }: Desk, key: string) =>
  deps.ledger.db.drizzle.select().from(products).where(eq(products.key, key)).get()
/** As an import does it. */
const sells = ({ deps: { ledger } }: Desk, sold: Readonly<Record<string, string>>) =>
  ledger.transact(() => {
    const counts = { added: 0, changed: 0, digest: '', tickets_digest: '', format: 'pretix' as const }
    const { index: entry, hlc } = ledger.append('import', { actor: 'admin', address: 'here', ...counts })
    for (const [key, product] of Object.entries(sold)) {
      const row = { key, product, hlc, box: null, entry }
      ledger.db.drizzle.insert(products).values(row).onConflictDoUpdate({ target: products.key, set: row }).run()
    }
  })

describe('what a ticket knows, at the other boxes', () => {
  it('arrives with the ticket, and changes with it', async () => {
    using desks = await Desks.open({ boxes: 3, now: NOON })
    const [a, b, c] = desks.all as [Desk, Desk, Desk]
    await desks.import(['A,once,,,,Ana'])
    shopSays(a, FULL)
    desks.settle()
    assert.deepEqual([detailsAt(b), detailsAt(c)], [FULL, FULL])
    shopSays(b, { ...NO_DETAILS, orderCode: 'BAR' })
    desks.settle()
    for (const desk of desks.all) assert.deepEqual(detailsAt(desk), { ...NO_DETAILS, orderCode: 'BAR' })
    const sum = new TicketSum()
    for (const page of a.deps.tickets.pages.all())
      for (const row of page) sum.add({ ...row, codeHash: a.deps.codes.hash(row.code) })
    assert.equal(a.journal().findLast(({ tickets_digest }) => tickets_digest)?.tickets_digest, sum.digest())
  })

  it('costs nothing on the wire for a ticket of which the shop says nothing more', async () => {
    using desks = await Desks.open({ boxes: 2, now: NOON })
    const [a] = desks.all as [Desk]
    await desks.import(['A,once'])
    const rows = pageOf(a, 0).entries.flatMap((entry) => entry.rows.tickets ?? [])
    assert.deepEqual(
      rows.map((row) => [row.details, row.forgottenAt, row.versions.details]),
      [[undefined, undefined, undefined]],
    )
    assert.ok(!JSON.stringify(rows).includes('details'))
  })

  it('is not removed by a box of version 0.1, which changes the seat and knows of nothing else', async () => {
    using desks = await Desks.open({ boxes: 2, now: NOON })
    const [a, b] = desks.all as [Desk, Desk]
    await desks.import(['A,once'])
    shopSays(a, FULL)
    shopSays(b, NO_DETAILS, { seat: 'Row 7' })
    const { entries } = pageOf(b, replicatedAt(a, b.id))
    const older = entries.map((entry) => ({
      ...entry,
      rows: {
        ...entry.rows,
        tickets:
          entry.rows.tickets?.map(({ details, versions: { details: _, ...versions }, ...row }) => ({
            ...row,
            versions,
          })) ?? [],
      },
    }))
    apply(a, b.id, older)
    assert.equal(ticketAt(a).seat, 'Row 7')
    assert.deepEqual(detailsAt(a), FULL)
  })

  it('has a version only where there is something to know', async () => {
    using desks = await Desks.open({ boxes: 1, now: NOON })
    const [a] = desks.all as [Desk]
    await desks.import(['A,once', 'B,once'])
    await desks.import(['A,vip', 'B,vip'])
    const groups = () =>
      new Set(
        a.deps.ledger.db.drizzle
          .select()
          .from(ticketVersions)
          .all()
          .map(({ group }) => group),
      )
    assert.ok(!groups().has('details'))
    shopSays(a, FULL)
    assert.ok(groups().has('details'))
  })

  it('brings products along, also one that changed alone, and the last change of any box counts', async () => {
    using desks = await Desks.open({ boxes: 3, now: NOON })
    const [a, b, c] = desks.all as [Desk, Desk, Desk]
    await desks.import(['A,once'])
    sells(a, { 'item:1': 'one', 'item:2': 'two' })
    sells(b, { 'item:1': 'later' })
    pull(c, b)
    desks.settle()
    for (const desk of desks.all) assert.equal(productAt(desk, 'item:1')?.product, 'later', desk.id)
    assert.equal(productAt(c, 'item:2')?.product, 'two')
    assert.equal(productAt(b, 'item:1')?.box, null, 'its own change')
    const sizes = desks.all.map(({ deps }) => deps.ledger.size)
    desks.settle()
    assert.deepEqual(
      desks.all.map(({ deps }) => deps.ledger.size),
      sizes,
      'nothing goes round in circles',
    )
  })

  it('brings more products than go in one page, after more tickets than go in one', async () => {
    using desks = await Desks.open({ boxes: 2, now: NOON })
    const [a, b] = desks.all as [Desk, Desk]
    await desks.desk(0).import(Array.from({ length: 600 }, (_, n) => `T-${n},once`))
    sells(a, Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`item:${n}`, `${n} ${'x'.repeat(40_000)}`])))
    const { db } = a.deps.ledger
    // As an import of a shop does that changes tickets and products at once.
    db.drizzle
      .update(tickets)
      .set({ entry: a.deps.ledger.size - 1 })
      .run()
    desks.settle()
    const rows = b.deps.ledger.db.drizzle.select().from(products).all()
    assert.equal(rows.length, 30)
    assert.equal(b.deps.tickets.count(), 600)
  })
})
