import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sparkOf } from './spark-path.ts'

test('from left to right, zero at the bottom, the most at the top', () => {
  assert.deepEqual(sparkOf([0, 5, 10], 100, 20), { line: 'M0 20L50 10L100 0', area: 'M0 20L50 10L100 0L100 20L0 20Z' })
})

test('one scale for several, and a quiet hour is flat', () => {
  assert.equal(sparkOf([5], 100, 20, 10).line, 'M0 10')
  assert.equal(sparkOf([0, 0], 100, 20).line, 'M0 20L100 20')
  assert.deepEqual(sparkOf([], 100, 20), { line: '', area: '' })
})

test('whatever the numbers are, the line stays in its box and has no NaN', () => {
  fc.assert(
    fc.property(fc.array(fc.double(), { minLength: 1, maxLength: 60 }), fc.double(), (values, most) => {
      const { line } = sparkOf(values, 120, 28, most)
      for (const [, x, y] of line.matchAll(/[ML](\S+) ([^L]+)/g)) {
        assert.ok(Number(x) >= 0 && Number(x) <= 120 && Number(y) >= 0 && Number(y) <= 28, line)
      }
      assert.equal([...line.matchAll(/[ML]/g)].length, values.length)
    }),
  )
})
