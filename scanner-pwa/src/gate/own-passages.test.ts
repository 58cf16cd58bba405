import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { OwnPassages } from './own-passages.ts'

const CODE = new Uint8Array(16).fill(7)
const passage = (scanId: string, direction: 'in' | 'out', hlc: string, confirmed = false) => ({
  ...{ scanId, codeHash: CODE, zone: 'arena', direction, confirmed },
  use: { checkpoint: 'a-in', at: 1, hlc, occurrence: 0 },
})

describe('what this device did itself', () => {
  it('counts by its last passage through the zone', () => {
    const own = new OwnPassages()
    own.put(passage('1', 'in', '1.0'))
    own.put(passage('2', 'out', '2.0'))
    assert.equal(own.find(CODE, 'arena')?.direction, 'out')
    assert.equal(own.entry(CODE, 'arena')?.scanId, '1')
    assert.deepEqual([own.find(CODE, 'lounge'), own.entry(CODE, 'lounge')], [undefined, undefined])
    own.remove('2')
    assert.equal(own.find(CODE, 'arena')?.direction, 'in')
    own.remove('1')
    own.remove('1')
    assert.equal(own.find(CODE, 'arena'), undefined)
  })

  it('is forgotten only once the box has it, and the mirror is newer than that', () => {
    const own = new OwnPassages()
    own.put(passage('1', 'in', '5.0'))
    assert.deepEqual(own.forgetUpTo('9.0', 0), [], 'the box has not heard of it')
    own.confirm('1', '10.0')
    assert.deepEqual(own.forgetUpTo('9.0', 0), [])
    assert.equal(own.find(CODE, 'arena')?.use.hlc, '10.0')
    assert.deepEqual(own.forgetUpTo('10.0', 0), ['1'])
    assert.equal(own.find(CODE, 'arena'), undefined)
  })

  it('is kept where the box may have forgotten it: it was before the life of its ledger began', () => {
    const own = new OwnPassages()
    own.put(passage('1', 'in', '1999.0', true))
    own.put(passage('2', 'out', '2000.0', true))
    assert.deepEqual(own.forgetUpTo('9000.0', 2), ['2'])
    assert.equal(own.find(CODE, 'arena')?.direction, 'in')
  })
})
