import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Guidance } from '@gatehouse/proto/wire/venue.ts'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { guide, type Lane } from './guidance.ts'

const lane = (name: string, walking_seconds: number | null, queue: number | null = null, per_minute = 0): Lane => ({
  checkpoint: name.toLowerCase().replaceAll(' ', '-'),
  checkpoint_name: name,
  walking_seconds,
  queue,
  per_minute,
})

for (const [what, lanes, reason] of [
  ['one lane', [lane('Gate North', 180)], 'Gate North: 3 minutes on foot, no queue.'],
  [
    'a near lane with a queue',
    [lane('Gate South', 60, 144, 12), lane('Gate North', 180)],
    'Gate North: 3 minutes on foot, no queue; Gate South is nearer but has 12 minutes of queue.',
  ],
  [
    'a near lane with a short queue',
    [lane('Gate South', 60, 6, 12), lane('Gate North', 180)],
    'Gate South: 1 minute on foot, 1 minute of queue.',
  ],
  [
    'a queue at a lane that has admitted nobody yet',
    [lane('Gate South', 60, 100, 0), lane('Gate North', 180)],
    'Gate North: 3 minutes on foot, no queue; Gate South is nearer but has 10 minutes of queue.',
  ],
  [
    'two nearer lanes: the nearest is named',
    [lane('A', 60, 99, 9), lane('B', 30, 99, 9), lane('C', 120)],
    'C: 2 minutes on foot, no queue; B is nearer but has 11 minutes of queue.',
  ],
  ['the same spot', [lane('Gate North', 0)], 'Gate North: less than a minute on foot, no queue.'],
  ['no map', [lane('B', null, 50, 10), lane('A', null)], 'A: no queue; B has 5 minutes of queue.'],
  ['no map and no queue', [lane('B', null), lane('A', null)], 'A: no queue.'],
  ['a lane that the map does not reach', [lane('A', null), lane('B', 900)], 'B: 15 minutes on foot, no queue.'],
] as const) {
  test(`${what}: ${reason}`, () => {
    const guidance = guide(lanes)
    assert.equal(guidance?.reason, reason)
    assert.ok(Value.Check(Guidance, guidance))
  })
}

test('without a lane there is nowhere to go', () => {
  assert.equal(guide([]), undefined)
})

test('nothing that is offered costs less than what is advised, whatever the order', () => {
  const lanes = fc.uniqueArray(
    fc.record({
      checkpoint: fc.constantFrom('a', 'b', 'c', 'd'),
      checkpoint_name: fc.constant('x'),
      walking_seconds: fc.integer({ min: 0, max: 3600 }),
      queue: fc.option(fc.nat(5000)),
      per_minute: fc.double({ min: 0, max: 60, noNaN: true }),
    }),
    { selector: ({ checkpoint }) => checkpoint, minLength: 1 },
  )
  fc.assert(
    fc.property(lanes, (some) => {
      const guidance = guide(some)
      assert.ok(Value.Check(Guidance, guidance))
      const costs = [guidance, ...guidance.alternatives].map((way) => (way.walking_seconds ?? 0) + way.wait_seconds)
      assert.deepEqual(
        costs,
        [...costs].sort((a, b) => a - b),
      )
      assert.equal(costs.length, some.length)
      assert.deepEqual(guide(some.toReversed()), guidance)
    }),
  )
})
