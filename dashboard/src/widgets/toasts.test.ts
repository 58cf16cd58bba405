import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createToasts } from './toasts.ts'

test('one notice at a time: a good one gives way to the next, a bad one waits to be closed', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { shown, toast, close } = createToasts()
  const texts = () => shown.value.map(({ text }) => text)
  toast('Gate North is on hold.')
  toast('Gate South is on hold.')
  assert.deepEqual(texts(), ['Gate South is on hold.'])
  toast('Not done: the box does not answer.', 'bad')
  toast('Sent.')
  assert.deepEqual(texts(), ['Not done: the box does not answer.', 'Sent.'])
  t.mock.timers.tick(6000)
  assert.deepEqual(texts(), ['Not done: the box does not answer.'])
  close(shown.value[0]?.id ?? 0)
  assert.deepEqual(texts(), [])
})
