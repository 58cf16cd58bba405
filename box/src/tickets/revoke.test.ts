import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Desk } from '../../test/world/desk.ts'
import { GatehouseError } from '../errors.ts'
import { reinstateTicket, revokeTicket } from './revoke.ts'

const NOON = Date.parse('2026-07-04T12:00:00+01:00')
const by = { actor: 'Rui', address: '192.0.2.7' }

describe('a ticket', () => {
  let desk: Desk
  before(async () => {
    desk = await Desk.open({ now: NOON })
    await desk.import(['FINE,once', 'SHOP,once,revoked', 'UNPAID,once,pending'])
  })
  after(() => desk[Symbol.dispose]())

  const deps = () => ({ ...desk.deps, now: () => desk.now })
  const revoke = (id: string, reason = 'chargeback') => revokeTicket(id, { ...by, reason }, deps())
  const reinstate = (id: string) => reinstateTicket(id, { ...by, reason: 'a mistake' }, deps())
  const refuses = (id: string, code: string, words: RegExp) =>
    assert.rejects(reinstate(id), (error) => {
      assert.ok(error instanceof GatehouseError && error.code === code)
      return words.test(error.message)
    })

  it('enters again once its revocation is taken back, and the journal says who did both', async () => {
    const { id } = await revoke('FINE')
    assert.equal((await desk.scan('FINE')).verdict, 'REVOKED')
    desk.now += 5000
    const answer = { id, reinstated_at: new Date(desk.now).toISOString(), status: 'valid' }
    assert.deepEqual(await reinstate(id), answer)
    const { hlc, index, ...entry } = desk.journal().at(-1) ?? {}
    assert.deepEqual(entry, { kind: 'ticket_reinstated', ...by, reason: 'a mistake', ticket: id })
    assert.equal((await desk.scan('FINE')).verdict, 'ADMIT')
    assert.equal((await revoke('FINE', 'after all')).revoked_reason, 'after all', 'nothing of the first one is left')
  })

  it('is not reinstated where this box has not revoked it', async () => {
    const { size } = desk.deps.ledger
    await refuses('SHOP', 'conflict', /change it in the shop, then import/)
    await refuses('UNPAID', 'conflict', /nothing to take back/)
    await refuses('NEVER', 'not_found', /no such ticket/)
    assert.equal(desk.deps.ledger.size, size)
  })

  it('keeps what the shop says of it', async () => {
    for (const code of ['SHOP', 'UNPAID']) await revoke(code)
    assert.equal((await reinstate('SHOP')).status, 'revoked')
    assert.equal((await desk.scan('SHOP')).verdict, 'REVOKED')
    assert.equal((await reinstate('UNPAID')).status, 'pending')
    assert.equal((await desk.scan('UNPAID')).verdict, 'NOT_PAID')
  })
})
