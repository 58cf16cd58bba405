import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { runs } from '@gatehouse/proto/properties.testing.ts'
import { Incident } from '@gatehouse/proto/wire/incidents.ts'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { Control } from '../../test/world/control.ts'
import { asc, eq, sql } from '../drizzle/core.ts'
import { type ErrorCode, GatehouseError } from '../errors.ts'
import type { EntryFields } from '../ledger/entries.ts'
import { type IncidentState, incidentActions, incidents } from '../ledger/schema.ts'
import { board, findIncident, incidentsOf } from './board.ts'
import { type IncidentAction, next } from './incident.ts'
import { report } from './incidents.ts'

const NOON = Date.parse('2026-07-04T12:00:00+01:00')
const MINUTE = 60_000

let control: Control
/** Within a suite: hooks of a whole file would be those of every file that shares its process. */
function openControlForEach(): void {
  beforeEach(async () => {
    control = await Control.open({ now: NOON })
  })
  afterEach(() => control[Symbol.dispose]())
}

function refused(code: ErrorCode, message = /./) {
  return (error: unknown) =>
    error instanceof GatehouseError && error.code === code && message.test(error.message) && /\.$/.test(error.message)
}
const row = (id = 'i-1') =>
  control.desk.deps.ledger.db.drizzle.select().from(incidents).where(eq(incidents.id, id)).get()

describe('a report', () => {
  openControlForEach()

  it('gets what the box knows of the gate: zone, rate, queue, people inside', async () => {
    control.lanes.report('a-in', 40)
    control.lanes.report('a-out', 5)
    control.lanes.report('b-in', 300)
    control.rates.set('a', 0.6).set('b', 7)
    control.occupancy.set('arena', 3)
    control.desk.now += 1000
    const observed_at = '2026-07-04T11:59:58+01:00'
    const { incident, isNew } = await control.report({ note: 'by the third barrier', observed_at })
    assert.ok(isNew)
    assert.ok(Value.Check(Incident, incident))
    const { hlc, ...rest } = incident
    assert.deepEqual(rest, {
      incident_id: 'i-1',
      kind: 'medical',
      state: 'open',
      emergency: true,
      checkpoint: 'a-in',
      gate: 'a',
      gate_name: 'Gate A',
      zone: 'arena',
      queue_rate_per_min: 0.6,
      queue: 45,
      scans: 0,
      refusals: 0,
      idle_seconds: null,
      occupancy: 3,
      note: 'by the third barrier',
      reported_by: 'd',
      reported_by_name: null,
      version: 1,
      actions: [],
      observed_at: '2026-07-04T10:59:58.000Z',
      reported_at: '2026-07-04T11:00:01.000Z',
    })
    assert.equal(control.desk.journal().at(-1)?.hlc, hlc)
  })

  it('at an exit is about the zone that people come out of; where nobody has counted, there is no number', async () => {
    const { incident } = await control.report({ kind: 'access', checkpoint: 'v-out' })
    const { gate, zone, queue_rate_per_min, queue, occupancy, note, emergency } = incident
    assert.deepEqual(
      [gate, zone, queue_rate_per_min, queue, occupancy, note, emergency],
      ['v', 'lounge', 0, null, null, null, false],
    )
  })

  it('that comes again is the same incident, as it stands by then; with another content it is refused', async () => {
    const first = await control.report({ note: 'x' })
    await control.act('i-1', { action: 'acknowledge' })
    control.desk.now += MINUTE
    const observed_at = first.incident.observed_at
    const again = await control.report({ note: 'x', observed_at })
    assert.deepEqual([again.isNew, again.incident.state, again.incident.version], [false, 'acknowledged', 2])
    assert.equal(again.incident.hlc, first.incident.hlc)
    const size = control.desk.deps.ledger.size
    for (const other of [{ note: 'y' }, {}, { note: 'x', kind: 'fire' }, { note: 'x', checkpoint: 'b-in' }] as const) {
      await assert.rejects(control.report({ observed_at, ...other }), refused('conflict'))
    }
    assert.equal((await control.report({ note: 'x' })).isNew, false, 'the clock was read anew')
    await assert.rejects(control.report({ note: 'x', observed_at }, 'other'), refused('conflict'), 'another device')
    assert.equal(control.desk.deps.ledger.size, size)
  })

  it('that came in twice at once is one', async () => {
    const both = await Promise.all([control.report({ note: 'x' }), control.report({ note: 'x' })])
    assert.deepEqual(
      both.map(({ isNew }) => isNew),
      [true, false],
    )
  })

  it('leaves of its note in the journal a salted hash, which the table can prove and an erasure makes unprovable', async () => {
    await control.report({ note: 'Ana Reis, asthma' })
    const entry = JSON.stringify(control.desk.journal())
    assert.ok(!entry.includes('asthma'))
    const { note, noteSalt, digest } = row() ?? assert.fail()
    assert.ok(note && noteSalt?.length === 16)
    const hash = createHash('sha256').update(noteSalt).update(note).digest('hex')
    assert.equal(control.desk.journal().at(-1)?.note_hash, hash)
    await control.report({ incident_id: 'i-2', note: 'Ana Reis, asthma' })
    assert.notEqual(control.desk.journal().at(-1)?.note_hash, hash, 'the same words are not known by their hash')
    assert.ok(!digest.equals(row('i-2')?.digest ?? digest), 'nor by the digest')
    await control.report({ incident_id: 'i-3', note: '' })
    assert.deepEqual([control.desk.journal().at(-1)?.note_hash, row('i-3')?.noteSalt], [null, null])
  })

  it('from a checkpoint that is not there, or not the device’s, is refused', async () => {
    await assert.rejects(control.report({ checkpoint: 'moon' }), refused('not_found'))
    const observed_at = new Date(NOON).toISOString()
    const body = { incident_id: 'i', kind: 'fire', checkpoint: 'a-in', observed_at } as const
    const elsewhere = { id: 'd', checkpoints: new Set(['b-in']) }
    await assert.rejects(report(body, elsewhere, control.deps), refused('not_allowed'))
    assert.equal(control.desk.deps.ledger.size, 0)
  })
})

describe('the control room', () => {
  openControlForEach()

  it('acts with a name, from an address, and every step stays', async () => {
    await control.report({})
    await control.act('i-1', { action: 'acknowledge', actor: 'Rui' })
    await control.act('i-1', { action: 'assign', actor: 'Rui', assignee: 'Team 3' })
    await control.act('i-1', { action: 'assign', actor: 'Ana', assignee: 'Team 4', reason: 'nearer' })
    control.desk.now += MINUTE
    const done = await control.act('i-1', { action: 'resolve', actor: 'Ana' })
    assert.ok(Value.Check(Incident, done))
    assert.deepEqual([done.state, done.version, done.assignee], ['resolved', 5, 'Team 4'])
    assert.deepEqual(
      done.actions.map(({ action, actor, assignee, reason }) => [action, actor, assignee, reason]),
      [
        ['acknowledge', 'Rui', undefined, undefined],
        ['assign', 'Rui', 'Team 3', undefined],
        ['assign', 'Ana', 'Team 4', 'nearer'],
        ['resolve', 'Ana', undefined, undefined],
      ],
    )
    const last = control.desk.journal().at(-1)
    const { kind, actor, address, from, to, at, hlc } = last ?? {}
    assert.deepEqual([kind, actor, address, from, to], ['incident_action', 'Ana', 'x', 'assigned', 'resolved'])
    assert.deepEqual([at, hlc], [done.actions.at(-1)?.at, done.actions.at(-1)?.hlc])
    control.desk.restart()
    assert.deepEqual(findIncident('i-1', control.deps), done)
  })

  it('is refused what says too little, what is not a step on, and what somebody else has overtaken', async () => {
    await control.report({})
    const size = control.desk.deps.ledger.size
    const refusals: [Parameters<Control['act']>[1], ErrorCode, RegExp][] = [
      [{ action: 'cancel' }, 'bad_request', /"reason"/],
      [{ action: 'cancel', reason: ' ' }, 'bad_request', /"reason"/],
      [{ action: 'assign' }, 'bad_request', /"assignee"/],
      [{ action: 'assign', assignee: '\t' }, 'bad_request', /"assignee"/],
      [{ action: 'resolve', assignee: 'Team 3' }, 'bad_request', /"assignee"/],
      [{ action: 'resolve', actor: '  ' }, 'bad_request', /"actor"/],
      [{ action: 'resolve', version: 2 }, 'conflict', /open/],
    ]
    for (const [request, code, message] of refusals) {
      await assert.rejects(control.act('i-1', request), refused(code, message), JSON.stringify(request))
    }
    await assert.rejects(control.act('i-2', { action: 'resolve' }), refused('not_found'))
    assert.equal(control.desk.deps.ledger.size, size)
    await control.act('i-1', { action: 'assign', assignee: 'Team 3', version: 1 })
    await assert.rejects(control.act('i-1', { action: 'resolve', version: 1 }), refused('conflict', /assigned/))
    await assert.rejects(control.act('i-1', { action: 'acknowledge' }), refused('conflict', /assigned/))
    await control.act('i-1', { action: 'cancel', reason: 'false alarm', version: 2 })
    await assert.rejects(control.act('i-1', { action: 'resolve', version: 3 }), refused('conflict', /cancelled/))
  })

  it('sees first what nobody has acknowledged, emergencies before the rest, the latest first', async () => {
    for (const [incident_id, kind] of [
      ['staff', 'need_staff'],
      ['crush', 'crush'],
      ['fire', 'fire'],
      ['child', 'lost_child'],
      ['old', 'medical'],
      ['seen', 'security'],
    ] as const) {
      await control.report({ incident_id, kind })
    }
    await control.act('old', { action: 'resolve' })
    await control.act('seen', { action: 'acknowledge' })
    const ids = (states?: IncidentState[]) => board(control.deps, states).map(({ incident_id }) => incident_id)
    assert.deepEqual(ids(), ['fire', 'crush', 'child', 'staff', 'seen', 'old'])
    assert.deepEqual(ids(['acknowledged', 'resolved']), ['seen', 'old'])
    assert.deepEqual(ids([]), [])
  })

  it('has a thousand at most, whatever a scanner in the wrong hands has reported', async () => {
    await control.report({ incident_id: 'first' })
    const { ledger } = control.deps
    const [base] = ledger.db.drizzle.select().from(incidents).all()
    assert.ok(base)
    const insert = ledger.db.drizzle
      .insert(incidents)
      .values({ ...base, id: sql.placeholder('id'), kind: 'access' })
      .prepare()
    // More than SQLite takes as values of one statement.
    ledger.transact(() => {
      for (let n = 0; n < 33_000; n++) insert.run({ id: `i-${n}` })
    })
    const { length, 0: first } = board(control.deps)
    assert.deepEqual([length, first?.incident_id], [1000, 'first'])
  })
})

describe('a gate', () => {
  openControlForEach()

  it('sees its own incidents, and every emergency anywhere that is not over', async () => {
    await control.report({ incident_id: 'a-staff', kind: 'need_staff' })
    await control.report({ incident_id: 'a-done', kind: 'need_staff' })
    await control.report({ incident_id: 'b-staff', kind: 'need_staff', checkpoint: 'b-in' })
    await control.report({ incident_id: 'b-fire', kind: 'fire', checkpoint: 'b-in' })
    await control.report({ incident_id: 'b-over', kind: 'crush', checkpoint: 'b-in' })
    await control.report({ incident_id: 'b-sent', kind: 'medical', checkpoint: 'b-in' })
    await control.act('a-done', { action: 'resolve' })
    await control.act('b-over', { action: 'cancel', reason: 'drill' })
    await control.act('b-sent', { action: 'assign', assignee: 'Team 3' })
    const ids = (...gates: string[]) => incidentsOf(gates, control.deps).map(({ incident_id }) => incident_id)
    assert.deepEqual(ids('a'), ['b-sent', 'b-fire', 'a-staff', 'a-done'])
    assert.deepEqual(ids('v'), ['b-sent', 'b-fire'])
    assert.deepEqual(ids('a', 'b').toSorted(), ['a-done', 'a-staff', 'b-fire', 'b-over', 'b-sent', 'b-staff'])
  })

  it('is not sent a season of them: two hundred, and none of those to be done is left out', async () => {
    await control.report({ incident_id: 'first', kind: 'need_staff' })
    for (let i = 0; i < 220; i++) {
      await control.report({ incident_id: `i-${i}`, kind: 'equipment' })
      await control.act(`i-${i}`, { action: 'resolve' })
    }
    const seen = incidentsOf(['a'], control.deps)
    assert.deepEqual([seen.length, seen[0]?.incident_id, seen[1]?.incident_id], [200, 'first', 'i-219'])
  })
})

describe('any sequence of actions by two operators', () => {
  openControlForEach()

  const action = fc.constantFrom<IncidentAction>('acknowledge', 'assign', 'resolve', 'cancel')
  const step = fc.record({
    actor: fc.constantFrom('Rui', 'Ana'),
    incident: fc.constantFrom('i-1', 'i-2'),
    action,
    /** Looks at the board first, or acts on what was seen then; null acts whatever there is. */
    sees: fc.constantFrom('now', 'then', null),
    together: fc.boolean(),
  })

  it('keeps every incident legal, and the journal explains the tables', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        using room = await Control.open({ now: NOON })
        const seen = new Map<string, number>()
        for (const incident_id of ['i-1', 'i-2']) await room.report({ incident_id })
        const waiting: Promise<unknown>[] = []
        for (const { actor, incident, action, sees, together } of steps) {
          const current = findIncident(incident, room.deps)?.version ?? assert.fail()
          if (sees === 'now') seen.set(`${actor}/${incident}`, current)
          const acted = room.act(incident, {
            action,
            actor,
            reason: 'r',
            ...(action === 'assign' && { assignee: `${actor}'s team` }),
            ...(sees !== null && { version: seen.get(`${actor}/${incident}`) ?? current }),
          })
          waiting.push(acted.catch((error) => assert.ok(refused('conflict')(error), error)))
          if (!together) await Promise.all(waiting)
        }
        await Promise.all(waiting)

        const { told, taken } = stateByJournal(room.desk.journal() as unknown as JournalFact[])
        const { drizzle } = room.desk.deps.ledger.db
        const rows = drizzle.select().from(incidents).all()
        assert.deepEqual(
          new Map(rows.map(({ id, state, version, assignee, entry }) => [id, { state, version, assignee, entry }])),
          told,
        )
        assert.deepEqual(drizzle.select().from(incidentActions).orderBy(asc(incidentActions.entry)).all(), taken)
      }),
      runs(20, 1000),
    )
  })

  type JournalFact = EntryFields<'incident' | 'incident_action'>

  /** The two tables as the journal alone tells them. */
  function stateByJournal(journal: readonly JournalFact[]) {
    const told = new Map<string, { state: IncidentState; version: number; assignee: string | null; entry: number }>()
    const taken: (typeof incidentActions.$inferSelect)[] = []
    for (const entry of journal) {
      const { hlc, index } = entry
      if (entry.kind === 'incident') {
        told.set(entry.incident, { state: 'open', version: 1, assignee: null, entry: index })
        continue
      }
      const { incident, action, actor, assignee, reason, at, from, to, version } = entry
      const before = told.get(incident) ?? assert.fail()
      assert.deepEqual([from, to, version], [before.state, next(before.state, action), before.version + 1])
      told.set(incident, { state: to, version, assignee: assignee ?? before.assignee, entry: index })
      taken.push({ incident, version, action, actor, assignee, reason, at: Date.parse(at), hlc, entry: index })
    }
    return { told, taken }
  }
})
