import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bareCode } from './payload.ts'
import vectors from './vectors/payload.json' with { type: 'json' }

const EDGES = [' ', '\t', '\r', '\n', '\r\n', '\0', '\u0002', '\u0003', '\u001d', '\u00a0', '\u2028', '\ufeff']
const MARKS = [']Q1', ']C0', ']d2', ']z3', '\\000026', '\\000003']
/** Texts that come close to what is removed. */
const text = fc
  .array(
    fc.oneof(fc.constantFrom(...EDGES, ...MARKS, ']', 'Q', '1', '\\', '0', 'a', 'A'), fc.string({ unit: 'grapheme' })),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(''))
const before = fc.array(fc.constantFrom(...EDGES, ...MARKS), { maxLength: 4 }).map((parts) => parts.join(''))
const after = fc.array(fc.constantFrom(...EDGES), { maxLength: 4 }).map((parts) => parts.join(''))

for (const { name, payload, code } of vectors.payloads) {
  test(`the code in a payload: ${name}`, () => assert.equal(bareCode(payload), code))
}

test('a bare code is its own bare code, and stays itself whatever surrounds it: two codes never become one', () => {
  fc.assert(
    fc.property(text, before, after, (any, prefix, suffix) => {
      const code = bareCode(any)
      assert.equal(bareCode(code), code)
      fc.pre(code !== '')
      assert.equal(bareCode(prefix + code + suffix), code)
    }),
    { numRuns: 2000 },
  )
})

test('nothing but edges and marks at the ends is ever removed', () => {
  fc.assert(
    fc.property(text, (any) => {
      const code = bareCode(any)
      const [head = '', tail = ''] = [
        any.slice(0, any.lastIndexOf(code)),
        any.slice(any.lastIndexOf(code) + code.length),
      ]
      assert.match(head, /^(?:[\s\p{Cc}]|\][A-Za-z]\d|\\0000\d\d)*$/u)
      assert.match(tail, /^[\s\p{Cc}]*$/u)
    }),
  )
})

test('a payload of a megabyte takes no time to speak of', () => {
  const long = ' '.repeat(500_000)
  const started = performance.now()
  assert.equal(bareCode(`${long}a${long}b${long}`).length, 500_002)
  assert.ok(performance.now() - started < 500)
})
