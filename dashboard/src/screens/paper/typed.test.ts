import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codesIn, fieldOf, timeIn } from './typed.ts'

test('codes are taken as people type and paste them', () => {
  assert.deepEqual(codesIn('ABCD-EFGH\n jkmn pqrs \n\nABCDEFGH, 2345-6789;ABC'), [
    'ABCD-EFGH',
    'jkmn pqrs',
    'ABCDEFGH',
    '2345-6789',
    'ABC',
  ])
  assert.deepEqual(codesIn('ABCD-EFGH JKMN-PQRS\tABCDEFGH'), ['ABCD-EFGH', 'JKMN-PQRS', 'ABCDEFGH'])
  assert.deepEqual(codesIn(' \n '), [])
})

test("a time is this tablet's, and comes back as it was shown", () => {
  const noon = new Date(2026, 6, 4, 12, 5).getTime()
  assert.equal(fieldOf(noon), '2026-07-04T12:05')
  assert.equal(timeIn(fieldOf(noon)), new Date(noon).toISOString())
  assert.equal(timeIn(''), null)
  assert.equal(timeIn('soon'), null)
})
