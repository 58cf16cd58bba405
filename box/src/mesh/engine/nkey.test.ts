import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { nkeys } from '@nats-io/transport-node'
import { rawPublicKey } from '../../ed25519.ts'
import { signingKey } from '../../seal/verifier-key.ts'
import { userKey, userSeed } from './nkey.ts'

test('keys are written as the library of NATS reads them', () => {
  for (const seed of [Buffer.alloc(32), Buffer.alloc(32, 0xff), randomBytes(32), randomBytes(32)]) {
    const pair = nkeys.fromSeed(Buffer.from(userSeed(seed)))
    assert.equal(pair.getPublicKey(), userKey(rawPublicKey(signingKey(seed))))
    assert.equal(Buffer.from(pair.getSeed()).toString(), userSeed(seed))
  }
})
