import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { describe, it } from 'node:test'
import { answerBrokenRequest, mayTakeItsTime } from './connection.ts'

describe('a request that did not arrive in time', () => {
  const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  const socket = () => new PassThrough() as unknown as Socket & PassThrough

  it('is told so, unless it may take its time; and only for as long as it may', () => {
    const one = socket()
    {
      using _patience = mayTakeItsTime(one)
      answerBrokenRequest(late, one)
      assert.ok(one.writable && !one.destroyed)
      answerBrokenRequest(late, socket())
    }
    answerBrokenRequest(late, one)
    assert.match(one.read().toString(), /^HTTP\/1\.1 400 .*did not arrive in time/s)
  })

  it('may take its time to arrive, and nothing else', () => {
    const one = socket()
    using _patience = mayTakeItsTime(one)
    answerBrokenRequest(Object.assign(new Error('no HTTP'), { code: 'HPE_INVALID_METHOD' }), one)
    assert.match(one.read().toString(), /^HTTP\/1\.1 400 /)
  })
})
