import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { zone } from '../test-samples.ts'
import { barOf, fullnessOf, HEAT, heatLook, heatOf } from './fullness.ts'

test('nine tenths is nearly full, all is full, one more is over', () => {
  assert.equal(fullnessOf(zone({ occupancy: 899 })), 'calm')
  assert.equal(fullnessOf(zone({ occupancy: 900 })), 'nearly')
  assert.equal(fullnessOf(zone({ occupancy: 1_000 })), 'full')
  assert.equal(fullnessOf(zone({ occupancy: 1_001 })), 'over')
})

test('silent scanners may have filled it', () => {
  assert.equal(fullnessOf(zone({ occupancy: 800, occupancy_max: 950 })), 'maybe')
})

test('a zone for nobody is calm when empty, and over with one', () => {
  assert.equal(fullnessOf(zone({ capacity: 0, occupancy: 0 })), 'calm')
  assert.equal(fullnessOf(zone({ capacity: 0, occupancy: 1 })), 'over')
  assert.equal(heatOf(zone({ capacity: 0, occupancy: 1 })), heatOf(zone({ occupancy: 2_000 })))
})

test('a bar keeps everything inside it, and its capacity in sight', () => {
  const people = fc.nat(100_000)
  fc.assert(
    fc.property(people, people, people, people, (capacity, occupancy, fewer, more) => {
      const bar = barOf({
        capacity,
        occupancy,
        occupancy_min: Math.max(0, occupancy - fewer),
        occupancy_max: occupancy + more,
      })
      for (const at of Object.values(bar)) assert.ok(at >= 0 && at <= 100, `${at}`)
      assert.ok(bar.from <= bar.people && bar.people <= bar.to)
    }),
  )
})

test('a fuller zone is never drawn lighter, and none is told by its hue', () => {
  const heats = Array.from({ length: 1_200 }, (_, occupancy) => heatOf(zone({ occupancy })))
  assert.deepEqual(
    heats,
    [...heats].sort((a, b) => a - b),
  )
  assert.deepEqual(new Set(heats), new Set(HEAT.keys()))
  for (const theme of ['light', 'dark'] as const) {
    const looks = [...HEAT.keys()].map((heat) => heatLook(heat, theme))
    assert.equal(new Set(looks.map(({ colour }) => colour)).size, 1)
    // Neighbours differ by enough to be told apart on a bad screen.
    for (const [i, { opacity }] of looks.entries()) assert.ok(i === 0 || opacity - (HEAT[i - 1] ?? 1) >= 0.1)
    assert.deepEqual(
      looks.map(({ marked }) => marked),
      [false, false, false, false, false, true],
    )
  }
})
