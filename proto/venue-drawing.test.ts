import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { mapWords as german } from './map-words/de.ts'
import { anyText } from './properties.testing.ts'
import { categoryOf, knownCategories } from './venue-categories.ts'
import { PAPER } from './venue-colours.ts'
import { drawVenue } from './venue-drawing.ts'
import type { MapAmenity, VenueMap, VenuePlan } from './wire/venue.ts'

const at = (x: number, y: number): [number, number] => [x / 1000, y / 1000]
const access = { level: 0, node: 0, metres: 0, seconds: 0, step_free: true, step_free_seconds: 0 } as const

function amenity(id: string, category: string, name: string): MapAmenity {
  return { id, category, name, zone: 'arena', at: at(4, 4), ...access }
}

function planOf(change: Partial<VenueMap> = {}, name = 'Gate North'): VenuePlan & { map: VenueMap } {
  return {
    event_id: 'sketch',
    zones: [{ id: 'arena', name: 'Arena', capacity: 9 }],
    gates: [{ id: 'north', name }],
    checkpoints: [
      { id: 'in', name: 'North entry', gate: 'north', direction: 'in', from: null, to: 'arena', tiers: [] },
      { id: 'out', name: 'North exit', gate: 'north', direction: 'out', from: 'arena', to: null, tiers: [] },
    ],
    map: {
      bounds: [0, 0, 0.01, 0.01],
      zones: [
        { id: 'arena', level: null, label: at(5, 5), polygons: [[[at(0, 0), at(10, 0), at(10, 9), at(0, 0)]]] },
        { id: 'loft', level: 1, label: at(5, 5), polygons: [[[at(5, 5), at(8, 5), at(8, 8), at(5, 5)]]] },
      ],
      gates: [{ id: 'north', at: at(0, 9), ...access }],
      checkpoints: [
        { id: 'in', at: at(0, 9), ...access },
        { id: 'out', at: at(1, 9), ...access },
      ],
      amenities: [amenity('wc', 'restroom.female', 'Toilets by the tree'), amenity('aid', 'firstaid', 'First aid')],
      paths: [
        { id: 'a', name: 'Avenue', mode: 1, level: 0 },
        { id: 'b', name: null, mode: 2, level: 0 },
        { id: 'c', name: 'Lift A', mode: 5, level: 0 },
      ],
      nodes: [
        [0, 0.009, 0],
        [0.01, 0, 0],
        [0.01, 0, 1],
      ],
      edges: [
        { path: 0, nodes: [0, 1], line: [at(3, 3)], metres: 9, seconds: [9, 9], step_free: 'unverified', zones: [] },
        { path: 1, nodes: [1, 0], metres: 9, seconds: [9, 9], step_free: false, zones: [] },
        { path: 2, nodes: [1, 2], metres: 0, seconds: [9, 9], step_free: true, zones: [] },
      ],
      ...change,
    },
  }
}

/** Every element closed, every attribute quoted, no control character: what an XML parser insists on. */
function assertWellFormed(svg: string): void {
  const open: string[] = []
  const token = /<(\/?)([a-z]+)((?: [a-zA-Z:-]+="[^"<]*")*)(\/?)>|([^<>]+)/gy
  let end = 0
  for (let match = token.exec(svg); match; match = token.exec(svg)) {
    end = token.lastIndex
    const [, closing, name = '', , alone, text] = match
    if (text !== undefined) assert.match(text, /^([^&]|&(amp|lt|gt|quot|#39);)*$/)
    else if (closing) assert.equal(open.pop(), name)
    else if (!alone) open.push(name)
  }
  assert.equal(end, svg.length, `no XML at ${JSON.stringify(svg.slice(end, end + 60))}`)
  assert.deepEqual(open, [])
  assert.doesNotMatch(svg, /NaN|Infinity|undefined/)
}

test('a plan becomes well-formed SVG, with a title for each thing on it', () => {
  const svg = drawVenue(planOf())
  assertWellFormed(svg)
  assert.match(svg, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 960 \d+"/)
  for (const title of [
    'Map of sketch',
    'Arena',
    'Gate North',
    'North entry (entrance)',
    'North exit (exit)',
    'Lift A',
  ]) {
    assert.ok(svg.includes(`<title>${title}</title>`), title)
  }
  assert.ok(svg.includes('<title>Toilets by the tree, Toilets, Arena</title>'))
  assert.ok(svg.includes('<title>First aid, Arena</title>'))
})

test('it carries no style sheet, script or address to load, which a strict page would refuse', () => {
  assert.doesNotMatch(drawVenue(planOf()), /<style|<script|style=|href|url\(/)
})

test('the same plan gives the same picture', () => {
  assert.equal(drawVenue(planOf()), drawVenue(planOf()))
})

test('a route, a place and what is not step-free stand out when asked for', () => {
  const plain = drawVenue(planOf())
  const svg = drawVenue(planOf(), { route: [0, 99], here: 'in', stepFree: true, width: 400, title: 'To the <toilet>' })
  assertWellFormed(svg)
  assert.ok(svg.includes('You are here: North entry'))
  assert.ok(svg.includes('>Not step-free<') && !plain.includes('>Not step-free<'))
  assert.ok(svg.includes('#1257d6') && !plain.includes('#1257d6'))
  assert.ok(svg.includes('aria-label="To the &lt;toilet&gt;"'))
  assertWellFormed(drawVenue(planOf(), { here: 'nowhere', route: [-1, Number.NaN] }))
})

test('colours are taken if they are colours', () => {
  const look = (colour: string) => ({ colour, opacity: 0.5, marked: false })
  const svg = drawVenue(planOf(), { zoneLooks: { arena: look('#123456'), loft: look('red" onload="alert(1)') } })
  assertWellFormed(svg)
  assert.ok(svg.includes('fill="#123456" fill-opacity="0.5"'))
  assert.doesNotMatch(svg, /onload/)
})

test('a map for a dark screen has neither the paper nor the ink of the other', () => {
  const dark = drawVenue(planOf({ amenities: [] }), { dark: true, stepFree: true, here: 'in', route: [0] })
  assertWellFormed(dark)
  for (const colour of Object.values(PAPER)) {
    if (colour !== null && colour !== '#fff') assert.ok(!dark.includes(`"${colour}"`), colour)
  }
})

test('its words are of one language, and a thing without a name of its own is said in it', () => {
  const amenities = [amenity('wc', 'restroom', 'Toilets'), amenity('aid', 'firstaid', 'Rot-Kreuz-Zelt')]
  const svg = drawVenue(planOf({ amenities }), { words: german, stepFree: true, here: 'in' })
  const { mapOf, here, directions, notStepFree, notVerified, categories } = german
  for (const text of [mapOf('sketch'), here('North entry'), `North entry (${directions.in})`]) {
    assert.ok(svg.includes(`<title>${text}</title>`), text)
  }
  for (const text of [notStepFree, notVerified, german.entrance, german.exit, categories.stairs, categories.elevator]) {
    assert.ok(svg.includes(`>${text}</text>`), text)
  }
  assert.ok(svg.includes('<title>Toiletten, Arena</title>'))
  assert.ok(svg.includes('<title>Rot-Kreuz-Zelt, Erste Hilfe, Arena</title>'))
  assert.doesNotMatch(svg, /Toilets|Map of|You are here|Stairs|Not step-free/)
})

test('no name breaks out of the picture', () => {
  const name = fc.oneof(
    fc.constantFrom('</title><script>alert(1)</script>', '" onload="x', "'&<>", '\u0000\u001b[2J', '\ud800'),
    anyText(),
  )
  fc.assert(
    fc.property(name, (text) => {
      const paths = [
        { id: 'a', name: text, mode: 1, level: 0 },
        { id: 'b', name: text, mode: 5, level: 0 },
      ]
      const edges = planOf().map.edges.slice(0, 2)
      assertWellFormed(
        drawVenue(planOf({ amenities: [amenity('x', text, text)], paths, edges }, text), { title: text }),
      )
    }),
  )
})

test('a map of one point and a map of nothing are drawn too', () => {
  const nothing = { zones: [], gates: [], checkpoints: [], amenities: [], paths: [], nodes: [], edges: [] }
  assertWellFormed(drawVenue(planOf({ ...nothing, bounds: [5, 5, 5, 5] })))
})

test('a finer category is drawn as what it is a kind of, an unknown one as a place', () => {
  assert.equal(categoryOf('restroom.male').letter, 'WC')
  assert.deepEqual(categoryOf('firstaid'), categoryOf('firstaid.main'))
  assert.equal(categoryOf('constructor').name, 'Place')
  for (const category of knownCategories) assert.match(categoryOf(category).letter, /^.{1,2}$/)
})
