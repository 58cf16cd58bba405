import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { overlapping } from './overlapping.ts'

const day = fc.integer({ min: 0, max: 40 })
const dates = fc
  .array(fc.record({ from: day, lasts: fc.integer({ min: 0, max: 6 }) }))
  .map((all) => all.map(({ from, lasts }, id) => ({ id, from, until: from + lasts })))

test('a date is one of those that overlap exactly if another one shares a moment with it', () => {
  fc.assert(
    fc.property(dates, (all) => {
      const found = new Set(overlapping(all).map(({ id }) => id))
      for (const one of all) {
        const others = all.filter(({ id }) => id !== one.id)
        const shares = others.some(({ from, until }) => from <= one.until && one.from <= until)
        assert.equal(found.has(one.id), shares)
      }
    }),
  )
})

test('of dates on days that follow one another, none does', () => {
  assert.deepEqual(
    overlapping([
      { from: 10, until: 19 },
      { from: 0, until: 9 },
    ]),
    [],
  )
})
