import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { unstarted } from './slots.ts'
import type { Slot } from './wire/appliance.ts'

describe('an update that waits', () => {
  const slot = (name: 'A' | 'B', state: Slot['state'], ...is: ('running' | 'next')[]): Slot => ({
    name,
    state,
    version: '0.1.0',
    running: is.includes('running'),
    next: is.includes('next'),
  })

  it('is in the slot that is next and does not run', () => {
    const waiting = slot('B', 'good', 'next')
    assert.equal(unstarted([slot('A', 'good', 'running'), waiting]), waiting)
  })

  it('is none where what runs is next, whatever the other holds', () => {
    for (const state of ['good', 'bad', 'empty'] as const)
      assert.equal(unstarted([slot('A', 'good', 'running', 'next'), slot('B', state)]), undefined)
  })

  it('is none while a new version has yet to show that it runs', () => {
    assert.equal(unstarted([slot('A', 'good', 'next'), slot('B', 'bad', 'running')]), undefined)
  })

  it('is none where the machine does not say', () => {
    assert.equal(unstarted([]), undefined)
  })
})
