import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BatchLimit } from './batch-limit.ts'

describe('the largest batch', () => {
  const takes = (limit: BatchLimit, times: number) => {
    for (let i = 0; i < times; i++) limit.taken()
    return limit.bytes
  }

  it('is halved where it is too large, and recovers', () => {
    const limit = new BatchLimit(1000)
    limit.refused(1000)
    assert.equal(limit.bytes, 500)
    limit.refused(250)
    assert.equal(limit.bytes, 125)
    assert.equal(takes(limit, 1000), 1000)
  })

  it('is tried again more and more rarely where the receiver keeps its limit', () => {
    const limit = new BatchLimit(1000)
    let refusals = 0
    for (let batch = 0; batch < 10_000; batch++) {
      if (limit.bytes <= 500) limit.taken()
      else {
        limit.refused(limit.bytes)
        refusals++
      }
    }
    assert.ok(refusals < 12, `${refusals} refusals`)
  })
})
