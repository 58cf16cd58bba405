import '../words/in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { words } from '../words/words.ts'
import { answered, type Refused, refusalOf, sentenceOf } from './answered.ts'

const response = (status: number) => new Response(null, { status })

test('the body of an answer', async () => {
  assert.deepEqual(await answered(Promise.resolve({ data: { holds: [] }, response: response(200) })), { holds: [] })
})

test("the box's own sentence is what a person reads", async () => {
  const error = { code: 'conflict', message: 'Somebody was quicker.' }
  await assert.rejects(answered(Promise.resolve({ error, response: response(409) })), (thrown: Refused) => {
    assert.deepEqual({ ...thrown, message: thrown.message }, { name: 'Refused', status: 409, ...error })
    return true
  })
})

test('no answer, and an answer that is not a box’s, have sentences of their own', async () => {
  await assert.rejects(answered(Promise.reject(new TypeError('Failed to fetch'))), {
    code: 'unreachable',
    message: words.session.unreachable,
  })
  for (const body of [
    undefined,
    null,
    'Bad Gateway',
    7,
    [],
    {},
    { code: 1, message: 'x' },
    { code: 'x', message: '' },
  ]) {
    assert.equal((await refusalOf(502, body)).message, words.session.strange(502))
  }
})

test('whoever asked to stop is not told that the box is gone, and nothing is logged as a fault', async (t) => {
  const stopped = new DOMException('stopped', 'AbortError')
  await assert.rejects(answered(Promise.reject(stopped)), stopped)
  const logged = t.mock.method(console, 'error', () => {})
  assert.equal(sentenceOf(stopped), '')
  assert.equal(logged.mock.callCount(), 0)
})
