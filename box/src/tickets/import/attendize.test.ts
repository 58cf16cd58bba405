import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NO_DETAILS } from '../details.ts'
import { type ReadOptions, readTickets } from './read.ts'

const EVENT: ReadOptions = {
  format: 'auto',
  tiers: [{ id: 'day', name: 'Full day' }],
  tierMap: {},
  timezone: 'Europe/Dublin',
}
const read = (...lines: string[]) => readTickets(Buffer.from(lines.join('\n')), EVENT)

describe('an Attendize attendee export', () => {
  for (const [what, header] of [
    [
      "with the database's names",
      'first_name,last_name,email,private_reference_number,order_reference,ticket title,order date,has_arrived,arrival_time',
    ],
    ['in English', 'First Name,Last Name,Email,Ticket ID,Reference,Ticket Type,Order Date,Has Arrived,Arrival Time'],
    [
      'with missing translations',
      'First Name,Last Name,Email,Ticket.id,Reference,Ticket Type,Order Date,Attendee.has_arrived,Attendee.arrival_time',
    ],
  ] as const) {
    it(`${what} is recognised, and keeps leading zeros`, async () => {
      const { format, rows, warnings } = await read(
        header,
        'Tomas,Novak,tomas@example.org,004211870055123,VX9F0QW,Full day,2026-05-01 10:00:00,NO,',
        'Jana,Novak,jana@example.org,914211870055124,VX9F0QW,Full day,2026-05-01 10:00:00,YES,2026-07-04 17:00:00',
      )
      assert.equal(format, 'attendize')
      assert.deepEqual(
        rows.map(({ code, holderName, status }) => [code, holderName, status]),
        [
          ['004211870055123', 'Tomas Novak', 'valid'],
          ['914211870055124', 'Jana Novak', 'valid'],
        ],
      )
      for (const { details } of rows)
        assert.deepEqual(details, { ...NO_DETAILS, product: 'Full day', orderCode: 'VX9F0QW' })
      assert.match(warnings[0] ?? '', /leaves cancelled tickets out/)
      assert.match(warnings[1] ?? '', /^Row 3: .* already checked in/)
      assert.equal(warnings.length, 2)
    })
  }

  it('whose zeros a spreadsheet ate is reported', async () => {
    const { rows, warnings } = await read(
      'first_name,private_reference_number,order_reference,ticket title',
      ...['914211870055124', '4211870055123', '314211870055125', '774211870055126'].map((n) => `Ann,${n},V,Full day`),
    )
    assert.equal(rows.length, 4)
    assert.match(warnings[1] ?? '', /^Row 3: The code has fewer digits than the others/)
  })
})
