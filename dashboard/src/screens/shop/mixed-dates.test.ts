import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mixedDates } from './mixed-dates.ts'

const DATE = { at: '', taken: true }
const dates = [
  { id: 1, name: 'Matinee', admits: { from: 0, until: 9 }, ...DATE },
  { id: 2, name: 'Evening', admits: { from: 0, until: 9 }, ...DATE },
  { id: 3, name: 'Sunday', admits: { from: 10, until: 19 }, ...DATE },
  { id: 4, name: 'Some time', admits: null, ...DATE },
]
const namesOf = (...chosen: number[]) => mixedDates(dates, new Set(chosen)).map(({ name }) => name)

test('two dates of one day are named, where the box would have both', () => {
  assert.deepEqual(namesOf(), ['Matinee', 'Evening'], 'all dates, while none is chosen')
  assert.deepEqual(namesOf(1, 2, 4), ['Matinee', 'Evening'])
  assert.deepEqual(namesOf(1, 3, 4), [])
})
