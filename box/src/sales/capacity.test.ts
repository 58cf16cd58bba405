/** A limit that tickets would pass is a sentence and a code; a refusal has the code of each. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Counted, overCapacity } from './capacity.ts'
import { overCapacityError } from './sell.ts'

const tier = { id: 'day', name: 'Day ticket', at_the_gate: { most: 3 } }
const zone = { id: 'arena', name: 'Arena', capacity: 10 }
const counted = (sold: number, inside: number): Counted => ({
  event: {
    tierById: new Map([['day', tier]]),
    zoneById: new Map([['arena', zone]]),
    checkpoints: [{ direction: 'in', from: null, to: 'arena', tiers: ['day'] }],
  } as unknown as Counted['event'],
  soldOf: () => sold,
  occupancyOf: () => inside,
})
const limits = (tickets: number, sold: number, inside: number) =>
  overCapacity(new Map([['day', tickets]]), counted(sold, inside))

test('up to the limit, nothing is said', () => {
  assert.deepEqual(limits(3, 0, 7), [])
})

test('one limit is the reason of the refusal, with its values', () => {
  const { code, reason, values, coded, message } = overCapacityError(limits(2, 2, 0))
  assert.deepEqual([code, reason, coded], ['over_capacity', 'tier_full', undefined])
  assert.deepEqual(values, { tier: 'Day ticket', left: 1, most: 3, wanted: 2 })
  assert.match(message, /^Day ticket: 1 of 3 left .* give a reason\.$/)
  assert.deepEqual(overCapacityError(limits(1, 0, 10)).values, { zone: 'Arena', inside: 10, most: 10, coming: 1 })
})

test('several limits are each said in the sentence, and each is a code', () => {
  const { reason, coded, message } = overCapacityError(limits(5, 0, 9))
  assert.equal(reason, 'tier_full')
  assert.deepEqual(coded, [
    { code: 'tier_full', values: { tier: 'Day ticket', left: 3, most: 3, wanted: 5 } },
    { code: 'zone_full', values: { zone: 'Arena', inside: 9, most: 10, coming: 5 } },
  ])
  assert.match(message, /5 wanted\. Arena: 9 of 10 people/)
})
