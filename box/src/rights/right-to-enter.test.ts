import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import type { Movement } from '../ledger/schema.ts'
import { rightToEnter } from './right-to-enter.ts'

/** Every exit is compared with every entry. */
function stillInsideSlowly(movements: readonly Movement[]): Movement | undefined {
  const isAfter = (a: Movement, b: Movement) => {
    if ((a.provisional || b.provisional) && a.at !== b.at) return a.at > b.at
    return a.hlc === b.hlc ? a.entry > b.entry : a.hlc > b.hlc
  }
  const exits = movements.filter(({ direction }) => direction === 'out')
  return movements.findLast((m) => m.direction === 'in' && !exits.some((exit) => isAfter(exit, m)))
}

const passage = fc
  .record({
    isExit: fc.boolean(),
    at: fc.nat(6),
    hlc: fc.nat(6).map((ms) => `${ms}`),
    entry: fc.nat(3),
    provisional: fc.boolean(),
  })
  .map(({ isExit, ...rest }): Movement => {
    const way = isExit
      ? ({ direction: 'out', from: 'x', to: null } as const)
      : ({ direction: 'in', from: null, to: 'x' } as const)
    return { ...{ ticket: 1, slot: 'x/1', surplus: 0, occurrence: 1, checkpoint: 'c', scanId: 's' }, ...way, ...rest }
  })

it('finds the admission that no exit has followed, by time for scanners and by clock for boxes, like comparing all', () => {
  fc.assert(
    fc.property(fc.array(passage, { maxLength: 12 }), (movements) => {
      const { usedUpBy } = rightToEnter({ zone: 'x', day: '', movements }, 'reentry')
      assert.equal(usedUpBy, stillInsideSlowly(movements))
    }),
    { numRuns: 2_000 },
  )
})

it('reads each passage a few times, however many there are', () => {
  let reads = 0
  // Every entry is after all exits but the last: comparing all pairs would be a million comparisons.
  const movements = Array.from({ length: 2_000 }, (_, n) => {
    const isExit = n >= 1_000
    const time = isExit ? (n === 1_999 ? 5_000 : -n) : n
    return {
      ...{ ticket: 1, slot: 'x/1', surplus: 0, occurrence: 1, checkpoint: 'c', scanId: `${n}`, hlc: `${10_000 + n}` },
      ...{ direction: isExit ? 'out' : 'in', from: isExit ? 'x' : null, to: isExit ? null : 'x', entry: n },
      provisional: true,
      get at() {
        reads++
        return time
      },
    } as Movement
  })
  assert.equal(rightToEnter({ zone: 'x', day: '', movements }, 'reentry').usedUpBy, undefined)
  assert.ok(reads < 40_000, `${reads} reads of 2,000 passages`)
})
