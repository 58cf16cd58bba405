import './in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ageWords, count, percent, rate, stopwatch, timeWords } from './time.ts'

test('ages as a person says them', () => {
  const minute = 60_000
  assert.equal(ageWords(0), '0 s')
  assert.equal(ageWords(-5_000), '0 s')
  assert.equal(ageWords(59_999), '59 s')
  assert.equal(ageWords(minute), '1 min')
  assert.equal(ageWords(60 * minute), '1 h')
  assert.equal(ageWords(125 * minute), '2 h 5 min')
  assert.equal(ageWords(49 * 60 * minute), '2 days')
  assert.equal(ageWords(Number.NaN), '?')
})

test('a stopwatch counts on past the hour', () => {
  assert.equal(stopwatch(42_000), '0:42')
  assert.equal(stopwatch(725_000), '12:05')
  assert.equal(stopwatch(3_725_000), '1:02:05')
})

test('only all is 100 %, and only none is 0 %', () => {
  assert.equal(percent(9_999, 10_000), '99 %')
  assert.equal(percent(1, 10_000), '<1 %')
  assert.equal(percent(6, 1000), '1 %')
  assert.equal(percent(4, 1000), '<1 %')
  assert.equal(percent(0, 10_000), '0 %')
  assert.equal(percent(10, 10), '100 %')
  assert.equal(percent(15, 10), '150 %')
  assert.equal(percent(0, 0), '–')
})

test('figures', () => {
  assert.equal(count(12_345), '12,345')
  assert.equal(count(Number.POSITIVE_INFINITY), '?')
  assert.equal(rate(3.25), '3.3')
  assert.equal(rate(12.5), '13')
})

test('a time of another day has its date', () => {
  const now = Date.parse('2026-07-17T19:00:00Z')
  assert.doesNotMatch(timeWords(now - 1_000, now), /Jul/)
  assert.match(timeWords(now - 3 * 86_400_000, now), /14 Jul/)
  assert.equal(timeWords(Number.NaN, now), '?')
})
