import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashOf, inviteIn, SCREENS, screenFor } from './route.ts'

const ready = { paired: true, placed: true, supervisor: true, locked: false }
const unpaired = { paired: false, placed: false, supervisor: false, locked: false }

test('every screen is reached by its hash, on a phone that is paired and placed', () => {
  for (const name of SCREENS) assert.equal(screenFor(hashOf(name), ready), name)
})

test('a phone that is not paired can only be paired', () => {
  for (const name of SCREENS) assert.equal(screenFor(hashOf(name), unpaired), 'pair')
  assert.equal(screenFor('', unpaired), 'pair')
})

test('a phone that stands nowhere chooses a checkpoint first; its settings stay within reach', () => {
  const unplaced = { ...ready, placed: false }
  assert.equal(screenFor('', unplaced), 'checkpoint')
  assert.equal(screenFor('#/scan', unplaced), 'checkpoint')
  assert.equal(screenFor('#/settings', unplaced), 'settings')
})

test('a phone that nobody holds asks who it is: help can be called for, and nothing scanned', () => {
  const locked = { ...ready, locked: true }
  for (const name of SCREENS) {
    const stays = ['settings', 'pair', 'incidents', 'preflight'].includes(name)
    assert.equal(screenFor(hashOf(name), locked), stays ? name : 'sign-on')
  }
  assert.equal(screenFor('', locked), 'sign-on')
  assert.equal(screenFor('', { ...locked, placed: false }), 'checkpoint')
})

test("only a supervisor's phone looks tickets up: another one scans, whatever its hash says", () => {
  assert.equal(screenFor('#/look-up', ready), 'look-up')
  assert.equal(screenFor('#/look-up', { ...ready, supervisor: false }), 'scan')
})

test('opened without a hash, or with one that names nothing, it scans', () => {
  for (const hash of ['', '#', '#/', '#/nothing', '#/scan/../pair', '#constructor']) {
    assert.equal(screenFor(hash, ready), 'scan')
  }
})

test('an invite is read from a pairing link and from nothing else', () => {
  assert.equal(inviteIn('#i=eyJ1Ijoi_-9'), 'i=eyJ1Ijoi_-9')
  assert.equal(inviteIn('#i=eyJ1Ijoi_-9=='), 'i=eyJ1Ijoi_-9')
  assert.equal(screenFor('#i=abc', ready), 'pair')
  assert.equal(inviteIn('#i=a b'), 'i=a b', 'a broken one is said to be broken, and not passed over')
  for (const hash of ['', '#', '#/scan', '#x=abc']) assert.equal(inviteIn(hash), null)
})
