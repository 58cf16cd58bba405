import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { runs } from '@gatehouse/proto/properties.testing.ts'
import fc from 'fast-check'
import { Desks, pull } from '../../test/mesh/desks.ts'
import type { Desk } from '../../test/world/desk.ts'
import { problemsIn } from '../../test/world/problems.ts'
import { countEntry } from '../control/count-entry.ts'
import { newTally } from '../control/tally.ts'
import { replicatedIn } from '../ledger/facts.ts'
import { supervisorAdmit } from '../scan/supervise.ts'
import { undo } from '../scan/undo.ts'

const NOON = Date.parse('2026-07-04T12:00:00Z')
const TICKETS = ['T-0,once', 'T-1,once', 'T-2,reentry', 'T-3,daily', 'T-4,crew']

/** A box's cases, without the version: the entry of its own journal that changed each last. */
const casesAt = (desk: Desk) => desk.flags().map(({ version: _, ...flag }) => flag)

function countsAt({ deps: { ledger } }: Desk) {
  const tally = newTally()
  for (const entry of ledger.read(0, Number.MAX_SAFE_INTEGER)) {
    countEntry(tally, entry, entry.kind === 'heard' ? replicatedIn(ledger.db, entry) : [])
  }
  const { zones, admitted, admissions, exits, supervised, undone, verdicts, openFlags, resolvedFlags } = tally
  const sorted = (map: ReadonlyMap<string, number>) => [...map].filter(([, n]) => n !== 0).sort()
  return {
    admissions,
    exits,
    supervised,
    undone,
    zones: sorted(zones),
    admitted: sorted(admitted),
    verdicts: sorted(verdicts),
    open: sorted(openFlags),
    resolved: sorted(resolvedFlags),
  }
}

function refused(error: Error): void {
  if (error.name !== 'GatehouseError') throw error
}

function assertAlike({ all: [first, ...others] }: Desks): void {
  assert.ok(first)
  assert.deepEqual(problemsIn(first.folder), [])
  for (const desk of others) {
    assert.deepEqual(casesAt(desk), casesAt(first))
    assert.deepEqual(countsAt(desk), countsAt(first))
    assert.deepEqual(problemsIn(desk.folder), [])
  }
}

describe('a ticket that two boxes admitted unheard', () => {
  it('is one case at both, with both records, their boxes, and who was first as far as anybody knows', async () => {
    using desks = await Desks.open({ boxes: 2, now: NOON })
    await desks.import(TICKETS)
    for (const desk of desks.all) desk.mode = 'DEGRADED'
    assert.equal((await desks.desk(0).scan('T-0')).verdict, 'ADMIT')
    desks.desk(1).now += 1000
    assert.equal((await desks.desk(1).scan('T-0', { checkpoint: 'b-in' })).verdict, 'ADMIT')
    desks.settle()
    assertAlike(desks)
    const [flag, ...more] = desks.desk(0).flags()
    assert.equal(more.length, 0)
    assert.deepEqual([flag?.kind, flag?.occurrence, flag?.order], ['double_use', 2, 'uncertain'])
    assert.deepEqual(
      flag?.records.map(({ box, box_name, checkpoint }) => [box, box_name, checkpoint]),
      [
        ['box-0', 'Box 0', 'a-in'],
        ['box-1', 'Box 1', 'b-in'],
      ],
    )
    assert.equal(countsAt(desks.desk(0)).admissions, 2)
    assert.deepEqual(countsAt(desks.desk(0)).admitted, [['once', 1]])
    // Known everywhere now.
    assert.equal((await desks.desk(1).scan('T-0')).verdict, 'ALREADY_USED')
  })

  it('was first where all boxes had said so, whatever the clocks say', async () => {
    using desks = await Desks.open({ boxes: 2, now: NOON })
    await desks.import(TICKETS)
    desks.desk(0).mode = 'DEGRADED'
    await desks.desk(0).scan('T-0')
    desks.desk(1).now += 60_000
    await desks.desk(1).scan('T-0')
    desks.settle()
    const [flag] = desks.desk(0).flags()
    assert.equal(flag?.order, 'certain')
    assert.deepEqual(
      flag?.records.map(({ box }) => box),
      ['box-1', 'box-0'],
    )
  })

  it('was first where its scanner says so, and nobody for certain, when both scanners were alone', async () => {
    using desks = await Desks.open({ boxes: 2, now: NOON })
    await desks.import(TICKETS)
    const minutes = (n: number) => NOON + n * 60_000
    const uploaded = async (i: number, { at, stood }: { at: number; stood: number }) => {
      desks.desk(i).now = minutes(at)
      const observed_at = new Date(minutes(stood)).toISOString()
      await desks.desk(i).scan('T-0', { offline_admitted: true, observed_at })
    }
    await uploaded(1, { at: 10, stood: 3 })
    await uploaded(0, { at: 12, stood: 0 })
    desks.settle()
    assertAlike(desks)
    const [flag] = desks.desk(1).flags()
    assert.deepEqual([flag?.order, ...(flag?.records.map(({ box }) => box) ?? [])], ['uncertain', 'box-0', 'box-1'])
  })

  it('is open again when a box knew of a record that whoever resolved it had not seen', async () => {
    using desks = await Desks.open({ boxes: 3, now: NOON })
    await desks.import(TICKETS)
    for (const desk of desks.all) desk.mode = 'DEGRADED'
    for (const desk of desks.all) await desk.scan('T-0')
    pull(desks.desk(0), desks.desk(1))
    const [flag] = desks.desk(0).flags()
    const by = { actor: 'Rui', address: '192.0.2.7' }
    const resolve = (i: number, outcome: 'fraud' | 'two_people') =>
      desks.desk(i).deps.flags.resolve(flag?.id ?? '', { ...by, resolution: outcome, note: 'x' }, by, randomBytes(16))
    await resolve(0, 'fraud')
    assert.equal(desks.desk(0).flags()[0]?.resolution?.outcome, 'fraud')
    desks.settle()
    assertAlike(desks)
    assert.equal(desks.desk(2).flags()[0]?.resolution, null)
    assert.equal(desks.desk(2).flags()[0]?.records.length, 3)
    await resolve(2, 'two_people')
    desks.settle()
    assertAlike(desks)
    const resolution = desks.desk(1).flags()[0]?.resolution
    assert.deepEqual([resolution?.outcome, resolution?.note, resolution?.actor], ['two_people', 'x', 'Rui'])
  })

  it('is admitted, and taken back, at a box that did not answer the scan', async () => {
    using desks = await Desks.open({ boxes: 3, now: NOON })
    await desks.import(TICKETS)
    const [north, south] = [desks.desk(0), desks.desk(1)]
    const device = south.device('d', true)
    const by = { actor: 'Eva', reason: 'her box is dark' }
    const [admitted, refused] = [await north.scan('T-0'), await north.scan('T-0')]
    assert.deepEqual([admitted.verdict, refused.verdict], ['ADMIT', 'ALREADY_USED'])
    // Not heard of yet.
    await assert.rejects(undo(admitted.scan_id, by, device, south.deps), { code: 'not_found' })
    desks.settle()
    const other = { ...device, id: 'another' }
    await assert.rejects(undo(admitted.scan_id, by, other, south.deps), { code: 'not_allowed' })
    await undo(admitted.scan_id, by, device, south.deps)
    desks.settle()
    assertAlike(desks)
    assert.deepEqual([countsAt(desks.desk(2)).admissions, countsAt(desks.desk(2)).undone], [0, 1])
    const again = await north.scan('T-0')
    assert.equal(again.verdict, 'ADMIT')
    const { scan_id, verdict } = await north.scan('T-0')
    assert.equal(verdict, 'ALREADY_USED')
    desks.settle()
    const text = await supervisorAdmit(scan_id, by, device, south.deps)
    assert.equal(JSON.parse(text).verdict, 'ADMIT')
    desks.settle()
    assertAlike(desks)
    // The same answer at the box that had refused.
    assert.equal(await supervisorAdmit(scan_id, by, device, north.deps), text)
    assert.deepEqual([countsAt(desks.desk(2)).admissions, countsAt(desks.desk(2)).supervised], [2, 1])
  })

  it('is not a case where a supervisor knew, where it may come as often as it likes, or where it was taken back', async () => {
    using desks = await Desks.open({ boxes: 2, now: NOON })
    await desks.import(TICKETS)
    const [north, south] = [desks.desk(0), desks.desk(1)]
    north.mode = 'DEGRADED'
    south.mode = 'DEGRADED'
    await north.scan('T-0')
    desks.settle()
    const refused = await south.scan('T-0')
    assert.equal(refused.verdict, 'ALREADY_USED')
    const device = south.device('d', true)
    await supervisorAdmit(refused.scan_id, { actor: 'Eva', reason: 'staff' }, device, south.deps)
    await north.scan('T-4')
    await south.scan('T-4')
    const { scan_id } = await north.scan('T-1')
    await undo(scan_id, { actor: 'Eva', reason: 'wrong button' }, device, north.deps)
    await south.scan('T-1')
    desks.settle()
    assertAlike(desks)
    assert.deepEqual(casesAt(desks.desk(0)), [])
  })
})

describe('any order of desks', () => {
  const box = fc.nat(2)
  const step = fc.record({
    act: fc.constantFrom(
      'scan',
      'scan',
      'scan',
      'hear',
      'hear',
      'hear',
      'leave',
      'undo',
      'supervise',
      'resolve',
      'elsewhere',
    ),
    box,
    ticket: fc.nat(4),
    alone: fc.boolean(),
    from: box,
    most: fc.integer({ min: 1, max: 9 }),
    outcome: fc.constantFrom('fraud' as const, 'two_people' as const),
  })

  it('gives every box the same cases and the same counts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        using desks = await Desks.open({ boxes: 3, now: NOON })
        await desks.import(TICKETS)
        const last: (string | undefined)[] = []
        for (const { act, box, ticket, alone, from, most, outcome } of steps) {
          const desk = desks.desk(box)
          desk.mode = 'DEGRADED'
          desk.now += 700
          const by = { actor: 'Eva', reason: 'x' }
          if (act === 'scan') {
            last[box] = (await desk.scan(`T-${ticket}`, { offline_admitted: alone, scan_id: randomUUID() })).scan_id
          } else if (act === 'leave') await desk.scan(`T-${ticket}`, { checkpoint: 'a-out' })
          else if (act === 'hear' && from !== box) pull(desk, desks.desk(from), { most })
          else if (act === 'elsewhere') {
            // The scanner has moved on to another box before somebody decided.
            const scanId = last[from] ?? ''
            await undo(scanId, by, desk.device(), desk.deps).catch(refused)
            await supervisorAdmit(scanId, by, desk.device('d', true), desk.deps).catch(refused)
          } else if (act === 'undo') {
            await undo(last[box] ?? '', by, desk.device(), desk.deps).catch(() => {})
          } else if (act === 'supervise') {
            const { scan_id } = await desk.scan(`T-${ticket}`)
            await supervisorAdmit(scan_id, by, desk.device('d', true), desk.deps).catch(() => {})
          } else if (act === 'resolve') {
            const address = '192.0.2.7'
            for (const { id } of desk.flags()) {
              await desk.deps.flags.resolve(id, { ...by, resolution: outcome }, { ...by, address }, randomBytes(16))
            }
          }
        }
        desks.settle()
        assertAlike(desks)
      }),
      runs(10, 300),
    )
  })
})
