import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { it, type TestContext } from 'node:test'
import { limitAnswer } from './answer-limit.ts'

const MEGABYTE = Buffer.alloc(1_000_000)

it('closes a connection whose answer is not taken, down to its last piece', (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const response = new PassThrough()
  limitAnswer(response as never, 1000)
  response.end(MEGABYTE)
  t.mock.timers.tick(999)
  assert.equal(response.destroyed, false)
  t.mock.timers.tick(1)
  assert.equal(response.destroyed, true)
})

it('waits for nothing where the connection is gone already', (t: TestContext) => {
  const setTimeout = t.mock.method(globalThis, 'setTimeout')
  const response = new PassThrough()
  response.destroy()
  limitAnswer(response as never, 1000)
  assert.equal(setTimeout.mock.callCount(), 0)
})

it('leaves one alone whose answer was taken', async (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const response = new PassThrough({ autoDestroy: false })
  limitAnswer(response as never, 1000)
  response.end(MEGABYTE)
  assert.equal((await buffer(response)).length, MEGABYTE.length)
  response.emit('close')
  t.mock.timers.tick(1000)
  assert.equal(response.destroyed, false)
})
