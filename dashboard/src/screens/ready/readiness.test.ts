import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scanner } from '../../live/scanners.ts'
import '../../words/in-english.ts'
import { SCREENS } from '../registry.ts'
import { type Facts, gatesOff, linksCommand, REMEDIES, readiness, soundName } from './readiness.ts'

const NOW = Date.parse('2026-11-22T18:00:00Z')
const scanner = (more: Partial<Scanner> = {}): Scanner => ({
  ...{ device_id: 'd', name: 'North 1', checkpoint: 'a-in', last_seen: '2026-11-22T18:00:00Z', state: 'live' },
  ...{ clock_offset_ms: 0, unsent: 0, app_version: null, battery: 1, scans: 0 },
  ...more,
})
const READY: Facts = {
  ...{
    trusted: true,
    publicName: null,
    appliance: true,
    synced: true,
    tickets: 10,
    gates: 2,
    scanners: [scanner(), scanner({ device_id: 'e' })],
  },
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
  assert.deepEqual(warned({ publicName: false }), ['publicName'])
  assert.deepEqual(warned({ synced: false }), ['clock'])
  assert.deepEqual(warned({ tickets: 0 }), ['tickets'])
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

test('an event without a map has nothing to do for it: it is asked whether somebody wants one', () => {
  assert.deepEqual(warned({ gatesOffMap: null }), [])
  assert.equal(readiness({ ...READY, gatesOffMap: null }).find(({ id }) => id === 'map')?.standing, 'ask')
})

test('links are written by a command that fits the machine', () => {
  assert.equal(linksCommand('10.0.0.1', false), 'npx --no -- gatehouse links > links.csv')
  assert.equal(linksCommand('gatehouse.local', true), 'ssh root@gatehouse.local gatehouse links > links.csv')
})

test('a box that has no stick to ask for says nothing of it', () => {
  assert.ok(readiness({ ...READY, stick: null }).every(({ id }) => id !== 'stick'))
})

test('a box without a public name says nothing of its certificate, and one that holds is in order', () => {
  const standing = (publicName: boolean | null) =>
    readiness({ ...READY, publicName }).find(({ id }) => id === 'publicName')?.standing
  assert.deepEqual([standing(null), standing(true), standing(false)], [undefined, 'ok', 'warn'])
})

test('each line leads to the screen with its remedy, and nowhere where the machine has none', () => {
  const paths = (facts: Partial<Facts>) =>
    Object.fromEntries(readiness({ ...READY, publicName: false, ...facts }).map(({ id, path }) => [id, path]))
  assert.deepEqual(paths({}), {
    ...{ certificate: 'settings', publicName: 'settings', clock: 'appliance', tickets: 'import', scanners: 'scanners' },
    ...{ battery: 'scanners', map: 'guide', backup: 'record', stick: 'appliance', paper: 'paper', links: null },
    rehearsal: 'ready',
  })
  assert.equal(paths({ appliance: false }).clock, null, 'a laptop has no such screen')
})

test('a rehearsal of this week counts, and one of another crew does not', () => {
  assert.deepEqual(warned({ rehearsed: null }), ['rehearsal'])
  assert.deepEqual(warned({ rehearsed: '2026-11-15T17:59:59Z' }), ['rehearsal'])
  assert.deepEqual(warned({ rehearsed: '2026-11-15T18:00:01Z' }), [])
})

test('a gate counts as off the map while any of its checkpoints is', () => {
  const checkpoints = ['a-in', 'a-out', 'b-in'].map((id) => ({ id, gate: id.slice(0, 1) }))
  const off = (...placed: string[]) => gatesOff(checkpoints, { checkpoints: placed.map((id) => ({ id })) })
  assert.deepEqual([off('a-in', 'a-out', 'b-in'), off('a-in', 'b-in'), off()], [0, 1, 2])
})

test('a certificate that is late, broken or too short for the event is not in order, though gates open', () => {
  const held = { state: 'held', damaged: false, outlasts_event: true } as Parameters<typeof soundName>[0]
  assert.equal(soundName({ ...held, state: 'off' }), null)
  assert.equal(soundName(held), true)
  for (const state of ['none', 'due', 'expired'] as const) assert.equal(soundName({ ...held, state }), false, state)
  assert.equal(soundName({ ...held, damaged: true }), false)
  assert.equal(soundName({ ...held, outlasts_event: false }), false)
})

test('each remedy needs what its screen needs', () => {
  const needed = readiness({ ...READY, publicName: false }).flatMap(({ path }) =>
    path === 'ready' ? [] : [path ?? ''],
  )
  for (const path of needed) assert.equal(REMEDIES[path], SCREENS.find((one) => one.path === path)?.needs, path)
})
