import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { decodeRecord, encodeRecord, holdersOf, type ReservationRecord } from './record.ts'

const claim: ReservationRecord = {
  kind: 'claim',
  scan_id: 's-1',
  box: 'box-1',
  checkpoint: 'a-in',
  at: 1_783_158_000_000,
  hlc: '1783158000000.000001',
  occurrence: 1,
}

describe('a claim', () => {
  it('is read as it was written', () => {
    assert.deepEqual(decodeRecord(encodeRecord(claim)), claim)
    assert.deepEqual(decodeRecord(encodeRecord({ ...claim, kind: 'release' })), { ...claim, kind: 'release' })
    const more = { ...claim, right: { ticket: 'ref', slot: 'arena' }, also: ['box-2', 'box-3'] }
    assert.deepEqual(decodeRecord(encodeRecord(more)), more)
    assert.deepEqual([holdersOf(claim), holdersOf(more)], [['box-1'], ['box-1', 'box-2', 'box-3']])
  })

  it('of a newer box is read all the same', () => {
    const newer = Buffer.from(JSON.stringify({ ...claim, gate: 'x' }))
    assert.equal(decodeRecord(newer)?.scan_id, 's-1')
  })

  it('that is none is not read', () => {
    const broken = [
      '',
      '{',
      'null',
      '[]',
      '"claim"',
      ...[
        { kind: 'delete' },
        { scan_id: 7 },
        { scan_id: 'x'.repeat(201) },
        { at: -1 },
        { at: 1.5 },
        { at: 1e300 },
        { occurrence: -1 },
        { box: undefined },
        { right: { ticket: 'ref' } },
        { also: 'box-2' },
        { also: [2] },
      ].map((change) => JSON.stringify({ ...claim, ...change })),
      JSON.stringify({ ...claim, more: 'x'.repeat(5000) }),
    ]
    for (const text of broken) assert.equal(decodeRecord(Buffer.from(text)), undefined, text.slice(0, 100))
    fc.assert(fc.property(fc.uint8Array(), (bytes) => decodeRecord(bytes) === undefined))
  })
})
