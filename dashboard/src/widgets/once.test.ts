import assert from 'node:assert/strict'
import { test } from 'node:test'
import { once } from './once.ts'

test('a double press does it once; afterwards it can be done again', async () => {
  const waiting: (() => void)[] = []
  const { busy, run } = once(() => new Promise<void>((resolve) => waiting.push(resolve)))
  const first = run()
  void run()
  assert.equal(waiting.length, 1)
  assert.equal(busy.value, true)
  waiting[0]?.()
  await first
  assert.equal(busy.value, false)
  void run()
  assert.equal(waiting.length, 2)
})

test('what fails can be tried again', async () => {
  const { busy, run } = once(() => Promise.reject(new Error('no')))
  await assert.rejects(run())
  assert.equal(busy.value, false)
})
