import '../../words/in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MOST_INVITE_SECONDS } from '@gatehouse/proto/wire/admin.ts'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import { actionWords as words } from '../../words/late.ts'
import {
  cameIn,
  checkpointsIn,
  type DeviceRow,
  daysLeft,
  EXPIRIES,
  hostOfOwn,
  leftOf,
  nameOnSheet,
  share,
  toggled,
} from './invite.ts'

test('an invite that no phone can open is told apart', () => {
  for (const host of ['localhost', '127.0.0.1', '[::1]'])
    assert.equal(hostOfOwn(`https://${host}:8443/scanner/#i=x`), host)
  // The address of a pairing has nothing behind its port.
  assert.equal(hostOfOwn('https://127.0.0.1:8445'), '127.0.0.1')
  for (const host of ['192.168.1.7', 'gate.local']) assert.equal(hostOfOwn(`https://${host}:8443/scanner/#i=x`), null)
})

test('a phone that is paired by a sheet is called after its gate', () => {
  assert.equal(nameOnSheet('South', 0, 1), 'South')
  assert.deepEqual(
    [0, 1].map((n) => nameOnSheet('South', n, 2)),
    ['South 1', 'South 2'],
  )
})

const device = (over: Partial<DeviceRow>): DeviceRow => ({
  device_id: 'd',
  name: 'One',
  checkpoints: ['a'],
  ...over,
})

test('the box takes every expiry that is offered', () => {
  assert.ok(EXPIRIES.every((seconds) => seconds >= 10 && seconds <= MOST_INVITE_SECONDS))
})

test('a gate is marked whole, and taken away only when it was whole', () => {
  const some = new Set(['a', 'x'])
  assert.equal(share(some, ['a', 'b']), 'some')
  const all = toggled(some, ['a', 'b'])
  assert.deepEqual(all, new Set(['x', 'a', 'b']))
  assert.equal(share(all, ['a', 'b']), 'all')
  assert.deepEqual(toggled(all, ['a', 'b']), new Set(['x']))
  assert.equal(share(new Set(), ['a']), 'none')
})

test('a checkpoint that the event has lost since is not asked for', () => {
  const gates = [{ checkpoints: [{ id: 'b' }, { id: 'a' }] }] as unknown as Stats['gates']
  assert.deepEqual(checkpointsIn(gates, new Set(['a', 'gone', 'b'])), ['b', 'a'])
})

test('an invite counts down to nothing and no further', () => {
  const made = { at: 1_000_000, seconds: 600 }
  assert.equal(leftOf(made, 1_000_000), 600_000)
  assert.equal(leftOf(made, 1_599_001), 999)
  assert.equal(leftOf(made, 9_000_000), 0)
  assert.deepEqual([600_000, 65_000, 999, 0, 3_661_000].map(words.time.clock), [
    '10:00',
    '1:05',
    '0:01',
    '0:00',
    '1:01:01',
  ])
})

test('who came in on an invite is new, and has its checkpoints in whatever order', () => {
  const before = new Set(['old'])
  const roster = [
    device({ device_id: 'old', checkpoints: ['a', 'b'] }),
    device({ device_id: 'other', checkpoints: ['a'] }),
    device({ device_id: 'mine', checkpoints: ['b', 'a'] }),
  ]
  assert.equal(cameIn(before, ['a', 'b'], roster)?.device_id, 'mine')
  assert.equal(cameIn(before, ['c'], roster), undefined)
})

test('a certificate that ends within a day has none left, one that has ended fewer', () => {
  const now = Date.parse('2026-11-20T12:00:00Z')
  assert.equal(daysLeft('2026-11-20T18:00:00Z', now), 0)
  assert.equal(daysLeft('2026-11-22T12:00:00Z', now), 2)
  assert.equal(daysLeft('2026-11-20T11:00:00Z', now), -1)
  assert.deepEqual([-1, 0, 1, 2].map(words.devices.days), ['expired', 'expires today', '1 day left', '2 days left'])
})
