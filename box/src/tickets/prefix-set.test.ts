import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runs } from '@gatehouse/proto/properties.testing.ts'
import fc from 'fast-check'
import { PREFIX_BYTES, PrefixSet, sortedPrefixes, unionOf } from './prefix-set.ts'

/** Few bytes, so that prefixes meet; among them those at the ends and on both sides of a sign bit. */
const prefix = fc
  .array(fc.constantFrom(0x00, 0x01, 0x7f, 0x80, 0xff), { minLength: PREFIX_BYTES, maxLength: PREFIX_BYTES })
  .map((bytes) => Buffer.from(bytes.map((byte, i) => (i > 1 && i < PREFIX_BYTES - 1 ? 0 : byte))))

const sorted = (prefixes: Iterable<string>) => Buffer.from([...prefixes].sort().join(''), 'hex')
const hex = (prefixes: readonly Buffer[]) => new Set(prefixes.map((bytes) => bytes.toString('hex')))

describe('a set of prefixes', () => {
  it('has what a Set of texts would have after the same changes, sorted by bytes', () => {
    const change = fc.record({ prefix, isIn: fc.boolean(), thenAsked: fc.boolean() })
    fc.assert(
      fc.property(fc.array(prefix), fc.array(change, { maxLength: 60 }), (first, changes) => {
        const expected = hex(first)
        const before = sortedPrefixes(Buffer.concat(first))
        const copy = Buffer.from(before)
        const set = new PrefixSet(before)
        for (const { prefix, isIn, thenAsked } of changes) {
          if (isIn) set.add(prefix)
          else set.delete(prefix)
          if (isIn) expected.add(prefix.toString('hex'))
          else expected.delete(prefix.toString('hex'))
          if (thenAsked) assert.deepEqual(set.bytes(), sorted(expected))
        }
        assert.deepEqual(set.bytes(), sorted(expected))
        assert.deepEqual(before, copy, 'what it began with is not written to')
      }),
      runs(300, 10_000),
    )
  })

  it('stays right when so much changes that it is merged before anybody asks', () => {
    const numbered = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, n) => Buffer.from((from + n).toString(16).padStart(16, '0'), 'hex'))
    const set = new PrefixSet(sortedPrefixes(Buffer.concat(numbered(0, 5000))))
    for (const prefix of numbered(2000, 7500)) set.add(prefix)
    for (const prefix of numbered(1000, 4000)) set.delete(prefix)
    for (const prefix of numbered(9000, 9500)) set.delete(prefix)
    assert.deepEqual(set.bytes(), Buffer.concat([...numbered(0, 1000), ...numbered(4000, 7500)]))
  })

  it('is united with others, each prefix once', () => {
    fc.assert(
      fc.property(fc.array(fc.array(prefix), { maxLength: 4 }), (sets) => {
        const all = unionOf(sets.map((set) => sortedPrefixes(Buffer.concat(set))))
        assert.deepEqual(all, sorted(hex(sets.flat())))
      }),
      runs(300, 10_000),
    )
  })
})
