import '../../words/in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { incident, stats, zone } from '../../test-samples.ts'
import { figuresNow, figuresThen, lateBy } from './facts.ts'

test('a report that took its time says so, and one that came at once does not', () => {
  const reported_at = '2026-07-17T19:07:00.000Z'
  assert.equal(lateBy(incident({ observed_at: '2026-07-17T19:00:00.000Z', reported_at })), 7 * 60_000)
  assert.equal(lateBy(incident({ observed_at: '2026-07-17T19:06:59.000Z', reported_at })), null)
  assert.equal(lateBy(incident({ observed_at: '2026-07-17T19:09:00.000Z', reported_at })), null, 'a clock ahead')
})

test('figures of the report, and those of now, are told apart', () => {
  const one = incident({ queue: 50, queue_rate_per_min: 2, occupancy: 100 })
  const now = stats({ zones: [zone({ occupancy: 340 })] })
  assert.deepEqual(figuresThen(one, now), [
    '50 waiting',
    '2/min coming in',
    '40 scans in 5 min, 12 refused',
    'nobody through for 1 min',
    '100 in Arena',
  ])
  assert.deepEqual(figuresNow(one, now), ['3/min coming in', '340 in Arena'])
  assert.deepEqual(figuresNow(one, null), [])
  assert.deepEqual(figuresNow(incident({ gate: 'gone', zone: null }), now), [])
})
