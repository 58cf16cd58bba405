import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isEnough } from './look-up.ts'

it('three letters or digits are enough, whatever signs are around them', () => {
  for (const text of ['abc', 'Ó B-7', '李小龙', '1 2 3']) assert.ok(isEnough(text), text)
  for (const text of ['', 'ab', ' . - ', 'a. b.', '😀😀😀']) assert.ok(!isEnough(text), text)
})
