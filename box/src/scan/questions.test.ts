import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Question } from '@gatehouse/proto/wire/ticket-details.ts'
import { askedQuestions, askingOf, unansweredTexts } from './questions.ts'

const ask = (id: string, kind: Question['kind'], more: Partial<Question> = {}): Question => ({
  id,
  text: `${id}?`,
  kind,
  required: true,
  ...more,
})
const sent = (answers: Readonly<Record<string, string>>) =>
  Object.entries(answers).map(([question, answer]) => ({ question, answer }))
const ids = (questions: readonly { id: string }[]) => questions.map(({ id }) => id)

describe('the questions of a ticket', () => {
  const size = ask('size', 'choice', { options: [{ id: 's', text: 'Small' }] })
  const meal = ask('meal', 'yes_no', { required: false })
  const diet = ask('diet', 'text', { depends_on: { question: 'meal', values: ['True'] } })

  it('hold the admission until each required one that applies has an answer', () => {
    const all = [size, meal, diet]
    assert.deepEqual(unansweredTexts(askingOf(all, {})), ['size?'])
    assert.deepEqual(unansweredTexts(askingOf(all, { size: 's' })), [])
    assert.deepEqual(unansweredTexts(askingOf(all, {}, sent({ size: 's', meal: 'true' }))), ['diet?'])
    assert.deepEqual(unansweredTexts(askingOf(all, {}, sent({ size: 's', meal: 'true', diet: 'none' }))), [])
  })

  it('take an answer whatever the order of the questions that depend on each other', () => {
    const asking = askingOf([diet, meal], {}, sent({ diet: 'none', meal: 'true' }))
    assert.deepEqual(asking.given, { meal: 'true', diet: 'none' })
  })

  it('take no answer to a question that is not open, not asked, or no question, and none that is no answer', () => {
    const asking = askingOf(
      [size, meal, diet],
      { meal: 'false' },
      sent({ size: 'xl', meal: 'true', diet: 'x', no: 'x' }),
    )
    assert.deepEqual(asking.given, {})
    const [asked, ...others] = askedQuestions(asking)
    assert.deepEqual([asked?.id, asked?.problem, ids(others)], ['size', 'Choose from the list.', []])
  })

  it('store nothing for an optional one that is left empty', () => {
    assert.deepEqual(askingOf([meal], {}, sent({ meal: ' ' })).given, {})
  })

  it('are sent with those that depend on them, and without a dependency that is settled', () => {
    const all = askedQuestions(askingOf([size, meal, diet], {}))
    assert.deepEqual(ids(all), ['size', 'meal', 'diet'])
    assert.deepEqual(all[2]?.depends_on, diet.depends_on)
    const [left] = askedQuestions(askingOf([meal, diet], { meal: 'true' }))
    assert.deepEqual([left?.id, left?.depends_on], ['diet', undefined])
  })

  it('name one that cannot be asked here, and keep nobody out for it', () => {
    const photo = ask('photo', 'not_askable')
    const asking = askingOf([photo], {}, sent({ photo: 'x' }))
    assert.deepEqual([unansweredTexts(asking), asking.given], [[], {}])
    assert.deepEqual(ids(askedQuestions(asking)), ['photo'])
  })

  it('fit in a verdict, however many and however long a shop makes them', () => {
    const options = Array.from({ length: 2_000 }, (_, i) => ({ id: `o${i}`, text: `Option ${i}` }))
    const huge = ask('huge', 'choice', { options })
    const many = Array.from({ length: 300 }, (_, i) => ask(`q${i}`, 'text', { text: `Question ${i} `.repeat(8) }))
    const asking = askingOf([huge, ...many], {})
    assert.ok(JSON.stringify(askedQuestions(asking)).length < 9_000)
    assert.ok(!unansweredTexts(asking).includes('huge?'), 'nobody waits for a question that cannot be shown')
    // The other questions are asked after that.
    const first = askedQuestions(asking).filter(({ kind }) => kind === 'text')
    const second = askingOf([huge, ...many], {}, sent(Object.fromEntries(first.map(({ id }) => [id, 'x']))))
    assert.equal(askedQuestions(second).find(({ kind }) => kind === 'text')?.id, `q${first.length}`)
  })

  it('end where they depend on each other in a circle', () => {
    const a = ask('a', 'text', { depends_on: { question: 'b', values: ['x'] } })
    const b = ask('b', 'text', { depends_on: { question: 'a', values: ['x'] } })
    assert.deepEqual(askedQuestions(askingOf([a, b], {}, sent({ a: 'x', b: 'x' }))), [])
  })
})
