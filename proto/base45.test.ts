import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeBase45, encodeBase45 } from './base45.ts'

const ascii = (text: string) => new TextEncoder().encode(text)

for (const [plain, encoded] of [
  ['', ''],
  ['AB', 'BB8'],
  ['Hello!!', '%69 VD92EX0'],
  ['base-45', 'UJCLQE7W581'],
  ['ietf!', 'QED8WEX0'],
] as const) {
  test(`RFC 9285: ${JSON.stringify(plain)} is ${JSON.stringify(encoded)}`, () => {
    assert.equal(encodeBase45(ascii(plain)), encoded)
    assert.deepEqual(decodeBase45(encoded), ascii(plain))
  })
}

for (const [text, bytes] of [
  ['FGW', [0xff, 0xff]],
  ['U5', [0xff]],
  ['000', [0, 0]],
  ['00', [0]],
] as const) {
  test(`the ends of the range: ${text}`, () => {
    assert.deepEqual(decodeBase45(text), Uint8Array.from(bytes))
    assert.equal(encodeBase45(Uint8Array.from(bytes)), text)
  })
}

for (const [why, text] of [
  ['one character', 'A'],
  ['one character left over', 'BB8A'],
  ['a triple over 65535', 'GGW'],
  ['the largest triple', ':::'],
  ['a pair over 255', 'V5'],
  ['the largest pair', '::'],
  ['lower case', 'bb8'],
  ['a character outside the alphabet', 'BB_'],
  ['a line break', 'BB8\n0'],
  ['a full-width digit', 'BB８'],
  ['a lone surrogate', 'BB\ud800'],
] as const) {
  test(`refuses ${why}`, () => assert.equal(decodeBase45(text), undefined))
}

test('every byte string comes back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) =>
      assert.deepEqual(decodeBase45(encodeBase45(bytes)), bytes),
    ),
  )
})

test('whatever decodes has one spelling', () => {
  const letters = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:a_é')
  fc.assert(
    fc.property(fc.string({ unit: letters, maxLength: 30 }), (text) => {
      const bytes = decodeBase45(text)
      if (bytes) assert.equal(encodeBase45(bytes), text)
    }),
    { numRuns: 2000 },
  )
})
