import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { describe, it } from 'node:test'
import { runs } from '@gatehouse/proto/properties.testing.ts'
import fc from 'fast-check'
import { Desk } from '../../test/world/desk.ts'
import { eq, sql } from '../drizzle/core.ts'
import { recordEvent } from '../event/recorded.ts'
import { openLedger } from '../ledger/open.ts'
import { movements, tallies, tickets } from '../ledger/schema.ts'
import { countEntry } from './count-entry.ts'
import { Counts } from './counts.ts'
import { Sold } from './sold.ts'
import { newTally, snapshotOf, type Tally } from './tally.ts'

const NOON = Date.parse('2026-07-04T12:00:00+01:00')

async function openDesk(rows: readonly string[]): Promise<Desk> {
  const desk = await Desk.open({ now: NOON })
  await recordEvent(desk.event, 'b', desk.deps.ledger)
  await desk.import(rows)
  return desk
}

/** Another process, which writes to the same ledger. */
function flagBeside(desk: Desk, flag: string): void {
  const [{ file }] = desk.deps.ledger.db.drizzle.all<{ file: string }>(sql`PRAGMA database_list`) as [{ file: string }]
  const { ledger } = openLedger({ dataDir: dirname(file), eventId: desk.event.id, wallClock: () => desk.now })
  using _closing = ledger
  const about = { device: null, occurrence: null, reopened: false, since: '1.0', ticket: null }
  ledger.transact(() => ledger.append('flag', { flag, flag_kind: 'double_use', scans: [], ...about }))
}

/** The tally of the whole journal, from its first entry. */
function recount(desk: Desk): Tally {
  const tally = newTally()
  for (const entry of desk.deps.ledger.read(0, 1_000_000)) countEntry(tally, entry)
  return tally
}

/** People inside by the passages that stand in the ledger's table. */
function insideByMovements(desk: Desk): Record<string, number> {
  const inside: Record<string, number> = {}
  for (const { from, to } of desk.deps.ledger.db.drizzle.select().from(movements).all()) {
    if (from !== null) inside[from] = (inside[from] ?? 0) - 1
    if (to !== null) inside[to] = (inside[to] ?? 0) + 1
  }
  return inside
}

const snapshots = ({ deps }: Desk) => deps.ledger.db.drizzle.select().from(tallies).all()

describe('counts', () => {
  it('are there when a scan is answered', async () => {
    using desk = await openDesk(['T-1,once', 'T-2,once'])
    using counts = new Counts(desk.deps.ledger)
    await desk.scan('T-1')
    assert.deepEqual([counts.tally.zones.get('arena'), counts.tally.admissions], [1, 1])
    await desk.scan('T-1')
    await desk.scan('T-2', { offline_admitted: true })
    assert.deepEqual([counts.tally.zones.get('arena'), counts.tally.verdicts.get('ALREADY_USED')], [2, 1])
  })

  it('follow what another process writes, and what was there before them', async () => {
    using desk = await openDesk(['T-1,once', 'T-2,once'])
    await desk.scan('T-1')
    using counts = new Counts(desk.deps.ledger)
    await counts.ready()
    flagBeside(desk, 'f')
    assert.deepEqual([counts.tally.admissions, counts.tally.flags.size], [1, 0])
    await desk.scan('T-2')
    assert.deepEqual([counts.tally.admissions, counts.tally.flags.size], [2, 1])
  })

  it('pass over entries that somebody has taken out of the file, at the start and later', async () => {
    using desk = await openDesk(['T-1,once', 'T-2,once', 'T-3,once'])
    const { db } = desk.deps.ledger
    for (const code of ['T-1', 'T-2']) await desk.scan(code)
    db.drizzle.run(sql`DELETE FROM journal WHERE idx = ${desk.deps.ledger.size - 2}`)
    using counts = new Counts(desk.deps.ledger)
    await counts.ready()
    assert.deepEqual([counts.tally.admissions, counts.tally.size], [1, desk.deps.ledger.size])
    flagBeside(desk, 'f')
    flagBeside(desk, 'g')
    db.drizzle.run(sql`DELETE FROM journal WHERE idx = (SELECT max(idx) - 1 FROM journal)`)
    await desk.scan('T-3')
    assert.deepEqual([counts.tally.admissions, counts.tally.flags.size], [2, 1])
  })

  it('catch up in slices with a journal that goes on meanwhile', async () => {
    using desk = await openDesk(['CREW,crew', 'T-1,once'])
    for (let i = 0; i < 13; i++) await Promise.all(Array.from({ length: 100 }, () => desk.scan('CREW')))
    using counts = new Counts(desk.deps.ledger)
    assert.ok(counts.tally.size < desk.deps.ledger.size, 'not all at once')
    await desk.scan('T-1')
    await counts.ready()
    assert.deepEqual(counts.tally, recount(desk))
    assert.equal(counts.tally.admissions, 1301)
  })

  it('go on from what an orderly end has left, and need no entry before it', async () => {
    using desk = await openDesk(['T-1,once', 'T-2,once'])
    const before = new Counts(desk.deps.ledger)
    await desk.scan('T-1')
    before[Symbol.dispose]()
    const [kept] = snapshots(desk)
    assert.equal(kept?.size, desk.deps.ledger.size)
    desk.restart()
    using after = new Counts(desk.deps.ledger)
    assert.deepEqual(after.tally, recount(desk), 'at once')
    await desk.scan('T-2')
    assert.equal(after.tally.zones.get('arena'), 2)
  })

  it('put a snapshot down every thousand entries, beside the scans', async () => {
    using desk = await openDesk(['CREW,crew'])
    await new Counts(desk.deps.ledger).ready()
    for (let i = 0; i < 11; i++) await Promise.all(Array.from({ length: 100 }, () => desk.scan('CREW')))
    // The snapshot is committed in a turn of its own: one more commit, and it is there.
    await desk.scan('CREW')
    const [kept] = snapshots(desk)
    assert.ok(kept && kept.size >= 1000, `${kept?.size}`)
    // The power goes: nobody puts anything down any more.
    desk.restart()
    using after = new Counts(desk.deps.ledger)
    await after.ready()
    assert.deepEqual(after.tally, recount(desk))
  })

  for (const [what, row] of [
    ['of another version', { size: 3, value: '{"version":0,"tally":{}}' }],
    ['that is cut short', { size: 3, value: '{"version":1,"tal' }],
    ['ahead of the journal', { size: 99, value: snapshotOf({ ...newTally(), size: 99, admissions: 7 }) }],
  ] as const) {
    it(`begin anew after a snapshot ${what}`, async () => {
      using desk = await openDesk(['T-1,once'])
      await desk.scan('T-1')
      desk.deps.ledger.db.drizzle
        .insert(tallies)
        .values({ name: 'control', ...row })
        .run()
      using counts = new Counts(desk.deps.ledger)
      await counts.ready()
      assert.deepEqual(counts.tally, recount(desk))
    })
  }

  it('are a recount of journal and passages, whatever happens and wherever the box is cut off', async () => {
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          scan: fc.constantFrom('O-1', 'O-2', 'R-1', 'V-1', 'C-1', 'D-1', 'NOBODY'),
          checkpoint: fc.constantFrom('a-in', 'a-out', 'b-in', 'v-in', 'v-out'),
          alone: fc.boolean(),
        }),
      },
      { weight: 1, arbitrary: fc.constantFrom('end', 'cut', 'later', 'beside') },
    )
    const scenario = fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      using desk = await openDesk(['O-1,once', 'O-2,once', 'R-1,reentry', 'V-1,vip', 'C-1,crew', 'D-1,daily'])
      let counts = new Counts(desk.deps.ledger)
      for (const each of steps) {
        if (typeof each === 'object') {
          await desk.scan(each.scan, { checkpoint: each.checkpoint, offline_admitted: each.alone })
        } else if (each === 'later') desk.now += 3_600_000
        else if (each === 'beside') flagBeside(desk, 'f')
        else {
          if (each === 'end') counts[Symbol.dispose]()
          desk.restart()
          counts = new Counts(desk.deps.ledger)
        }
      }
      // One more, so that what was written beside it is known.
      await desk.scan('O-1')
      await counts.ready()
      assert.deepEqual(counts.tally, recount(desk))
      const inside = insideByMovements(desk)
      const strangers = new Map<string, number>()
      for (const { kind, ticket, offline_admitted, checkpoint } of desk.journal()) {
        const place = desk.event.checkpointById.get(String(checkpoint))
        if (kind !== 'scan' || ticket !== null || !offline_admitted || !place) continue
        if (place.from !== null) strangers.set(place.from, (strangers.get(place.from) ?? 0) - 1)
        if (place.to !== null) strangers.set(place.to, (strangers.get(place.to) ?? 0) + 1)
      }
      for (const zone of ['arena', 'lounge']) {
        const people = (inside[zone] ?? 0) + (strangers.get(zone) ?? 0)
        assert.equal(counts.tally.zones.get(zone) ?? 0, people, zone)
      }
      counts[Symbol.dispose]()
    })
    await fc.assert(scenario, runs(15, 500))
  })
})

describe('tickets sold', () => {
  const byTier = (desk: Desk) =>
    Object.fromEntries([...new Sold(desk.deps.ledger.db).byTier()].filter(([, n]) => n > 0))
  const set = (desk: Desk, code: string, row: Partial<typeof tickets.$inferInsert>) =>
    desk.deps.ledger.db.drizzle.update(tickets).set(row).where(eq(tickets.code, code)).run()

  it('are the valid ones, through every import and revocation', async () => {
    using desk = await openDesk(['A,once', 'B,once', 'C,vip', 'P,once,pending', 'R,vip,revoked'])
    assert.deepEqual(byTier(desk), { once: 2, vip: 1 })
    await desk.import(['P,once', 'B,vip', 'C,vip,blocked', 'N,daily'])
    assert.deepEqual(byTier(desk), { once: 2, vip: 1, daily: 1 })
    set(desk, 'A', { revokedAt: NOON, revokedReason: 'stolen' })
    assert.deepEqual(byTier(desk), { once: 1, vip: 1, daily: 1 })
    await desk.import(['A,daily'])
    assert.deepEqual(byTier(desk), { once: 1, vip: 1, daily: 1 }, 'revoked here, whatever the shop says')
    set(desk, 'A', { revokedAt: null })
    set(desk, 'A', { holderName: 'somebody' })
    desk.restart()
    assert.deepEqual(byTier(desk), { once: 2, vip: 1, daily: 1 }, 'a revoked ticket keeps its tier')
  })

  it('are what counting the rows would give, after any changes', async () => {
    using desk = await openDesk(['A,once', 'B,vip', 'C,daily'])
    const change = fc.record({
      code: fc.constantFrom('A', 'B', 'C'),
      tier: fc.constantFrom('once', 'vip', 'daily'),
      status: fc.constantFrom('valid' as const, 'pending' as const, 'blocked' as const),
      revokedAt: fc.constantFrom(null, NOON),
    })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        for (const { code, ...row } of changes) set(desk, code, row)
        const valid = desk.deps.ledger.db.drizzle.select().from(tickets).all()
        const counted: Record<string, number> = {}
        for (const { tier, status, revokedAt } of valid) {
          if (status === 'valid' && revokedAt === null) counted[tier] = (counted[tier] ?? 0) + 1
        }
        assert.deepEqual(byTier(desk), counted)
      }),
    )
  })
})
