import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isBusy } from './busy.ts'

describe('the machine', () => {
  it('is looked at often while something moves', () => {
    const backup = (state: 'idle' | 'making' | 'copying' | 'done' | 'failed') => ({
      backup: { state, percent: null, name: null, reason: null },
    })
    for (const state of ['uploading', 'checking', 'installing'] as const)
      assert.ok(isBusy({ state }, backup('idle')), state)
    for (const state of ['making', 'copying'] as const) assert.ok(isBusy({ state: 'idle' }, backup(state)), state)
    for (const state of ['idle', 'ready', 'failed'] as const) assert.ok(!isBusy({ state }, backup('done')), state)
    assert.ok(!isBusy(null, null))
  })
})
