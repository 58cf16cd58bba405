import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { Desk } from '../../test/world/desk.ts'

const NOON = Date.parse('2026-07-04T12:00:00+01:00')

describe('a ticket with many passages', () => {
  /** A ticket that one scanner has let in a hundred times. */
  async function crowded() {
    const desk = await Desk.open({ now: NOON })
    await desk.import(['T-1,once'])
    for (let n = 0; n < 100; n++) await desk.scan('T-1', { offline_admitted: true })
    const { tickets, codes } = desk.deps
    const ticket = tickets.lookUp('T-1', codes)
    assert.ok(ticket)
    return { desk, of: () => tickets.movementsOf(ticket.id), ticket }
  }

  it('is read once, and follows what is written', async () => {
    const { desk, of } = await crowded()
    using _closed = desk
    const before = of()
    assert.equal(before.length, 100)
    assert.equal(of(), before)
    await desk.scan('T-1', { offline_admitted: true })
    assert.deepEqual([of().length, before.length], [101, 100])
    const hlcs = of().map(({ hlc }) => hlc)
    assert.deepEqual(hlcs, hlcs.toSorted())
  })

  it('is read again after a transaction that was undone, and after a passage was taken back', async () => {
    const { desk, of, ticket } = await crowded()
    using _closed = desk
    const { ledger, tickets } = desk.deps
    const [first] = of()
    assert.ok(first)
    const later = { ...first, slot: 'x', hlc: '9999999999999.000000', scanId: 'later' }
    const fails = () =>
      ledger.transact(() => {
        tickets.recordMovement(later)
        assert.equal(of().length, 101)
        throw new Error('undone')
      })
    assert.throws(fails, /undone/)
    assert.equal(of().length, 100)
    ledger.transact(() => tickets.removeMovement(first))
    assert.equal(tickets.movementsOf(ticket.id).length, 99)
  })

  it('is read again when another process has written', async () => {
    const { desk, of, ticket } = await crowded()
    using _closed = desk
    assert.equal(of().length, 100)
    const other = new Database(join(desk.folder, 'ledger.db'))
    other.prepare('DELETE FROM movements WHERE ticket = ? AND surplus > 49').run(ticket.id)
    other.close()
    assert.equal(of().length, 50)
  })
})
