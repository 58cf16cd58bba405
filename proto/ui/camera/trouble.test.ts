import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayHealItself, troubleOf } from './trouble.ts'

const named = (name: string) => Object.assign(new Error('no'), { name })

test('every refusal of a browser has its own words', () => {
  assert.equal(troubleOf(named('NotAllowedError')), 'denied')
  assert.equal(troubleOf(named('NotFoundError')), 'absent')
  assert.equal(troubleOf(named('OverconstrainedError')), 'absent')
  assert.equal(troubleOf(named('NotReadableError')), 'busy')
  assert.equal(troubleOf(new DOMException('no', 'SecurityError')), 'denied')
})

test('what no specification names is still an answer', () => {
  for (const error of [null, undefined, 'text', {}, named('toString')]) assert.equal(troubleOf(error), 'unknown')
})

test('nobody is asked again by itself for what was denied', () => {
  assert.ok(!mayHealItself('denied'))
  assert.ok(mayHealItself('lost'))
})
