import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockProblem, downStateOf, upStateOf } from './state.ts'

test('down is away, reading for the first time, or current, in this order', () => {
  const compared_at = '2026-11-20T19:00:00.000Z'
  assert.equal(downStateOf({ connected: false, compared_at: null }).word, 'away')
  assert.equal(downStateOf({ connected: true, compared_at: null }).word, 'first')
  assert.deepEqual(downStateOf({ connected: true, compared_at }), { word: 'current', tone: 'current' })
})

test('up is behind only where this box sends, and something has waited for long', () => {
  assert.deepEqual(upStateOf({ state: 'sending', lag_seconds: 10, asleep: 0 }), { word: 'current', tone: 'current' })
  assert.deepEqual(upStateOf({ state: 'sending', lag_seconds: 11, asleep: 0 }), { word: 'behind', tone: 'behind' })
  assert.equal(upStateOf({ state: 'sending', lag_seconds: 0, asleep: 1 }).word, 'asleep')
  const tones = (['begins', 'waiting', 'paused', 'other_box'] as const).map((state) => {
    return upStateOf({ state, lag_seconds: null, asleep: 0 }).tone
  })
  assert.deepEqual(tones, ['behind', 'behind', 'away', 'current'])
})

test('clocks that differ by a network’s delay are not named', () => {
  const by = (clock_difference_seconds: number | null) => clockProblem({ clock_difference_seconds })
  assert.deepEqual([by(null), by(5), by(-5), by(6), by(-6)], [null, null, null, 6, -6])
})
