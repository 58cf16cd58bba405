import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { OwnPassages } from './own-passages.ts'

const HOME = 'https://home'
const CODE = new Uint8Array(16).fill(7)
const passage = (scanId: string, direction: 'in' | 'out', hlc: string, confirmed = false) => ({
  scanId,
  codeHash: CODE,
  zone: 'arena',
  direction,
  confirmed,
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
    assert.deepEqual(own.forgetUpTo({ hlc: '9.0', life: 0, origin: HOME }), [], 'the box has not heard of it')
    own.confirm('1', '10.0', HOME)
    assert.deepEqual(own.forgetUpTo({ hlc: '9.0', life: 0, origin: HOME }), [])
    assert.equal(own.find(CODE, 'arena')?.use.hlc, '10.0')
    assert.deepEqual(own.forgetUpTo({ hlc: '10.0', life: 0, origin: HOME }), ['1'])
    assert.equal(own.find(CODE, 'arena'), undefined)
  })

  it('is kept until a mirror of the box that has it is newer: another one may not have heard of it', () => {
    const own = new OwnPassages()
    own.put(passage('1', 'in', '5.0'))
    own.confirm('1', '10.0', HOME)
    assert.deepEqual(own.forgetUpTo({ hlc: '20.0', life: 0, origin: 'https://south' }), [])
    assert.deepEqual(own.forgetUpTo({ hlc: '20.0', life: 0, origin: HOME }), ['1'])
  })

  it('is kept where the box may have forgotten it: it was before the life of its ledger began', () => {
    const own = new OwnPassages()
    own.put(passage('1', 'in', '1999.0', true))
    own.put(passage('2', 'out', '2000.0', true))
    assert.deepEqual(own.forgetUpTo({ hlc: '9000.0', life: 2, origin: HOME }), ['2'])
    assert.equal(own.find(CODE, 'arena')?.direction, 'in')
  })
})
