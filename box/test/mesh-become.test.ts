/** Another box's ledger out of a copy: everything is there, everything is explained, and everything is counted as it was. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { Counts } from '../src/control/counts.ts'
import { snapshotOf } from '../src/control/tally.ts'
import { copyLedger, openSnapshot } from '../src/db.ts'
import { getTableName } from '../src/drizzle/core.ts'
import { COMMAND_LINE } from '../src/http/actor.ts'
import { openLedger } from '../src/ledger/open.ts'
import { becomeNewBox, WITH_ENTRY } from '../src/mesh/join/become.ts'
import { verifyLedger } from '../src/seal/verify.ts'
import { type MeshDesk, MeshDesks } from './mesh-desk.ts'

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

describe('a copy of a ledger becomes another box’s', () => {
  it('in which everything is explained and counted as before, however often', async () => {
    const runs = process.env.GATEHOUSE_TEST_LONG ? 300 : 6
    await fc.assert(
      fc.asyncProperty(acts, async (all) => {
        using desks = await MeshDesks.open({ boxes: 3, now: NOW })
        const [first] = desks.boxes
        assert.ok(first)
        await first.import(CODES.map((code) => `${code},reentry,valid,Ana`))
        desks.settle()
        for (const act of all) await perform(act, desks.boxes)
        assert.deepEqual(problemsIn(join(first.folder, 'ledger.db')), [], 'what is copied holds')
        await assertBecomes(first.folder, first)
      }),
      { numRuns: runs },
    )
  })

  it('and no table that names an entry is left behind', () => {
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
      // Asked of the others by its own box alone, and gone with its name.
      const known = [...WITH_ENTRY.map((table) => getTableName(table)), 'claim_queue']
      assert.deepEqual(named.sort(), known.sort())
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

async function perform(act: typeof acts extends fc.Arbitrary<(infer A)[]> ? A : never, boxes: readonly MeshDesk[]) {
  const box = boxes[act.box]
  assert.ok(box)
  box.now += 7_000
  if (act.act === 'hold') {
    const hold = { id: `hold-${box.id}-${box.now}`, gate: 'a', reason: 'crowd', expiresAt: null }
    await box.deps.holds.place(hold, COMMAND_LINE)
  } else if (act.act === 'hear') {
    const from = boxes[act.from]
    if (from && from !== box) box.hearFrom(from, { most: act.most })
  } else {
    const more = act.act === 'in' ? { checkpoint: 'a-in', offline_admitted: act.alone } : { checkpoint: 'a-out' }
    await box.scan(CODES[act.ticket] ?? '', more)
  }
}

/** A copy, and a copy of that. */
async function assertBecomes(source: string, desk: MeshDesk): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-become-'))
  try {
    const path = join(folder, 'ledger.db')
    copyLedger(join(source, 'ledger.db'), path)
    const counted = await tallyOf(source, desk)
    for (const boxId of ['box-new', 'box-newer']) {
      const box = { boxId, logSeed: randomBytes(32) }
      becomeNewBox(path, { box, action: 'joined', by: COMMAND_LINE, now: () => desk.now, random: randomBytes })
      assert.deepEqual(problemsIn(path), [], boxId)
      assert.deepEqual(await tallyOf(folder, desk), counted, boxId)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function problemsIn(path: string) {
  using snapshot = openSnapshot(path)
  return verifyLedger(snapshot).problems
}

/** What is counted, whoever counts it: an entry of one's own and one that was heard name the same box. */
async function tallyOf(dataDir: string, { id, event, now }: MeshDesk): Promise<unknown> {
  const { ledger } = openLedger({ dataDir, eventId: event.id, wallClock: () => now })
  try {
    using counts = new Counts(ledger)
    await counts.ready()
    const named = (name: string, value: unknown) => (name === 'box' && value === null ? id : value)
    const { size: _, box: __, ...tally } = JSON.parse(snapshotOf(counts.tally), named).tally
    return tally
  } finally {
    ledger[Symbol.dispose]()
  }
}

function disposable(opened: Sqlite.Database): Disposable & { opened: Sqlite.Database } {
  return { opened, [Symbol.dispose]: () => void opened.close() }
}
