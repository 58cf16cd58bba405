import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { packId, unpackId } from './packed-id.ts'

it('gives back every id as it was, and packs a UUID as it is usually written', () => {
  const uuid = fc.uuid()
  const spelling = fc.tuple(uuid, fc.constantFrom('', '{', ' ')).map(([id, before]) => before + id.toUpperCase())
  fc.assert(
    fc.property(fc.oneof(uuid, spelling, fc.string()), (id) => {
      assert.equal(unpackId(packId(id)), id)
    }),
  )
  assert.deepEqual(
    packId('00112233-4455-6677-8899-aabbccddeeff'),
    Buffer.from('00112233445566778899aabbccddeeff', 'hex'),
  )
  assert.equal(packId('00112233-4455-6677-8899-AABBCCDDEEFF'), '00112233-4455-6677-8899-AABBCCDDEEFF')
})
