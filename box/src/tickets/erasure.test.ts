import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { Desk } from '../../test/world/desk.ts'
import { COMMAND_LINE } from '../ca/actor.ts'
import { eq } from '../drizzle/core.ts'
import { openDb } from '../ledger/db.ts'
import { incidents, tickets } from '../ledger/schema.ts'
import { countPersonalData, erasePersonalData } from './erasure.ts'
import { importTickets } from './import-tickets.ts'

const NOON = Date.parse('2026-07-04T12:00:00+01:00')
const HEADER = 'code,tier,holder_name,email'
const PEOPLE = Array.from({ length: 3000 }, (_, i) => `T-${i},once,Zyxwvut${i} Qrstuv,zyxwvut${i}@mail.example`)
const SECRETS = ['Zyxwvut', 'zyxwvut', 'Qrstuv', 'mail.example', 'noted of Nobodyelse']

async function fair(t: TestContext) {
  const desk = await Desk.open({ now: NOON })
  t.after(() => desk[Symbol.dispose]())
  const take = (rows: readonly string[]) =>
    importTickets(
      Buffer.from([HEADER, ...rows, ''].join('\n')),
      { format: 'auto', tierMap: {}, dryRun: false, by: COMMAND_LINE },
      desk.deps,
    )
  return { desk, take, forget: () => erasePersonalData(desk.deps.ledger, COMMAND_LINE, () => desk.now) }
}

/** Every byte of the ledger's files. */
function bytesOf(desk: Desk): Buffer {
  const files = readdirSync(desk.folder).filter((name) => name.startsWith('ledger.db'))
  assert.ok(files.includes('ledger.db'))
  return Buffer.concat(files.map((name) => readFileSync(join(desk.folder, name))))
}

describe('a ledger that forgets names', () => {
  it('has none left in any byte of its files, also while another process has it open', async (t) => {
    const { desk, take, forget } = await fair(t)
    await take(PEOPLE)
    // Names that were there before, in pages that have long been given to something else, or to nothing.
    await take(PEOPLE.map((row) => row.replace('Qrstuv', `Qrstuv${'x'.repeat(200)}`)))
    await take(PEOPLE)
    const { drizzle } = desk.deps.ledger.db
    drizzle
      .insert(incidents)
      .values({
        id: 'i',
        digest: Buffer.alloc(32),
        kind: 'medical',
        state: 'open',
        checkpoint: 'a-in',
        gate: 'a',
        queueRatePerMin: 0,
        note: 'noted of Nobodyelse',
        noteSalt: randomBytes(16),
        reportedBy: 'd',
        observedAt: NOON,
        reportedAt: NOON,
        hlc: '1.0',
        version: 1,
        entry: 0,
      })
      .run()
    await desk.scan('T-1')
    const { flag = '' } = await desk.scan('T-1', { offline_admitted: true })
    const note = { actor: 'Rui', resolution: 'fraud', note: 'noted of Nobodyelse' } as const
    await desk.deps.flags.resolve(flag, note, COMMAND_LINE, randomBytes(16))
    for (const secret of SECRETS) assert.ok(bytesOf(desk).includes(secret), secret)

    const other = openDb(join(desk.folder, 'ledger.db'))
    t.after(() => other.close())
    assert.equal(countPersonalData(other).names, PEOPLE.length)
    const journal = desk.journal()
    const counts = { names: PEOPLE.length, emails: PEOPLE.length, incident_notes: 1, flag_notes: 1 }
    assert.deepEqual(forget(), counts)

    for (const secret of SECRETS) assert.ok(!bytesOf(desk).includes(secret), secret)
    assert.deepEqual(Object.values(countPersonalData(other)), [0, 0, 0, 0])
    assert.deepEqual(desk.journal().slice(0, -1), journal, 'what was written stays')
    const { hlc, index, ...entry } = desk.journal().at(-1) ?? {}
    assert.deepEqual(entry, { kind: 'erasure', ...COMMAND_LINE, ...counts, at: new Date(NOON).toISOString() })
    assert.equal(desk.flags()[0]?.resolution?.note, null)
    assert.equal(desk.flags()[0]?.resolution?.outcome, 'fraud')
    assert.equal((await desk.scan('T-2')).verdict, 'ADMIT')
    desk.restart()
    assert.equal((await desk.scan('T-2')).verdict, 'ALREADY_USED')
  })

  it('takes none in again, and takes the rest of an import as ever', async (t) => {
    const { desk, take, forget } = await fair(t)
    await take(PEOPLE.slice(0, 3))
    forget()
    const size = desk.deps.ledger.size
    assert.deepEqual(Object.values(forget()), [0, 0, 0, 0])
    assert.equal(desk.deps.ledger.size, size, 'nothing was done that would have to be told')
    assert.partialDeepStrictEqual(await take(PEOPLE.slice(0, 3)), { changed: 0, unchanged: 3 })
    assert.partialDeepStrictEqual(await take(['T-0,vip,Zyxwvut0 Qrstuv,', ...PEOPLE.slice(1, 5)]), {
      added: 2,
      changed: 1,
      unchanged: 2,
    })
    const { drizzle } = desk.deps.ledger.db
    const rows = drizzle.select().from(tickets).all()
    assert.equal(rows.length, 5)
    assert.ok(rows.every(({ holderName, email }) => holderName === null && email === null))
    assert.equal(drizzle.select().from(tickets).where(eq(tickets.code, 'T-0')).get()?.tier, 'vip')
  })

  for (const at of ['read', 'compare']) {
    it(`takes none in from an import that has begun to ${at} rows`, async (t) => {
      const { desk, forget } = await fair(t)
      let forgotten = false
      const onProgress = (step: string) => {
        if (step === at && !forgotten) forget()
        forgotten ||= step === at
      }
      const file = Buffer.from([HEADER, ...PEOPLE.slice(0, 200), ''].join('\n'))
      const options = { format: 'auto', tierMap: {}, dryRun: false, by: COMMAND_LINE, onProgress } as const
      assert.equal((await importTickets(file, options, desk.deps)).added, 200)
      assert.deepEqual([forgotten, countPersonalData(desk.deps.ledger.db).names], [true, 0])
    })
  }
})
