import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scanner } from '../../live/scanners.ts'
import { type Facts, readiness } from './readiness.ts'

const NOW = Date.parse('2026-11-22T18:00:00Z')
const scanner = (more: Partial<Scanner> = {}): Scanner => ({
  ...{ device_id: 'd', name: 'North 1', checkpoint: 'a-in', last_seen: '2026-11-22T18:00:00Z', state: 'live' },
  ...{ clock_offset_ms: 0, unsent: 0, app_version: null, battery: 1, scans: 0 },
  ...more,
})
const READY: Facts = {
  ...{ trusted: true, synced: true, tickets: 10, gates: 2, scanners: [scanner(), scanner({ device_id: 'e' })] },
  ...{ gatesOffMap: 0, lastBackup: '2026-11-22T10:00:00Z', stick: true, printed: new Set(['a', 'b']), now: NOW },
  rehearsed: '2026-11-22T12:00:00Z',
}

const warned = (facts: Partial<Facts>) =>
  readiness({ ...READY, ...facts }).flatMap(({ id, standing }) => (standing === 'warn' ? [id] : []))

test('where all is in order, one thing is left that no machine can know', () => {
  assert.deepEqual(warned({}), [])
  assert.deepEqual(
    readiness(READY).flatMap(({ id, standing }) => (standing === 'ask' ? [id] : [])),
    ['links'],
  )
})

test('each thing that is missing is one line', () => {
  assert.deepEqual(warned({ trusted: false }), ['certificate'])
  assert.deepEqual(warned({ synced: false }), ['clock'])
  assert.deepEqual(warned({ tickets: 0 }), ['tickets'])
  assert.deepEqual(warned({ gatesOffMap: null }), ['map'])
  assert.deepEqual(warned({ gatesOffMap: 2 }), ['map'])
  assert.deepEqual(warned({ stick: false }), ['stick'])
  assert.deepEqual(warned({ printed: new Set(['a']) }), ['paper'])
})

test('a scanner for each gate, with a battery and a clock; one out of service counts for nothing', () => {
  assert.deepEqual(warned({ scanners: [] }), ['scanners'])
  assert.deepEqual(warned({ scanners: [scanner(), scanner({ state: 'lost' })] }), ['scanners'])
  assert.deepEqual(warned({ scanners: [scanner(), scanner({ battery: 0.1 })] }), ['battery'])
  assert.deepEqual(warned({ scanners: [scanner(), scanner({ clock_offset_ms: -60_000 })] }), ['battery'])
  assert.deepEqual(warned({ scanners: [...READY.scanners, scanner({ state: 'revoked', battery: 0 })] }), [])
})

test('a backup of yesterday is to be repeated, and one of an hour ago is not', () => {
  assert.deepEqual(warned({ lastBackup: null }), ['backup'])
  assert.deepEqual(warned({ lastBackup: '2026-11-21T17:59:59Z' }), ['backup'])
  assert.deepEqual(warned({ lastBackup: '2026-11-21T18:00:01Z' }), [])
})

test('a box that has no stick to ask for says nothing of it', () => {
  assert.ok(readiness({ ...READY, stick: null }).every(({ id }) => id !== 'stick'))
})

test('a rehearsal of this week counts, and one of another crew does not', () => {
  assert.deepEqual(warned({ rehearsed: null }), ['rehearsal'])
  assert.deepEqual(warned({ rehearsed: '2026-11-15T17:59:59Z' }), ['rehearsal'])
  assert.deepEqual(warned({ rehearsed: '2026-11-15T18:00:01Z' }), [])
})
