import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { collection, EVENT, feature, line, point, polygon, sound } from '../../test/venue/sketch.ts'
import { compileVenue } from './compile.ts'
import { MAX_PROBLEMS, SEVERITY } from './problems.ts'
import { PROPERTIES, parseSource, SPEEDS, TOLERANCES } from './source.ts'

const kinds = (text: string) => parseSource(text).problems.map(({ kind }) => kind)
const messages = (text: string) => parseSource(text).problems.map(({ feature, message }) => `${feature}: ${message}`)

test('a sound source is read without a problem, with the defaults filled in', () => {
  const { source, problems } = parseSource(collection(sound()))
  assert.deepEqual(problems, [])
  assert.equal(source.features.length, sound().length)
  assert.deepEqual(source.speeds, SPEEDS)
  assert.deepEqual(source.tolerances, TOLERANCES)
})

for (const [what, text, kind] of [
  ['no JSON', 'type: FeatureCollection', 'unreadable'],
  ['nothing', '', 'unreadable'],
  ['NaN', '{"type":"FeatureCollection","features":[NaN]}', 'unreadable'],
  ['JSON of something else', '[]', 'unreadable'],
  ['null', 'null', 'unreadable'],
  ['a single feature', JSON.stringify(sound()[0]), 'unreadable'],
  ['features that are no list', '{"type":"FeatureCollection","features":{}}', 'unreadable'],
  ['nesting without end', '['.repeat(100_000), 'unreadable'],
  ['another projection', collection([], { crs: { properties: { name: 'urn:ogc:def:crs:EPSG::3857' } } }), 'unreadable'],
  ['a million features', `{"type":"FeatureCollection","features":[${'0,'.repeat(999_999)}0]}`, 'too_much'],
] as const) {
  test(`${what} is one problem with the file`, () => {
    assert.deepEqual(kinds(text), [kind])
    assert.deepEqual(compileVenue(EVENT, text).map, undefined)
  })
}

for (const [what, feature_, said] of [
  ['null', null, /features\[0\]: must be a GeoJSON Feature/],
  ['no properties', { type: 'Feature', id: 'a', geometry: null, properties: null }, /must be a GeoJSON Feature/],
  ['no kind', feature(undefined as never, 'a', point([0, 0])), /kind must be one of zone, gate/],
  ['a misspelt kind', feature('amenty' as never, 'a', point([0, 0])), /did you mean "amenity"/],
  ['a kind of Object', feature('constructor' as never, 'a', point([0, 0])), /kind must be one of/],
  ['no id', { ...feature('gate', 'a', point([0, 0])), id: undefined }, /id must be an id/],
  ['an id with a space', feature('gate', 'Gate West', point([0, 0])), /id must be an id/],
  ['a gate without a place', feature('gate', 'a', null), /gate "a": a gate must have a geometry/],
  ['a zone that is a point', feature('zone', 'a', point([0, 0])), /Polygon or MultiPolygon/],
  ['a path that is an area', feature('path', 'a', polygon([0, 0], [1, 0], [1, 1])), /LineString/],
  ['a path of nothing', feature('path', 'a', null, { from: 'n' }), /both "from" and "to"/],
  ['a node that is a line', feature('node', 'a', line([0, 0], [1, 1])), /must be a Point/],
  ['a negative length', feature('path', 'a', line([0, 0], [9, 9]), { length: -3 }), /length: must be metres, 0 to/],
  ['a length in words', feature('path', 'a', line([0, 0], [9, 9]), { length: '3 m' }), /length: must be metres/],
  ['half a step', feature('path', 'a', line([0, 0], [9, 9]), { stair_count: 2.5 }), /whole number of steps/],
  ['a mode of its own', feature('path', 'a', line([0, 0], [9, 9]), { pathway_mode: 8 }), /pathway_mode/],
  ['both ways twice', feature('path', 'a', line([0, 0], [9, 9]), { is_bidirectional: 2 }), /is_bidirectional/],
  ['a wheelchair of true', feature('path', 'a', line([0, 0], [9, 9]), { wheelchair: true }), /"yes", "no", "limited"/],
  ['an amenity of no category', feature('amenity', 'a', point([0, 0])), /category: missing/],
  [
    'a name of two lines',
    feature('gate', 'a', point([0, 0]), { name: 'a\u001b[2J' }),
    /name: must be a name on one line/,
  ],
  ['a misspelt property', feature('path', 'a', line([0, 0], [9, 9]), { max_slop: 1 }), /did you mean "max_slope"/],
  ['a misspelt category', feature('amenity', 'a', point([0, 0]), { category: 'restrom' }), /did you mean "restroom"/],
] as const) {
  test(`${what} is one problem, and names its feature`, () => {
    const said_ = messages(collection([feature_ as object]))
    assert.equal(said_.length, 1, said_.join('\n'))
    assert.match(said_[0] ?? '', said)
  })
}

test('the same id twice is a problem within a kind, and none between kinds', () => {
  const twice = [
    feature('gate', 'a', point([0, 0])),
    feature('gate', 'a', point([1, 0])),
    feature('node', 'a', point([0, 0])),
  ]
  assert.deepEqual(messages(collection(twice)), ['gate "a": features[1] has the id of features[0]'])
})

test('columns that a drawing program adds are none of our business, nor are its nulls', () => {
  const drawn = feature('path', 'a', line([0, 0], [9, 9]), {
    stroke: '#f00',
    fid: 7,
    length: null,
    name: null,
    zones: null,
  })
  assert.deepEqual(messages(collection([drawn])), [])
})

test('an id may stand among the properties, and be a number', () => {
  const { source } = parseSource(collection([{ ...feature('gate', '', point([0, 0]), { id: 12 }), id: undefined }]))
  assert.equal(source.features[0]?.id, '12')
})

test('speeds and tolerances are taken, and refused out of range by name', () => {
  const said = messages(collection([], { speeds: { walk: 0.8, lift: -1, fly: 9 }, tolerances: { join_metres: 'few' } }))
  assert.equal(said.length, 3, said.join('\n'))
  const { source } = parseSource(collection([], { speeds: { walk: 0.8, lift: -1 } }))
  assert.equal(source.speeds.walk, 0.8)
  assert.equal(source.speeds.lift, SPEEDS.lift)
})

test('a file of nothing but mistakes ends in a list that somebody can read', () => {
  const many = Array.from({ length: 15_000 }, (_, i) => feature('gate', `x${i}`, null))
  const { problems } = compileVenue(EVENT, collection(many))
  assert.equal(problems.length, MAX_PROBLEMS + 1)
})

test('no text makes the compiler throw', () => {
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom(
        ...sound(),
        ...sound().map(({ geometry }) => geometry),
        'path',
        'LineString',
        -0,
        1e308,
        '__proto__',
      ),
      fc.jsonValue(),
      fc.array(tie('value')),
      fc.dictionary(
        fc.constantFrom('type', 'kind', 'id', 'geometry', 'properties', 'coordinates', 'zones'),
        tie('value'),
      ),
    ),
  })).value
  const features = fc.array(
    fc.oneof(
      json,
      fc.record({ type: fc.constant('Feature'), id: json, properties: json, geometry: json }),
      fc
        .tuple(
          fc.constantFrom(...sound()),
          fc.dictionary(fc.constantFrom('kind', 'level', 'length', 'from', 'zone'), json),
          json,
        )
        .map(([original, properties, geometry]) => ({
          ...original,
          properties: { ...original.properties, ...properties },
          geometry: geometry ?? original.geometry,
        })),
    ),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(features, (list) => {
      const { problems } = compileVenue(EVENT, JSON.stringify({ type: 'FeatureCollection', features: list }))
      for (const { kind, message } of problems) {
        assert.ok(kind in SEVERITY)
        assert.doesNotMatch(message, /\p{Cc}/u)
      }
    }),
    { numRuns: 300 },
  )
})

test('the documentation has every kind of feature and of problem, every property, and the defaults', () => {
  const text = readFileSync(new URL('../../docs/venue.md', import.meta.url), 'utf8')
  const words = new Set([...text.matchAll(/`([a-z_]+)`/g)].map(([, word]) => word))
  const properties = Object.values(PROPERTIES).flatMap(({ properties: own }) => Object.keys(own))
  for (const word of [...Object.keys(PROPERTIES), ...properties, ...Object.keys(SEVERITY)])
    assert.ok(words.has(word), word)
  for (const [kind, severity] of Object.entries(SEVERITY)) {
    assert.match(text, new RegExp(`^\\|[^|]*\`${kind}\`[^|]*\\| ${severity} \\|`, 'm'))
  }
  const [, json = ''] = /```json\n(\{ "type"[^`]*)```/.exec(text) ?? []
  const { speeds, tolerances } = JSON.parse(json)
  assert.deepEqual({ speeds, tolerances }, { speeds: SPEEDS, tolerances: TOLERANCES })
})
