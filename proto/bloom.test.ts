import assert from 'node:assert/strict'
import { createCipheriv } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { bloomAdd, bloomFromWire, bloomHas, bloomIndexes, bloomSize, bloomToWire, createBloom } from './bloom.ts'
import vectors from './vectors/bloom.json' with { type: 'json' }

const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))

for (const { n, false_positive_rate, m, k } of vectors.sizes) {
  test(`${n} elements at ${false_positive_rate}: ${m} bits, ${k} hashes`, () => {
    assert.deepEqual(bloomSize(n, false_positive_rate), { m, k })
  })
}

for (const { m, k, code_hash, bits } of vectors.indexes) {
  test(`the ${k} of ${m} bits of ${code_hash}`, () => assert.deepEqual(bloomIndexes({ m, k }, hex(code_hash)), bits))
}

for (const { name, wire, added, also_has, has_not } of vectors.filters) {
  test(`golden filter: ${name}`, () => {
    const read = bloomFromWire(wire)
    const made = createBloom({ m: wire.m, k: wire.k, salt: read.salt })
    for (const element of added) bloomAdd(made, hex(element))

    assert.deepEqual(bloomToWire(made), wire)
    assert.deepEqual(bloomToWire(read), wire)
    for (const element of [...added, ...also_has]) assert.equal(bloomHas(read, hex(element)), true, element)
    for (const element of has_not) assert.equal(bloomHas(read, hex(element)), false, element)
  })
}

test('what was added is there, in any filter, and after the wire', () => {
  const codeHash = fc.uint8Array({ minLength: 16, maxLength: 16 })
  const size = fc.record({ m: fc.integer({ min: 2, max: 5000 }), k: fc.integer({ min: 1, max: 32 }) })
  fc.assert(
    fc.property(size, fc.array(codeHash, { maxLength: 50 }), (size, elements) => {
      const filter = createBloom({ ...size, salt: Uint8Array.of(1) })
      for (const element of elements) bloomAdd(filter, element)
      const read = bloomFromWire(bloomToWire(filter))
      assert.equal(read.n, elements.length)
      assert.ok(elements.every((element) => bloomHas(read, element)))
    }),
  )
})

test('under 0.01 % false positives for 100,000 tickets in a filter sized for twice as many, and no more when full', () => {
  const tickets = 100_000
  const strangers = 600_000
  const elements = pseudoRandomHashes(2 * tickets + strangers)
  const filter = createBloom({ ...bloomSize(2 * tickets, 1e-4), salt: Uint8Array.of(1) })
  const rate = () => elements.slice(2 * tickets).filter((element) => bloomHas(filter, element)).length / strangers

  for (const element of elements.slice(0, tickets)) bloomAdd(filter, element)
  assert.ok(rate() < 1e-6, `half full: ${rate()}`)

  for (const element of elements.slice(tickets, 2 * tickets)) bloomAdd(filter, element)
  // Expected 60 of 600,000, standard deviation 8. The elements are the same in every run.
  assert.ok(Math.abs(rate() - 1e-4) < 3e-5, `full: ${rate()}`)
})

/** The key stream of AES-CTR, so that a measured rate is the same in every run. */
function pseudoRandomHashes(count: number): Uint8Array[] {
  const stream = createCipheriv('aes-128-ctr', new Uint8Array(16), new Uint8Array(16)).update(
    new Uint8Array(16 * count),
  )
  return Array.from({ length: count }, (_, i) => stream.subarray(16 * i, 16 * i + 16))
}

const good = bloomToWire(createBloom({ m: 80, k: 13, salt: Uint8Array.of(1, 2, 3) }))

for (const [why, change] of [
  ['m is 0', { m: 0 }],
  ['m is 1', { m: 1 }],
  ['m is negative', { m: -80 }],
  ['m is not whole', { m: 79.5 }],
  ['m is not a number', { m: Number.NaN }],
  ['m is a text', { m: '80' }],
  ['m is absurd', { m: 2 ** 31 + 1 }],
  ['m is infinite', { m: Number.POSITIVE_INFINITY }],
  ['m is larger than the bits', { m: 88 }],
  ['m is smaller than the bits', { m: 72 }],
  ['m claims what no memory holds', { m: 2 ** 31 }],
  ['k is 0', { k: 0 }],
  ['k is over 32', { k: 33 }],
  ['k is missing', { k: undefined }],
  ['n is negative', { n: -1 }],
  ['n is null', { n: null }],
  ['the salt is empty', { salt: '' }],
  ['the salt is too long', { salt: 'A'.repeat(88) }],
  ['the salt is not Base64', { salt: '???' }],
  ['the salt is missing', { salt: undefined }],
  ['the bits are empty', { bits: '' }],
  ['the bits are base64url', { bits: '_'.repeat(14) }],
  ['the bits are a list', { bits: [0, 0] }],
] as const) {
  test(`a filter is refused when ${why}`, () => {
    assert.throws(() => bloomFromWire({ ...good, ...change } as typeof good), RangeError)
  })
}

test('a filter is never made, nor asked, out of bounds', () => {
  const filter = bloomFromWire(good)
  assert.throws(() => bloomHas(filter, new Uint8Array(15)), RangeError)
  assert.throws(() => bloomAdd(filter, new Uint8Array(32)), RangeError)
  assert.throws(() => createBloom({ m: 80, k: 0, salt: Uint8Array.of(1) }), RangeError)
  assert.throws(() => bloomSize(1e9, 1e-4), RangeError)
  assert.throws(() => bloomSize(Number.NaN, 1e-4), RangeError)
  for (const rate of [0, 1, -1, Number.NaN]) assert.throws(() => bloomSize(100, rate), RangeError)
})
