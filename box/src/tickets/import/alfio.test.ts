import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NO_DETAILS } from '../details.ts'
import { type ReadOptions, readTickets } from './read.ts'

const EVENT: ReadOptions = {
  format: 'auto',
  tiers: [{ id: 'day', name: 'Regular' }],
  tierMap: {},
  timezone: 'Europe/Zurich',
}
const HEADER =
  'ID,Category,Event,Status,OriginalPrice,PaidPrice,Discount,VAT,ReservationID,Full Name,First Name,Last Name,E-Mail,Locked,Language'
const ID = '3f0c1d52-7b1e-4d6c-9a51-000000000001'
const row = (id: string, status: string) =>
  `${id},Regular,conf26,${status},50,50,0,0,aa11,Lea Keller,Lea,Keller,lea@example.org,No,de`
const read = (...lines: string[]) => readTickets(Buffer.from(lines.join('\n')), EVENT)

describe('an alf.io export', () => {
  it('is refused as it comes: its tickets would all be unknown at the gate', () =>
    assert.rejects(read(HEADER, row(ID, 'ACQUIRED')), /alf.io export has no column "Code": .*ID\/signature/))

  it('is read with the printed codes beside it', async () => {
    const { format, rows, warnings } = await read(
      `${HEADER},Code`,
      ...['ACQUIRED', 'CHECKED_IN', 'TO_BE_PAID', 'CANCELLED'].map(
        (status, n) => `${row(`${ID}${n}`, status)},${ID}${n}/c2ln+/=`,
      ),
    )
    assert.equal(format, 'alfio')
    assert.deepEqual(
      rows.map(({ code, holderName, status, detail }) => [code, holderName, status, detail]),
      [
        [`${ID}0/c2ln+/=`, 'Lea Keller', 'valid', null],
        [`${ID}1/c2ln+/=`, 'Lea Keller', 'valid', null],
        [`${ID}2/c2ln+/=`, 'Lea Keller', 'pending', 'to be paid on site'],
        [`${ID}3/c2ln+/=`, 'Lea Keller', 'revoked', 'cancelled at alf.io'],
      ],
    )
    assert.deepEqual(rows[0]?.details, { ...NO_DETAILS, product: 'Regular', orderCode: 'aa11', price: '50' })
    assert.match(warnings.join(), /^Row 3: .* already checked in/)
  })

  for (const code of ['', ID, `${ID}/`, `x${ID}/c2ln`]) {
    it(`rejects the code ${code || '(none)'}`, async () => {
      const { rejected } = await read(`${HEADER},Code`, `${row(ID, 'ACQUIRED')},${code}`)
      assert.match(rejected[0]?.reason ?? '', /not the ID, a slash and a signature/)
    })
  }
})
