import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { dayStarts, localDay } from './day.ts'
import { zoneOffset } from './zone-offset.ts'

// Temporal (ECMAScript's next calendar) as a second opinion: its own reading of the zones, and its own rules for gaps and repeats.

const ZONES = Intl.supportedValuesOf('timeZone')
const zone = fc.constantFrom(...ZONES)
const instant = fc.integer({ min: Date.UTC(1972, 0, 1), max: Date.UTC(2037, 11, 31) })
/** Within three hours of a change of the clock, where the zone has one in the half year after. */
const nearChange = fc.tuple(zone, instant, fc.integer({ min: -10_800_000, max: 10_800_000 })).map(([id, at, away]) => {
  const next = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(id).getTimeZoneTransition('next')
  return { timezone: id, at: (next?.epochMilliseconds ?? at) + away }
})

test('the offset of every zone, at its clock changes too, is the one of Temporal', () => {
  fc.assert(
    fc.property(nearChange, ({ timezone, at }) => {
      const { offsetNanoseconds } = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone)
      assert.equal(zoneOffset(timezone)(at), offsetNanoseconds / 1e6, `${timezone} ${new Date(at).toISOString()}`)
    }),
    { numRuns: 100 },
  )
})

/** When a festival day begins: the first instant at which the clock shows that time or a later one of the date. */
function startOf(timezone: string, date: Temporal.PlainDate, time: string): number {
  const wall = date.toPlainDateTime(time)
  const start = wall.toZonedDateTime(timezone, { disambiguation: 'earlier' })
  // In a gap, "earlier" is before the jump; the first instant that shows a later time is the jump itself.
  if (start.toPlainDateTime().equals(wall)) return start.epochMilliseconds
  return start.getTimeZoneTransition('next')?.epochMilliseconds ?? start.epochMilliseconds
}

test('festival days begin where Temporal says, also where a clock skips or repeats the time', () => {
  const time = fc
    .integer({ min: 0, max: 24 * 60 - 1 })
    .map((minute) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`)
  fc.assert(
    fc.property(nearChange, time, ({ timezone, at }, day_starts_at) => {
      const event = { timezone, day_starts_at }
      const day = localDay(event, at)
      const date = Temporal.PlainDate.from(day)
      const what = `${timezone}, days from ${day_starts_at}, ${new Date(at).toISOString()}`
      assert.ok(startOf(timezone, date, day_starts_at) <= at, what)
      assert.ok(startOf(timezone, date.add({ days: 1 }), day_starts_at) > at, what)
      assert.equal(dayStarts(event, at, 1)[0], startOf(timezone, date, day_starts_at), what)
    }),
    { numRuns: 100 },
  )
})
