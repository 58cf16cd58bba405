import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Edge, momentReader } from './moment.ts'

const cases: [zone: string, text: string, edge: Edge, expected: string | undefined, why?: string][] = [
  ['Europe/Lisbon', '2026-07-04T18:00:00Z', 'from', '2026-07-04T18:00:00.000Z'],
  ['Europe/Lisbon', '2026-07-04t18:00:00.123456789z', 'from', '2026-07-04T18:00:00.123Z'],
  ['Europe/Lisbon', '2026-07-04T18:00:00+02:00', 'from', '2026-07-04T16:00:00.000Z'],
  ['Europe/Lisbon', '2026-07-04T18:00-0930', 'from', '2026-07-05T03:30:00.000Z'],
  ['Europe/Lisbon', '2026-07-04 18:00 +02', 'from', '2026-07-04T16:00:00.000Z'],
  ['Europe/Lisbon', ' 2026-07-04 18:00 ', 'from', '2026-07-04T17:00:00.000Z', 'summer time'],
  ['Europe/Lisbon', '2026-01-04 18:00', 'from', '2026-01-04T18:00:00.000Z', 'winter time'],
  ['Asia/Kolkata', '2026-07-04 18:00', 'from', '2026-07-04T12:30:00.000Z'],
  ['UTC', '2026-07-04 18:00:30,5', 'from', '2026-07-04T18:00:30.500Z'],
  ['Europe/Lisbon', '2026-07-04', 'from', '2026-07-03T23:00:00.000Z', 'the day begins'],
  ['Europe/Lisbon', '2026-07-04', 'until', '2026-07-04T22:59:59.999Z', 'the day ends'],
  ['Europe/Berlin', '2026-03-29', 'until', '2026-03-29T21:59:59.999Z', 'a day of 23 hours'],
  ['Europe/Berlin', '2026-10-25', 'from', '2026-10-24T22:00:00.000Z', 'a day of 25 hours'],
  ['Europe/Berlin', '2026-10-25', 'until', '2026-10-25T22:59:59.999Z', 'a day of 25 hours'],
  ['Europe/Berlin', '2026-03-29 02:30', 'from', '2026-03-29T01:30:00.000Z', 'clocks skip it: 03:30'],
  ['Europe/Berlin', '2026-10-25 02:30', 'from', '2026-10-25T00:30:00.000Z', 'clocks show it twice: the first'],
  ['Europe/Berlin', '2026-10-25 02:30', 'until', '2026-10-25T01:30:00.000Z', 'clocks show it twice: the second'],
  ['America/Santiago', '2026-09-05', 'until', '2026-09-06T03:59:59.999Z', 'the next midnight is skipped'],
  ['America/New_York', '2026-11-01 01:30', 'until', '2026-11-01T06:30:00.000Z'],
  ['Australia/Lord_Howe', '2026-04-05 01:45', 'from', '2026-04-04T14:45:00.000Z', 'half an hour of summer time'],
  ['UTC', '2028-02-29', 'from', '2028-02-29T00:00:00.000Z', 'a leap day'],
  ['UTC', '2026-02-29', 'from', undefined],
  ['UTC', '2026-13-01', 'from', undefined],
  ['UTC', '2026-00-10', 'from', undefined],
  ['UTC', '2026-07-04 24:00', 'from', undefined],
  ['UTC', '2026-07-04 18:60', 'from', undefined],
  ['UTC', '2026-07-04T18:00:00+15:00', 'from', undefined],
  ['UTC', '2026-07-04+02:00', 'from', undefined, 'an offset without a time'],
  ['UTC', '9999-12-31T23:00:00-05:00', 'from', undefined, 'beyond the years of four digits'],
  ['UTC', '0000-01-01', 'from', undefined],
  ['UTC', '04/07/2026', 'from', undefined, 'fourth of July or seventh of April'],
  ['UTC', '4.7.2026 18:00', 'from', undefined],
  ['UTC', '46207.75', 'from', undefined, 'a spreadsheet counts days'],
  ['UTC', 'tomorrow', 'from', undefined],
]

describe('moments', () => {
  for (const [zone, text, edge, expected, why] of cases) {
    it(`${text} (${edge}) in ${zone}${why ? `: ${why}` : ''}`, () =>
      assert.equal(momentReader(zone)(text, edge), expected))
  }

  it('a local time is the one that clocks in the zone then show', () => {
    const zones = ['Europe/Lisbon', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Apia', 'Africa/Casablanca']
    const read = new Map(zones.map((zone) => [zone, momentReader(zone)]))
    const show = new Map(
      zones.map((zone) => [
        zone,
        new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }),
      ]),
    )
    const seconds = fc.integer({ min: Date.UTC(2015, 0) / 1000, max: Date.UTC(2037, 0) / 1000 })
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        seconds,
        fc.constantFrom('from' as const, 'until' as const),
        (zone, second, edge) => {
          const local = show.get(zone)?.format(second * 1000) ?? ''
          const moment = read.get(zone)?.(local, edge) ?? assert.fail(`${zone} ${local}`)
          assert.equal(show.get(zone)?.format(new Date(moment)), local)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('no text makes it throw', () => {
    const read = momentReader('Europe/Lisbon')
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789-:T Z+.'), maxLength: 30 })
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), digits),
        fc.constantFrom('from' as const, 'until' as const),
        (text, edge) => void read(text, edge),
      ),
    )
  })
})
