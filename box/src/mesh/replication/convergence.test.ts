/** Boxes converge on the same state, whatever the order, cuts and repetitions in which they hear each other's journals. */
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { runs } from '@gatehouse/proto/properties.testing.ts'
import fc from 'fast-check'
import { apply, Desks, pageOf, pull, replicatedAt } from '../../../test/mesh/desks.ts'
import { stateOf } from '../../../test/mesh/state.ts'
import { Control } from '../../../test/world/control.ts'
import type { Desk } from '../../../test/world/desk.ts'
import { announce, currentAnnouncements, withdraw } from '../../announcements/announcements.ts'
import { COMMAND_LINE } from '../../ca/actor.ts'
import { addNote, withdraw as withdrawReport } from '../../incidents/added.ts'
import { flags, holds, incidentActions, incidents, scans } from '../../ledger/schema.ts'
import { supervisorAdmit } from '../../scan/supervise.ts'
import { undo } from '../../scan/undo.ts'
import { reportUpTo } from '../../seal/export/export.ts'
import { signingKey } from '../../seal/verifier-key.ts'
import { releaseClaim } from '../../tickets/claim.ts'
import { erasePersonalData } from '../../tickets/erasure.ts'
import { newKeySync } from '../../tickets/key.ts'
import { reinstateTicket, revokeTicket } from '../../tickets/revoke.ts'

const NOON = Date.parse('2026-07-04T12:00:00Z')
const LONG = process.env.GATEHOUSE_TEST_LONG !== undefined
const by = { ...COMMAND_LINE, reason: 'because' }
const CODES = ['C-1', 'C-2', 'C-3', 'C-4']

/** An action at a box; an impossible one is skipped. */
const ACTS = {
  scan: (box: Desk, n: number) => box.scan(CODES[n % 4] ?? '', n > 4 ? { checkpoint: 'b-in' } : {}),
  exit: (box: Desk, n: number) => box.scan(CODES[n % 4] ?? '', { checkpoint: 'a-out' }),
  alone: (box: Desk, n: number) => box.scan(CODES[n % 4] ?? '', { offline_admitted: true }),
  sameScan: (box: Desk, n: number) =>
    box.scan(CODES[n % 4] ?? '', { scan_id: `twice-${n % 3}`, observed_at: new Date(NOON).toISOString() }),
  supervise: async (box: Desk, n: number) => {
    const verdict = await box.scan(CODES[n % 4] ?? '')
    return supervisorAdmit(verdict.scan_id, { actor: 'S', reason: 'looked' }, box.device('s', true), box.deps)
  },
  undo: async (box: Desk, n: number) => {
    const verdict = await box.scan(CODES[n % 4] ?? '')
    return undo(verdict.scan_id, { actor: 'S', reason: 'wrong button' }, box.device(), box.deps)
  },
  /** Of a scan that whichever box has answered. */
  superviseHeard: async (box: Desk, n: number) => {
    return supervisorAdmit(knownScan(box, n), { actor: 'S', reason: 'looked' }, box.device('s', true), box.deps)
  },
  undoHeard: async (box: Desk, n: number) => {
    return undo(knownScan(box, n), { actor: 'S', reason: 'wrong button' }, box.device(), box.deps)
  },
  revoke: (box: Desk, n: number) => revokeTicket(CODES[n % 4] ?? '', by, { ...box.deps, now: () => box.now }),
  reinstate: (box: Desk, n: number) => reinstateTicket(CODES[n % 4] ?? '', by, { ...box.deps, now: () => box.now }),
  claim: async (box: Desk, n: number) => {
    const { ledger, tickets, codes } = box.deps
    const ticket = tickets.openedBy({ kind: 'static', codeHash: codes.hash(CODES[n % 4] ?? '') })
    if (!ticket || ticket.claimedAt !== null) return
    const key = { ...newKeySync(codes), seed: Buffer.alloc(0) }
    await ledger.commit(() => {
      const { index } = ledger.append('claim', { code: key.keyHash.toString('hex'), ticket: ticket.ref })
      tickets.rekey(ticket, key, box.now, index)
    })
  },
  release: (box: Desk, n: number) => releaseClaim(CODES[n % 4] ?? '', by, { ...box.deps, now: () => box.now }),
  import: (box: Desk, n: number) =>
    box.import([`${CODES[n % 4]},${n > 4 ? 'daily' : 'reentry'},${n > 6 ? 'blocked' : 'valid'},,,Holder ${n}`]),
  hold: (box: Desk, n: number) =>
    box.deps.holds.place({ id: randomUUID(), gate: n > 4 ? 'a' : 'b', reason: 'full', expiresAt: null }, by),
  letGo: (box: Desk, n: number) => box.deps.holds.release(n > 4 ? 'a' : 'b', by, null),
  report: (box: Desk, n: number) =>
    new Control(box).report({
      incident_id: `inc-${n % 2}`,
      kind: n > 4 ? 'crush' : 'equipment',
      observed_at: new Date(NOON).toISOString(),
      note: 'a name',
    }),
  addToReport: (box: Desk, n: number) =>
    addNote(`inc-${n % 2}`, { note_id: `note-${n}`, note: 'another name' }, box.device('d'), new Control(box).deps),
  withdrawReport: (box: Desk, n: number) =>
    withdrawReport(`inc-${n % 2}`, { ...box.device('d'), name: 'North 1' }, 'x', new Control(box).deps),
  acknowledge: (box: Desk, n: number) =>
    new Control(box).act(`inc-${n % 2}`, { ...by, action: 'acknowledge', actor: `${box.id} ${n}` }),
  assign: (box: Desk, n: number) =>
    new Control(box).act(`inc-${n % 2}`, { ...by, action: 'assign', assignee: `${box.id} ${n}` }),
  close: (box: Desk, n: number) =>
    new Control(box).act(`inc-${n % 2}`, { ...by, action: n > 4 ? 'resolve' : 'cancel' }),
  announce: (box: Desk, n: number) =>
    announce({ ...COMMAND_LINE, text: `Number ${n}`, severity: n > 4 ? 'emergency' : 'info' }, announcing(box)),
  correct: (box: Desk, n: number) =>
    announce({ ...COMMAND_LINE, text: `Rather ${n}`, severity: 'info', replaces: announced(box, n) }, announcing(box)),
  withdraw: (box: Desk, n: number) => withdraw(announced(box, n), COMMAND_LINE, announcing(box)),
  resolve: async (box: Desk, n: number) => {
    const [row] = stateOf(box).flags.slice(n % 2)
    if (!row) return
    const resolution = n > 4 ? ('fraud' as const) : ('staff_error' as const)
    await box.deps.flags.resolve(JSON.parse(row).id, { ...by, resolution, note: 'a name' }, by, randomBytes(16))
  },
  restart: async (box: Desk) => box.restart(),
}

function announcing(box: Desk) {
  return { ...box.deps, signingKey: signingKey(box.deps.identity.signingSeed), now: () => box.now }
}

function announced(box: Desk, n: number): string {
  const shown = currentAnnouncements({ ...box.deps, now: () => box.now }).filter((one) => !one.withdrawn)
  return shown[n % Math.max(1, shown.length)]?.id ?? ''
}

function knownScan(box: Desk, n: number): string {
  const rows = box.deps.ledger.db.drizzle.select({ id: scans.scanId }).from(scans).orderBy(scans.scanId).all()
  return rows[n % Math.max(1, rows.length)]?.id ?? ''
}

/** The report's cases, counted from the journal in the order in which it was heard. */
function reported({ deps, id }: Desk): unknown {
  const { ledger, keys } = deps
  const cover = { origin: `gatehouse/fair/${id}`, signingKey: keys.logKey, software: 's', madeAt: NOON }
  const report = reportUpTo(ledger.db, { ...cover, size: ledger.size })
  return {
    flags: report.flags.map(({ flag, state, scans }) => [flag, state, scans.toSorted()]).sort(),
    incidents: report.incidents
      .map(({ incident, kind, state, actions }) => [incident, kind, state, actions.map(({ action }) => action)])
      .sort(),
    holds: report.holds.map(({ hold, released_by = null }) => [hold, released_by]).sort(),
  }
}

/** The same, as the tables say it. */
function stands({ deps: { ledger } }: Desk): unknown {
  const { drizzle } = ledger.db
  const taken = drizzle.select().from(incidentActions).orderBy(incidentActions.version).all()
  const actionsOf = (id: string) => taken.filter(({ incident }) => incident === id).map(({ action }) => action)
  const cases = drizzle.select().from(flags).all()
  return {
    flags: cases
      .map(({ id, resolution, scanIds }) => [id, resolution === null ? 'open' : 'resolved', scanIds.toSorted()])
      .sort(),
    incidents: drizzle
      .select()
      .from(incidents)
      .all()
      .map(({ id, kind, state }) => [id, kind, state, actionsOf(id)])
      .sort(),
    holds: drizzle
      .select()
      .from(holds)
      .all()
      .map(({ id, releasedBy }) => [id, releasedBy])
      .sort(),
  }
}

type Step =
  | { does: keyof typeof ACTS; box: number; n: number; skip: number }
  | { hears: number; from: number; back: number; most: number; only: boolean }

function step(boxes: number): fc.Arbitrary<Step> {
  const box = fc.nat({ max: boxes - 1 })
  const does = fc.constantFrom(...(Object.keys(ACTS) as (keyof typeof ACTS)[]))
  return fc.oneof(
    fc.record({ does, box, n: fc.nat({ max: 9 }), skip: fc.nat({ max: 2000 }) }),
    fc.record({
      hears: box,
      from: box,
      back: fc.nat({ max: 4 }),
      most: fc.integer({ min: 1, max: 5 }),
      only: fc.boolean(),
    }),
  )
}

async function play(desks: Desks, steps: readonly Step[]): Promise<void> {
  for (const one of steps) {
    if ('does' in one) {
      const box = desks.all[one.box]
      if (!box) continue
      box.now += one.skip
      await Promise.resolve(ACTS[one.does](box, one.n)).catch(refused)
      continue
    }
    const [box, from] = [desks.all[one.hears], desks.all[one.from]]
    if (!box || !from || box === from) continue
    const at = replicatedAt(box, from.id)
    // A single one ahead of the others, as an emergency comes.
    const ahead = one.only ? pageOf(from, at + one.back).entries.slice(0, 1) : []
    if (ahead.length > 0 && ahead[0]?.rows.tickets === undefined) apply(box, from.id, ahead)
    else pull(box, from, { from: Math.max(0, at - one.back), most: one.most + one.back })
  }
}

function refused(error: Error): void {
  if (error.name !== 'GatehouseError') throw error
}

describe('boxes that hear each other', { timeout: LONG ? 3_600_000 : 600_000 }, () => {
  it('come to the same, in whatever order and however often', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step(3), { minLength: 1, maxLength: 60 }), async (steps) => {
        using desks = await Desks.open({ boxes: 3, now: NOON })
        await desks.all[0]?.import(
          CODES.map((code, i) => `${code},${['once', 'daily', 'reentry', 'once'][i]},valid,,,A`),
        )
        await play(desks, steps)
        desks.settle()
        const [first, ...others] = desks.all.map(stateOf)
        for (const other of others) assert.deepEqual(other, first)
        for (const box of desks.all) assert.deepEqual(reported(box), stands(box))
      }),
      runs(20, 500),
    )
  })

  it('fall silent', async () => {
    using desks = await Desks.open({ boxes: 3, now: NOON })
    await desks.all[0]?.import(['C-1,once,valid,,,A'])
    await desks.all[1]?.scan('C-1')
    desks.settle()
    const sizes = desks.all.map(({ deps }) => deps.ledger.size)
    desks.settle()
    desks.settle()
    assert.deepEqual(
      desks.all.map(({ deps }) => deps.ledger.size),
      sizes,
    )
  })

  it('keep a revocation and a claim that were made at once', async () => {
    using desks = await Desks.open({ boxes: 3, now: NOON })
    const [a, b, c] = desks.all as [Desk, Desk, Desk]
    await a.import(['C-1,phone,valid,,,A'])
    desks.settle()
    await ACTS.revoke(a, 0)
    await ACTS.claim(b, 0)
    desks.settle()
    for (const { deps } of [a, b, c]) {
      const [page = []] = deps.tickets.pages.all()
      assert.equal(page[0]?.revokedReason, 'because')
      assert.notEqual(page[0]?.claimedAt, null)
      assert.equal(page[0]?.seed.length, 0)
    }
  })

  it('find a double use also where both passages are heard of before the ticket', async () => {
    using desks = await Desks.open({ boxes: 4, now: NOON })
    const [a, b, c, d] = desks.all as [Desk, Desk, Desk, Desk]
    await a.import(['C-1,once,valid,,,A'])
    for (const box of [b, d]) {
      pull(box, a, { from: 0, most: 100 })
      await box.scan('C-1')
    }
    for (const from of [b, d, a]) pull(c, from, { from: 0, most: 100 })
    const [flag, ...more] = c.deps.ledger.db.drizzle.select().from(flags).all()
    assert.deepEqual([flag?.kind, flag?.scanIds.length, more.length], ['double_use', 2, 0])
    desks.settle()
    for (const box of [a, b, d]) assert.deepEqual(stateOf(box), stateOf(c))
  })

  it('forget the names everywhere, also those that come later', async () => {
    using desks = await Desks.open({ boxes: 3, now: NOON })
    const [a, b, c] = desks.all as [Desk, Desk, Desk]
    await a.import(['C-1,once,valid,,,Ada'])
    desks.settle()
    await ACTS.report(b, 1)
    erasePersonalData(c.deps.ledger, COMMAND_LINE, () => c.now)
    await b.import(['C-2,once,valid,,,Grace'])
    desks.settle()
    for (const box of [a, b, c]) assert.doesNotMatch(JSON.stringify(stateOf(box)), /Ada|Grace|a name/)
  })
})
