import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AskedQuestion } from '@gatehouse/proto/wire/scan.ts'
import { answersOf, choose, countries, problemsOf, shownQuestions } from './form.ts'

const ask = (id: string, over: Partial<AskedQuestion> = {}): AskedQuestion => ({
  id,
  text: `${id}?`,
  kind: 'text',
  required: true,
  ...over,
})
const QUESTIONS = [
  ask('meal', { kind: 'yes_no', required: false }),
  ask('diet', { depends_on: { question: 'meal', values: ['true'] } }),
  ask('passport', { kind: 'not_askable' }),
  ask('age', { kind: 'number' }),
]
const ids = (questions: readonly AskedQuestion[]) => questions.map(({ id }) => id)

test('a question that depends on another one is shown once that one has the answer', () => {
  assert.deepEqual(ids(shownQuestions(QUESTIONS, {})), ['meal', 'passport', 'age'])
  assert.deepEqual(ids(shownQuestions(QUESTIONS, { meal: 'false' })), ['meal', 'passport', 'age'])
  assert.deepEqual(ids(shownQuestions(QUESTIONS, { meal: 'true' })), ['meal', 'diet', 'passport', 'age'])
})

test('what is required and missing or wrong keeps the form; what cannot be asked here does not', () => {
  assert.deepEqual([...problemsOf(QUESTIONS, { age: 'ten' })], [['age', 'not_a_number']])
  assert.deepEqual(
    [...problemsOf(QUESTIONS, { meal: 'true' })],
    [
      ['diet', 'missing'],
      ['age', 'missing'],
    ],
  )
  assert.deepEqual([...problemsOf(QUESTIONS, { age: '10' })], [])
})

test('an answer to a question that is no longer shown is not sent', () => {
  const draft = { meal: 'true', diet: ' No  nuts ', age: '10' }
  assert.deepEqual(answersOf(QUESTIONS, draft), { meal: 'true', diet: 'No nuts', age: '10' })
  assert.deepEqual(answersOf(QUESTIONS, { ...draft, meal: 'false' }), { meal: 'false', age: '10' })
})

test('options are chosen and taken back one by one', () => {
  assert.equal(choose('', 'a', true), 'a')
  assert.equal(choose('a', 'b', true), 'a,b')
  assert.equal(choose('a,b', 'a', true), 'b,a')
  assert.equal(choose('a,b', 'a', false), 'b')
})

test('countries have two letters and a name, and nothing that is no country', () => {
  const all = countries()
  assert.ok(all.length > 200 && all.every(({ id, text }) => /^[A-Z]{2}$/.test(id) && text !== id))
  assert.equal(all.find(({ id }) => id === 'PT')?.text, 'Portugal')
  assert.ok(!all.some(({ id }) => id === 'EU' || id === 'ZZ'))
})
