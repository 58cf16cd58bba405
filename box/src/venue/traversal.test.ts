import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SPEEDS } from './source.ts'
import { traversalOf, worst } from './traversal.ts'

const known = { max_slope: 0.02, min_width: 2 }

for (const [what, path, metres, seconds, step_free, rolled] of [
  ['a footpath', known, 12, [10, 10], true, [12, 12]],
  ['a footpath of which nobody knows the slope', { min_width: 2 }, 12, [10, 10], 'unverified', [12, 12]],
  ['a footpath of which nobody knows the width', { max_slope: 0 }, 12, [10, 10], 'unverified', [12, 12]],
  ['a footpath that somebody has tried', { wheelchair: 'yes' }, 12, [10, 10], true, [12, 12]],
  ['a footpath with limits', { ...known, wheelchair: 'limited' }, 12, [10, 10], 'unverified', [12, 12]],
  ['a footpath that somebody has tried in vain', { ...known, wheelchair: 'no' }, 12, [10, 10], false, undefined],
  ['a steep path', { ...known, max_slope: 0.084 }, 12, [10, 10], false, undefined],
  ['a path that is steep downhill', { ...known, max_slope: -0.1, wheelchair: 'yes' }, 12, [10, 10], false, undefined],
  ['a ramp of 1:12', { ...known, max_slope: 1 / 12 }, 12, [10, 10], true, [12, 12]],
  ['a narrow path', { ...known, min_width: 0.89 }, 12, [10, 10], false, undefined],
  ['a path of 0.9 m', { ...known, min_width: 0.9 }, 12, [10, 10], true, [12, 12]],
  ['a path with two steps', { ...known, stair_count: 2 }, 12, [11.4, 11.2], false, undefined],
  ['a one-way path', { ...known, is_bidirectional: 0 }, 12, [10, null], true, [12, null]],
  ['a path with a time', { ...known, traversal_time: 30 }, 12, [30, 30], true, [30, 30]],
  ['a path with two times', { ...known, traversal_time: 30, wheelchair_traversal_time: 9 }, 12, [30, 30], true, [9, 9]],
  ['stairs up', { pathway_mode: 2, stair_count: 10, wheelchair: 'yes' }, 3, [9.5, 8.5], false, undefined],
  ['stairs down', { pathway_mode: 2, stair_count: -10 }, 3, [8.5, 9.5], false, undefined],
  ['stairs that nobody has counted', { pathway_mode: 2 }, 3, [9.5, 8.5], false, undefined],
  ['a travelator', { pathway_mode: 3, ...known }, 12, [10, 10], true, [12, 12]],
  ['an escalator', { pathway_mode: 4, ...known }, 12, [30, null], false, undefined],
  ['a lift', { pathway_mode: 5, min_width: 1 }, 0, [60, 60], true, [60, 60]],
  ['a lift of unknown doors', { pathway_mode: 5 }, 0, [60, 60], 'unverified', [60, 60]],
  ['a turnstile', { pathway_mode: 6, min_width: 0.5 }, 1.2, [6, 6], false, undefined],
  ['a wide gate', { pathway_mode: 6, min_width: 1 }, 1.2, [6, 6], true, [6.2, 6.2]],
  ['an exit gate', { pathway_mode: 7, min_width: 1 }, 1.2, [6, null], true, [6.2, null]],
] as const) {
  test(what, () => {
    const pace = traversalOf(path, metres, SPEEDS)
    const round = (times: readonly (number | null)[] | undefined) =>
      times?.map((time) => time && Math.round(time * 100) / 100)
    assert.deepEqual(round(pace.seconds), seconds)
    assert.equal(pace.step_free, step_free)
    assert.deepEqual(round(pace.step_free_seconds), rolled)
  })
}

test('one obstacle closes a way, one unknown leaves it open', () => {
  assert.equal(worst(), true)
  assert.equal(worst(true, true), true)
  assert.equal(worst(true, 'unverified'), 'unverified')
  assert.equal(worst('unverified', false, true), false)
})
