import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { scanner } from '../test-samples.ts'
import { byTrouble, isLow, isSkewed, troubles } from './scanners.ts'

test('trouble comes first, whatever order the box has', () => {
  const order = [
    scanner({ device_id: 'a', name: 'Z', state: 'lost', unsent: 40 }),
    scanner({ device_id: 'b', name: 'Y', state: 'lost', unsent: 2 }),
    scanner({ device_id: 'c', name: 'A', state: 'lost', unsent: null }),
    scanner({ device_id: 'd', name: 'B', state: 'quiet' }),
    scanner({ device_id: 'e', name: 'C', clock_offset_ms: -6_000 }),
    scanner({ device_id: 'f', name: 'D', battery: 0.1 }),
    scanner({ device_id: 'g', name: 'Scanner 2' }),
    scanner({ device_id: 'h', name: 'Scanner 10' }),
    scanner({ device_id: 'i', name: 'Scanner 10' }),
    scanner({ device_id: 'j', name: 'A', state: 'revoked', unsent: 99 }),
  ]
  fc.assert(
    fc.property(fc.shuffledSubarray(order, { minLength: order.length }), (mixed) =>
      assert.deepEqual(mixed.sort(byTrouble), order),
    ),
  )
})

test('a clock may be off either way, and an unknown battery is not an empty one', () => {
  assert.equal(isSkewed(scanner({ clock_offset_ms: 5_001 })), true)
  assert.equal(isSkewed(scanner({ clock_offset_ms: -5_001 })), true)
  assert.equal(isSkewed(scanner({ clock_offset_ms: null })), false)
  assert.equal(isLow(scanner({ battery: null })), false)
  assert.equal(isLow(scanner({ battery: 0 })), true)
})

test('whose scans are unsent, the most first', () => {
  const { live, lost, unsent } = troubles([
    scanner({ name: 'A', unsent: 1 }),
    scanner({ name: 'B', state: 'lost', unsent: 7 }),
    scanner({ name: 'C', unsent: null }),
  ])
  assert.deepEqual({ live, lost, unsent }, { live: 2, lost: 1, unsent: { scans: 8, names: ['B', 'A'] } })
})
