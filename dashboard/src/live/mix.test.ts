import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mixOf } from './mix.ts'

test('verdicts are summed by what a crew sees', () => {
  const mix = mixOf({ ADMIT: 6, EXIT: 2, NOT_PAID: 1, BLOCKED: 1 })
  assert.equal(mix.scans, 10)
  assert.equal(mix.passed, 8)
  assert.deepEqual(mix.parts, [
    { of: 'admit', scans: 6, share: 0.6 },
    { of: 'exit', scans: 2, share: 0.2 },
    { of: 'supervisor', scans: 2, share: 0.2 },
  ])
})

test('none is none, and not a division by it', () => {
  assert.deepEqual(mixOf({}), { scans: 0, passed: 0, parts: [] })
  assert.deepEqual(mixOf({ ADMIT: 0 }).parts, [])
})

test('a verdict of a newer box is counted', () => {
  assert.deepEqual(mixOf({ HOLOGRAM: 1 }).parts, [{ of: 'supervisor', scans: 1, share: 1 }])
})
