import '../words/in-english.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ago, lasting, moment } from './spoken.ts'

const MINUTE = 60_000

test('how long ago, in the unit that a person would use', () => {
  for (const [ms, text] of [
    [-5000, 'just now'],
    [0, 'just now'],
    [MINUTE - 1, 'just now'],
    [MINUTE, '1 minute ago'],
    [59 * MINUTE, '59 minutes ago'],
    [60 * MINUTE, '1 hour ago'],
    [24 * 60 * MINUTE - 1, '23 hours ago'],
    [24 * 60 * MINUTE, '1 day ago'],
    [50 * 60 * MINUTE, '2 days ago'],
  ] as const)
    assert.equal(ago(ms), text)
})

test('how long', () => {
  for (const [ms, text] of [
    [20_000, '20 seconds'],
    [119_000, '119 seconds'],
    [3 * MINUTE, '3 minutes'],
    [180 * MINUTE, '3 hours'],
  ] as const)
    assert.equal(lasting(ms), text)
})

test('a moment has its day and its time', () => {
  assert.match(moment('2026-07-04T12:34:00.000Z'), /Sat,? \d Jul,? \d\d:34/)
})
