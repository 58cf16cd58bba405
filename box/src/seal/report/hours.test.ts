import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { hoursOf, quarterOf } from './hours.ts'

const at = (zone: string, iso: string) => hoursOf(zone)(quarterOf(Date.parse(iso)))

describe('the hours of an event', () => {
  it('are those of its own clock, written with their offset', () => {
    assert.equal(at('Europe/Lisbon', '2026-07-17T18:59:59.999+01:00'), '2026-07-17T18:00+01:00')
    assert.equal(at('Europe/Lisbon', '2026-07-17T19:00:00+01:00'), '2026-07-17T19:00+01:00')
    assert.equal(at('America/St_Johns', '2026-07-17T19:10:00-02:30'), '2026-07-17T19:00-02:30')
    assert.equal(at('Asia/Kathmandu', '2026-07-17T00:10:00Z'), '2026-07-17T05:00+05:45')
    assert.equal(at('UTC', '2026-07-17T00:10:00Z'), '2026-07-17T00:00+00:00')
  })

  it('are two where the clock shows one twice', () => {
    assert.equal(at('Europe/Lisbon', '2026-10-25T00:30:00Z'), '2026-10-25T01:00+01:00')
    assert.equal(at('Europe/Lisbon', '2026-10-25T01:30:00Z'), '2026-10-25T01:00+00:00')
  })

  it('hold every instant that is counted in them, to the quarter', () => {
    const zones = fc.constantFrom('Europe/Lisbon', 'Australia/Lord_Howe', 'Asia/Kolkata', 'America/New_York')
    const instant = fc.integer({ min: Date.UTC(1972, 0), max: Date.UTC(2100, 0) })
    fc.assert(
      fc.property(zones, instant, (zone, unixMs) => {
        const hour = hoursOf(zone)(quarterOf(unixMs))
        assert.match(hour, /^\d{4}-\d\d-\d\dT\d\d:00[+-]\d\d:\d\d$/)
        const start = Date.parse(hour)
        const quarter = Math.floor(unixMs / 900_000) * 900_000
        assert.ok(start <= quarter && quarter < start + 3_600_000, `${hour} for ${new Date(unixMs).toISOString()}`)
      }),
    )
  })

  it('are hours still when a scanner’s clock is absurd', () => {
    for (const unixMs of [Date.UTC(0), -1, Date.UTC(9999, 11, 31, 23, 59), 8.64e15]) {
      assert.match(
        hoursOf('Pacific/Kiritimati')(quarterOf(unixMs)),
        /^(1969-12-31|9999-01-01)T\d\d:00[+-]\d\d:(00|45)$/,
      )
    }
  })
})
