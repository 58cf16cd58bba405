import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { applies, blockingQuestions, openQuestions, readAnswer } from './questions.ts'
import { QUESTION_KINDS, type Question } from './wire/ticket-details.ts'

const ask = (id: string, kind: Question['kind'], more: Partial<Question> = {}): Question => ({
  id,
  text: `${id}?`,
  kind,
  required: true,
  ...more,
})
const SIZES = [
  { id: 's', text: 'Small' },
  { id: 'l', text: 'Large' },
]

describe('which questions are open', () => {
  const meal = ask('meal', 'yes_no')
  const diet = ask('diet', 'choice', { options: SIZES, depends_on: { question: 'meal', values: ['True'] } })
  const size = ask('size', 'choice', { options: SIZES, required: false })
  const photo = ask('photo', 'not_askable')
  const all = [meal, diet, size, photo]
  const ids = (questions: readonly Question[]) => questions.map(({ id }) => id)

  it('are those without an answer, and those that depend on another once it has its answer', () => {
    assert.deepEqual(ids(openQuestions(all, {})), ['meal', 'size', 'photo'])
    assert.deepEqual(ids(openQuestions(all, { meal: 'true' })), ['diet', 'size', 'photo'])
    assert.deepEqual(ids(openQuestions(all, { meal: 'false' })), ['size', 'photo'])
  })

  it('keep nobody out where they are optional, or where nobody can be asked here', () => {
    assert.deepEqual(ids(blockingQuestions(all, {})), ['meal'])
    assert.deepEqual(ids(blockingQuestions(all, { meal: 'true', diet: 's' })), [])
  })

  it('compare an option by its id as by its text', () => {
    const after = ask('after', 'text', { depends_on: { question: 'size', values: ['Large'] } })
    const both = ask('both', 'choices', { options: SIZES })
    assert.equal(applies(after, [size, after], { size: 'l' }), true)
    assert.equal(applies(after, [size, after], { size: 's' }), false)
    const several = { ...after, depends_on: { question: 'both', values: ['l'] } }
    assert.equal(applies(several, [both, several], { both: 's,l' }), true)
  })

  it('end where two of them depend on each other, and where the other one is gone', () => {
    const a = ask('a', 'text', { depends_on: { question: 'b', values: ['x'] } })
    const b = ask('b', 'text', { depends_on: { question: 'a', values: ['x'] } })
    assert.deepEqual(ids(openQuestions([a, b], {})), [])
    assert.deepEqual(ids(openQuestions([a], {})), ['a'])
  })
})

describe('an answer', () => {
  const read = (kind: Question['kind'], text: string, more: Partial<Question> = {}) =>
    readAnswer(ask('q', kind, { options: SIZES, ...more }), text)
  const table: [Question['kind'], string, string][] = [
    ['text', '  Ana\tReis ', 'Ana Reis'],
    ['paragraph', 'one\ntwo\u0007', 'one\ntwo'],
    ['number', '1,5', '1.5'],
    ['yes_no', 'True', 'true'],
    ['choice', 's', 's'],
    ['choices', 'l, s', 's,l'],
    ['date', '2024-02-29', '2024-02-29'],
    ['time', '19:05:59', '19:05'],
    ['datetime', '2026-11-22 19:05', '2026-11-22T19:05'],
    ['country', 'pt', 'PT'],
    ['phone', '+351 (91) 234-5678', '+351912345678'],
  ]
  for (const [kind, typed, text] of table) {
    it(`${kind}: ${JSON.stringify(typed)} is stored as ${JSON.stringify(text)}`, () => {
      assert.deepEqual(read(kind, typed), { text })
    })
  }

  const wrong: [Question['kind'], string, string][] = [
    ['text', ' ', 'missing'],
    ['text', 'x'.repeat(251), 'too_long'],
    ['paragraph', 'x'.repeat(1001), 'too_long'],
    ['text', '\ud800', 'too_long'],
    ['number', 'ten', 'not_a_number'],
    ['number', '1e9', 'not_a_number'],
    ['yes_no', 'maybe', 'missing'],
    ['yes_no', 'false', 'must_be_yes'],
    ['choice', 'Small', 'not_an_option'],
    ['choices', 's,x', 'not_an_option'],
    ['date', '2026-02-29', 'not_a_date'],
    ['date', '22.11.2026', 'not_a_date'],
    ['time', '24:00', 'not_a_time'],
    ['datetime', '2026-11-22', 'not_a_date'],
    ['country', 'Portugal', 'not_a_country'],
    ['phone', 'call me', 'not_a_phone'],
    ['not_askable', 'x', 'not_askable'],
  ]
  for (const [kind, typed, problem] of wrong) {
    it(`${kind}: ${JSON.stringify(typed.slice(0, 12))} is ${problem}`, () => {
      assert.deepEqual(read(kind, typed), { problem })
    })
  }

  it('may be left out where the question is optional, and an optional no is an answer', () => {
    assert.deepEqual(read('text', '', { required: false }), { text: '' })
    assert.deepEqual(read('yes_no', 'false', { required: false }), { text: 'false' })
  })

  it('reads its own text again as the same, whatever was typed', () => {
    const kind = fc.constantFrom(...QUESTION_KINDS)
    fc.assert(
      fc.property(kind, fc.boolean(), fc.string({ unit: 'binary', maxLength: 60 }), (of, required, typed) => {
        const once = read(of, typed, { required })
        if ('text' in once) assert.deepEqual(read(of, once.text, { required }), once)
      }),
    )
  })
})
