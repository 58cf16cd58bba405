import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fromBase64, fromBase64Url, toBase64 } from './base64.ts'

test("agrees with Node's encoder, and comes back", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      assert.equal(toBase64(bytes), Buffer.from(bytes).toString('base64'))
      assert.deepEqual(fromBase64(toBase64(bytes)), bytes)
      assert.deepEqual(fromBase64Url(Buffer.from(bytes).toString('base64url')), bytes)
    }),
  )
})

for (const [why, text] of [
  ['missing padding', 'Zg'],
  ['too little padding', 'Zg='],
  ['too much padding', 'Zg==='],
  ['nothing but padding', '===='],
  ['padding inside', 'Zg==Zg=='],
  ['unused bits set', 'Zh=='],
  ['unused bits set', 'Zm9='],
  ['the other alphabet', '-_-_'],
  ['white space', 'Zm9v\n'],
  ['a space inside', 'Zm 9'],
  ['a character outside ASCII', 'Zm9é'],
] as const) {
  test(`fromBase64 refuses ${why}: ${JSON.stringify(text)}`, () => assert.equal(fromBase64(text), undefined))
}

for (const [why, text] of [
  ['padding', 'Zg=='],
  ['one character', 'Z'],
  ['unused bits set', 'Zh'],
  ['the other alphabet', '+/+/'],
] as const) {
  test(`fromBase64Url refuses ${why}: ${text}`, () => assert.equal(fromBase64Url(text), undefined))
}

test('whatever decodes has one spelling', () => {
  const letters = fc.constantFrom(...'ABCDwxyz0189+/-_= ')
  fc.assert(
    fc.property(fc.string({ unit: letters, maxLength: 12 }), (text) => {
      const bytes = fromBase64(text)
      if (bytes) assert.equal(toBase64(bytes), text)
      const urlBytes = fromBase64Url(text)
      if (urlBytes) assert.equal(Buffer.from(urlBytes).toString('base64url'), text)
    }),
    { numRuns: 2000 },
  )
})
