import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PreflightItem } from '../../model.ts'
import * as checks from './checks.ts'

const NOON = Date.parse('2026-07-04T12:00:00Z')
const HOUR = 3_600_000
const list = (age: number, stale = false) => ({ version: 7, asOf: NOON - age, tickets: 5000, stale })

test('the clock: allowed for, worth a word, too far off', () => {
  assert.deepEqual(
    [0, 2000, -2001, 60_000, 60_001].map((ms) => checks.clockLine(ms).state),
    ['ok', 'ok', 'warn', 'warn', 'fail'],
  )
  assert.match(checks.clockLine(48_000).detail, /48 seconds behind the box/)
  assert.match(checks.clockLine(-48_000).detail, /48 seconds ahead of the box/)
  assert.equal(checks.clockLine(null).state, 'warn')
})

test('the ticket list: how many, which, how old', () => {
  assert.deepEqual(checks.manifestLine(list(0), NOON), {
    ...{ id: 'manifest', state: 'ok', remedy: null },
    detail: '5,000 tickets, version 7, just now.',
  })
  assert.equal(checks.manifestLine(list(10 * 60_000), NOON).state, 'warn')
  assert.equal(checks.manifestLine(list(0, true), NOON).state, 'fail')
  assert.equal(checks.manifestLine(null, NOON).state, 'fail')
})

test('the certificate: days, hours, over', () => {
  assert.equal(checks.certificateLine(NOON + 49 * HOUR, NOON).detail, '2 days left.')
  assert.equal(checks.certificateLine(NOON + 5 * HOUR, NOON).state, 'warn')
  assert.equal(checks.certificateLine(NOON, NOON).state, 'fail')
})

test('storage, sound, wake lock, link, offline', () => {
  assert.deepEqual(
    [undefined, true, false, null].map((persisted) => checks.storageLine(persisted).state),
    ['checking', 'ok', 'warn', 'warn'],
  )
  assert.equal(checks.soundLine({ heard: true, volume: 0 }).state, 'warn')
  assert.equal(checks.soundLine({ heard: true, volume: 1 }).state, 'ok')
  assert.equal(checks.wakeLockLine('refused').state, 'warn')
  assert.equal(checks.linkLine({ state: 'alone', heardAt: NOON - 65_000 }, NOON).detail, 'Not heard for 1 min.')
  assert.equal(checks.offlineLine(false, 1000).state, 'checking')
  assert.equal(checks.offlineLine(false, 10_000).state, 'fail')
})

test('the camera: open, opening, or why not and what to do', () => {
  const stream = {} as MediaStream
  assert.equal(
    checks.cameraLine({ kind: 'open', stream, label: 'Back', width: 1280, height: 720 }).detail,
    'Back, 1280 × 720.',
  )
  assert.equal(checks.cameraLine({ kind: 'opening' }).state, 'checking')
  assert.equal(checks.cameraLine({ kind: 'trouble', trouble: 'denied' }).state, 'fail')
  assert.equal(checks.cameraLine({ kind: 'trouble', trouble: 'busy' }).state, 'warn')
})

test('whatever is measured, what is not ready says what to do, and what is ready says nothing more', () => {
  const any = fc.oneof(
    fc.option(fc.integer()).map(checks.clockLine),
    fc.tuple(fc.integer(), fc.integer()).map(([expires, now]) => checks.certificateLine(expires, now)),
    fc.tuple(fc.nat(), fc.boolean()).map(([age, stale]) => checks.manifestLine(list(age, stale), NOON)),
    fc.record({ heard: fc.boolean(), volume: fc.double({ min: 0, max: 1, noNaN: true }) }).map(checks.soundLine),
    fc.constantFrom('off', 'held', 'refused').map(checks.wakeLockLine),
  )
  fc.assert(
    fc.property(any, (item: PreflightItem) => {
      assert.equal(item.remedy !== null, item.state === 'warn' || item.state === 'fail')
      assert.ok(item.detail.length > 0)
    }),
  )
  assert.deepEqual(checks.missing([checks.clockLine(0), checks.storageLine(false)]), ['Storage'])
})
