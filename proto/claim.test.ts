import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { claimBytes } from './claim.ts'

test('a proof names its purpose and one ticket: no two ids are signed alike', () => {
  assert.equal(Buffer.from(claimBytes('abc')).toString('hex'), Buffer.from('gatehouse/claim/v1\0abc').toString('hex'))
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      assert.equal(Buffer.compare(claimBytes(a), claimBytes(b)) === 0, a === b)
    }),
  )
})
