import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, it, type TestContext } from 'node:test'
import { HybridLogicalClock } from '@gatehouse/proto/hlc.ts'
import fc from 'fast-check'
import { sql } from '../drizzle/core.ts'
import { openDb } from './db.ts'
import { LedgerBusy } from './db-errors.ts'
import type { Entry } from './entries.ts'
import { readValue, writeValue } from './identity.ts'
import { Ledger } from './ledger.ts'

function openLedger(path: string, wallClock: () => number = Date.now): Ledger {
  return new Ledger(openDb(path), new HybridLogicalClock({ wallClock, maxOffsetMs: 60_000 }))
}

/** Everything that a subscriber was given, and whether each time was one whole transaction's worth. */
function heardBy(ledger: Ledger): Entry[] {
  const heard: Entry[] = []
  ledger.subscribe('committed', (entries) => heard.push(...entries))
  return heard
}

const note = (ledger: Ledger, actor: string) => ledger.append('mode', { actor, mode: 'STRICT', reason: 'test' })
const actorsOf = (entries: Entry[]) => entries.map(({ bytes }) => JSON.parse(bytes.toString()).actor)

function assertWhole(entries: Entry[]): void {
  for (const [i, entry] of entries.entries()) {
    const { index, hlc, bytes, fields } = entry
    assert.equal(index, i)
    const before = entries[i - 1]
    if (before) assert.ok(before.hlc < hlc, `${before.hlc} < ${hlc}`)
    const said = JSON.parse(bytes.toString())
    assert.deepEqual([said.index, said.hlc], [index, hlc])
    assert.deepEqual(fields, said)
    assert.equal(entry.fields, fields, 'parsed once')
  }
}

describe('ledger', () => {
  let path: string
  beforeEach((t) => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-ledger-'))
    ;(t as TestContext).after(() => rmSync(folder, { recursive: true, force: true }))
    path = join(folder, 'ledger.db')
  })

  it('tells each entry once, in order, when it is on disk', async () => {
    using ledger = openLedger(path)
    using reader = openLedger(path)
    const onDisk: boolean[] = []
    ledger.subscribe('committed', (entries) =>
      onDisk.push(entries.every(({ index }) => reader.read(index, 1).length === 1)),
    )
    const heard = heardBy(ledger)
    await Promise.all(
      ['a', 'b', 'c'].map((actor) =>
        ledger.commit(() => {
          note(ledger, actor)
          note(ledger, actor.toUpperCase())
        }),
      ),
    )
    ledger.transact(() => note(ledger, 'd'))
    assert.deepEqual(actorsOf(heard), ['a', 'A', 'b', 'B', 'c', 'C', 'd'])
    assert.deepEqual(onDisk, [true, true])
    assertWhole(heard)
    assertWhole(ledger.read(0, 100))
  })

  it('says and keeps nothing of work that was rolled back', async () => {
    using ledger = openLedger(path)
    const heard = heardBy(ledger)
    ledger.transact(() => note(ledger, 'first'))
    const undone = ledger.commit(() => {
      note(ledger, 'undone')
      writeValue(ledger.db, 'undone', Buffer.from('x'))
      throw new Error('bad')
    })
    await Promise.all([assert.rejects(undone, /^Error: bad$/), ledger.commit(() => note(ledger, 'second'))])
    assert.deepEqual(actorsOf(heard), ['first', 'second'])
    assert.equal(ledger.size, 2)
    assert.equal(readValue(ledger.db, 'undone'), undefined)
    assertWhole(ledger.read(0, 100))
  })

  it('starts where the journal ends, and tells nobody of what was there before', () => {
    {
      using ledger = openLedger(path, () => 2_000_000)
      ledger.transact(() => note(ledger, 'earlier'))
    }
    using ledger = openLedger(path, () => 1_000_000)
    const heard = heardBy(ledger)
    assert.equal(ledger.size, 1)
    ledger.transact(() => note(ledger, 'later'))
    assert.deepEqual(actorsOf(heard), ['later'])
    assertWhole(ledger.read(0, 100))
  })

  it("tells of another process's entries at the next look, or with its own next ones", async (t: TestContext) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    using box = openLedger(path)
    using command = openLedger(path)
    box.watch(100)
    const heard = heardBy(box)
    command.transact(() => note(command, 'command 1'))
    assert.deepEqual(actorsOf(heard), [])
    t.mock.timers.tick(100)
    assert.deepEqual(actorsOf(heard), ['command 1'])
    command.transact(() => note(command, 'command 2'))
    await box.commit(() => note(box, 'box'))
    t.mock.timers.tick(200)
    assert.deepEqual(actorsOf(heard), ['command 1', 'command 2', 'box'])
    assertWhole(heard)
  })

  it("tells of another process's entries also when its own work then fails", async () => {
    using box = openLedger(path)
    using command = openLedger(path)
    const heard = heardBy(box)
    command.transact(() => note(command, 'command'))
    await assert.rejects(
      box.commit(() => {
        note(box, 'undone')
        throw new Error('bad')
      }),
    )
    await box.commit(() => note(box, 'box'))
    assert.deepEqual(actorsOf(heard), ['command', 'box'])
  })

  it('is one journal for two writers whose clocks disagree', async (t: TestContext) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const step = fc.record({
      writer: fc.nat(1),
      entries: fc.integer({ min: 0, max: 3 }),
      fails: fc.boolean(),
      grouped: fc.boolean(),
      looks: fc.boolean(),
    })
    let run = 0
    const law = fc.asyncProperty(
      fc.array(step, { maxLength: 25 }),
      fc.tuple(fc.integer({ min: -7_200_000, max: 7_200_000 }), fc.integer({ min: -50, max: 50 })),
      async (steps, offsets) => {
        let wall = 1_800_000_000_000
        using first = openLedger(`${path}${run}`, () => wall + (offsets[0] ?? 0))
        using second = openLedger(`${path}${run++}`, () => wall + (offsets[1] ?? 0))
        const writers = [first, second]
        const heard = writers.map(heardBy)
        for (const writer of writers) writer.watch(100)
        const expected: string[] = []
        for (const [i, { writer, entries, fails, grouped, looks }] of steps.entries()) {
          const ledger = writers[writer] ?? first
          const work = () => {
            for (let n = 0; n < entries; n++) note(ledger, `${i}.${n}`)
            if (fails) throw new Error('bad')
          }
          const done = grouped ? ledger.commit(work) : new Promise<void>((resolve) => resolve(ledger.transact(work)))
          await done.catch(() => {})
          if (!fails) for (let n = 0; n < entries; n++) expected.push(`${i}.${n}`)
          wall += i % 3
          if (looks) t.mock.timers.tick(100)
        }
        t.mock.timers.tick(100)
        const all = first.read(0, 1_000)
        assertWhole(all)
        assert.deepEqual(actorsOf(all), expected)
        assert.deepEqual(heard.map(actorsOf), [expected, expected])
        assert.deepEqual(
          writers.map((writer) => writer.size),
          [all.length, all.length],
        )
      },
    )
    await fc.assert(law, { numRuns: 40 })
  })

  it('does not stand still for another process, and waits in line for it', async () => {
    using box = openLedger(path)
    using command = openLedger(path)
    let waiting: Promise<unknown> | undefined
    command.transact(() => {
      assert.throws(() => box.transact(() => note(box, 'box'), { wait: false }), LedgerBusy)
      waiting = box.commit(() => note(box, 'box'))
      note(command, 'command')
    })
    await waiting
    assert.deepEqual(actorsOf(box.read(0, 9)), ['command', 'box'])
  })

  it('refuses while the disk is full, with nothing half done, and works again when it is not', async () => {
    using ledger = openLedger(path)
    const { drizzle } = ledger.db
    const heard = heardBy(ledger)
    const pages = drizzle.get<{ page_count: number }>(sql`PRAGMA page_count`).page_count
    drizzle.run(sql.raw(`PRAGMA max_page_count = ${pages}`))
    const bulky = (actor: string) => () => {
      writeValue(ledger.db, actor, Buffer.alloc(20_000))
      return note(ledger, actor)
    }
    const answers = await Promise.allSettled(['a', 'b', 'c'].map((actor) => ledger.commit(bulky(actor))))
    for (const answer of answers) {
      assert.equal(answer.status, 'rejected')
      assert.deepEqual([answer.reason.name, answer.reason.code], ['GatehouseError', 'ledger_unavailable'])
      assert.equal(answer.reason.cause.code, 'SQLITE_FULL')
    }
    assert.deepEqual([ledger.size, heard.length, readValue(ledger.db, 'a')], [0, 0, undefined])
    // A write that needs no new page still goes through, in the same turn as one that does.
    const [small, large] = await Promise.allSettled([
      ledger.commit(() => note(ledger, 'small')),
      ledger.commit(bulky('large')),
    ])
    assert.deepEqual([small.status, large.status], ['fulfilled', 'rejected'])
    drizzle.run(sql.raw('PRAGMA max_page_count = 1073741823'))
    await Promise.all(['d', 'e'].map((actor) => ledger.commit(bulky(actor))))
    assert.deepEqual(actorsOf(heard), ['small', 'd', 'e'])
    assertWhole(ledger.read(0, 100))
  })

  it('refuses while the disk is read-only, and works again when it is not', async () => {
    using ledger = openLedger(path)
    ledger.db.drizzle.run(sql`PRAGMA query_only = ON`)
    await assert.rejects(
      ledger.commit(() => note(ledger, 'a')),
      { name: 'GatehouseError', code: 'ledger_unavailable' },
    )
    ledger.db.drizzle.run(sql`PRAGMA query_only = OFF`)
    await ledger.commit(() => note(ledger, 'b'))
    assert.deepEqual(actorsOf(ledger.read(0, 9)), ['b'])
  })

  it('commits what waits before it closes, and refuses what comes after', async () => {
    const ledger = openLedger(path)
    const last = ledger.commit(() => note(ledger, 'last'))
    ledger[Symbol.dispose]()
    assert.equal((await last).index, 0)
    await assert.rejects(ledger.commit(() => note(ledger, 'too late')))
    using again = openLedger(path)
    assert.deepEqual(actorsOf(again.read(0, 9)), ['last'])
  })
})
