import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import fc from 'fast-check'
import { TEST_EVENT } from '../../../test/world/event.ts'
import { type EntryKind, entryOf } from '../../ledger/entries.ts'
import { ReportFold } from './fold.ts'
import type { Report } from './shape.ts'

const START = Date.parse('2026-07-17T18:50:00+01:00')
const COVER = {
  origin: 'gatehouse/test-fair/box-1',
  software: 'gatehouse/0',
  made_at: '2026-07-18T00:00:00.000Z',
  seals: [],
}

interface Fact {
  kind: EntryKind
  [field: string]: unknown
}

/** Folds facts, a minute apart, after an entry that tells the event. */
function reportOf(facts: readonly Fact[], event: object = TEST_EVENT): Report {
  const fold = new ReportFold({ several: false })
  const all: Fact[] = [{ kind: 'event', box: 'box-1', event }, ...facts]
  for (const [index, { kind, ...fields }] of all.entries()) {
    const hlc = `${START + index * 60_000}.000000`
    const at = new Date(START + index * 60_000).toISOString()
    const bytes = Buffer.from(canonicalJson({ at, hlc, ...fields, index, kind }))
    fold.add(entryOf({ index, hlc, kind, bytes }))
  }
  return fold.report(COVER)
}

function scanOf(more: Partial<Fact>): Fact {
  return {
    kind: 'scan',
    checkpoint: 'a-in',
    code: null,
    confidence: 'confirmed',
    device: 'd',
    device_hlc: '1.1',
    direction: 'in',
    observed_at: '2026-07-17T18:00:00Z',
    occurrence: 1,
    offline_admitted: false,
    scan_id: 's',
    slot: 'arena',
    surplus: 0,
    ticket: 't1',
    tier: 'once',
    verdict: 'ADMIT',
    ...more,
  }
}

describe('the attendance report', () => {
  /** Actions at gates, from which the journal is written and the totals are counted by hand. */
  interface Act {
    what: 'enter' | 'leave' | 'refused' | 'alone' | 'alone unknown' | 'supervised' | 'undo'
    checkpoint: string
    ticket: number
  }
  const act: fc.Arbitrary<Act> = fc.record({
    what: fc.constantFrom('enter', 'leave', 'refused', 'alone', 'alone unknown', 'supervised', 'undo'),
    checkpoint: fc.constantFrom('a-in', 'b-in', 'v-in'),
    ticket: fc.nat({ max: 5 }),
  })
  const out: Record<string, string> = { 'a-in': 'a-out', 'b-in': 'a-out', 'v-in': 'v-out' }
  const tierOf = (ticket: number) => ['once', 'vip', 'crew'][ticket % 3] ?? ''

  it('has the totals that a person counts from what happened', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
        const admissions = new Map<number, number>()
        const passages: { way: string; people: number; tier: string | null; ticket: number | null }[] = []
        const facts: Fact[] = []
        const answers: string[] = []
        let supervised = 0
        for (const { what, checkpoint, ticket } of acts) {
          const before = admissions.get(ticket) ?? 0
          const known = { ticket: `t${ticket}`, tier: tierOf(ticket), checkpoint, surplus: 0, slot: 'x' }
          if (what === 'undo') {
            if (before === 0) continue
            admissions.set(ticket, before - 1)
            facts.push({
              ...known,
              kind: 'undo',
              direction: 'in',
              device: 'd',
              occurrence: before - 1,
              supervised: false,
            })
            Object.assign(facts.at(-1) ?? {}, { actor: 'A', reason: 'r', scan_id: 's' })
            passages.push({ way: checkpoint, people: -1, tier: tierOf(ticket), ticket })
            continue
          }
          if (what === 'leave') {
            const way = out[checkpoint] ?? ''
            facts.push(scanOf({ ...known, checkpoint: way, direction: 'out', occurrence: before, verdict: 'EXIT' }))
            answers.push('EXIT')
            passages.push({ way, people: 1, tier: null, ticket: null })
            continue
          }
          if (what === 'refused') {
            facts.push(scanOf({ ...known, slot: null, occurrence: before, verdict: 'BLOCKED' }))
            answers.push('BLOCKED')
            continue
          }
          if (what === 'alone unknown') {
            const nobody = { ticket: null, tier: null, slot: null, occurrence: null, verdict: 'UNKNOWN' }
            facts.push(scanOf({ checkpoint, ...nobody, offline_admitted: true }))
            answers.push('UNKNOWN')
            passages.push({ way: checkpoint, people: 1, tier: null, ticket: null })
            continue
          }
          admissions.set(ticket, before + 1)
          passages.push({ way: checkpoint, people: 1, tier: tierOf(ticket), ticket })
          if (what === 'supervised') {
            supervised++
            facts.push({ ...known, kind: 'supervisor_admit', direction: 'in', device: 'd', occurrence: before + 1 })
            Object.assign(facts.at(-1) ?? {}, { actor: 'A', reason: 'r', scan_id: 's', verdict: 'BLOCKED' })
          } else {
            facts.push(scanOf({ ...known, occurrence: before + 1, offline_admitted: what === 'alone' }))
            answers.push('ADMIT')
          }
        }
        const report = reportOf(facts)
        const people = (...ways: string[]) =>
          passages.filter(({ way }) => ways.includes(way)).reduce((sum, passage) => sum + passage.people, 0)
        const inside = [...admissions].filter(([, count]) => count > 0)
        assert.deepEqual(report.people, {
          arrived: people('a-in', 'b-in'),
          left: people('a-out'),
          inside: people('a-in', 'b-in') - people('a-out'),
          tickets: inside.length,
          without_ticket: acts.filter(({ what }) => what === 'alone unknown').length,
        })
        assert.deepEqual(report.zones, [
          {
            id: 'arena',
            name: 'Arena',
            capacity: 5000,
            in: people('a-in', 'b-in', 'v-out'),
            out: people('a-out', 'v-in'),
            inside: people('a-in', 'b-in', 'v-out') - people('a-out', 'v-in'),
          },
          {
            id: 'lounge',
            name: 'Lounge',
            capacity: 100,
            in: people('v-in'),
            out: people('v-out'),
            inside: people('v-in') - people('v-out'),
          },
        ])
        for (const tier of report.tiers) {
          const ofTier = passages.filter((passage) => passage.tier === tier.id)
          assert.equal(
            tier.admissions,
            ofTier.reduce((sum, passage) => sum + passage.people, 0),
          )
          assert.equal(tier.tickets, inside.filter(([ticket]) => tierOf(ticket) === tier.id).length)
        }
        for (const row of report.checkpoints) assert.equal(row.people, people(row.id))
        assert.deepEqual(
          report.gates.map((gate) => [gate.id, gate.in, gate.out]),
          [
            ['a', people('a-in'), people('a-out')],
            ['b', people('b-in'), 0],
            ['v', people('v-in'), people('v-out')],
          ],
        )
        const verdicts: Record<string, number> = {}
        for (const answer of answers) verdicts[answer] = (verdicts[answer] ?? 0) + 1
        assert.deepEqual({ ...report.verdicts }, verdicts)
        assert.equal(report.overrides.filter(({ kind }) => kind === 'supervisor_admit').length, supervised)
        const sum = (name: 'in' | 'out' | 'tickets') => report.hours.reduce((total, hour) => total + hour[name], 0)
        assert.deepEqual(
          [sum('in'), sum('out'), sum('tickets')],
          [people('a-in', 'b-in', 'v-in'), people('a-out', 'v-out'), inside.length],
        )
        assert.equal(report.entries, facts.length + 1)
        // The signed form is canonical: whole numbers, and nothing that is absent.
        const text = canonicalJson(report)
        assert.doesNotMatch(text, /:null|[0-9]\.[0-9]+[,}]/)
        assert.equal(canonicalJson(reportOf(facts)), text)
      }),
      { numRuns: 200 },
    )
  })

  it('counts a passage in the hour in which the person stood there, not in which the box heard of it', () => {
    const { hours, offline } = reportOf([
      scanOf({ offline_admitted: true, observed_at: '2026-07-17T15:10:00+01:00' }),
      scanOf({ checkpoint: 'a-out', direction: 'out', verdict: 'EXIT' }),
    ])
    assert.deepEqual(hours, [
      { from: '2026-07-17T15:00+01:00', in: 1, out: 0, tickets: 1 },
      { from: '2026-07-17T18:00+01:00', in: 0, out: 1, tickets: 0 },
    ])
    assert.deepEqual(offline, { in: 1, out: 0 })
  })

  it('keeps what has left the event file, under the name that it had', () => {
    const renamed = {
      ...TEST_EVENT,
      name: 'Test Fair, moved',
      zones: [{ id: 'arena', name: 'Great arena', capacity: 6000 }],
      checkpoints: TEST_EVENT.checkpoints.filter(({ gate }) => gate !== 'v'),
    }
    const report = reportOf([
      scanOf({ checkpoint: 'v-in' }),
      { kind: 'event', box: 'box-1', event: renamed },
      scanOf({ occurrence: 2 }),
    ])
    assert.equal(report.event.name, 'Test Fair, moved')
    assert.deepEqual(
      report.zones.map(({ name, capacity, inside }) => [name, capacity, inside]),
      [
        ['Great arena', 6000, 0],
        ['Lounge', 100, 1],
      ],
    )
    assert.deepEqual(report.checkpoints.find(({ id }) => id === 'v-in')?.people, 1)
  })

  it('opens a flag again when it gains a scan, and forgets no resolution', () => {
    const flag = { kind: 'flag' as const, flag: 'f1', flag_kind: 'double_use', device: null, ticket: 't1' }
    const resolved = { kind: 'flag_resolved' as const, flag: 'f1', actor: 'Ana', resolution: 'same_person' }
    const once = reportOf([{ ...flag, scans: ['1', '2'] }, resolved]).flags
    assert.deepEqual(once, [
      {
        flag: 'f1',
        kind: 'double_use',
        opened_at: '2026-07-17T17:51:00.000Z',
        ticket: 't1',
        scans: ['1', '2'],
        resolutions: [{ resolution: 'same_person', actor: 'Ana', at: '2026-07-17T17:52:00.000Z' }],
        state: 'resolved',
      },
    ])
    const [again] = reportOf([{ ...flag, scans: ['1', '2'] }, resolved, { ...flag, scans: ['1', '2', '3'] }]).flags
    assert.deepEqual([again?.state, again?.scans.length, again?.resolutions.length], ['open', 3, 1])
  })

  it('tells how long incidents waited: for whoever took them on, not for whoever cancelled', () => {
    const incident = {
      kind: 'incident' as const,
      incident: 'i1',
      incident_kind: 'medical',
      checkpoint: 'a-in',
      gate: 'a',
      zone: 'arena',
      device: 'd',
      note_hash: null,
      occupancy: 1,
      queue: null,
      queue_rate_per_min: 1.5,
    }
    const action = (name: string, to: string, more: object = {}): Fact => ({
      kind: 'incident_action',
      incident: 'i1',
      action: name,
      to,
      from: 'open',
      actor: 'Ana',
      assignee: null,
      reason: null,
      version: 2,
      ...more,
    })
    const [taken] = reportOf([
      incident,
      action('assign', 'assigned', { assignee: 'Team 4' }),
      action('resolve', 'resolved'),
    ]).incidents
    assert.deepEqual([taken?.state, taken?.acknowledged_after, taken?.resolved_after], ['resolved', 60, 120])
    assert.deepEqual(taken?.actions[0], {
      action: 'assign',
      actor: 'Ana',
      assignee: 'Team 4',
      at: '2026-07-17T17:52:00.000Z',
    })
    const [cancelled] = reportOf([incident, action('cancel', 'cancelled', { reason: 'a drill' })]).incidents
    assert.deepEqual(
      [cancelled?.state, cancelled?.acknowledged_after, cancelled?.resolved_after],
      ['cancelled', undefined, undefined],
    )
    // A clock that was set back in between is no reason for a negative wait.
    const [early] = reportOf([
      incident,
      action('acknowledge', 'acknowledged', { at: '2026-07-17T10:00:00.000Z' }),
    ]).incidents
    assert.equal(early?.acknowledged_after, 0)
  })

  it('loses nothing of a case that another box acted on and was heard first', () => {
    const incident = {
      kind: 'incident' as const,
      incident: 'i1',
      incident_kind: 'medical',
      checkpoint: 'a-in',
      gate: 'a',
      zone: 'arena',
      device: 'd',
      note_hash: null,
      occupancy: 1,
      queue: null,
      queue_rate_per_min: 1.5,
    }
    const act = (action: string, to: string, more: object): Fact => ({
      kind: 'incident_action',
      incident: 'i1',
      action,
      to,
      from: 'open',
      actor: 'Ana',
      assignee: null,
      reason: null,
      version: 2,
      ...more,
    })
    const early = (minutes: number) => ({
      at: new Date(START - minutes * 60_000).toISOString(),
      hlc: `${START - minutes * 60_000}.000000`,
    })
    const { incidents, holds, flags } = reportOf([
      act('resolve', 'resolved', early(1)),
      // Somebody who did not know that it was over.
      act('acknowledge', 'acknowledged', {}),
      act('assign', 'assigned', { ...early(2), assignee: 'Team 4' }),
      { ...incident, ...early(3) },
      { kind: 'hold_released', hold: 'h1', gate: 'a', actor: 'Rui', reason: null },
      { kind: 'hold', hold: 'h1', gate: 'a', actor: 'Ana', reason: 'full', expires_at: null, replaces: null },
      {
        kind: 'flag_resolved',
        flag: 'f1',
        flag_kind: 'double_use',
        actor: 'Ana',
        resolution: 'fraud',
        scans: ['1', '2'],
      },
      { kind: 'flag', flag: 'f1', flag_kind: 'double_use', device: null, ticket: 't1', scans: ['2'] },
    ])
    assert.deepEqual(
      incidents.map(({ state, acknowledged_after, resolved_after, actions }) => [
        state,
        acknowledged_after,
        resolved_after,
        actions.map(({ action }) => action),
      ]),
      [['resolved', 60, 120, ['assign', 'resolve', 'acknowledge']]],
    )
    assert.deepEqual([holds[0]?.reason, holds[0]?.released_by], ['full', 'Rui'])
    assert.deepEqual([flags[0]?.state, flags[0]?.scans, flags[0]?.resolutions.length], ['resolved', ['1', '2'], 1])
    // A record that is not told yet is not a case.
    assert.deepEqual(reportOf([act('resolve', 'resolved', {})]).incidents, [])
  })

  it('tells from when until when each mode was in force', () => {
    const { modes } = reportOf([{ kind: 'mode', actor: 'Rui', mode: 'DEGRADED', reason: 'cable' }])
    assert.deepEqual(modes, [
      { mode: 'STRICT', from: '2026-07-17T17:50:00.000Z', until: '2026-07-17T17:51:00.000Z' },
      { mode: 'DEGRADED', from: '2026-07-17T17:51:00.000Z', actor: 'Rui', reason: 'cable' },
    ])
  })

  it('says nothing of a journal without an event', () => {
    assert.throws(() => new ReportFold({ several: false }).report(COVER), /nothing of its event/)
  })
})
