import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { newSheet, readSheet, readShortCode, shortCodeKey, shortCodesBy } from './short-code.ts'

const SIGNS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const codeOf = shortCodesBy(shortCodeKey(Buffer.alloc(32, 7)))
const refs = fc.stringMatching(/^[0-9a-f]{32}$/)

test('a code is read as it is printed, and as people type it', () => {
  fc.assert(
    fc.property(refs, (ref) => {
      const code = codeOf(ref)
      assert.match(code, /^[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$/)
      for (const typed of [code, code.replace('-', ''), ` ${code.toLowerCase().replace('-', ' ')} `]) {
        assert.deepEqual(readShortCode(typed), { code })
      }
    }),
  )
})

test('every single wrong sign of a code, and every exchange of two, is noticed', () => {
  for (let i = 0; i < 20; i++) {
    const code = codeOf(randomBytes(16).toString('hex')).replace('-', '')
    for (let at = 0; at < code.length; at++) {
      for (const sign of SIGNS) {
        if (sign === code[at]) continue
        assert.deepEqual(readShortCode(code.slice(0, at) + sign + code.slice(at + 1)), { problem: 'check' })
      }
      for (let other = at + 1; other < code.length; other++) {
        if (code[at] === code[other]) continue
        const signs = [...code]
        ;[signs[at], signs[other]] = [signs[other] as string, signs[at] as string]
        assert.deepEqual(readShortCode(signs.join('')), { problem: 'check' })
      }
    }
  }
})

test('a sign that no code has, and a sign too many or too few, are told apart', () => {
  const code = codeOf('a'.repeat(32))
  assert.deepEqual(readShortCode(code.slice(0, -1)), { problem: 'length' })
  assert.deepEqual(readShortCode(`${code}2`), { problem: 'length' })
  assert.deepEqual(readShortCode(code.replace(/.$/, 'O')), { problem: 'sign' })
  assert.deepEqual(readShortCode(''), { problem: 'length' })
})

test('another event prints other codes for the same ticket', () => {
  assert.notEqual(codeOf('a'.repeat(32)), shortCodesBy(shortCodeKey(Buffer.alloc(32, 8)))('a'.repeat(32)))
})

test('ten thousand tickets have ten thousand codes', () => {
  const codes = Array.from({ length: 10_000 }, (_, i) => codeOf(i.toString(16).padStart(32, '0')))
  assert.equal(new Set(codes).size, codes.length)
})

test("a sheet's number is checked as well, and is no short code", () => {
  const sheet = newSheet(() => 123_456)
  assert.deepEqual(readSheet(sheet.toLowerCase()), { code: sheet })
  assert.deepEqual(readShortCode(sheet), { problem: 'length' })
  for (const sign of SIGNS) {
    if (sign !== sheet[0]) assert.deepEqual(readSheet(sign + sheet.slice(1)), { problem: 'check' })
  }
})
