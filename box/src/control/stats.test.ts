import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { format } from '@gatehouse/proto/hlc.ts'
import { Stats } from '@gatehouse/proto/wire/stats.ts'
import { Ajv } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { TEST_EVENT } from '../../test/world/event.ts'
import type { Device } from '../ca/roster.ts'
import { parseEvent } from '../event/event.ts'
import { type EntryKind, entryOf } from '../ledger/entries.ts'
import { countEntry } from './count-entry.ts'
import { type StatsSources, statsOf } from './stats.ts'
import { newTally, type Tally } from './tally.ts'

/** Appends without a check of the shape: an earlier version, or another box, may have written such an entry. */
type Fields = { readonly [name: string]: unknown }

const NOON = Date.parse('2026-07-04T12:00:00Z')
const MINUTE = 60_000
const iso = (ms: number) => new Date(ms).toISOString()
const parsed = parseEvent(TEST_EVENT)
const event = 'event' in parsed ? parsed.event : assert.fail()
const { publicKey } = generateKeyPairSync('ed25519')

const device = (id: string, more: Partial<Device> = {}): Device => ({
  id,
  name: `Scanner ${id}`,
  checkpoints: new Set(['a-in']),
  fingerprint: '',
  tokenHash: '',
  publicKey,
  enrolledAt: NOON - 60 * MINUTE,
  expiresAt: NOON * 2,
  revokedAt: null,
  revokedReason: null,
  supervisor: false,
  app: null,
  ...more,
})

/** A tally of these facts, the first at noon, `everyMs` apart. */
function tallyOf(facts: Iterable<readonly [EntryKind, Fields]>, everyMs = 1000): Tally {
  const tally = newTally()
  const definition = JSON.parse(JSON.stringify(TEST_EVENT))
  let index = 0
  for (const [kind, fields] of [['event', { event: definition }] as const, ...facts]) {
    const ms = NOON + (index - 1) * everyMs
    const hlc = format({ ms: Math.max(0, ms), count: 0 })
    const bytes = Buffer.from(
      canonicalJson({ at: iso(ms), observed_at: iso(ms), device_hlc: hlc, ...fields, hlc, index, kind }),
    )
    countEntry(tally, entryOf({ index: index++, hlc, kind, bytes }))
  }
  return tally
}

const scan = (more: Fields = {}) =>
  [
    'scan',
    {
      checkpoint: 'a-in',
      device: 'd',
      direction: 'in',
      verdict: 'ADMIT',
      occurrence: 1,
      offline_admitted: false,
      slot: 's',
      ticket: 't',
      tier: 'once',
      ...more,
    },
  ] as const

function sources(more: Partial<StatsSources> = {}): StatsSources {
  return {
    event,
    tally: newTally(),
    sold: new Map(),
    devices: [],
    mode: 'STRICT' as const,
    hlc: '1.0',
    now: NOON,
    presence: { lastContact: () => undefined, statusOf: () => undefined },
    holdAt: () => null,
    seal: { newest: undefined, refusal: null },
    shop: undefined,
    ...more,
  }
}

describe('the statistics', () => {
  it('are of the form that the API document says, full and empty', () => {
    const ajv = new Ajv({ strict: true, formats: { 'date-time': fullFormats['date-time'] } })
    const fits = ajv.compile(Stats)
    const act = (to: string) => ['incident_action', { incident: 'i', to }] as const
    const tally = tallyOf([
      scan(),
      ['flag', { flag: 'f', flag_kind: 'double_use' }],
      ['incident', { incident: 'i' }],
      act('resolved'),
    ])
    const told = { unsent: 3, appVersion: '1', battery: 0.5, checkpoint: 'a-in', offsetMs: -20 }
    const presence = { lastContact: () => NOON, statusOf: () => told }
    const holdAt = (gate: string) => (gate === 'a' ? { gate, reason: 'crush', expires_at: null } : null)
    const shop = { connected: true, lag_seconds: 0, problems: 2 }
    const wrongTokens = { count: 3, last_at: '2026-07-01T12:00:00.000Z', last_address: '192.0.2.7' }
    const full = statsOf(
      sources({ tally, wrongTokens, presence, holdAt, shop, sold: new Map([['once', 7]]), devices: [device('d')] }),
    )
    for (const stats of [statsOf(sources()), full]) {
      assert.ok(fits(JSON.parse(JSON.stringify(stats))), JSON.stringify(fits.errors))
    }
    assert.equal(full.time_zone, sources().event.timezone)
    assert.deepEqual(full.shop, shop)
    assert.deepEqual(full.wrong_tokens, wrongTokens)
    assert.equal('wrong_tokens' in statsOf(sources()), false)
    assert.equal('shop' in statsOf(sources()), false)
    assert.deepEqual(
      full.gates.map(({ hold }) => hold?.reason),
      ['crush', undefined, undefined],
    )
  })

  it('know when a scanner was heard: now, by its last scan, or by its enrolment', () => {
    const tally = tallyOf([scan({ device: 'scanned' })])
    const presence = {
      lastContact: (id: string) => (id === 'here' ? NOON - 1000 : undefined),
      statusOf: () => undefined,
    }
    const gone = device('gone', { revokedAt: NOON, revokedReason: 'lost' })
    const devices = [device('here'), device('scanned'), device('new'), gone]
    const { scanners } = statsOf(sources({ tally, presence, devices, now: NOON + 20_000 }))
    assert.deepEqual(
      scanners.map(({ last_seen, state, checkpoint, scans }) => [last_seen, state, checkpoint, scans]),
      [
        [iso(NOON - 1000), 'quiet', null, 0],
        [iso(NOON), 'quiet', 'a-in', 1],
        [iso(NOON - 60 * MINUTE), 'lost', null, 0],
        [iso(NOON - 60 * MINUTE), 'revoked', null, 0],
      ],
    )
  })

  it('never call a device lost, and guess nothing of it, that a person has only scanned with by hand', () => {
    const at = (id: string, device_hlc: string) => scan({ device: id, device_hlc })
    const reports = { unsent: 0, appVersion: null, battery: null, checkpoint: null, offsetMs: null }
    const presence = {
      lastContact: () => undefined,
      statusOf: (id: string) => (id === 'reports' ? reports : undefined),
    }
    const tally = tallyOf([
      ...[at('hand', '0.0'), at('hand', '0.0'), at('reports', '0.0'), at('scanner', `${NOON}.0`)],
      ...[at('later', '0.0'), at('later', `${NOON}.0`), at('before', `${NOON}.0`), at('before', '0.0')],
    ])
    const devices = ['hand', 'reports', 'scanner', 'later', 'before'].map((id) => device(id))
    const { scanners } = statsOf(sources({ tally, presence, devices, now: NOON + 60 * MINUTE }))
    assert.deepEqual(
      scanners.map(({ device_id, state }) => [device_id, state]),
      [['hand', 'quiet'], ...['reports', 'scanner', 'later', 'before'].map((id) => [id, 'lost'])],
    )
  })

  it('go by what its own box last said of a scanner, as long as that box is heard', () => {
    const tally = newTally()
    tally.devices.set('there', {
      scans: 3,
      lastAt: NOON,
      checkpoint: 'a-in',
      offsetMs: null,
      passages: new Map([[NOON / MINUTE, 30]]),
      box: 'box-2',
    })
    const mesh = (heard: boolean) => ({
      mode: 'STRICT' as const,
      since: iso(NOON),
      reason: '',
      forced: false,
      epoch: 1,
      unconfirmed: 0,
      boxes: [
        {
          box_id: 'box-2',
          name: 'North',
          self: false,
          role: 'core' as const,
          url: null,
          device_url: null,
          heard,
          last_heard: iso(NOON + 30_000),
          behind: 0,
        },
      ],
    })
    const at = (heard: boolean) =>
      statsOf(sources({ tally, devices: [device('there')], mesh: mesh(heard), now: NOON + 50_000 }))
    assert.deepEqual([at(true).scanners[0]?.state, at(true).zones[0]?.uncertain], ['live', 0])
    assert.deepEqual([at(false).scanners[0]?.state, at(false).zones[0]?.uncertain], ['quiet', 10])
  })

  it('give medians of the incidents that were answered and resolved, and null for none', () => {
    const incident = (id: string) => ['incident', { incident: id }] as const
    const act = (id: string, action: string) => ['incident_action', { incident: id, action }] as const
    const response = (...facts: (readonly [EntryKind, Fields])[]) =>
      statsOf(sources({ tally: tallyOf(facts) })).response
    assert.deepEqual(response(incident('a')), { median_ack_seconds: null, median_resolve_seconds: null })
    // a: answered after 2 s; b: after 2 s, and resolved after 3 s.
    const two = [incident('a'), incident('b'), act('a', 'acknowledge'), act('b', 'assign'), act('b', 'resolve')]
    assert.deepEqual(response(...two), { median_ack_seconds: 2, median_resolve_seconds: 3 })
    // c: resolved at once, after 1 s, which is its answer too; d was cancelled.
    const four = [...two, incident('c'), act('c', 'resolve'), incident('d'), act('d', 'cancel')]
    assert.deepEqual(response(...four), { median_ack_seconds: 2, median_resolve_seconds: 2 })
  })

  it('never say that fewer than nobody are inside', () => {
    const out = scan({ checkpoint: 'a-out', direction: 'out', verdict: 'EXIT' })
    const { zones } = statsOf(sources({ tally: tallyOf([out, out, scan()]) }))
    assert.deepEqual(
      zones.map(({ occupancy, occupancy_min }) => [occupancy, occupancy_min]),
      [
        [0, 0],
        [0, 0],
      ],
    )
  })

  it('take no more work for a hundred times as many people', () => {
    /** Counts the reads of a tally, down to its last number. */
    const reads = (people: number) => {
      let read = 0
      const watch = <T extends object>(value: T): T =>
        new Proxy(value, {
          get(target, key) {
            read++
            const found = Reflect.get(target, key)
            if (typeof found === 'function') return (...args: unknown[]) => found.apply(target, args)
            return typeof found === 'object' && found !== null ? watch(found) : found
          },
        })
      const crowd = Array.from({ length: people }, (_, i) => scan({ ticket: `t${i}`, device: `d${i % 10}` }))
      const devices = Array.from({ length: 10 }, (_, i) => device(`d${i}`))
      const tally = watch(tallyOf(crowd, MINUTE / 10))
      statsOf(sources({ tally, devices, now: NOON + (people * MINUTE) / 10 }))
      return read
    }
    assert.equal(reads(60_000), reads(600))
  })
})
