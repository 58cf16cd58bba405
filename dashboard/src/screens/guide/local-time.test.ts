import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isoOf, localOf } from './local-time.ts'

test('a time is shown as the clock at the event says, and written with its offset', () => {
  assert.equal(localOf('2026-07-17T16:00:00+01:00', 'Europe/Lisbon'), '2026-07-17T16:00')
  assert.equal(localOf('2026-07-17T15:00:00Z', 'Europe/Lisbon'), '2026-07-17T16:00')
  assert.equal(isoOf('2026-07-17T16:00', 'Europe/Lisbon'), '2026-07-17T16:00:00+01:00')
  assert.equal(isoOf('2026-01-17T16:00', 'America/St_Johns'), '2026-01-17T16:00:00-03:30')
  assert.equal(isoOf('2026-01-17T16:00', 'Asia/Kathmandu'), '2026-01-17T16:00:00+05:45')
})

test('an hour that the clock skips becomes one that exists', () => {
  const iso = isoOf('2026-03-29T02:30', 'Europe/Berlin')
  assert.ok(['2026-03-29T01:30:00+01:00', '2026-03-29T03:30:00+02:00'].includes(iso), iso)
})

test('what is no time is empty, and a zone that nobody knows is UTC', () => {
  assert.deepEqual([localOf('soon', 'UTC'), isoOf('', 'UTC')], ['', ''])
  assert.equal(isoOf('2026-01-01T00:00', 'Europe/Lissabon'), '2026-01-01T00:00:00+00:00')
})

test('whatever was written is read back, outside of the hour that a clock skips', () => {
  const zones = fc.constantFrom(
    'Europe/Lisbon',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Tokyo',
    'Pacific/Chatham',
  )
  const minutes = fc.integer({ min: Date.UTC(2020, 0) / 60_000, max: Date.UTC(2040, 0) / 60_000 })
  fc.assert(
    fc.property(minutes, zones, (minute, zone) => {
      const local = localOf(new Date(minute * 60_000).toISOString(), zone)
      assert.equal(localOf(isoOf(local, zone), zone), local)
    }),
  )
})
