import assert from 'node:assert/strict'
import { test } from 'node:test'
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { canonicalJson } from './canonical-json.ts'
import { anyText } from './properties.testing.ts'

test('every JSON value has the text that canonicalize, by an author of RFC 8785, gives it', () => {
  const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.maxSafeInteger())
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(null, true, false),
      number,
      anyText(),
      fc.array(tie('any'), { maxLength: 5 }),
      fc.dictionary(anyText(), tie('any'), { maxKeys: 6 }),
    ),
  })).any
  fc.assert(
    fc.property(value, (json) => assert.equal(canonicalJson(json), canonicalize(json))),
    { numRuns: 150 },
  )
})
