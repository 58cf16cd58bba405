import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashOf, inviteIn, SCREENS, screenFor } from './route.ts'

const ready = { paired: true, placed: true }

test('every screen is reached by its hash, on a phone that is paired and placed', () => {
  for (const name of SCREENS) assert.equal(screenFor(hashOf(name), ready), name)
})

test('a phone that is not paired can only be paired', () => {
  for (const name of SCREENS) assert.equal(screenFor(hashOf(name), { paired: false, placed: false }), 'pair')
  assert.equal(screenFor('', { paired: false, placed: false }), 'pair')
})

test('a phone that stands nowhere chooses a checkpoint first; its settings stay within reach', () => {
  const unplaced = { paired: true, placed: false }
  assert.equal(screenFor('', unplaced), 'checkpoint')
  assert.equal(screenFor('#/scan', unplaced), 'checkpoint')
  assert.equal(screenFor('#/settings', unplaced), 'settings')
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
  for (const hash of ['', '#', '#i=', '#i=<script>', '#/scan', '#x=abc', '#i=a b']) assert.equal(inviteIn(hash), null)
})
