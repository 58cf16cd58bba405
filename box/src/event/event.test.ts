import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { SAID } from '@gatehouse/proto/said.ts'
import fc from 'fast-check'
import { Settings } from 'typebox/system'
import { parseEvent, readEvent } from './event.ts'
import { formatMistakes } from './mistakes.ts'
import { signOnRule } from './sign-on-rule.ts'

/** A fair with a terrace inside its arena, and with values changed: `{ 'tiers/0/name': 'Child' }`. */
function fair(changes: Record<string, unknown> = {}): unknown {
  const file = {
    id: 'fair-26',
    name: 'Fair 2026',
    timezone: 'Europe/Lisbon',
    starts_at: '2026-07-17T12:00:00+01:00',
    ends_at: '2026-07-20T02:00:00+01:00',
    tiers: [
      { id: 'day', name: 'Day ticket', colour: '#2F80ED', entry: 'once' },
      { id: 'pass', name: 'Pass', colour: '#219653', entry: 'reentry', static_code: 'never' },
    ],
    zones: [
      { id: 'arena', name: 'Arena', capacity: 8000 },
      { id: 'terrace', name: 'Terrace', capacity: 200 },
    ],
    gates: [{ id: 'north', name: 'Gate North' }],
    checkpoints: [
      { id: 'in', name: 'In', gate: 'north', direction: 'in', from: null, to: 'arena', tiers: ['day', 'pass'] },
      { id: 'out', name: 'Out', gate: 'north', direction: 'out', from: 'arena', to: null, tiers: ['day', 'pass'] },
      { id: 'up', name: 'Up', gate: 'north', direction: 'in', from: 'arena', to: 'terrace', tiers: ['day'] },
    ],
  }
  for (const [path, value] of Object.entries(changes)) put(file, path.split('/'), value)
  return file
}

/** Sets the value at a path, or takes it away when `value` is undefined. */
function put(root: object, path: readonly string[], value: unknown): void {
  const key = path.at(-1) ?? ''
  const parent = path.slice(0, -1).reduce<object>((node, step) => Reflect.get(node, step), root)
  if (value === undefined) Reflect.deleteProperty(parent, key)
  else Reflect.set(parent, key, value)
}

function eventOf(json: unknown) {
  const parsed = parseEvent(json)
  assert.ok('event' in parsed, 'mistakes' in parsed ? formatMistakes(parsed.mistakes) : '')
  return parsed.event
}

function mistakesOf(json: unknown): string[] {
  const parsed = parseEvent(json)
  return 'mistakes' in parsed ? formatMistakes(parsed.mistakes).split('\n') : []
}

/** Every mistake and doubt has codes that apps know, with the values that their sentences mention. */
function haveCodes(json: unknown): void {
  const parsed = parseEvent(json)
  for (const { message, coded = [] } of 'mistakes' in parsed ? parsed.mistakes : parsed.event.warnings) {
    assert.ok(coded.length > 0, message)
    for (const { code, values } of coded)
      assert.deepEqual(
        Object.keys(values ?? {}).sort(),
        [...{ ...SAID.mapping, ...SAID.map, ...SAID.event }[code]].sort(),
        `${code}: ${message}`,
      )
  }
}

test('who has to sign on is said whole: minutes that are few or many, and checkpoints that there are', () => {
  for (const [rule, said] of [
    [{ lock_minutes: 0 }, /^scanners_sign_on.lock_minutes: must be a whole number of minutes, 1 to 480, not 0$/],
    [{ lock_minutes: 1000 }, /lock_minutes: must be/],
    [{ lock_minuts: 5 }, /unknown field; did you mean "lock_minutes"/],
    [{ not_at: ['upp'] }, /^scanners_sign_on.not_at\[0\]: no checkpoint "upp"; did you mean "up"/],
    [true, /^scanners_sign_on: must be an object/],
  ] as const) {
    const [first = '', ...others] = mistakesOf(fair({ scanners_sign_on: rule }))
    assert.match(first, said)
    assert.deepEqual(others, [])
  }
})

describe('an event file without mistakes', () => {
  test('becomes an event that finds its parts by id, with defaults filled in', () => {
    const event = eventOf(fair())
    assert.equal(event.tierById.get('day')?.name, 'Day ticket')
    assert.equal(event.zoneById.get('arena')?.capacity, 8000)
    assert.equal(event.gateById.get('north')?.name, 'Gate North')
    assert.equal(event.scanners_see, 'none')
    assert.equal(eventOf(fair({ scanners_see: 'name' })).scanners_see, 'name')
    assert.deepEqual(eventOf(fair({ codes: ['aztec'] })).codes, ['aztec'])
    assert.equal(signOnRule(event, ['up']), undefined)
    const held = eventOf(fair({ scanners_sign_on: { not_at: ['up'] } }))
    assert.deepEqual(signOnRule(held, ['up', 'in']), { lock_minutes: 10 })
    assert.equal(signOnRule(held, ['up']), undefined, 'nobody stands there')
    assert.equal(event.checkpointById.get('up')?.from, 'arena')
    assert.equal(event.tierById.get('day')?.static_code, 'until_claimed')
    assert.equal(event.tierById.get('pass')?.static_code, 'never')
    assert.equal(event.tiers[0], event.tierById.get('day'))
    assert.equal(event.day_starts_at, '00:00')
    assert.deepEqual(event.warnings, [])
  })

  test('is not changed by being read', () => {
    const file = fair()
    eventOf(file)
    assert.deepEqual(file, fair())
  })

  test('may say when its days begin, and open an entrance weeks before', () => {
    const event = eventOf(
      fair({
        day_starts_at: '06:00',
        ends_at: '2026-07-20T01:00:00.5Z',
        'checkpoints/0/opens_at': '2026-06-20T10:00+01:00',
        'checkpoints/0/closes_at': '2026-07-21T00:00:00Z',
      }),
    )
    assert.equal(event.day_starts_at, '06:00')
  })

  test('may say how soon an incident is said again, for some kinds or none', () => {
    assert.equal(eventOf(fair()).incidents, undefined)
    assert.deepEqual(eventOf(fair({ incidents: {} })).incidents, {})
    const realert_seconds = { crush: 5, lost_child: 3600 }
    assert.deepEqual(eventOf(fair({ incidents: { realert_seconds } })).incidents, { realert_seconds })
  })

  test('is the demo', async () => {
    const event = await readEvent(fileURLToPath(new URL('../../demo', import.meta.url)))
    assert.deepEqual(event.warnings, [])
    assert.deepEqual(new Set(event.tiers.map((tier) => tier.entry)).size, 4)
  })
})

describe('a mistake is named with its place, and with what was probably meant', () => {
  const refused = {
    id: 'must be an id: small letters, digits and hyphens, 64 at most',
    name: 'must be a name on one line, 120 characters at most',
    time: 'must be a time with its UTC offset, as in "2026-07-17T16:00:00+01:00"',
    zone: 'must be an IANA time zone such as "Europe/Lisbon"',
    clock: 'must be a local time of day such as "06:00"',
    capacity: 'must be a whole number of people, 1 or more',
  }
  const cases: [changes: Record<string, unknown>, ...mistakes: string[]][] = [
    [{ id: undefined }, `id: missing: ${refused.id}`],
    [{ id: 'Fair 26' }, `id: ${refused.id}, not "Fair 26"`],
    [{ id: '-fair' }, `id: ${refused.id}, not "-fair"`],
    [{ id: 'a'.repeat(65) }, `id: ${refused.id}, not "${'a'.repeat(60)}..."`],
    [
      { incidents: { realert_seconds: { crush: 4, fire: 1.5, medical: '30', flood: 10 } } },
      'incidents.realert_seconds.crush: must be a whole number of seconds, 5 to 3600, not 4',
      'incidents.realert_seconds.fire: must be a whole number of seconds, 5 to 3600, not 1.5',
      'incidents.realert_seconds.flood: unknown field',
      'incidents.realert_seconds.medical: must be a whole number of seconds, 5 to 3600, not "30"',
    ],
    [{ incidents: 60 }, 'incidents: must be an object with "realert_seconds", not 60'],
    [{ incidents: { realert_second: {} } }, 'incidents.realert_second: unknown field; did you mean "realert_seconds"?'],
    [{ name: ' ' }, `name: ${refused.name}, not " "`],
    [{ name: 'a\u001b[2Jb' }, `name: ${refused.name}, not "a\\u001b[2Jb"`],
    [{ name: '\ud83c' }, `name: ${refused.name}, not "\\ud83c"`],
    [{ start_at: 1 }, 'start_at: unknown field; did you mean "starts_at"?'],
    [{ '\u001b[2J': 1 }, '["\\u001b[2J"]: unknown field'],
    [{ timezone: 'Europe/Lisboa' }, `timezone: ${refused.zone}, not "Europe/Lisboa"; did you mean "Europe/Lisbon"?`],
    [{ timezone: '+01:00' }, `timezone: ${refused.zone}, not "+01:00"`],
    [{ ends_at: '2026-07-17T11:00:00Z' }, 'ends_at: must be later than starts_at'],
    [{ starts_at: '2026-07-17T12:00:00' }, `starts_at: ${refused.time}, not "2026-07-17T12:00:00"`],
    [{ starts_at: '17.7.2026 12:00' }, `starts_at: ${refused.time}, not "17.7.2026 12:00"`],
    [{ starts_at: '2026-06-31T12:00:00Z' }, `starts_at: ${refused.time}, not "2026-06-31T12:00:00Z"`],
    [{ starts_at: '2026-13-01T12:00:00Z' }, `starts_at: ${refused.time}, not "2026-13-01T12:00:00Z"`],
    [{ starts_at: 1784286000 }, `starts_at: ${refused.time}, not 1784286000`],
    [{ day_starts_at: '6:00' }, `day_starts_at: ${refused.clock}, not "6:00"`],
    [{ day_starts_at: '24:00' }, `day_starts_at: ${refused.clock}, not "24:00"`],
    [{ tiers: {} }, 'tiers: must be a list of 1 to 256 tiers, not an object'],
    [{ gates: [] }, 'gates: must be a list of 1 to 256 gates, not a list of 0'],
    [{ 'tiers/0': null }, 'tiers[0]: must be an object that is a tier, not null'],
    [{ 'tiers/0/color': '#000000' }, 'tiers[0].color: unknown field; did you mean "colour"?'],
    [{ 'tiers/0/colour': 'red' }, 'tiers[0].colour: must be a colour such as "#2F80ED", not "red"'],
    [
      { 'tiers/0/entry': 're-entry' },
      'tiers[0].entry: must be one of "once", "once_per_day", "reentry", "unlimited", not "re-entry"; did you mean "reentry"?',
    ],
    [
      { 'tiers/0/static_code': false },
      'tiers[0].static_code: must be one of "until_claimed", "always", "never", not false',
    ],
    [{ 'tiers/1/name': 'day TICKET' }, 'tiers[1].name: "day TICKET" is taken by tiers[0]'],
    [{ 'zones/0/capacity': 0 }, `zones[0].capacity: ${refused.capacity}, not 0`],
    [{ 'zones/0/capacity': 0.5 }, `zones[0].capacity: ${refused.capacity}, not 0.5`],
    [{ 'zones/0/capacity': '8000' }, `zones[0].capacity: ${refused.capacity}, not "8000"`],
    [{ 'zones/0/capacity': 1e300 }, `zones[0].capacity: ${refused.capacity}, not 1e+300`],
    [{ 'checkpoints/2/id': 'in' }, 'checkpoints[2].id: "in" is taken by checkpoints[0]'],
    [{ 'checkpoints/0/gate': 'nroth' }, 'checkpoints[0].gate: no gate "nroth"; did you mean "north"?'],
    [{ 'checkpoints/2/from': 'aren' }, 'checkpoints[2].from: no zone "aren"; did you mean "arena"?'],
    [
      { 'checkpoints/2/from': undefined },
      'checkpoints[2].from: missing: must be the id of a zone, or null for outside',
    ],
    [{ 'checkpoints/2/to': 'moon' }, 'checkpoints[2].to: no zone "moon"'],
    [{ 'checkpoints/2/to': 'arena' }, 'checkpoints[2].to: leads from "arena" to itself'],
    [{ 'checkpoints/2/to': null }, 'checkpoints[2].to: an "in" checkpoint must name the zone that it leads into'],
    [
      { 'checkpoints/1/from': null },
      'checkpoints[1].from: an "out" checkpoint must name the zone that it leads out of',
    ],
    [{ 'checkpoints/2/tiers/0': 'dya' }, 'checkpoints[2].tiers[0]: no tier "dya"; did you mean "day"?'],
    [{ 'checkpoints/0/tiers/1': 'day' }, 'checkpoints[0].tiers[1]: repeats "day"'],
    [{ 'checkpoints/2/tiers': [] }, 'checkpoints[2].tiers: must be a list of one or more tier ids, not a list of 0'],
    [
      { 'checkpoints/0/opens_at': '2026-07-21T00:00:00Z', 'checkpoints/0/closes_at': '2026-07-16T00:00:00Z' },
      'checkpoints[0].closes_at: must be later than opens_at',
      'checkpoints[0].closes_at: closes before the event starts',
      'checkpoints[0].opens_at: opens after the event has ended',
    ],
    [
      { 'checkpoints/0/opens_at': '2025-07-17T12:00:00Z', 'checkpoints/0/closes_at': '2027-07-17T12:00:00Z' },
      'checkpoints[0].closes_at: closes more than 31 days after the event ends',
      'checkpoints[0].opens_at: opens more than 31 days before the event starts',
    ],
    [
      { 'checkpoints/0/tiers': ['day'] },
      'tiers[1]: no "in" checkpoint serves "pass", so nobody with such a ticket can enter',
    ],
    [
      { 'checkpoints/0/from': 'terrace' },
      'zones[0]: no checkpoint leads from outside into "arena", not even through other zones',
      'zones[1]: no checkpoint leads from outside into "terrace", not even through other zones',
    ],
  ]
  for (const [changes, ...mistakes] of cases) {
    test(mistakes.join(' + '), () => {
      assert.deepEqual(mistakesOf(fair(changes)), mistakes)
      haveCodes(fair(changes))
    })
  }

  test('with codes for apps: what it must be, what it is, and what was probably meant', () => {
    const changes = {
      'checkpoints/0/gate': 'nroth',
      'tiers/0/entry': 're-entry',
      'zones/0/capacity': [1, 2],
      name: undefined,
    }
    const parsed = parseEvent(fair(changes))
    assert.ok('mistakes' in parsed)
    assert.deepEqual(
      parsed.mistakes.map(({ coded }) => coded),
      [
        [
          { code: 'no_gate', values: { id: 'nroth' } },
          { code: 'meant', values: { guess: 'north' } },
        ],
        [{ code: 'a_name', values: { most: 120 } }, { code: 'missing' }],
        [
          { code: 'one_of', values: { known: '"once", "once_per_day", "reentry", "unlimited"' } },
          { code: 'is_now', values: { value: '"re-entry"' } },
          { code: 'meant', values: { guess: 'reentry' } },
        ],
        [
          { code: 'whole_number', values: { least: 1, most: 10_000_000 } },
          { code: 'is_list', values: { n: 2 } },
        ],
      ],
    )
  })
})

describe('every mistake is listed at once', () => {
  test('however many they are, ordered by place', () => {
    const broken = Array.from({ length: 12 }, (_, i) => ({
      id: `tier-${i}`,
      name: `Tier ${i}`,
      colour: 'red',
      entry: 'x',
    }))
    const paths = mistakesOf(fair({ tiers: broken })).map((line) => line.split(':')[0])
    assert.deepEqual(
      paths.filter((path) => path?.startsWith('tiers')),
      broken.flatMap((_, i) => [`tiers[${i}].colour`, `tiers[${i}].entry`]),
    )
  })

  test('those of shape and those between fields, but not those that only follow from others', () => {
    assert.deepEqual(mistakesOf(fair({ 'tiers/0/colour': 1, 'checkpoints/0/to': 'aren', 'gates/0/name': '' })), [
      'checkpoints[0].to: no zone "aren"; did you mean "arena"?',
      'gates[0].name: must be a name on one line, 120 characters at most, not ""',
      'tiers[0].colour: must be a colour such as "#2F80ED", not 1',
    ])
  })

  test('without turning a missing section into a mistake at each checkpoint', () => {
    assert.deepEqual(mistakesOf(fair({ zones: undefined })), ['zones: missing: must be a list of 1 to 256 zones'])
  })

  test('and the schema library is left as it was found', () => {
    const before = Settings.Get().maxErrors
    mistakesOf({})
    assert.equal(Settings.Get().maxErrors, before)
  })
})

test('a doubt is a warning', () => {
  const changes = { 'checkpoints/1/tiers': ['day'], 'gates/1': { id: 'south', name: 'Gate South' } }
  haveCodes(fair(changes))
  assert.deepEqual(formatMistakes(eventOf(fair(changes)).warnings).split('\n'), [
    'tiers[1].entry: "pass" may re-enter "arena" after leaving it, and no "out" checkpoint from there serves it',
    'gates[1]: "south" has no checkpoint',
  ])
})

describe('a hostile value', () => {
  const paths = ['id', 'timezone', 'starts_at', 'tiers', 'tiers/0', 'tiers/0/id', 'tiers/0/entry', 'zones/1', 'gates']
  const deeper = ['checkpoints', 'checkpoints/0', 'checkpoints/1/from', 'checkpoints/2/tiers', 'checkpoints/2/tiers/0']

  test('of any kind and in any place is a mistake or an event, never an exception', () => {
    fc.assert(
      fc.property(fc.constantFrom(...paths, ...deeper), fc.jsonValue(), (path, value) => {
        const parsed = parseEvent(fair({ [path]: value }))
        assert.ok('event' in parsed || parsed.mistakes.length > 0)
        haveCodes(fair({ [path]: value }))
      }),
    )
    fc.assert(fc.property(fc.jsonValue(), (value) => assert.notEqual(mistakesOf(value).length, 0)))
  })

  test('that is deep, or named like a part of every object, is a mistake', () => {
    const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
    assert.deepEqual(mistakesOf(fair({ tiers: [deep] })), [
      'tiers[0]: must be an object that is a tier, not a list of 1',
    ])
    assert.deepEqual(mistakesOf(fair({ deep })), ['deep: unknown field'])
    const file = JSON.parse(JSON.stringify(fair()).replace('{', '{"__proto__": {"id": "x"}, "constructor": 1,'))
    assert.deepEqual(mistakesOf(file), ['__proto__: unknown field', 'constructor: unknown field'])
  })

  test('repeated a hundred thousand times ends the list early', () => {
    const said = mistakesOf(fair({ tiers: Array(1e5).fill(null), checkpoints: Array(1e5).fill(0) }))
    assert.ok(said.length <= 1001)
    assert.equal(said[0], 'more mistakes than are listed here')
    const [tiers, id] = [Array(256).fill('x'.repeat(64)), 'y'.repeat(63)]
    const checkpoints = Array(1024).fill({ id, name: id, gate: id, direction: 'in', from: id, to: id, tiers })
    assert.ok(mistakesOf(fair({ checkpoints })).length <= 1000)
  })
})
