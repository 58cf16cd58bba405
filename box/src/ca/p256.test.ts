import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { test } from 'node:test'
import { readP256 } from './p256.ts'

const der = (key: KeyObject) => key.export({ type: 'spki', format: 'der' })

test('a key is read that pairing takes, and no other: also where another box has enrolled the device', () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  assert.ok(readP256(der(publicKey))?.equals(publicKey))
  const others = [
    generateKeyPairSync('ec', { namedCurve: 'P-384' }),
    generateKeyPairSync('ed25519'),
    generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ]
  for (const other of others) assert.equal(readP256(der(other.publicKey)), undefined)
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(91), der(publicKey).subarray(1)])
    assert.equal(readP256(bytes), undefined)
})
