import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Building, building, featuresOf, idOf, Truth } from '../../test/venue/building.ts'
import { collection, type Feature } from '../../test/venue/sketch.ts'
import { compileVenue } from './compile.ts'
import type { Problem } from './problems.ts'
import type { VenueEvent } from './references.ts'
import { nearestAmenities, openRoutes, type Routes } from './route.ts'

const EVENT: VenueEvent = {
  id: 'building',
  zones: [],
  gates: [
    { id: 'g0', name: 'Front' },
    { id: 'g1', name: 'Back' },
  ],
  checkpoints: [],
}

/** Reasons for which a random building may be refused. */
const ERRORS = new Set(['ambiguous', 'dangling_node', 'unknown_node', 'far_from_paths', 'no_paths'])

const labelOf = ({ id, properties }: Feature) => `${properties.kind} "${id}"`

/** Takes away what the compiler refuses, until it refuses nothing: paths and nodes first, because places hang on them. */
function compiled(building: Building) {
  const refused: Problem[] = []
  const labels = featuresOf(building).map(labelOf)
  let left = featuresOf(building).filter((each, i) => labels.indexOf(labelOf(each)) === i)
  for (;;) {
    const { map, problems } = compileVenue(EVENT, collection(left))
    const all = problems.filter(({ kind }) => ERRORS.has(kind))
    const network = all.filter(({ feature }) => /^(path|node)/.test(feature))
    const errors = network.length > 0 ? network : all
    const wrong = new Set(errors.map(({ feature }) => feature))
    const fewer = left.filter((each) => !wrong.has(labelOf(each)))
    refused.push(...errors)
    if (map || fewer.length === left.length) {
      const there = new Set(left.map(labelOf))
      return { routes: map && openRoutes(map), refused, isThere: (label: string) => there.has(label) }
    }
    left = fewer
  }
}

/** A guess is refused, and nothing else is: a place, or an end of stairs or a lift, that could be in several spots. */
function checkRefusals(building: Building, refused: readonly Problem[], truth: Truth): void {
  const whole = new Truth(building, () => true)
  const { connectors, amenities, gates } = building
  for (const { kind, feature } of refused) {
    if (kind !== 'ambiguous') continue
    const i = Number(/\d+/.exec(feature)?.[0])
    if (feature.startsWith('path')) assert.ok(whole.beside(connectors[i]?.to ?? -1).length > 1, feature)
    const place = feature.startsWith('gate') ? gates[i] : amenities.find((_, j) => feature.includes(`"a${j}"`))
    if (place) assert.ok(truth.candidates(place).length > 1, feature)
  }
}

const SEEN = { answers: 0, ambiguous: 0 }

function checkAnswers(
  building: Building,
  g: number,
  stepFree: boolean,
  routes: Routes,
  truth: Truth,
  ids: string[],
): void {
  const gate = building.gates[g]
  assert.ok(gate)
  const starts = truth.candidates(gate)
  const near = nearestAmenities(routes, { from: idOf.gate(g), allowedZones: [], stepFree })
  for (const [i, amenity] of building.amenities.entries()) {
    const id = idOf.amenity(building, i)
    if (ids[i] !== id) continue
    const what = `${id} from gate ${g}, ${stepFree ? 'step-free' : 'on foot'}`
    const ends = truth.candidates(amenity)
    const isOpen: boolean = !stepFree || (gate.access !== 'no' && amenity.access !== 'no')
    const expected: number[] = starts.flatMap((start) => {
      const seconds = truth.secondsFrom(start.at, stepFree ? 'stepFree' : 'walking')
      const legs = (metres: number) => (start.metres + metres) / (stepFree ? 1 : 1.2)
      return ends.map(({ at, metres }) => (isOpen ? (seconds.get(at) ?? Infinity) + legs(metres) : Infinity))
    })
    // Where several ends are equally near, all of them can be reached, or none.
    const reached = expected.filter((seconds) => seconds < Infinity)
    assert.ok(reached.length === 0 || reached.length === expected.length, `${what}: a guess decides`)
    const answer = near.find((each) => each.id === id)
    assert.equal(answer !== undefined, reached.length > 0, what)
    if (!answer) continue
    SEEN.answers++
    // Each edge of a plan is rounded to a hundredth of a second.
    const isRight = expected.some((seconds) => Math.abs(seconds - answer.walking_seconds) < 1.5)
    assert.ok(isRight, `${what}: ${answer.walking_seconds} s, not ${expected}`)
    if (stepFree) assert.notEqual(answer.step_free, false)
    if (answer.step_free !== true) continue
    assert.ok(gate.access !== 'no' && amenity.access !== 'no', what)
    const verified = starts.map((start) => truth.secondsFrom(start.at, 'verified'))
    assert.ok(
      verified.some((seconds) => ends.some(({ at }) => seconds.has(at))),
      `${what} is promised to be step-free`,
    )
  }
}

test('in random buildings of several floors, answers are those of an independent shortest path, with and without steps', (t) => {
  fc.assert(
    fc.property(building, (each) => {
      const { routes, refused, isThere } = compiled(each)
      const truth = new Truth(each, isThere)
      SEEN.ambiguous += refused.filter(({ kind }) => kind === 'ambiguous').length
      checkRefusals(each, refused, truth)
      for (const [i, { to, mode, endDrawn }] of each.connectors.entries()) {
        if (endDrawn && mode !== 1 && isThere(`path "${idOf.connector(i)}"`)) assert.equal(truth.beside(to).length, 1)
      }
      // Of two amenities with one id, the source has the first.
      const all = each.amenities.map((_, i) => idOf.amenity(each, i))
      const ids = all.map((id, i) => (all.indexOf(id) === i && isThere(`amenity "${id}"`) ? id : ''))
      for (const g of each.gates.keys()) {
        if (!routes || !isThere(`gate "${idOf.gate(g)}"`)) continue
        for (const stepFree of [false, true]) checkAnswers(each, g, stepFree, routes, truth, ids)
      }
    }),
    { numRuns: process.env.GATEHOUSE_TEST_LONG === '1' ? 20_000 : 200 },
  )
  t.diagnostic(`${SEEN.answers} answers, ${SEEN.ambiguous} places or ends refused as ambiguous`)
  assert.ok(SEEN.answers > 100 && SEEN.ambiguous > 20)
})
