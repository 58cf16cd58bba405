import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ageOf, freshnessOf, STALE_MS, sleptThrough } from './age.ts'

test('an age is what the slower of two clocks cannot hide', () => {
  const heard = { wall: 1_000_000, steady: 500 }
  assert.equal(ageOf(heard, { wall: 1_003_000, steady: 3_500 }), 3_000)
  // The laptop slept, and its steady clock with it.
  assert.equal(ageOf(heard, { wall: 1_600_000, steady: 1_500 }), 600_000)
  // Somebody set the clock back an hour.
  assert.equal(ageOf(heard, { wall: 1_000_000 - 3_600_000, steady: 20_500 }), 20_000)
})

test('an age is never negative, whatever both clocks do', () => {
  const ms = fc.integer({ min: -1e9, max: 1e9 })
  const moment = fc.record({ wall: ms, steady: ms })
  fc.assert(fc.property(moment, moment, (heard, now) => ageOf(heard, now) >= 0))
})

test('live, late and stale, and nothing before the first figures', () => {
  assert.equal(freshnessOf(null), 'connecting')
  assert.equal(freshnessOf(0), 'live')
  assert.equal(freshnessOf(9_999), 'live')
  assert.equal(freshnessOf(10_000), 'late')
  assert.equal(freshnessOf(STALE_MS), 'late')
  assert.equal(freshnessOf(STALE_MS + 1), 'stale')
})

test('a connection is given up after a sleep, and kept by a tab in the background that still hears', () => {
  const beat = { wall: 0, steady: 0 }
  const later = { wall: 60_000, steady: 1_000 }
  assert.equal(sleptThrough(beat, later, 60_000), true)
  assert.equal(sleptThrough(beat, later, null), true)
  assert.equal(sleptThrough(beat, later, 2_000), false)
  assert.equal(sleptThrough(beat, { wall: 1_000, steady: 1_000 }, 60_000), false)
})
