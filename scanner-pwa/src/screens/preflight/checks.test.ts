import '../../words/in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PreflightItem } from '../../gate/model.ts'
import * as checks from './checks.ts'

test('sound, wake lock, offline', () => {
  assert.equal(checks.soundLine({ heard: true, volume: 0, missing: false }).state, 'warn')
  assert.equal(checks.soundLine({ heard: true, volume: 1, missing: false }).state, 'ok')
  assert.match(checks.soundLine({ heard: false, volume: 1, missing: true }).detail, /plays no sound/)
  assert.equal(checks.wakeLockLine('refused').state, 'warn')
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
    fc
      .record({ heard: fc.boolean(), missing: fc.boolean(), volume: fc.double({ min: 0, max: 1, noNaN: true }) })
      .map(checks.soundLine),
    fc.constantFrom('off', 'held', 'refused').map(checks.wakeLockLine),
    fc.tuple(fc.boolean(), fc.nat()).map(([ready, waited]) => checks.offlineLine(ready, waited)),
  )
  fc.assert(
    fc.property(any, (item: PreflightItem) => {
      assert.equal(item.remedy !== null, item.state === 'warn' || item.state === 'fail')
      assert.ok(item.detail.length > 0)
    }),
  )
})

test('what is missing is named in the order of the screen', () => {
  const items = checks.inOrder([
    checks.offlineLine(false, 60_000),
    checks.soundLine({ heard: false, volume: 1, missing: false }),
    checks.wakeLockLine('held'),
  ])
  assert.deepEqual(checks.missing(items), ['Sound', 'Works offline'])
})
