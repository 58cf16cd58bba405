import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFromReady, pathIn, titleOf } from './path.ts'

test('a fragment names a screen, or none', () => {
  assert.equal(pathIn('#/gates'), 'gates')
  assert.equal(pathIn('#/flags/f-12?state=open'), 'flags')
  for (const hash of ['', '#', '#/', '#gates', '#/Gates', '#/../gates', '#/<b>', `#/${'a'.repeat(41)}`]) {
    assert.equal(pathIn(hash), '', hash)
  }
})

test('a screen that the list before doors has opened knows it', () => {
  assert.equal(isFromReady('#/scanners?from=ready'), true)
  assert.equal(pathIn('#/scanners?from=ready'), 'scanners')
  for (const hash of ['', '#/scanners', '#/scanners?from=log', '#/?from=ready']) assert.equal(isFromReady(hash), false)
})

test('a title counts what nobody has answered, and says when it is grave', () => {
  assert.equal(titleOf('Gates', 'Gatehouse', { unseen: 0, emergency: true }), 'Gates · Gatehouse')
  assert.equal(titleOf('Gates', 'Gatehouse', { unseen: 2, emergency: false }), '(2) Gates · Gatehouse')
  assert.equal(titleOf('Gates', 'Gatehouse', { unseen: 2, emergency: true }), '(2!) Gates · Gatehouse')
})
