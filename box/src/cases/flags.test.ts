import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { Desk } from '../../test/world/desk.ts'
import { GatehouseError } from '../errors.ts'
import { flags } from '../ledger/schema.ts'
import { supervisorAdmit } from '../scan/supervise.ts'
import { undo } from '../scan/undo.ts'
import { listFlags } from './flag-list.ts'

const NOON = Date.parse('2026-07-04T12:00:00+01:00')
const by = { actor: 'Rui', address: '192.0.2.7' }
const fails = (run: Promise<unknown> | (() => unknown), code: string) => {
  const expected = (error: unknown) => error instanceof GatehouseError && error.code === code
  return typeof run === 'function' ? assert.throws(run, expected) : assert.rejects(run, expected)
}

describe('a case', () => {
  let desk: Desk
  let next = 0
  before(async () => {
    desk = await Desk.open({ now: NOON })
  })
  after(() => desk[Symbol.dispose]())

  const page = (query: Parameters<typeof listFlags>[0] = {}) =>
    listFlags(query, { db: desk.deps.ledger.db, event: desk.event, walkingSeconds: () => null })
  const salt = randomBytes(16)
  /** A ticket that was used twice, and the case of it. */
  async function doubleUse() {
    const code = `T-${next++}`
    await desk.import([`${code},once`])
    await desk.scan(code)
    const { flag = '' } = await desk.scan(code, { offline_admitted: true, checkpoint: 'b-in' })
    return { code, flag }
  }
  const read = (flag: string) => page().flags.find(({ id }) => id === flag)

  it('gains a reference with each further scan, and not the list again', async () => {
    const { code, flag } = await doubleUse()
    for (let n = 0; n < 50; n++) await desk.scan(code, { offline_admitted: true, checkpoint: 'b-in' })
    const entries = desk.journal().filter((entry) => entry.kind === 'flag' && entry.flag === flag)
    assert.deepEqual(
      entries.map(({ scans }) => (scans as string[]).length),
      [2, ...Array(50).fill(1)],
    )
    assert.equal(read(flag)?.records.length, 52)
    assert.equal(desk.deps.flags.scansOf(flag).length, 52)
    // The feed gets the row with every change of it.
    assert.equal(desk.deps.flags.find(flag)?.scanIds.length, 32)
  })

  it('makes the journal grow evenly, however often one ticket is uploaded', async () => {
    const { code } = await doubleUse()
    const uploaded = async (scans: number) => {
      const size = desk.deps.ledger.size
      for (let n = 0; n < scans; n++) await desk.scan(code, { offline_admitted: true, checkpoint: 'b-in' })
      return desk.deps.ledger.read(size, 10_000).reduce((sum, { bytes }) => sum + bytes.length, 0)
    }
    const first = await uploaded(100)
    await uploaded(200)
    const last = await uploaded(100)
    assert.ok(last < first * 1.1 && last / 100 < 1_200, `${first} bytes, and later ${last}`)
  })

  it('keeps its records when it is resolved, and the journal has every resolution but no note', async () => {
    const { flag } = await doubleUse()
    const opened = read(flag)
    assert.equal(opened?.resolution, null)
    const note = 'Ana Reis came with her sister'
    await desk.deps.flags.resolve(flag, { actor: 'Rui', resolution: 'two_people', note }, by, salt)
    const resolved = read(flag)
    assert.deepEqual(resolved?.records, opened?.records)
    const at = new Date(desk.now).toISOString()
    assert.deepEqual(resolved?.resolution, { outcome: 'two_people', note, actor: 'Rui', at })
    const { hlc, index, ...entry } = desk.journal().at(-1) ?? {}
    const note_hash = createHash('sha256').update(salt).update(note).digest('hex')
    assert.deepEqual(entry, {
      kind: 'flag_resolved',
      ...by,
      at,
      flag,
      flag_kind: 'double_use',
      note_hash,
      resolution: 'two_people',
      scans: opened?.records.map(({ scan_id }) => scan_id),
      ticket: opened?.ticket_ref,
    })
    await desk.deps.flags.resolve(flag, { actor: 'Eva', resolution: 'fraud' }, { ...by, actor: 'Eva' }, salt)
    assert.deepEqual(read(flag)?.resolution, { outcome: 'fraud', note: null, actor: 'Eva', at })
    const said = desk.journal().filter((entry) => entry.kind === 'flag_resolved' && entry.flag === flag)
    assert.deepEqual(
      said.map(({ resolution, note_hash }) => [resolution, note_hash]),
      [
        ['two_people', note_hash],
        ['fraud', null],
      ],
    )
    assert.ok(!JSON.stringify(desk.journal()).includes('Reis'))
  })

  it('is not resolved by somebody who has not seen it as it is', async () => {
    const { code, flag } = await doubleUse()
    const { version = -1 } = read(flag) ?? {}
    await desk.scan(code, { offline_admitted: true })
    const resolve = (version: number) =>
      desk.deps.flags.resolve(flag, { actor: 'Rui', resolution: 'fraud', version }, by, salt)
    await fails(resolve(version), 'conflict')
    assert.equal(read(flag)?.resolution, null)
    const current = read(flag)?.version ?? -1
    await resolve(current)
    await fails(resolve(current), 'conflict')
    await fails(desk.deps.flags.resolve('never', { actor: 'Rui', resolution: 'fraud' }, by, salt), 'not_found')
  })

  it('that gains a record is open again', async () => {
    const { code, flag } = await doubleUse()
    await desk.deps.flags.resolve(flag, { actor: 'Rui', resolution: 'same_person', note: 'n' }, by, salt)
    assert.equal((await desk.scan(code, { offline_admitted: true })).flag, flag)
    assert.equal(read(flag)?.resolution, null)
    assert.equal(read(flag)?.records.length, 3)
    const told = desk.journal().filter((entry) => entry.kind === 'flag' && entry.flag === flag)
    assert.deepEqual(
      told.map(({ reopened }) => reopened),
      [false, true],
    )
  })

  it('says of each record what a person decided about it afterwards', async () => {
    await desk.import(['SUP,once'])
    const scans = [desk.scanOf('SUP'), desk.scanOf('SUP', { checkpoint: 'b-in' })]
    for (const scan of scans) await desk.text(scan)
    const device = desk.device('sup', true)
    await supervisorAdmit(scans[1]?.scan_id ?? '', { actor: 'Ana', reason: 'known' }, device, desk.deps)
    const alone = desk.scanOf('SUP', { offline_admitted: true })
    const { flag = '' } = JSON.parse(await desk.text(alone))
    await undo(alone.scan_id, { actor: 'Eva', reason: 'left' }, { ...device, id: 'd' }, desk.deps)
    const decided = { at: new Date(desk.now).toISOString(), device_name: null }
    assert.deepEqual(
      read(flag)?.records.map(({ scan_id, supervised, undone }) => ({ scan_id, supervised, undone })),
      [
        { scan_id: scans[0]?.scan_id, supervised: null, undone: null },
        {
          scan_id: scans[1]?.scan_id,
          supervised: { actor: 'Ana', reason: 'known', device: 'sup', ...decided },
          undone: null,
        },
        { scan_id: alone.scan_id, supervised: null, undone: { actor: 'Eva', reason: 'left', device: 'd', ...decided } },
      ],
    )
  })

  it('is found by its kind', async () => {
    const { flag } = await doubleUse()
    const { flag: unknown = '' } = await desk.scan('NOBODY', { offline_admitted: true })
    const ids = (...kind: NonNullable<Parameters<typeof page>[0]>['kind'] & {}) =>
      page({ kind }).flags.map(({ id }) => id)
    assert.deepEqual(ids('unknown_admission'), [unknown])
    assert.ok(ids('double_use').includes(flag) && !ids('double_use').includes(unknown))
    assert.deepEqual(
      ids('double_use', 'unknown_admission').sort(),
      page()
        .flags.map(({ id }) => id)
        .sort(),
    )
    assert.deepEqual(ids('clock_skew'), [])
  })

  it('is read once by whoever turns the pages while others are opened and resolved', async () => {
    const all = page().flags.map(({ id }) => id)
    for (const wrong of ['', '1', 'x-y', '1-abc', `${'9'.repeat(16)}-${'a'.repeat(24)}`]) {
      fails(() => page({ after: wrong }), 'bad_request')
    }
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(fc.boolean(), { maxLength: 6 }),
        async (limit, moves) => {
          const before = page().flags.map(({ id }) => id)
          const seen: string[] = []
          for (let after: string | null | undefined; after !== null; ) {
            const { flags, next } = page({ limit, ...(after !== undefined && { after }) })
            seen.push(...flags.map(({ id }) => id))
            after = next
            const move = moves.pop()
            desk.now += 1000
            if (move) await doubleUse()
            else if (move === false) {
              const id = before[0] ?? ''
              await desk.deps.flags.resolve(id, { actor: 'Rui', resolution: 'fraud' }, by, salt)
            }
          }
          assert.deepEqual(
            seen.filter((id) => before.includes(id)),
            before,
          )
          assert.equal(new Set(seen).size, seen.length)
        },
      ),
      { numRuns: 10 },
    )
    const states = (['open', 'resolved'] as const).map((state) => page({ state }).flags.map(({ id }) => id))
    const known = desk.deps.ledger.db.drizzle.select().from(flags).all()
    assert.deepEqual(
      states.map((ids) => ids.length),
      [
        known.filter(({ resolution }) => resolution === null).length,
        known.filter(({ resolution }) => resolution !== null).length,
      ],
    )
    assert.ok(all.length > 3)
  })
})
