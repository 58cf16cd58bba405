import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { runs } from '@gatehouse/proto/properties.testing.ts'
import { ENTRY_KINDS } from '@gatehouse/proto/wire/entries.ts'
import { Log, type LogQuery } from '@gatehouse/proto/wire/log.ts'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { Desk } from '../../test/world/desk.ts'
import { COMMAND_LINE } from '../ca/actor.ts'
import { eq } from '../drizzle/core.ts'
import { GatehouseError } from '../errors.ts'
import type { EntryKind } from '../ledger/entries.ts'
import { journal } from '../ledger/schema.ts'
import { ModeSwitch } from '../rights/mode.ts'
import { supervisorAdmit } from '../scan/supervise.ts'
import { revokeTicket } from '../tickets/revoke.ts'
import { readLog } from './log.ts'
import { summaryOf } from './log-summary.ts'

const NOON = Date.parse('2026-07-04T12:00:00+01:00')
const turn = async () => {}

describe('the log', () => {
  let desk: Desk
  before(async () => {
    desk = await Desk.open({ now: NOON })
    await desk.import(['SECRET-1,once', 'SECRET-2,once'])
    const admit = desk.scanOf('SECRET-1', { checkpoint: 'b-in' })
    await desk.scan('SECRET-1')
    await desk.text(admit)
    const device = desk.device('sup', true)
    await supervisorAdmit(admit.scan_id, { actor: 'Ana', reason: 'known at "a-in"' }, device, desk.deps)
    await desk.scan('SECRET-2', {}, 'other')
    const by = { actor: 'Rui', address: '192.0.2.7' }
    await revokeTicket('SECRET-2', { ...by, reason: 'chargeback' }, { ...desk.deps, now: () => desk.now })
    await new ModeSwitch(desk.deps.ledger).force('STRICT', COMMAND_LINE, '{"checkpoint":"a-in","ticket":"x"}')
  })
  after(() => desk[Symbol.dispose]())

  const read = (query: LogQuery = {}, pause: () => Promise<unknown> = turn) => readLog(query, { ...desk.deps, pause })
  async function all(query: LogQuery = {}) {
    const rows = []
    for (let after: number | null | undefined; after !== null; ) {
      const page = await read({ ...query, ...(after !== undefined && { after }) })
      assert.ok(Value.Check(Log, page))
      rows.push(...page.rows)
      after = page.next
    }
    return rows
  }
  const kindsOf = async (query: LogQuery) => (await all(query)).map(({ kind }) => kind)

  it('has every entry, newest first, with what it is about', async () => {
    const rows = await all()
    assert.deepEqual(
      rows.map(({ entry }) => entry),
      desk.journal().reverse(),
    )
    const supervised = rows.find(({ kind }) => kind === 'supervisor_admit')
    assert.partialDeepStrictEqual(supervised, {
      actor: 'Ana',
      address: null,
      device: 'sup',
      device_name: null,
      checkpoint: 'b-in',
      checkpoint_name: 'B entry',
      summary: 'Ana let a refused ticket (ALREADY_USED) in at B entry: known at "a-in"',
    })
    const revoked = rows.find(({ kind }) => kind === 'ticket_revoked')
    assert.partialDeepStrictEqual(revoked, { actor: 'Rui', address: '192.0.2.7', at: new Date(NOON).toISOString() })
  })

  it('finds what is about a kind, a device, a checkpoint or a ticket, and nothing else', async () => {
    assert.deepEqual(await kindsOf({ kind: 'scan' }), ['scan', 'scan', 'scan'])
    assert.deepEqual(await kindsOf({ device: 'sup' }), ['supervisor_admit'])
    assert.deepEqual(await kindsOf({ device: 'other', kind: 'mode' }), [])
    assert.deepEqual(await kindsOf({ checkpoint: 'a-in' }), ['scan', 'scan'], 'not where a reason speaks of it')
    const { ref, capability } = desk.deps.tickets.lookUp('SECRET-2', desk.deps.codes) ?? assert.fail()
    for (const ticket of ['SECRET-2', ref, capability]) {
      assert.deepEqual(await kindsOf({ ticket }), ['ticket_revoked', 'scan'])
      const text = JSON.stringify(await read({ ticket }))
      for (const secret of ['SECRET', capability]) assert.ok(!text.includes(secret))
    }
    await assert.rejects(read({ ticket: 'SECRET-9' }), (error) => {
      assert.ok(error instanceof GatehouseError && error.code === 'not_found')
      return !error.message.includes('SECRET')
    })
  })

  it('is read once by whoever turns its pages, while more is written', async () => {
    const query = fc.record(
      { kind: fc.constantFrom(undefined, 'scan' as const), device: fc.constantFrom(undefined, 'd', 'other') },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 7 }),
        query,
        fc.integer({ min: 0, max: 3 }),
        async (limit, q, more) => {
          const query = Object.fromEntries(Object.entries(q).filter(([, value]) => value !== undefined)) as LogQuery
          const before = (await all(query)).map(({ index }) => index)
          const seen: number[] = []
          for (let after: number | null | undefined; after !== null; ) {
            const { rows, next } = await read({ ...query, limit, ...(after !== undefined && { after }) })
            assert.ok(rows.length <= limit)
            seen.push(...rows.map(({ index }) => index))
            after = next
            for (let i = 0; i < more && seen.length < 20; i++) await desk.scan('SECRET-1', {}, 'other')
          }
          assert.deepEqual(seen, before)
        },
      ),
      runs(12, 100),
    )
  })

  it('looks through a long journal in steps, and stops after so many of them', async () => {
    using long = await Desk.open({ now: NOON })
    const { ledger } = long.deps
    const note = (device: string) =>
      ledger.append('device_revoked', { actor: 'a', address: '::1', device, reason: 'r' })
    for (let n = 0; n < 30; n++) {
      ledger.transact(() => {
        for (let i = 0; i < 7_000; i++) note(i === 0 ? 'rare' : 'often')
      })
    }
    let pauses = 0
    const pause = async () => pauses++
    const seen: number[] = []
    let pages = 0
    for (let after: number | null | undefined; after !== null; pages++) {
      const page = await readLog({ device: 'rare', ...(after !== undefined && { after }) }, { ...long.deps, pause })
      seen.push(...page.rows.map(({ index }) => index))
      after = page.next
    }
    assert.deepEqual(seen, Array.from({ length: 30 }, (_, n) => n * 7_000).reverse())
    assert.equal(pages, 2)
    assert.ok(pauses > 100)
  })

  it('is read around entries that somebody has damaged, or a later version has written', async () => {
    using own = await Desk.open({ now: NOON })
    await own.scan('NOBODY')
    const { ledger } = own.deps
    const put = (bytes: string, kind = 'scan') =>
      ledger.transact(() => {
        const { index } = ledger.append('seal', { actor: 'a', address: '::1' })
        ledger.db.drizzle
          .update(journal)
          .set({ bytes: Buffer.from(bytes), kind })
          .where(eq(journal.index, index))
          .run()
      })
    for (const bytes of ['{"half', 'null', '[]', '{}']) put(bytes)
    put('{"kind":"teleport"}', 'teleport')
    await own.scan('NOBODY')
    const { rows } = await readLog({ limit: 7 }, { ...own.deps, pause: turn })
    const unread = 'This entry cannot be read: run "gatehouse verify".'
    const scan = 'UNKNOWN at A entry.'
    assert.deepEqual(
      rows.map(({ summary }) => summary),
      [scan, unread, unread, unread, unread, unread, scan],
    )
  })

  it('has a sentence for every kind, whatever is missing in the entry', () => {
    const names = { checkpoint: (id: string) => id, gate: (id: string) => id, device: (id: string) => id }
    const known: readonly EntryKind[] = ENTRY_KINDS
    for (const kind of known) {
      for (const fields of [{}, { actor: 'Ana', supervisor: true, reopened: true, offline_admitted: true }]) {
        const summary = summaryOf(kind, { kind, ...fields }, names)
        assert.match(summary, /^[^<>]{5,}$/)
        assert.doesNotMatch(summary, /cannot be read/)
      }
    }
  })
})
