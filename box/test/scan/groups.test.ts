/** Tickets of one order: how many are inside, those that come in on one code, and add-ons that a checkpoint redeems. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { MOST_IN_GROUP } from '@gatehouse/proto/group.ts'
import type { GroupRequest, Verdict } from '@gatehouse/proto/wire/scan.ts'
import { tickets } from '../../src/ledger/schema.ts'
import { admitGroup } from '../../src/scan/group.ts'
import { undo } from '../../src/scan/undo.ts'
import { Desk } from '../world/desk.ts'
import { type Said, sayOfTicket, sellProduct } from '../world/details.ts'
import { TEST_EVENT } from '../world/event.ts'

const NOW = Date.parse('2026-07-04T18:00:00Z')
const FAMILY = ['F1', 'F2', 'F3', 'F4', 'F5']
const EVENT = {
  ...TEST_EVENT,
  tiers: [...TEST_EVENT.tiers, { id: 'camp', name: 'Camping', colour: '#000000', entry: 'once' as const }],
  zones: [...TEST_EVENT.zones, { id: 'field', name: 'Field', capacity: 100 }],
  checkpoints: [
    ...TEST_EVENT.checkpoints,
    { id: 'camp-in', name: 'Camping', gate: 'b', direction: 'in' as const, from: null, to: 'field', tiers: ['camp'] },
    { id: 'camp-out', name: 'Out', gate: 'b', direction: 'out' as const, from: 'field', to: null, tiers: ['camp'] },
  ],
}

let desk: Desk
beforeEach(async () => {
  desk = await Desk.open({ now: NOW, event: EVENT })
  await desk.import([...FAMILY.map((code) => `${code},reentry,valid`), 'CAMP,camp,valid', 'ALONE,once,valid'])
  for (const [i, code] of FAMILY.entries()) say(code, { orderCode: 'FAM', position: i + 1 })
})
afterEach(() => desk[Symbol.dispose]())

const db = () => desk.deps.ledger.db
const say = (code: string, said: Said) => sayOfTicket(db(), code, said)
const order = ({ order }: Verdict) => order && [order.inside, order.of, order.more ?? 0, order.own_scan ?? 0]
const ids = (count: number) => Array.from({ length: count }, () => crypto.randomUUID())
const failure = (code: string) => (error: { code?: string }) => error.code === code

function ask(scan_ids: string[]): GroupRequest {
  const { device_hlc, observed_at } = desk.scanOf('')
  return { scan_ids, device_hlc, observed_at }
}

async function group(scanId: string, scanIds: string[], device = 'd'): Promise<Verdict[]> {
  const texts = await admitGroup(scanId, ask(scanIds), desk.device(device), desk.deps)
  return texts.map((text) => JSON.parse(text) as Verdict)
}

const names = (verdicts: readonly Verdict[]) => verdicts.map(({ verdict }) => verdict)

describe('a family of five', () => {
  it('enters with one press: each is a scan of its own', async () => {
    const first = await desk.scan('F3', { checkpoint: 'b-in' })
    assert.deepEqual(order(first), [1, 5, 4, 0])
    const scanIds = ids(4)
    const others = await group(first.scan_id, scanIds)
    assert.deepEqual(names(others), ['ADMIT', 'ADMIT', 'ADMIT', 'ADMIT'])
    assert.deepEqual(
      others.map(({ scan_id }) => scan_id),
      scanIds,
    )
    assert.deepEqual(order(others[3] as Verdict), [5, 5, 0, 0])
    const entries = desk.journal().filter(({ kind }) => kind === 'scan')
    assert.equal(new Set(entries.map(({ ticket }) => ticket)).size, 5)
    assert.deepEqual(
      entries.slice(1).map(({ with: of, code }) => [of, code]),
      Array(4).fill([first.scan_id, null]),
    )
    assert.deepEqual(order(await desk.scan('F1')), [5, 5, 0, 0])
  })

  it('gets the same answers again for the same ids, and others for the rest', async () => {
    const { scan_id } = await desk.scan('F1')
    const two = ids(2)
    const answers = await group(scan_id, two)
    const entries = desk.journal().length
    assert.deepEqual(await group(scan_id, two), answers)
    assert.equal(desk.journal().length, entries)
    const further = await group(scan_id, [...two, ...ids(5)])
    assert.deepEqual(further.slice(0, 2), answers)
    assert.deepEqual(names(further.slice(2)), ['ADMIT', 'ADMIT'], 'no more than there are')
    await assert.rejects(desk.text(desk.scanOf('F1', { scan_id: two[0] as string })), failure('scan_id_reused'))
  })

  it('is taken back one by one', async () => {
    const { scan_id } = await desk.scan('F1')
    const [second] = ids(1) as [string]
    await group(scan_id, [second])
    await undo(second, { actor: 'Ana', reason: 'turned round' }, desk.device(), desk.deps)
    assert.deepEqual(order(await desk.scan('F3')), [2, 5, 3, 0])
  })

  it('leaves out those that may not enter, who scan their own code to learn why', async () => {
    sellProduct(db(), 'asks', { questions: [{ id: 'q', text: 'Age?', kind: 'number', required: true }] })
    say('F2', { product: 'asks' })
    say('F3', { status: 'pending' })
    say('F4', { tier: 'phone' })
    const first = await desk.scan('F1')
    assert.deepEqual(order(first), [1, 5, 1, 3])
    assert.deepEqual(names(await group(first.scan_id, ids(4))), ['ADMIT'])
    assert.equal((await desk.scan('F5')).verdict, 'ALREADY_USED')
  })

  it('does not count a ticket that was revoked, and offers nobody who is here already', async () => {
    say('F2', { status: 'revoked', revokedAt: NOW })
    for (const code of ['F4', 'F5']) say(code, { tier: 'crew' })
    await desk.scan('F4')
    assert.deepEqual(order(await desk.scan('F1')), [2, 4, 2, 0])
  })

  it('shares a press with another scanner: nobody comes in twice', async () => {
    const { scan_id } = await desk.scan('F1')
    const other = await desk.scan('F2', {}, 'e')
    const both = await Promise.all([group(scan_id, ids(4)), group(other.scan_id, ids(4), 'e')])
    const admitted = both.flat().filter(({ verdict }) => verdict === 'ADMIT')
    assert.equal(admitted.length, 3)
    assert.deepEqual(desk.flags(), [])
    assert.equal(desk.deps.tickets.movementsOf(refOf('F5').id).length, 1)
  })
})

describe('with other boxes', () => {
  it('each of the group reserves its own right, and one that is inside elsewhere is refused alone', async () => {
    const single = desk.deps.reservations
    const reserved: string[] = []
    const elsewhere = refOf('F2').ref
    const used = { checkpoint: 'b-in', at: NOW, hlc: '', scanId: 'x', occurrence: 1, box: 'south' }
    const reservations: typeof single = {
      ...single,
      withoutAsking: () => undefined,
      async reserve({ right }) {
        if (right) reserved.push(right.ticket)
        const covers = (other: typeof right) => other?.ticket === right?.ticket
        const isUsed = right?.ticket === elsewhere
        return {
          confidence: 'confirmed',
          covers,
          settle() {},
          ...(isUsed && { usedElsewhere: used }),
          [Symbol.dispose]() {},
        }
      },
    }
    const deps = { ...desk.deps, reservations }
    const { scan_id } = await desk.scan('F1')
    const texts = await admitGroup(scan_id, ask(ids(4)), desk.device(), deps)
    assert.deepEqual(names(texts.map((text) => JSON.parse(text) as Verdict)), [
      'ALREADY_USED',
      'ADMIT',
      'ADMIT',
      'ADMIT',
    ])
    assert.deepEqual(reserved.sort(), ['F2', 'F3', 'F4', 'F5'].map((code) => refOf(code).ref).sort())
  })
})

describe('a stolen scanner', () => {
  it('admits nobody without a code that it was shown, here and a moment ago', async () => {
    const { scan_id } = await desk.scan('F1')
    const [companion] = ids(1) as [string]
    await group(scan_id, [companion])
    await assert.rejects(group(crypto.randomUUID(), ids(1)), failure('not_found'))
    await assert.rejects(group(scan_id, ids(1), 'thief'), failure('not_allowed'))
    await assert.rejects(group(companion, ids(1)), failure('conflict'), 'somebody who came in with another')
    const refused = await desk.scan('F1')
    await assert.rejects(group(refused.scan_id, ids(1)), failure('conflict'), 'a refusal')
    const alone = await desk.scan('F3', { offline_admitted: true })
    await assert.rejects(group(alone.scan_id, ids(1)), failure('conflict'), 'somebody let in alone')
    const single = await desk.scan('ALONE')
    assert.equal(single.order, undefined)
    await assert.rejects(group(single.scan_id, ids(1)), failure('conflict'), 'no order')
    desk.now += 6 * 60_000
    await assert.rejects(group(scan_id, ids(1)), failure('conflict'), 'too late')
  })

  it('admits nobody on an admission that was taken back', async () => {
    const { scan_id } = await desk.scan('F1')
    await undo(scan_id, { actor: 'Ana', reason: 'wrong ticket' }, desk.device(), desk.deps)
    await assert.rejects(group(scan_id, ids(1)), failure('conflict'))
  })

  it('is told no code, ticket id or holder of the others', async () => {
    db().drizzle.update(tickets).set({ holderName: 'Ana Reis' }).run()
    const first = await desk.scan('F1')
    const texts = JSON.stringify([first, await group(first.scan_id, ids(4))])
    const rows = db().drizzle.select().from(tickets).all()
    for (const { code, capability, ref } of rows) {
      for (const secret of [code, capability, ref]) assert.ok(!texts.includes(`"${secret}"`) && !texts.includes(ref))
    }
    assert.ok(!texts.includes('Ana'))
  })
})

describe('a large order', () => {
  it('is admitted in several presses, and a very large one has no order line', async () => {
    const many = Array.from({ length: 30 }, (_, i) => `G${i}`)
    const crowd = Array.from({ length: 101 }, (_, i) => `H${i}`)
    await desk.import([...many, ...crowd].map((code) => `${code},once,valid`))
    for (const code of many) say(code, { orderCode: 'COACH' })
    for (const code of crowd) say(code, { orderCode: 'RESELLER' })
    const first = await desk.scan('G0')
    assert.deepEqual(order(first), [1, 30, MOST_IN_GROUP, 0])
    assert.equal((await group(first.scan_id, ids(MOST_IN_GROUP))).length, MOST_IN_GROUP)
    assert.equal((await group(first.scan_id, ids(MOST_IN_GROUP))).length, 9)
    const one = await desk.scan('H0')
    assert.equal(one.order, undefined)
    await assert.rejects(group(one.scan_id, ids(1)), failure('conflict'))
  })
})

describe('an add-on', () => {
  beforeEach(() => say('CAMP', { orderCode: 'FAM', addonTo: 2 }))

  it('is named on the verdict of its ticket, and is no member of the group', async () => {
    const first = await desk.scan('F2')
    assert.deepEqual([first.addons, order(first)], [['Camping'], [1, 5, 4, 0]])
    assert.equal((await desk.scan('F1')).addons, undefined)
  })

  it('is redeemed by the code of its ticket where the checkpoint serves it alone, once', async () => {
    const camp = { checkpoint: 'camp-in' }
    const pitched = await desk.scan('F2', camp)
    assert.deepEqual([pitched.verdict, pitched.tier_name, pitched.occurrence], ['ADMIT', 'Camping', 1])
    assert.equal((await desk.scan('F2', camp)).verdict, 'ALREADY_USED')
    assert.equal((await desk.scan('F1', camp)).verdict, 'REDIRECT', 'of another position')
    assert.equal((await desk.scan('F2')).verdict, 'ADMIT', 'the ticket itself is not used')
    const left = await desk.scan('F2', { checkpoint: 'camp-out' })
    assert.deepEqual([left.verdict, left.tier_name], ['EXIT', 'Camping'])
  })

  it('is not redeemed by a ticket that is not paid or was revoked', async () => {
    say('F2', { status: 'pending' })
    assert.equal((await desk.scan('F2', { checkpoint: 'camp-in' })).verdict, 'NOT_PAID')
    say('F2', { status: 'revoked' })
    assert.equal((await desk.scan('F2', { checkpoint: 'camp-in' })).verdict, 'REVOKED')
    assert.equal(desk.deps.tickets.movementsOf(refOf('CAMP').id).length, 0)
  })
})

function refOf(code: string) {
  return desk.deps.tickets.openedBy(desk.deps.codes.read(code)) ?? assert.fail(`There is no ticket ${code}.`)
}
