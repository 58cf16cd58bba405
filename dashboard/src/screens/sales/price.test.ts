import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownOf, typedOf, unitsIn } from './price.ts'

test('a price is read as people write it, with a point or a comma', () => {
  for (const [typed, units] of [
    ['25', 2500],
    ['25.5', 2550],
    ['25,50', 2550],
    [' 0 ', 0],
    ['25.', 2500],
  ] as const) {
    assert.equal(unitsIn(typed, 'EUR'), units, typed)
  }
  assert.equal(unitsIn('1500', 'JPY'), 1500)
})

test('what is no price is none, and no digit is dropped', () => {
  for (const typed of ['', '-5', '25.505', '1e3', '25 EUR', '1.000,00', 'free', '99999999']) {
    assert.equal(unitsIn(typed, 'EUR'), null, typed)
  }
  assert.equal(unitsIn('15.5', 'JPY'), null)
})

test('a price is shown with its currency, and goes back to the same units', () => {
  assert.equal(shownOf(2550, 'EUR'), '25.50 EUR')
  assert.equal(shownOf(1500, 'JPY'), '1500 JPY')
  for (const units of [0, 1, 99, 2550, 123_456]) assert.equal(unitsIn(typedOf(units, 'EUR'), 'EUR'), units)
})
