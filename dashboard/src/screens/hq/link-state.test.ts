import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkStateOf, type UpLink } from './link-state.ts'

const link: UpLink = {
  configured: true,
  connected: true,
  peer: 'hq:7719',
  position: '1/2',
  last_at: null,
  last_error: null,
  lag_events: 0,
  lag_seconds: 0,
  retained_events: 0,
  retained_bytes: 0,
}

test('a direction is off, away, behind or current, in this order', () => {
  assert.equal(linkStateOf({ ...link, configured: false, connected: false }), 'off')
  assert.equal(linkStateOf({ ...link, connected: false, lag_seconds: 100 }), 'away')
  assert.equal(linkStateOf({ ...link, lag_seconds: 11, lag_events: 3 }), 'behind')
  assert.equal(linkStateOf({ ...link, lag_seconds: 11, lag_events: null }), 'behind')
  assert.equal(
    linkStateOf({ ...link, lag_seconds: 11, lag_events: 0 }),
    'current',
    'nothing waits, however old the last was',
  )
  assert.equal(linkStateOf({ ...link, lag_seconds: null, lag_events: null }), 'current')
})
