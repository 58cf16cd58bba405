import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { pageOf } from '../../../test/mesh/desks.ts'
import { Desk } from '../../../test/world/desk.ts'
import { COMMAND_LINE } from '../../ca/actor.ts'
import { openSnapshot } from '../../ledger/db.ts'
import { stagedImports, stagedNames, stagedTickets, tickets } from '../../ledger/schema.ts'
import { verifyLedger } from '../../seal/verify.ts'
import { revokeTicket } from '../revoke.ts'
import { CALM, inSlices, paceBeside, turnsBeside } from './pace.ts'
import { publishImport } from './publish.ts'
import { recoverImports } from './recover.ts'
import { type StageDeps, type Staged, stageTickets } from './stage.ts'

const NOON = Date.parse('2026-07-04T12:00:00+01:00')
/** More than are moved with the entry. */
const ROWS = 600
const code = (n: number) => `T-${n}`
const lines = (tier: string, count = ROWS) => Array.from({ length: count }, (_, n) => `${code(n)},${tier}`)

async function deskOf(t: TestContext): Promise<Desk> {
  const desk = await Desk.open({ now: NOON })
  t.after(() => desk[Symbol.dispose]())
  return desk
}

function stage(desk: Desk, rows: readonly string[], other: Partial<StageDeps> = {}): Promise<Staged> {
  const { ledger, tickets, codes, event } = desk.deps
  const file = Buffer.from(['code,tier', ...rows, ''].join('\n'))
  const deps = { db: ledger.db, event, tickets, codes, pace: CALM, ...other }
  return stageTickets(file, { format: 'auto', tierMap: {}, dryRun: false }, deps)
}

/** As after a crash right behind the journal's entry. */
async function interrupted(desk: Desk, rows: readonly string[]): Promise<void> {
  const staged = await stage(desk, rows)
  assert.ok(await desk.deps.ledger.commit(() => publishImport(staged, COMMAND_LINE, desk.deps)))
  assert.ok(desk.deps.tickets.staged.visible())
}

const count = (desk: Desk, table: typeof tickets | typeof stagedTickets | typeof stagedNames | typeof stagedImports) =>
  desk.deps.ledger.db.drizzle.$count(table)
const ticketOf = (desk: Desk, n: number) =>
  desk.deps.tickets.openedBy({ kind: 'static', codeHash: desk.deps.codes.hash(code(n)) })
const problemsOf = ({ folder }: Desk) => {
  using snapshot = openSnapshot(join(folder, 'ledger.db'))
  return verifyLedger(snapshot).problems
}
const by = { ...COMMAND_LINE, reason: 'lost' }

async function assertWhole(desk: Desk, tier: string): Promise<void> {
  desk.deps.tickets.staged.settleAll()
  assert.deepEqual(
    await Promise.all([tickets, stagedTickets, stagedNames, stagedImports].map((table) => count(desk, table))),
    [ROWS, 0, 0, 0],
  )
  for (let n = 0; n < ROWS; n++) assert.equal(ticketOf(desk, n)?.tier, tier)
  assert.deepEqual(problemsOf(desk), [])
}

describe('an import before it counts', () => {
  it('is seen by nobody, and does not change the journal', async (t) => {
    const desk = await deskOf(t)
    const size = desk.deps.ledger.size
    await stage(desk, lines('once'))
    assert.equal((await desk.scan(code(1))).verdict, 'UNKNOWN')
    assert.deepEqual([ticketOf(desk, 1), await count(desk, tickets), desk.deps.tickets.count()], [undefined, 0, 0])
    assert.ok(
      desk
        .journal()
        .slice(size)
        .every(({ kind }) => kind === 'scan'),
    )
  })

  it('that is cut off is removed at the next start, and another process’s is left alone', async (t) => {
    const desk = await deskOf(t)
    await stage(desk, lines('once'))
    const { ledger, identity } = desk.deps
    recoverImports(ledger.db, identity.refKey, () => true)
    assert.deepEqual([await count(desk, stagedTickets), await count(desk, stagedImports)], [ROWS, 1])
    recoverImports(ledger.db, identity.refKey)
    assert.deepEqual(
      await Promise.all([stagedTickets, stagedNames, stagedImports, tickets].map((table) => count(desk, table))),
      [0, 0, 0, 0],
    )
  })

  it('is not made to count when its rows were removed meanwhile', async (t) => {
    const desk = await deskOf(t)
    const staged = await stage(desk, lines('once'))
    recoverImports(desk.deps.ledger.db, desk.deps.identity.refKey)
    assert.equal(await desk.deps.ledger.commit(() => publishImport(staged, COMMAND_LINE, desk.deps)), false)
    assert.equal(await count(desk, tickets), 0)
  })

  it('is compared again when one of its tickets was changed meanwhile, and not for another one', async (t) => {
    const desk = await deskOf(t)
    await desk.import(['X-1,once', `${code(5)},once`])
    const publish = (staged: Staged) => desk.deps.ledger.commit(() => publishImport(staged, COMMAND_LINE, desk.deps))
    const first = await stage(desk, lines('vip'))
    await desk.import(['X-1,crew', 'X-2,once'])
    assert.equal(await publish(first), true)
    desk.deps.tickets.staged.settleAll()
    const second = await stage(desk, lines('daily'))
    await desk.import([`${code(7)},crew`])
    assert.equal(await publish(second), false)
    const third = await stage(desk, [`${code(ROWS)},once`, ...lines('daily')])
    await desk.import([`${code(ROWS)},crew`])
    assert.equal(await publish(third), false)
  })
})

describe('rows that are written', () => {
  /** A gate that begins to scan while rows wait. */
  const untilAGateOpens = () => {
    let looks = 0
    return {
      ...CALM,
      get sliceMs() {
        return looks++ < 4 ? 1_000_000 : 0
      },
    }
  }

  it('are as many in a transaction as it has time for, and a batch at least; the import is the same', async (t) => {
    const desk = await deskOf(t)
    const { db } = desk.deps.ledger
    const digests = new Set<string>()
    for (const [pace, most] of [
      [{ ...CALM, sliceMs: 0 }, 64],
      [{ ...CALM, sliceMs: 1_000_000 }, ROWS],
      [untilAGateOpens(), 64],
    ] as const) {
      const counts: number[] = []
      const count = () => db.drizzle.select().from(stagedTickets).all().length
      const transaction = <T>(work: () => T): T => {
        const before = count()
        const done = db.transaction(work)
        counts.push(count() - before)
        return done
      }
      const staged = await stage(desk, lines('once'), {
        db: Object.create(db, { transaction: { value: transaction } }),
        pace,
      })
      digests.add(staged.digest)
      assert.deepEqual([Math.max(...counts), counts.reduce((sum, n) => sum + n, 0)], [most, ROWS])
    }
    assert.equal(digests.size, 1)
  })
})

describe('an import that counts, whose rows are still moving', () => {
  it('admits each of its tickets once, and gives none of them twice', async (t) => {
    const desk = await deskOf(t)
    await interrupted(desk, lines('once'))
    for (const n of [0, ROWS / 2, ROWS - 1]) {
      assert.equal((await desk.scan(code(n))).verdict, 'ADMIT')
      assert.equal((await desk.scan(code(n), { checkpoint: 'b-in' })).verdict, 'ALREADY_USED')
    }
    assert.equal((await desk.scan('nobody')).verdict, 'UNKNOWN')
    await assertWhole(desk, 'once')
  })

  it('changes each ticket for whoever asks for it, by code, ref and number', async (t) => {
    const desk = await deskOf(t)
    await desk.import(lines('once'))
    const known = [1, 2, 3].map((n) => ticketOf(desk, n) ?? assert.fail())
    await interrupted(desk, lines('vip'))
    assert.equal(ticketOf(desk, 1)?.tier, 'vip')
    assert.equal(desk.deps.tickets.byRef(known[1]?.ref ?? '')?.tier, 'vip')
    assert.equal(desk.deps.tickets.byId(known[2]?.id ?? 0)?.tier, 'vip')
    await assertWhole(desk, 'vip')
  })

  it('is finished at the next start', async (t) => {
    const desk = await deskOf(t)
    await interrupted(desk, lines('once'))
    desk.deps.ledger.db.transaction(() => desk.deps.tickets.staged.settleSome(200))
    await desk.scan(code(3))
    desk.restart()
    recoverImports(desk.deps.ledger.db, desk.deps.identity.refKey)
    await assertWhole(desk, 'once')
  })

  it('is finished after a start of this version where one before had moved it in the order of refs', async (t) => {
    const desk = await deskOf(t)
    await interrupted(desk, lines('once'))
    for (const n of [1, 2, ROWS - 1]) assert.equal(ticketOf(desk, n)?.tier, 'once')
    const { drizzle } = desk.deps.ledger.db
    const done = drizzle
      .select({ first: stagedNames.first })
      .from(stagedNames)
      .orderBy(stagedNames.first)
      .all()[2]?.first
    drizzle
      .update(stagedImports)
      .set({ done: done ?? assert.fail() })
      .run()
    await assertWhole(desk, 'once')
  })

  it('numbers its tickets in the order of the file, between changes of others', async (t) => {
    const desk = await deskOf(t)
    await desk.import(['X-1,once', 'X-2,once'])
    const rows = lines('once')
    await interrupted(desk, [...rows.slice(0, 100), 'X-1,vip', ...rows.slice(100, 300), 'X-2,crew', ...rows.slice(300)])
    const asked = ticketOf(desk, 250)?.id ?? assert.fail()
    while (desk.deps.tickets.staged.visible()) desk.deps.tickets.staged.settleSome(70)
    const first = ticketOf(desk, 0)?.id ?? assert.fail()
    for (let n = 0; n < ROWS; n++) assert.equal(ticketOf(desk, n)?.id, first + n)
    assert.deepEqual([asked, desk.deps.tickets.lookUp('X-2', desk.deps.codes)?.tier], [first + 250, 'crew'])
  })

  it('leaves what was done to a ticket meanwhile as it is', async (t) => {
    const desk = await deskOf(t)
    await desk.import(lines('once', 10))
    const before = ticketOf(desk, 4) ?? assert.fail()
    await interrupted(desk, lines('vip'))
    const deps = { ...desk.deps, now: () => NOON }
    await revokeTicket(before.ref, by, deps)
    await revokeTicket(code(ROWS - 1), by, deps)
    await desk.import([`${code(6)},daily`, `${code(ROWS - 2)},daily`])
    desk.deps.tickets.staged.settleAll()
    assert.deepEqual(
      [4, ROWS - 1].map((n) => ticketOf(desk, n)?.revokedReason),
      ['lost', 'lost'],
    )
    assert.deepEqual(
      [6, ROWS - 2].map((n) => ticketOf(desk, n)?.tier),
      ['daily', 'daily'],
    )
    assert.deepEqual(
      [4, 5].map((n) => ticketOf(desk, n)?.tier),
      ['vip', 'vip'],
    )
    assert.deepEqual(problemsOf(desk), [])
  })

  it('keeps a key out that was replaced meanwhile', async (t) => {
    const desk = await deskOf(t)
    await interrupted(desk, lines('once'))
    const fresh = ticketOf(desk, 1) ?? assert.fail()
    const publicKey = Buffer.alloc(32, 7)
    const key = { seed: Buffer.alloc(0), publicKey, keyHash: desk.deps.codes.hash(publicKey) }
    await desk.deps.ledger.commit(() => desk.deps.tickets.rekey(fresh, key, NOON, 0))
    desk.deps.tickets.staged.settleAll()
    assert.equal(desk.deps.tickets.credential(desk.deps.codes.hash(fresh.publicKey))?.kind, 'retired')
  })

  it('goes to the other boxes when all of its rows are there, and live scans go on', async (t) => {
    const desk = await deskOf(t)
    await interrupted(desk, lines('once'))
    const entry = desk.deps.tickets.staged.visible()?.entry ?? assert.fail()
    await desk.scan(code(1))
    const held = pageOf(desk, 0)
    assert.deepEqual([held.size, held.entries.some(({ index }) => index >= entry)], [entry, false])
    desk.deps.tickets.staged.settleAll()
    assert.ok(pageOf(desk, entry).entries.some(({ index }) => index === entry))
  })
})

describe('the pace beside a box', () => {
  it('has short slices and rests while another process writes, and neither when it has stopped', async () => {
    let [version, now] = [1, 0]
    const pace = paceBeside({ dataVersion: () => version }, () => now)
    assert.deepEqual([pace.sliceMs, pace.isBusy], [40, false])
    version++
    assert.deepEqual([pace.sliceMs, pace.isBusy], [2, true])
    now += 1_001
    assert.deepEqual([pace.sliceMs, pace.isBusy], [40, false])
  })

  it('lets a reader work a quarter of the time while another process writes, and all of it when it has stopped', async () => {
    let [version, now] = [1, 0]
    const turn = turnsBeside({ dataVersion: () => version }, () => now)
    const goesOn = async () => {
      now += 5
      return await Promise.race([turn().then(() => true), setImmediate(false)])
    }
    assert.ok(await goesOn())
    version++
    const began = performance.now()
    now += 5
    await turn()
    const rested = performance.now() - began
    assert.ok(rested >= 14, `${rested} ms after 5`)
    now += 1_001
    assert.ok(await goesOn())
  })

  it('does as much in a slice as there is time for', async () => {
    const asked: number[] = []
    const pace = { ...CALM, sliceMs: 5 }
    const transaction = <T>(work: () => T) => work()
    await inSlices(pace, { transaction }, 50, (most) => {
      asked.push(most)
      const until = performance.now() + most / 5
      while (performance.now() < until);
      return asked.length < 6
    })
    assert.ok(Math.max(...asked.slice(2)) < 50, `${asked}`)
  })

  it('does some in a slice where the commit alone takes longer than one, as on a slow card', async () => {
    for (const [isBusy, least] of [
      [false, 20],
      [true, 4],
    ] as const) {
      const asked: number[] = []
      const pace = { ...CALM, isBusy, sliceMs: 2 }
      const transaction = <T>(work: () => T) => {
        const done = work()
        const until = performance.now() + 15
        while (performance.now() < until);
        return done
      }
      await inSlices(pace, { transaction }, 100, (most) => {
        asked.push(most)
        return asked.length < 10
      })
      assert.equal(asked.at(-1), least, `${asked}`)
    }
  })
})
