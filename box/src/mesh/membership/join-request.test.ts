import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { GatehouseError } from '../../errors.ts'
import { originOf, signingKey, verifierKey } from '../../seal/verifier-key.ts'
import { joinRequest, requireProof } from './join-request.ts'

const key = signingKey(randomBytes(32))
const box = (id: string, log_key = verifierKey(originOf('fair', id), key)) => ({
  id,
  name: 'North',
  log_key,
  host: '10.0.0.2',
  ports: { route: 6222, leaf: 7422 },
  https: 'https://10.0.0.2:8443',
  device: 'https://10.0.0.2:8444',
})

test('whoever asks has the key of the log that it names', () => {
  const good = joinRequest('code', box('box-1'), key)
  requireProof(good, 'fair')
  const other = signingKey(randomBytes(32))
  for (const [why, bad] of Object.entries({
    'another key signed': joinRequest('code', box('box-1'), other),
    'another code': { ...good, code: 'other' },
    'another address': { ...good, box: { ...good.box, host: '10.6.6.6' } },
    'another box': { ...good, box: box('box-2') },
    "another's log": joinRequest('code', box('box-1', verifierKey(originOf('fair', 'box-9'), key)), key),
    'another event': joinRequest('code', box('box-1', verifierKey(originOf('expo', 'box-1'), key)), key),
    'no key': joinRequest('code', box('box-1', 'nonsense'), key),
    'no signature': { ...good, proof: '' },
  }))
    assert.throws(
      () => requireProof(bad, 'fair'),
      (error) => error instanceof GatehouseError && error.code === 'bad_request',
      why,
    )
})
