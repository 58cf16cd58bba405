import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import { checkpointName, placeName, zoneNames } from './places.ts'

const stats = {
  gates: [
    { name: 'Gate North', checkpoints: [{ id: 'north-in', name: 'North entry' }] },
    { name: 'Backstage', checkpoints: [{ id: 'bs', name: 'Backstage' }] },
  ],
  zones: [{ id: 'arena', name: 'Arena' }],
} as unknown as Stats

test('a place is named as people call it, and by its id where the event has lost it', () => {
  assert.equal(placeName(stats, 'north-in'), 'Gate North, North entry')
  assert.equal(placeName(stats, 'bs'), 'Backstage')
  assert.equal(placeName(stats, 'gone'), 'gone')
  assert.equal(placeName(null, 'north-in'), 'north-in')
  assert.equal(checkpointName(stats, 'bs'), 'Backstage')
  assert.equal(checkpointName(stats, 'gone'), 'gone')
  assert.equal(zoneNames(stats, ['arena', 'gone']), 'Arena, gone')
})
