import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scanner } from '../../test-samples.ts'
import { type Device, FILTERS, isShown, listed, rosterKey } from './listed.ts'

const device = (over: Partial<Device>): Device => ({
  device_id: 'd',
  name: 'One',
  checkpoints: ['a'],
  enrolled_at: '2026-11-20T08:00:00Z',
  certificate_fingerprint: 'f',
  certificate_expires_at: '2026-11-30T00:00:00Z',
  supervisor: false,
  revoked_at: null,
  revoked_reason: null,
  ...over,
})

test('each scanner is one row, with what was agreed when it was paired', () => {
  const scanners = [scanner({ device_id: 'a', name: 'A' }), scanner({ device_id: 'b', name: 'B', state: 'lost' })]
  const rows = listed(scanners, [device({ device_id: 'a', supervisor: true }), device({ device_id: 'gone' })])
  assert.deepEqual(
    rows.map(({ name, device }) => [name, device?.supervisor]),
    [
      ['B', undefined],
      ['A', true],
    ],
    'in trouble first; one that was paired since is there without it',
  )
  assert.equal(listed(scanners, null).length, 2)
})

test('every scanner is behind the filter of its state, and revoked ones are not among those in service', () => {
  const behind = (state: 'live' | 'quiet' | 'lost' | 'revoked') =>
    FILTERS.filter((filter) => isShown({ state }, filter))
  assert.deepEqual(behind('live'), ['inService', 'live', 'all'])
  assert.deepEqual(behind('quiet'), ['inService', 'quiet', 'all'])
  assert.deepEqual(behind('lost'), ['inService', 'lost', 'all'])
  assert.deepEqual(behind('revoked'), ['revoked', 'all'])
})

test('what was agreed is read again when one is paired or revoked, and not when one falls silent', () => {
  const [live, lost, revoked] = (['live', 'lost', 'revoked'] as const).map((state) => [scanner({ state })])
  assert.equal(rosterKey(live ?? []), rosterKey(lost ?? []))
  assert.notEqual(rosterKey(live ?? []), rosterKey(revoked ?? []))
  assert.notEqual(rosterKey(live ?? []), rosterKey([]))
})
