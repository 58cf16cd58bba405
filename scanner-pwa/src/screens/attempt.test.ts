import '../words/in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ScannerError } from '../gate/model.ts'
import { createAttempt } from './attempt.ts'

test('what the scanner refuses is said in its words, and gone with the next attempt', async () => {
  const attempt = createAttempt()
  const refused = await attempt.run(async () => {
    throw new ScannerError('Ask for another invite.')
  })
  assert.equal(refused, false)
  assert.equal(attempt.problem.value, 'Ask for another invite.')
  assert.equal(await attempt.run(async () => {}), true)
  assert.equal(attempt.problem.value, null)
})

test('a second press while the first is under way does nothing', async () => {
  const attempt = createAttempt()
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = attempt.run(() => promise)
  assert.ok(attempt.busy.value)
  assert.equal(await attempt.run(() => assert.fail('pressed twice')), false)
  resolve()
  assert.equal(await first, true)
  assert.ok(!attempt.busy.value)
})
