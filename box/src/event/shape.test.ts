import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guessed } from './shape.ts'

test('the candidates are looked through once for the sentence and the code', () => {
  // An iterator gives its values only once.
  assert.deepEqual(guessed('dya', ['week', 'day'].values()), {
    said: '; did you mean "day"?',
    coded: [{ code: 'meant', values: { guess: 'day' } }],
  })
  assert.deepEqual(guessed('xyz', ['week', 'day'].values()), { said: '', coded: [] })
})
