import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { behind, isWorthSetting } from './clock.ts'

describe('the clock of the box', () => {
  const box = '2026-11-20T19:00:00.000Z'
  const at = Date.parse(box)

  it('is compared in the middle of the question', () => {
    assert.equal(behind({ asked: at - 100, answered: at + 100, box }), 0)
    assert.equal(behind({ asked: at + 5000, answered: at + 5200, box }), 5100)
    assert.equal(behind({ asked: at - 5000, answered: at - 5000, box }), -5000)
  })

  it('is set only when nothing better does, and when it is off by more than a person would see', () => {
    assert.equal(isWorthSetting('unsynced', 2001), true)
    assert.equal(isWorthSetting('unsynced', -2001), true)
    assert.equal(isWorthSetting('unsynced', 2000), false)
    assert.equal(isWorthSetting('synced', 1e9), false)
  })
})
