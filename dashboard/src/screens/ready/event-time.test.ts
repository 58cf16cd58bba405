import '../../words/in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventTime } from './event-time.ts'

const AT = '2026-07-17T21:30:00Z'

test('a time is that of the event, and names its zone', () => {
  assert.match(eventTime(AT, 'Asia/Tokyo', 'clock'), /^06:30 .*(GMT\+9|JST)$/)
  assert.match(eventTime(AT, 'Asia/Tokyo', 'day'), /Sat,? 18 Jul 2026,? (at )?06:30/)
  assert.match(eventTime(AT, 'America/New_York', 'day'), /Fri,? 17 Jul 2026,? (at )?17:30/)
})

test('without a zone, or with one that the browser does not know, it is the time of this device, with its zone', () => {
  const own = eventTime(AT, Intl.DateTimeFormat().resolvedOptions().timeZone, 'clock')
  for (const zone of [undefined, 'Mars/Olympus']) assert.equal(eventTime(AT, zone, 'clock'), own)
})
