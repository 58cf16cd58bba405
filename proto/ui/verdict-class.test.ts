import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VERDICTS } from '../wire/scan.ts'
import { VERDICT_CLASSES, VERDICT_SHAPE, verdictClass } from './verdict-class.ts'

test('every verdict has a class, every class a verdict and a shape of its own', () => {
  assert.deepEqual(new Set(VERDICTS.map(verdictClass)), new Set(VERDICT_CLASSES))
  assert.equal(new Set(Object.values(VERDICT_SHAPE)).size, VERDICT_CLASSES.length)
})
