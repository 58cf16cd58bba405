import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isAnotherIncarnation, nextIncarnation } from './incarnation.ts'

const slot = { incarnation: 5, confirmed: 10, token: 'b', lost: false }
const memory = { incarnation: 5, seq: 10, tokens: ['a', 'b'] }

describe('a database', () => {
  it('is the one that was read before when it is no older than what is remembered', () => {
    assert.equal(isAnotherIncarnation(memory, slot, 10), false)
    assert.equal(isAnotherIncarnation(memory, { ...slot, token: 'a' }, 12), false)
  })

  it('is another when it ends before what was seen, or has a token of an earlier time', () => {
    assert.equal(isAnotherIncarnation(memory, slot, 9), true)
    assert.equal(isAnotherIncarnation(memory, { ...slot, token: 'z' }, 100), true)
    assert.equal(isAnotherIncarnation(memory, { ...slot, incarnation: 4 }, 100), true)
  })

  it('that somebody has given another life on purpose is taken at its word', () => {
    assert.equal(isAnotherIncarnation(memory, { ...slot, incarnation: 6, token: 'z' }, 0), false)
  })

  it('gets incarnations that only grow, whatever the clock does', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31), fc.array(fc.nat(2 ** 31)), (seconds, earlier) => {
        const next = nextIncarnation(seconds * 1000, ...earlier)
        assert.ok(next >= seconds && earlier.every((incarnation) => incarnation < next))
      }),
    )
  })
})
