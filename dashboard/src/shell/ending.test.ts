import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stats } from '../test-samples.ts'
import { endingSoon } from './ending.ts'

const NOON = Date.parse('2026-07-04T12:00:00Z')
const [gate = assert.fail()] = stats().gates
const held = (expires_at: string | null) => [{ ...gate, hold: { gate: gate.id, reason: 'Full', expires_at } }]
const in_ = (seconds: number) => new Date(NOON + seconds * 1000).toISOString()

test('a hold that ends within two minutes is announced, and no other', () => {
  for (const [expires, says] of [
    [in_(121), 0],
    [in_(120), 1],
    [in_(1), 1],
    [in_(0), 0],
    [in_(-5), 0],
    [null, 0],
  ] as const) {
    assert.equal(endingSoon(held(expires), NOON).length, says, String(expires))
  }
  assert.deepEqual(endingSoon([{ ...gate, hold: null }], NOON), [])
})
