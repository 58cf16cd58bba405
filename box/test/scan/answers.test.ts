/** Questions, answers and groups at real boxes: over the wire from paired devices, and from one box to another. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { COMMAND_LINE } from '../../src/ca/actor.ts'
import { answers, tickets } from '../../src/ledger/schema.ts'
import { erasePersonalData } from '../../src/tickets/erasure.ts'
import { Desks, pull } from '../mesh/desks.ts'
import type { Desk } from '../world/desk.ts'
import { sayOfTicket, sellProduct } from '../world/details.ts'
import { scanOf } from '../world/scan-of.ts'
import { World } from '../world/world.ts'

const NOON = Date.parse('2026-07-04T12:00:00+01:00')
const NAME = { id: 'name', text: 'Name?', kind: 'text' as const, required: true }
const given = [{ question: 'name', answer: 'Ada Lovelace' }]
const failure = (error: { code: string } | undefined) => error?.code

describe('a paired scanner', () => {
  it('asks, answers, and admits the others of the order; a stranger to the scan does not', async () => {
    await using world = await World.open()
    const [gate, other] = await Promise.all([world.device(), world.device()])
    const { db } = world.box.ledger
    sellProduct(db, 'p', { name: 'Day', questions: [NAME, { ...NAME, id: 'more', required: false }] })
    for (const [i, code] of ['ONCE-1', 'ONCE-2', 'FLEX-1'].entries())
      sayOfTicket(db, code, { orderCode: 'O', position: i })
    sayOfTicket(db, 'ONCE-1', { product: 'p' })

    const asked = await gate.scan('ONCE-1')
    assert.deepEqual([asked.verdict, asked.questions?.map(({ id }) => id)], ['BLOCKED', ['name', 'more']])
    const scan = { ...scanOf('ONCE-1', world.now()), answers: given, asked_by: asked.scan_id }
    const { data: admitted } = await gate.client.POST('/v1/scan', { body: scan })
    assert.deepEqual([admitted?.verdict, admitted?.answered, admitted?.order?.more], ['ADMIT', 1, 2])

    const params = { path: { scan_id: scan.scan_id } }
    const body = { answers: [{ question: 'more', answer: 'Nothing' }] }
    assert.equal(
      failure((await other.client.POST('/v1/scan/{scan_id}/answers', { params, body })).error),
      'not_allowed',
    )
    const taken = await gate.client.POST('/v1/scan/{scan_id}/answers', { params, body })
    assert.deepEqual(taken.data, { scan_id: scan.scan_id, answered: 2, questions: [] })

    const { device_hlc, observed_at } = scan
    const group = { scan_ids: [crypto.randomUUID(), crypto.randomUUID()], device_hlc, observed_at }
    assert.equal(
      failure((await other.client.POST('/v1/scan/{scan_id}/group', { params, body: group })).error),
      'not_allowed',
    )
    const { data: others } = await gate.client.POST('/v1/scan/{scan_id}/group', { params, body: group })
    assert.deepEqual(
      others?.verdicts.map(({ verdict }) => verdict),
      ['ADMIT', 'ADMIT'],
    )
    assert.equal(others?.verdicts[1]?.order?.inside, 3)
  })

  it('is refused what has another shape', async () => {
    await using world = await World.open()
    const gate = await world.device()
    const scan = scanOf('ONCE-1', world.now())
    const long = { question: 'x'.repeat(129), answer: '' }
    const bad = [[long], [{ question: 'a', answer: 'x'.repeat(1001) }], Array(51).fill({ question: 'a', answer: '' })]
    for (const answers of bad) {
      const { error } = await gate.client.POST('/v1/scan', { body: { ...scan, answers } })
      assert.equal(failure(error), 'bad_request')
    }
    const params = { path: { scan_id: scan.scan_id } }
    const { device_hlc, observed_at } = scan
    for (const scan_ids of [[], [''], Array.from({ length: 21 }, () => crypto.randomUUID())]) {
      const body = { scan_ids, device_hlc, observed_at }
      const { error } = await gate.client.POST('/v1/scan/{scan_id}/group', { params, body })
      assert.equal(failure(error), 'bad_request')
    }
  })
})

describe('answers that were given at another box', () => {
  const open = async () => {
    const desks = await Desks.open({ boxes: 2, now: NOON })
    await desks.import(['A,once,valid'])
    const [a, b] = [desks.desk(0), desks.desk(1)]
    for (const { deps } of [a, b]) {
      sellProduct(deps.ledger.db, 'p', { questions: [NAME, { ...NAME, id: 'more' }] })
      sayOfTicket(deps.ledger.db, 'A', { product: 'p' })
    }
    return { desks, a, b }
  }
  const answersAt = (desk: Desk) =>
    desk.deps.ledger.db.drizzle
      .select()
      .from(answers)
      .all()
      .map((row) => row.answers)

  it('are known here, and not asked again', async () => {
    const { desks, a, b } = await open()
    using _all = desks
    await a.scan('A', { answers: given })
    desks.settle()
    pull(b, a, { from: 0 })
    assert.deepEqual(answersAt(b), [{ name: 'Ada Lovelace' }])
    assert.deepEqual(
      (await b.scan('A')).questions?.map(({ id }) => id),
      ['more'],
    )
    assert.ok(!JSON.stringify([a.journal(), b.journal()]).includes('Lovelace'))
  })

  it('do not come to a box that has erased the names, or this person', async () => {
    const { desks, a, b } = await open()
    using _all = desks
    b.deps.ledger.db.drizzle.update(tickets).set({ forgottenAt: NOON }).run()
    await a.scan('A', { answers: given })
    pull(b, a)
    assert.deepEqual(answersAt(b), [])
    b.deps.ledger.db.drizzle.update(tickets).set({ forgottenAt: null }).run()
    erasePersonalData(b.deps.ledger, COMMAND_LINE, () => NOON)
    await a.scan('A', { answers: [{ question: 'more', answer: 'x' }] })
    pull(b, a)
    assert.deepEqual(answersAt(b), [])
    desks.settle()
    assert.deepEqual(answersAt(a), [], 'nor stay where they were given')
  })
})
