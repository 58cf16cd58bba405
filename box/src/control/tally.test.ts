import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { format } from '@gatehouse/proto/hlc.ts'
import fc from 'fast-check'
import { TEST_EVENT } from '../../test/world/event.ts'
import { type Entry, type EntryKind, entryOf } from '../ledger/entries.ts'
import type { Fact } from '../ledger/facts.ts'
import { countEntry } from './count-entry.ts'
import { newTally, snapshotOf, type Tally, tallyFrom } from './tally.ts'

/** Entries of any shape: an earlier version, or another box, may have written them. */
type Fields = { readonly [name: string]: unknown }

const NOON = Date.parse('2026-07-04T12:00:00Z')
const iso = (ms: number) => new Date(ms).toISOString()

/** A journal of these facts, a second apart. */
function journalOf(facts: readonly (readonly [EntryKind, Fields])[]): Entry[] {
  return facts.map(([kind, fields], index) => {
    const hlc = format({ ms: NOON + index * 1000, count: 0 })
    const at = iso(NOON + index * 1000)
    return entryOf({ index, hlc, kind, bytes: Buffer.from(canonicalJson({ at, ...fields, hlc, index, kind })) })
  })
}

function tallyOf(entries: readonly Entry[]): Tally {
  const tally = newTally()
  for (const entry of entries) countEntry(tally, entry)
  return tally
}

const EVENT = ['event', { box: 'b', event: JSON.parse(JSON.stringify(TEST_EVENT)) }] as const
const scan = (more: Fields = {}) =>
  [
    'scan',
    {
      checkpoint: 'a-in',
      device: 'd',
      direction: 'in',
      verdict: 'ADMIT',
      occurrence: 1,
      scan_id: 's',
      observed_at: iso(NOON),
      device_hlc: format({ ms: NOON, count: 0 }),
      offline_admitted: false,
      slot: '/zone/arena',
      surplus: 0,
      ticket: 't',
      tier: 'once',
      code: null,
      confidence: 'confirmed',
      ...more,
    },
  ] as const
const refusal = (verdict: string, more: Fields = {}) => scan({ verdict, slot: null, surplus: null, ...more })
const out = (more: Fields = {}) =>
  scan({ checkpoint: 'a-out', direction: 'out', verdict: 'EXIT', slot: '/exit/s', ...more })
const undo = (more: Fields = {}) =>
  ['undo', { ...scan()[1], occurrence: 0, supervised: false, undone: 1, actor: 'a', reason: 'r', ...more }] as const
const supervised = (more: Fields = {}) => ['supervisor_admit', { ...scan()[1], occurrence: 2, ...more }] as const

describe('a tally', () => {
  it('moves people between zones by where the checkpoint leads, both ways alike', () => {
    const upstairs = { checkpoint: 'v-in', tier: 'vip', occurrence: 2 }
    const down = { checkpoint: 'v-out', direction: 'out', slot: '/exit/x' }
    const zones = (...facts: (readonly [EntryKind, Fields])[]) =>
      Object.fromEntries(tallyOf(journalOf([EVENT, ...facts])).zones)
    assert.deepEqual(zones(scan(), scan()), { arena: 2 })
    assert.deepEqual(zones(scan(), scan(upstairs)), { arena: 0, lounge: 1 })
    assert.deepEqual(zones(scan(), scan(upstairs), scan(down)), { arena: 1, lounge: 0 })
    assert.deepEqual(zones(scan(), out()), { arena: 0 })
    assert.deepEqual(zones(out(), scan(), scan()), { arena: 1 }, 'who left uncounted is not forgotten')
    assert.deepEqual(zones(scan(), undo()), { arena: 0 })
    assert.deepEqual(zones(supervised()), { arena: 1 })
    assert.deepEqual(zones(refusal('UNKNOWN'), refusal('ALREADY_USED')), {})
    const alone = { offline_admitted: true, slot: null, ticket: null, tier: null, occurrence: null, verdict: 'UNKNOWN' }
    assert.deepEqual(zones(scan(alone)), { arena: 1 }, 'a code without a ticket, whose holder is inside')
  })

  it('takes a checkpoint for what it was when people passed it', () => {
    const moved = JSON.parse(JSON.stringify(TEST_EVENT)) as typeof TEST_EVENT
    const event = {
      ...moved,
      checkpoints: moved.checkpoints.map((c) => (c.id === 'a-in' ? { ...c, to: 'lounge' } : c)),
    }
    const { zones } = tallyOf(
      journalOf([EVENT, scan(), ['event', { box: 'b', event: event as unknown as Fields }], scan()]),
    )
    assert.deepEqual(Object.fromEntries(zones), { arena: 1, lounge: 1 })
    const gone = { ...event, checkpoints: [] } as unknown as Fields
    const takenBack = tallyOf(journalOf([EVENT, scan(), ['event', { box: 'b', event: gone }], undo()]))
    assert.equal(takenBack.zones.get('arena'), 0)
  })

  it('counts verdicts by gate, tickets once, and passages by what they were', () => {
    const tally = tallyOf(
      journalOf([
        EVENT,
        ...[scan(), scan({ occurrence: 2 }), refusal('ALREADY_USED', { checkpoint: 'b-in' }), out()],
        scan({ offline_admitted: true, verdict: 'ALREADY_USED', occurrence: 3 }),
        ...[supervised({ ticket: 'u', occurrence: 1, tier: 'vip' }), scan({ ticket: 'w', tier: 'crew' })],
        undo({ ticket: 'w', tier: 'crew' }),
      ]),
    )
    assert.deepEqual(Object.fromEntries(tally.verdicts), { ADMIT: 3, ALREADY_USED: 2, EXIT: 1 })
    assert.deepEqual(Object.fromEntries(tally.gateVerdicts.get('b') ?? []), { ALREADY_USED: 1 })
    assert.deepEqual(Object.fromEntries(tally.admitted), { once: 1, vip: 1, crew: 0 })
    const { admissions, exits, offline, supervised: by, undone } = tally
    assert.deepEqual(
      { admissions, exits, offline, by, undone },
      { admissions: 4, exits: 1, offline: 1, by: 1, undone: 1 },
    )
  })

  it('knows each device by its last scan, and its clock by the last that was sent at once', () => {
    const ahead = format({ ms: NOON + 1000 + 500, count: 0 })
    const hour = format({ ms: NOON - 3_600_000, count: 0 })
    const journal = [
      EVENT,
      scan({ device_hlc: ahead }),
      refusal('UNKNOWN', { device_hlc: hour, offline_admitted: true }),
    ]
    const tally = tallyOf(journalOf([...journal, scan({ device: 'e', device_hlc: 'nonsense', checkpoint: 'b-in' })]))
    const d = tally.devices.get('d')
    assert.deepEqual([d?.scans, d?.offsetMs, d?.lastAt, d?.checkpoint], [2, 500, NOON + 2000, 'a-in'])
    assert.deepEqual([tally.devices.get('e')?.offsetMs, tally.devices.get('e')?.checkpoint], [null, 'b-in'])
  })

  it('knows a device that never scanned by what was decided with it', () => {
    const entries = journalOf([EVENT, supervised({ device: 's', checkpoint: 'b-in' }), undo({ device: 'u' })])
    const { devices } = tallyOf(entries)
    const last = (id: string) => [devices.get(id)?.scans, devices.get(id)?.lastAt, devices.get(id)?.checkpoint]
    assert.deepEqual(last('s'), [0, NOON + 1000, 'b-in'])
    assert.deepEqual(last('u'), [0, NOON + 2000, 'a-in'])
  })

  it('follows flags and incidents, whatever their ids', () => {
    const flag = (id: string, kind = 'double_use', scans = ['s']) =>
      ['flag', { flag: id, flag_kind: kind, scans, ticket: 't' }] as const
    const resolved = (id: string) => ['flag_resolved', { flag: id, flag_kind: 'double_use' }] as const
    const act = (incident: string, action: string) => ['incident_action', { incident, action }] as const
    const tally = tallyOf(
      journalOf([
        ...[flag('a'), flag('a'), flag('b'), flag('c', 'clock_skew'), resolved('a'), resolved('a')],
        // Another record: it is open again.
        ...[flag('a', 'double_use', ['s', 't']), resolved('nobody'), flag('d', 'clock_skew'), resolved('d')],
        ['incident', { incident: '__proto__' }],
        ['incident', { incident: 'constructor' }],
        ...[act('__proto__', 'acknowledge'), act('constructor', 'cancel'), act('__proto__', 'resolve')],
        ...[act('nobody', 'resolve'), act('__proto__', 'dance')],
      ]),
    )
    assert.deepEqual(Object.fromEntries(tally.openFlags), { double_use: 2, clock_skew: 1 })
    assert.deepEqual(Object.fromEntries(tally.resolvedFlags), { double_use: 0, clock_skew: 1 })
    assert.deepEqual(
      [...tally.incidents.values()].map(({ state, reportedAt, answeredAt, resolvedAt }) => [
        ...[state, answeredAt && answeredAt - (reportedAt ?? 0), resolvedAt && resolvedAt - (reportedAt ?? 0)],
      ]),
      [
        ['resolved', 2000, 4000],
        ['cancelled', null, null],
        // Not reported here yet.
        ['resolved', NOON + 15_000, NOON + 15_000],
      ],
    )
  })

  it('takes what another box tells, moves nobody twice, and no ticket to its first admission twice', () => {
    const [event, own, heard] = journalOf([EVENT, scan(), ['heard', { box: 'box-2', from: 0, to: 4 }]])
    assert.ok(event && own && heard)
    const told = (more: Fields, marks: Partial<Fact> = {}): Fact =>
      Object.assign(entryOf(journalOf([scan({ ...more, device: 'e', at: iso(NOON - 60_000) })])[0] ?? assert.fail()), {
        box: 'box-2',
        index: heard.index,
        ...marks,
      })
    const tally = newTally()
    for (const entry of [event, own]) countEntry(tally, entry)
    countEntry(tally, heard, [
      told({ scan_id: 's2' }, { again: true }),
      told({ scan_id: 's3', ticket: 'u', occurrence: 2 }),
      told({ scan_id: 's' }, { known: true }),
    ])
    assert.equal(tally.size, 3)
    assert.deepEqual([tally.zones.get('arena'), tally.admissions, tally.admitted.get('once')], [3, 3, 2])
    assert.equal(tally.verdicts.get('ADMIT'), 4, 'both boxes answered')
    const minutes = tally.gateMinutes.get('a') ?? new Map()
    assert.deepEqual([minutes.get(NOON / 60_000 - 1), minutes.get(NOON / 60_000)], [2, 1], 'when it happened')
  })

  it('refuses a hole, and passes over what cannot be read', () => {
    const [event, first, second] = journalOf([EVENT, scan(), scan()])
    assert.ok(event && first && second)
    const tally = tallyOf([event])
    assert.throws(() => countEntry(tally, second), RangeError)
    countEntry(tally, entryOf({ ...first, bytes: Buffer.from('{"half') }))
    countEntry(tally, second)
    assert.deepEqual([tally.size, tally.zones.get('arena')], [3, 1])
    for (const bytes of ['null', '{}', '{"event":[]}'])
      countEntry(tally, entryOf({ ...event, index: tally.size, bytes: Buffer.from(bytes) }))
    assert.deepEqual([tally.size, tally.zones.get('arena')], [6, 1])
  })

  it('is the same from any snapshot on, as by one recount', () => {
    const checkpoint = fc.constantFrom('a-in', 'b-in', 'v-in', 'late-in', 'elsewhere')
    const fact = fc.oneof(
      fc.record({ checkpoint, occurrence: fc.integer({ min: 1, max: 3 }) }).map((more) => scan(more)),
      fc.constantFrom(out(), refusal('REVOKED'), undo(), supervised(), EVENT),
      fc
        .constantFrom('d', 'e')
        .map((device) => scan({ device, offline_admitted: true, observed_at: iso(NOON - 60_000) })),
      fc.constantFrom('f', 'g').map((flag) => ['flag', { flag, flag_kind: 'double_use', scans: ['s'] }] as const),
      fc.constantFrom('f', 'g').map((flag) => ['flag_resolved', { flag }] as const),
      fc.constantFrom('i', 'j').map((incident) => ['incident', { incident }] as const),
      fc.constantFrom('i', 'j').map((incident) => ['incident_action', { incident, action: 'resolve' }] as const),
    )
    fc.assert(
      fc.property(fc.array(fact, { maxLength: 60 }), fc.array(fc.nat(60), { maxLength: 6 }), (facts, cuts) => {
        const entries = journalOf([EVENT, ...facts])
        let tally = newTally()
        for (const entry of entries) {
          if (cuts.includes(entry.index)) tally = tallyFrom(snapshotOf(tally)) ?? assert.fail('an unreadable snapshot')
          countEntry(tally, entry)
        }
        assert.deepEqual(tally, tallyOf(entries))
      }),
    )
  })

  it('is not read from a snapshot of another version, or of nothing', () => {
    const whole = snapshotOf(tallyOf(journalOf([EVENT, scan()])))
    assert.ok(tallyFrom(whole))
    const { version, tally } = JSON.parse(whole)
    const { zones: _, ...holed } = tally
    const others = [{ version: version + 1, tally }, { version, tally: holed }, { version }, { tally }, null, [], 'x']
    for (const text of [...others.map((other) => JSON.stringify(other)), '', '{', whole.slice(0, -9)]) {
      assert.equal(tallyFrom(text), undefined, text.slice(0, 40))
    }
  })

  it('is as large as the event, and not as the crowd', () => {
    // Over the same five hours, whatever their number.
    const at = (i: number, n: number) => iso(NOON + Math.floor((i / n) * 5 * 3_600_000))
    const crowd = (n: number) =>
      journalOf([EVENT, ...Array.from({ length: n }, (_, i) => scan({ ticket: `t${i}`, at: at(i, n) }))])
    const [few, many] = [3600, 18_000].map((n) => snapshotOf(tallyOf(crowd(n))).length)
    assert.ok((many ?? 0) < (few ?? 0) * 1.1, `${few} and ${many} bytes`)
  })
})
