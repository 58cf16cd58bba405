import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dayStarts, localDay } from './day.ts'

const MINUTE = 60_000

test('a festival day ends when the next begins, not at midnight', () => {
  const lisbon = { timezone: 'Europe/Lisbon', day_starts_at: '06:00' }
  for (const [instant, day] of [
    ['2026-07-17T05:59:59.999+01:00', '2026-07-16'],
    ['2026-07-17T06:00:00+01:00', '2026-07-17'],
    ['2026-07-18T03:30:00+01:00', '2026-07-17'],
    ['2026-12-31T23:00:00+00:00', '2026-12-31'],
    ['2027-01-01T05:00:00+00:00', '2026-12-31'],
    ['1969-12-31T23:59:59+00:00', '1969-12-31'],
  ] as const) {
    assert.equal(localDay(lisbon, Date.parse(instant)), day, instant)
  }
})

test('the clock changes without giving anyone a second day', () => {
  for (const [timezone, day_starts_at, instant, day] of [
    // Lisbon shows 01:00 to 01:59 twice on 25 October 2026: the day began at the first 01:30.
    ['Europe/Lisbon', '01:30', '2026-10-25T01:29:59+01:00', '2026-10-24'],
    ['Europe/Lisbon', '01:30', '2026-10-25T01:30:00+01:00', '2026-10-25'],
    ['Europe/Lisbon', '01:30', '2026-10-25T01:10:00+00:00', '2026-10-25'],
    // 01:30 does not exist on 29 March 2026: the day begins at 02:00, when the clock has jumped.
    ['Europe/Lisbon', '01:30', '2026-03-29T00:59:59+00:00', '2026-03-28'],
    ['Europe/Lisbon', '01:30', '2026-03-29T01:00:00+00:00', '2026-03-29'],
    // Midnight does not exist in Beirut on 29 March 2026.
    ['Asia/Beirut', '00:00', '2026-03-29T00:59:59+03:00', '2026-03-28'],
    ['Asia/Beirut', '00:00', '2026-03-29T01:00:00+03:00', '2026-03-29'],
    // Samoa went from the 29th to the 31st.
    ['Pacific/Apia', '00:00', '2011-12-29T23:59:59-10:00', '2011-12-29'],
    ['Pacific/Apia', '00:00', '2011-12-31T00:00:00+14:00', '2011-12-31'],
    ['Asia/Kathmandu', '00:00', '2026-06-01T00:00:00+05:45', '2026-06-01'],
    ['Australia/Lord_Howe', '01:45', '2026-04-05T01:44:00+10:30', '2026-04-05'],
  ] as const) {
    assert.equal(localDay({ timezone, day_starts_at }, Date.parse(instant)), day, `${timezone} ${instant}`)
  }
})

test('agrees with a minute-by-minute reading of the wall clock in every time zone', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
      fc.integer({ min: 0, max: 24 * 60 - 1 }),
      // Near a clock change, if the zone has one that year: the hours in between agree anyway.
      fc.integer({ min: 1972, max: 2037 }),
      fc.nat(),
      fc.integer({ min: -36 * 60, max: 36 * 60 }),
      (timezone, startMinute, year, pick, awayMinutes) => {
        const changes = clockChanges(timezone, year)
        const near = changes[pick % Math.max(1, changes.length)] ?? Date.UTC(year, pick % 12, 1 + (pick % 28))
        const instant = near + awayMinutes * MINUTE
        const pad = (n: number) => String(n).padStart(2, '0')
        const day_starts_at = `${pad(Math.floor(startMinute / 60))}:${pad(startMinute % 60)}`
        assert.equal(
          localDay({ timezone, day_starts_at }, instant),
          slowly(timezone, day_starts_at, instant),
          `${timezone}, days from ${day_starts_at}, ${new Date(instant).toISOString()}`,
        )
      },
    ),
    { numRuns: 60 },
  )
})

test('an answer that is remembered is the one that would be found again', () => {
  const event = { timezone: 'America/St_Johns', day_starts_at: '00:30' }
  const year = { min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 11, 31) }
  fc.assert(
    fc.property(fc.array(fc.integer(year), { minLength: 2, maxLength: 20 }), (instants) => {
      for (const instant of instants) assert.equal(localDay(event, instant), localDay({ ...event }, instant))
    }),
  )
})

/** The latest date whose start the wall clock has shown by then, read off the wall minute by minute for two days. */
function slowly(timeZone: string, dayStartsAt: string, instant: number): string {
  const wall = wallClock(timeZone)
  let latest = ''
  for (let at = instant - 50 * 60 * MINUTE; at <= instant; at += MINUTE) {
    const { date, time } = wall(at)
    const day = time >= dayStartsAt ? date : dateBefore(date)
    if (day > latest) latest = day
  }
  return latest
}

function wallClock(timeZone: string) {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return (at: number) => {
    const [date = '', time = ''] = format.format(at).split(' ')
    return { date, time }
  }
}

function dateBefore(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
}

test('days begin where the day changes, also over a change of the clocks', () => {
  for (const timezone of ['Europe/Lisbon', 'America/Santiago', 'Asia/Kathmandu']) {
    const calendar = { timezone, day_starts_at: '01:30' }
    const now = Date.parse('2026-10-20T00:00:00Z')
    const starts = dayStarts(calendar, now, 10)
    assert.ok(starts.length === 10 && (starts[0] ?? now) <= now)
    assert.equal(localDay(calendar, starts[0] ?? 0), localDay(calendar, now))
    for (const [i, start] of starts.entries()) {
      assert.notEqual(localDay(calendar, start), localDay(calendar, start - 1))
      if (i > 0) assert.equal(localDay(calendar, start - 1), localDay(calendar, starts[i - 1] ?? 0))
    }
  }
})

/** The first instants, to the minute, after which a zone's clock is no longer as far from UTC as before. */
function clockChanges(timeZone: string, year: number): number[] {
  const wall = wallClock(timeZone)
  const ahead = (at: number) => {
    const { date, time } = wall(at)
    return Date.parse(`${date}T${time}:00Z`) - at
  }
  const changes: number[] = []
  for (let at = Date.UTC(year, 0, 1); at < Date.UTC(year + 1, 0, 1); at += 7 * 86_400_000) {
    let [no, yes] = [at, at + 7 * 86_400_000]
    if (ahead(no) === ahead(yes)) continue
    while (yes - no > MINUTE) {
      const middle = no + Math.floor((yes - no) / 2 / MINUTE) * MINUTE
      if (ahead(middle) === ahead(no)) no = middle
      else yes = middle
    }
    changes.push(yes)
  }
  return changes
}
