import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isAboutSize } from './size-words.ts'

describe('the words of a receiver', () => {
  it('are about the size of a message', () => {
    for (const text of [
      'Received message larger than max (5000000 vs 4194304)',
      'grpc: received message larger than max (5000000 vs. 4194304)',
      'gRPC message exceeds maximum size 4194304: 5000000',
      'Received message exceeds the maximum configured message size.',
      'Error, decoded message length too large: found 5000000 bytes, the limit is: 4194304 bytes',
      'SERVER: Sent message larger than max (5000000 vs. 4194304)',
      'payload too large',
    ]) {
      assert.ok(isAboutSize(text), text)
    }
  })

  it('are about a rate, which says nothing of the size', () => {
    for (const text of [
      "Quota exceeded for quota metric 'Write requests' and limit 'Write requests per minute' of service 'x'",
      'quota exceeds limit of 1000 bytes per second',
      'rate limit exceeded for message size class bytes',
      'request rate exceeds the limit',
      'exceeded max concurrent streams limit',
      'too many bytes in flight: limit 1048576',
      'out of memory',
      '',
    ]) {
      assert.ok(!isAboutSize(text), text)
    }
  })
})
