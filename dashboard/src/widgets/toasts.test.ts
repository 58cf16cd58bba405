import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createToasts } from './toasts.ts'

test('one notice at a time: a good one gives way to the next, a bad one waits to be closed', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { shown, toast, close } = createToasts()
  const text = () => shown.value?.text
  toast('Gate North is on hold.')
  toast('Gate South is on hold.')
  assert.equal(text(), 'Gate South is on hold.')
  close(shown.value?.id ?? 0)
  assert.equal(text(), undefined, 'the one before does not come back')
  toast('Not done: the box does not answer.', 'bad')
  toast('Sent.')
  assert.equal(text(), 'Sent.')
  t.mock.timers.tick(6000)
  assert.equal(text(), 'Not done: the box does not answer.')
  close(shown.value?.id ?? 0)
  assert.equal(text(), undefined)
})
