/** Converting a copy of a ledger to another box's: everything is there, explained, and counted as before. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { COMMAND_LINE } from '../../src/ca/actor.ts'
import { Counts } from '../../src/control/counts.ts'
import { snapshotOf } from '../../src/control/tally.ts'
import { getTableName } from '../../src/drizzle/core.ts'
import { copyLedger } from '../../src/ledger/db.ts'
import { openLedger } from '../../src/ledger/open.ts'
import { convertLedger } from '../../src/mesh/membership/convert/convert-ledger.ts'
import { WITH_ENTRY } from '../../src/mesh/membership/convert/rows.ts'
import { People } from '../../src/staff/people.ts'
import { Secrets } from '../../src/staff/secret.ts'
import type { Desk } from '../world/desk.ts'
import { problemsIn } from '../world/problems.ts'
import { Desks, pull } from './desks.ts'

const CODES = ['COPY-1', 'COPY-2', 'COPY-3', 'COPY-4']
const NOW = Date.parse('2026-07-02T12:00:00Z')

const acts = fc.array(
  fc.oneof(
    fc.record({ act: fc.constant('in' as const), box: fc.nat(2), ticket: fc.nat(3), alone: fc.boolean() }),
    fc.record({ act: fc.constant('out' as const), box: fc.nat(2), ticket: fc.nat(3) }),
    fc.record({ act: fc.constant('hold' as const), box: fc.nat(2) }),
    fc.record({
      act: fc.constant('hear' as const),
      box: fc.nat(2),
      from: fc.nat(2),
      most: fc.integer({ min: 1, max: 6 }),
    }),
  ),
  { minLength: 5, maxLength: 40 },
)

describe('converting a copy of a ledger to another box’s', () => {
  it('keeps every entry explained and every count, also when it is converted again', async () => {
    const runs = process.env.GATEHOUSE_TEST_LONG ? 300 : 6
    await fc.assert(
      fc.asyncProperty(acts, async (all) => {
        using desks = await Desks.open({ boxes: 3, now: NOW })
        const [first] = desks.all
        assert.ok(first)
        await first.import(CODES.map((code) => `${code},reentry,valid,,,Ana`))
        const people = new People({
          ledger: first.deps.ledger,
          secrets: new Secrets(randomBytes(32), 'e'),
          now: () => first.now,
        })
        await people.add({ name: 'Ada', role: 'operator' }, COMMAND_LINE)
        desks.settle()
        for (const act of all) await perform(act, desks.all)
        assert.deepEqual(problemsIn(first.folder), [], 'what is copied holds')
        await assertBecomes(first.folder, first)
      }),
      { numRuns: runs },
    )
  })

  it('covers every table that names an entry', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-become-'))
    try {
      openLedger({ dataDir: folder, eventId: 'e', wallClock: () => NOW }).ledger[Symbol.dispose]()
      using db = disposable(new Sqlite(join(folder, 'ledger.db'), { readonly: true }))
      const named = db.opened
        .prepare(
          `SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND c.name = 'entry'`,
        )
        .pluck()
        .all()
      // A box's own open reservations and paper sheets, which the conversion removes, and imports whose rows are still moving, which it finishes.
      const known = [...WITH_ENTRY.map((table) => getTableName(table)), 'claim_queue', 'paper_queue', 'staged_imports']
      assert.deepEqual(named.sort(), known.sort())
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

async function perform(act: typeof acts extends fc.Arbitrary<(infer A)[]> ? A : never, boxes: readonly Desk[]) {
  const box = boxes[act.box]
  assert.ok(box)
  box.now += 7_000
  if (act.act === 'hold') {
    const hold = { id: `hold-${box.id}-${box.now}`, gate: 'a', reason: 'crowd', expiresAt: null }
    await box.deps.holds.place(hold, COMMAND_LINE)
  } else if (act.act === 'hear') {
    const from = boxes[act.from]
    if (from && from !== box) pull(box, from, { most: act.most })
  } else {
    const more = act.act === 'in' ? { checkpoint: 'a-in', offline_admitted: act.alone } : { checkpoint: 'a-out' }
    await box.scan(CODES[act.ticket] ?? '', more)
  }
}

/** Converts a copy, and converts it again. */
async function assertBecomes(source: string, desk: Desk): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-become-'))
  try {
    const path = join(folder, 'ledger.db')
    copyLedger(join(source, 'ledger.db'), path)
    copyFileSync(join(source, 'keys.json'), join(folder, 'keys.json'))
    const counted = await tallyOf(source, desk)
    for (const boxId of ['box-new', 'box-newer']) {
      const box = { boxId, logSeed: randomBytes(32) }
      convertLedger(path, { box, action: 'joined', by: COMMAND_LINE, now: () => desk.now, random: randomBytes })
      assert.deepEqual(problemsIn(folder), [], boxId)
      assert.deepEqual(await tallyOf(folder, desk), counted, boxId)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The tally, with the same box named for its own entries and for replicated ones, and without where each device was last seen: a box
 * believes its own entries before those of others, and a conversion makes others' of them.
 */
async function tallyOf(dataDir: string, { id, event, now }: Desk): Promise<unknown> {
  const { ledger } = openLedger({ dataDir, eventId: event.id, wallClock: () => now })
  try {
    using counts = new Counts(ledger)
    await counts.ready()
    const named = (name: string, value: unknown) => {
      if (name === 'box' && value === null) return id
      if (typeof value !== 'object' || value === null || !('lastAt' in value && 'offsetMs' in value)) return value
      const { lastAt: _, checkpoint: __, box: ___, ...device } = value as Record<string, unknown>
      return device
    }
    const { size: _, box: __, ...tally } = JSON.parse(snapshotOf(counts.tally), named).tally
    return tally
  } finally {
    ledger[Symbol.dispose]()
  }
}

function disposable(opened: Sqlite.Database): Disposable & { opened: Sqlite.Database } {
  return { opened, [Symbol.dispose]: () => void opened.close() }
}
