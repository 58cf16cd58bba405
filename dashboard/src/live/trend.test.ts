import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zone } from '../test-samples.ts'
import { type History, remember, trendOf } from './trend.ts'

/** Figures once a second, as `people` has them. */
function seen(seconds: number, people: (second: number) => number, start = 0): History {
  let history: History = new Map()
  for (let s = 0; s <= seconds; s++) history = remember(history, [zone({ occupancy: people(s) })], start + s * 1000)
  return history
}

test('up, down and steady, in people a minute', () => {
  const up = trendOf(seen(120, (s) => 100 + s).get('arena'), 1_000)
  assert.equal(up?.direction, 'up')
  assert.ok(Math.abs((up?.perMinute ?? 0) - 60) < 1)
  assert.equal(trendOf(seen(120, (s) => 500 - s).get('arena'), 1_000)?.direction, 'down')
  assert.equal(trendOf(seen(120, () => 500).get('arena'), 1_000)?.direction, 'steady')
  // Three people more in two minutes, of fifty thousand.
  assert.equal(trendOf(seen(120, (s) => 500 + Math.floor(s / 40)).get('arena'), 50_000)?.direction, 'steady')
})

test('nobody can tell from half a minute', () => {
  assert.equal(trendOf(undefined, 1_000), null)
  assert.equal(trendOf(seen(0, () => 1).get('arena'), 1_000), null)
  assert.equal(trendOf(seen(29, (s) => s).get('arena'), 1_000), null)
  assert.notEqual(trendOf(seen(30, (s) => s).get('arena'), 1_000), null)
})

test('only the last five minutes count, and a night on the wall costs no memory', () => {
  const history = seen(3_600, (s) => (s < 3_000 ? s : 3_000))
  assert.equal(trendOf(history.get('arena'), 10_000)?.direction, 'steady')
  assert.ok((history.get('arena')?.length ?? 0) <= 62)
})

test('what was before a sleep, or before the clock was set back, says nothing of now', () => {
  const before = seen(120, (s) => s)
  const woken = remember(before, [zone({ occupancy: 900 })], 120_000 + 3_600_000)
  assert.equal(trendOf(woken.get('arena'), 1_000), null)
  const setBack = remember(before, [zone({ occupancy: 900 })], 60_000)
  assert.equal(trendOf(setBack.get('arena'), 1_000), null)
})

test('a zone that the event has no more is forgotten', () => {
  assert.equal(
    remember(
      seen(10, () => 1),
      [zone({ id: 'hall' })],
      11_000,
    ).has('arena'),
    false,
  )
})
