import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { apply, Desks, pageOf, replicatedAt } from '../../test/mesh/desks.ts'
import { Desk } from '../../test/world/desk.ts'
import { COMMAND_LINE } from '../ca/actor.ts'
import { eq } from '../drizzle/core.ts'
import { shopLookups, shopRows, stagedTickets, tickets } from '../ledger/schema.ts'
import { countPersonalData, rewriteFile } from './erasure.ts'
import { forgetHolder } from './forget-holder.ts'
import { importTickets, stagerHere } from './import-tickets.ts'
import { publishImport } from './staging/publish.ts'

const NOON = Date.parse('2026-07-04T12:00:00Z')
const HEADER = 'code,tier,seat,holder_name,email'
const ANA = 'A,once,Row 1,Zyxwvut Reis,zyxwvut@mail.example'
const BEA = 'B,once,Row 2,Bea Gomes,bea@mail.example'
const file = (...rows: string[]) => Buffer.from([HEADER, ...rows, ''].join('\n'))
const OPTIONS = { format: 'auto', tierMap: {}, dryRun: false, by: COMMAND_LINE } as const

const ticketAt = ({ deps }: Desk, code: string) => deps.tickets.lookUp(code, deps.codes) ?? assert.fail(code)
const namesAt = (desk: Desk, code: string) => {
  const { holderName, email, personal, deskHolder, deskNote } = ticketAt(desk, code)
  return [holderName, email, personal, deskHolder, deskNote]
}
const forget = (desk: Desk, code: string) => forgetHolder(code, COMMAND_LINE, { ...desk.deps, now: () => desk.now })
const NOTHING = [null, null, null, null, null]

describe('the erasure of one person', () => {
  it('keeps the ticket, its passages and every proof, and no byte of the name', async () => {
    using desk = await Desk.open({ now: NOON })
    await importTickets(file(ANA, BEA), OPTIONS, desk.deps)
    const { drizzle } = desk.deps.ledger.db
    const written = { text: 'Zyxwvut has a dog', salt: '00'.repeat(16) }
    const said = { personal: '{"phone":"zyxwvut 555"}', deskHolder: written, deskNote: written }
    drizzle.update(tickets).set(said).where(eq(tickets.code, 'A')).run()
    await desk.scan('A')
    const { ref } = ticketAt(desk, 'A')
    assert.deepEqual(forget(desk, 'A'), { ref, isNew: true })
    assert.deepEqual(namesAt(desk, 'A'), NOTHING)
    assert.equal(ticketAt(desk, 'A').seat, 'Row 1')
    assert.equal(ticketAt(desk, 'B').holderName, 'Bea Gomes')
    assert.equal((await desk.scan('A')).verdict, 'ALREADY_USED')
    const { hlc, index, ...entry } = desk.journal().find(({ kind }) => kind === 'ticket_forgotten') ?? {}
    assert.deepEqual(entry, {
      kind: 'ticket_forgotten',
      ...COMMAND_LINE,
      ticket: ref,
      at: new Date(NOON).toISOString(),
    })
    rewriteFile(desk.deps.ledger.db)
    const files = readdirSync(desk.folder).filter((name) => name.startsWith('ledger.db'))
    const bytes = Buffer.concat(files.map((name) => readFileSync(join(desk.folder, name))))
    for (const secret of ['Zyxwvut', 'zyxwvut']) assert.ok(!bytes.includes(secret), secret)
    const size = desk.deps.ledger.size
    assert.deepEqual(forget(desk, ref), { ref, isNew: false })
    assert.equal(desk.deps.ledger.size, size, 'there is no second entry')
    assert.throws(() => forget(desk, 'NOT-HERE'), { code: 'not_found' })
  })

  it('is undone by no import, and the next one of the same file changes nothing', async () => {
    using desk = await Desk.open({ now: NOON })
    await importTickets(file(ANA, BEA), OPTIONS, desk.deps)
    forget(desk, 'A')
    assert.partialDeepStrictEqual(await importTickets(file(ANA, BEA), OPTIONS, desk.deps), { changed: 0, unchanged: 2 })
    assert.partialDeepStrictEqual(await importTickets(file(ANA.replace('Row 1', 'Row 9'), BEA), OPTIONS, desk.deps), {
      changed: 1,
    })
    assert.equal(ticketAt(desk, 'A').seat, 'Row 9')
    assert.deepEqual(namesAt(desk, 'A'), NOTHING)
  })

  it('holds against an import that was staged before it and counts after it', async () => {
    using desk = await Desk.open({ now: NOON })
    await importTickets(file(ANA, BEA), OPTIONS, desk.deps)
    const staged = await stagerHere(desk.deps).stage(file(ANA.replace('Row 1', 'Row 9'), BEA), OPTIONS)
    forget(desk, 'A')
    const { drizzle } = desk.deps.ledger.db
    assert.deepEqual(
      drizzle
        .select()
        .from(stagedTickets)
        .all()
        .map(({ holderName, email }) => [holderName, email]),
      [[null, null]],
    )
    // As if it had been written there a moment later.
    drizzle.update(stagedTickets).set({ holderName: 'Zyxwvut Reis', email: 'a@b.example', personal: '{}' }).run()
    assert.ok(await desk.deps.ledger.commit(() => publishImport(staged, COMMAND_LINE, desk.deps)))
    assert.equal(ticketAt(desk, 'A').seat, 'Row 9')
    assert.deepEqual(namesAt(desk, 'A'), NOTHING)
  })

  it('reaches the other boxes, whatever they write before or after they learn of it', async () => {
    using desks = await Desks.open({ boxes: 3, now: NOON })
    const [a, b, c] = desks.all as [Desk, Desk, Desk]
    await importTickets(file(ANA), OPTIONS, a.deps)
    desks.settle()
    forget(a, 'A')
    await importTickets(file(ANA.replace('Row 1', 'Row 7')), OPTIONS, b.deps)
    assert.equal(ticketAt(b, 'A').holderName, 'Zyxwvut Reis', 'it has not learned of it yet')
    desks.settle()
    for (const desk of desks.all) {
      assert.deepEqual(namesAt(desk, 'A'), NOTHING, desk.id)
      assert.deepEqual([ticketAt(desk, 'A').seat, ticketAt(desk, 'A').forgottenAt], ['Row 7', NOON])
    }
    await importTickets(file(ANA), OPTIONS, c.deps)
    desks.settle()
    for (const desk of desks.all) assert.deepEqual(namesAt(desk, 'A'), NOTHING, desk.id)
  })

  it('is in its entry, where a box of version 0.1 has sent the row on without it', async () => {
    using desks = await Desks.open({ boxes: 2, now: NOON })
    const [a, b] = desks.all as [Desk, Desk]
    await importTickets(file(ANA), OPTIONS, a.deps)
    desks.settle()
    forget(a, 'A')
    const { entries } = pageOf(a, replicatedAt(b, a.id))
    apply(
      b,
      a.id,
      entries.map((entry) => ({ ...entry, rows: {} })),
    )
    assert.deepEqual(namesAt(b, 'A'), NOTHING)
  })

  it("takes the shop's own record of the person, and of an order that is nobody else's", async () => {
    using desk = await Desk.open({ now: NOON })
    await importTickets(file(ANA, BEA), OPTIONS, desk.deps)
    const { drizzle } = desk.deps.ledger.db
    const row = { source: 's', image: '{}', personal: '{"name":"Zyxwvut"}', load: 0 }
    const insert = (key: string, table: string, ticket: number | null) =>
      Number(
        drizzle
          .insert(shopRows)
          .values({ ...row, table, key, ticket })
          .run().lastInsertRowid,
      )
    const rows = [insert('1', 'p', ticketAt(desk, 'A').id), insert('2', 'p', ticketAt(desk, 'B').id)]
    insert('9', 'orders', null)
    for (const id of rows) drizzle.insert(shopLookups).values({ source: 's', table: 'orders', key: '9', row: id }).run()
    const kept = () =>
      drizzle
        .select()
        .from(shopRows)
        .all()
        .flatMap(({ key, personal }) => (personal === null ? [] : [key]))
    forget(desk, 'A')
    assert.deepEqual(kept(), ['2', '9'], 'the order is also of the other ticket')
    forget(desk, 'B')
    assert.deepEqual(kept(), [])
  })
})

describe('what is to be erased while an import moves its rows', () => {
  it('is counted once for each ticket', async () => {
    using desk = await Desk.open({ now: NOON })
    await importTickets(file(ANA), OPTIONS, desk.deps)
    const many = Array.from({ length: 150 }, (_, n) => `N-${n},once,,Name ${n},`)
    const stager = stagerHere(desk.deps)
    const staged = await stager.stage(file(ANA.replace('Row 1', 'Row 9'), BEA, ...many), OPTIONS)
    const { db } = desk.deps.ledger
    assert.deepEqual(countPersonalData(db).names, 152, 'Ana is named twice, and is one')
    assert.ok(await desk.deps.ledger.commit(() => publishImport(staged, COMMAND_LINE, desk.deps)))
    desk.deps.tickets.byRef(ticketAt(desk, 'B').ref)
    assert.ok(desk.deps.tickets.staged.visible(), 'its rows are still moving')
    assert.partialDeepStrictEqual(countPersonalData(db), { names: 152, emails: 2 })
    await stager.settle()
    assert.partialDeepStrictEqual(countPersonalData(db), { names: 152, emails: 2 })
  })
})
