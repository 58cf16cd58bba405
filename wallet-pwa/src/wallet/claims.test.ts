import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../box/client.ts'
import type { KeyRing } from '../store/key-ring.ts'
import { type ClaimDeps, ticketClaims } from './claims.ts'
import { naclEd25519 } from './nacl.ts'

/** @param options what is broken there, and the box's answer: it takes every claim otherwise */
function phone(options: Partial<KeyRing> & Partial<Pick<ClaimDeps, 'engine'>> & { answer?: Answer<true> }) {
  const { engine = async () => naclEd25519(), answer = { ok: true, value: true }, ...brokenKeys } = options
  const changes: object[] = []
  const holdFirst: KeyRing['holdFirst'] = async (_id, key) => ({ key, confirmed: false })
  const keys = { holdFirst, confirm: async () => {}, ...brokenKeys }
  const box = { claim: async () => answer }
  const tickets = { find: () => undefined, change: (_id: string, change: object) => changes.push(change) }
  const claims = ticketClaims({ box, keys, engine, tickets } as unknown as ClaimDeps)
  return { claims, changes }
}

const fails = async () => {
  throw new Error('it fails')
}

test('a part of the app that did not arrive is not taken for a browser that keeps no keys', async () => {
  await assert.rejects(phone({ engine: fails }).claims.claim('t'))
  assert.equal(await phone({ holdFirst: fails }).claims.claim('t'), 'unkept')
})

test('a claim that the box has taken is not denied where that cannot be noted: it is sent again', async () => {
  const { claims, changes } = phone({ confirm: fails })
  assert.equal(await claims.claim('t'), 'busy')
  assert.partialDeepStrictEqual(changes, [{ claim: 'unsure' }])
})

test('a claim that the box refuses says why, also where its key cannot be removed', async () => {
  const { claims, changes } = phone({ drop: fails, answer: { ok: false, trouble: 'elsewhere' } })
  assert.equal(await claims.claim('t'), 'elsewhere')
  assert.deepEqual(changes, [{ claim: 'none', trouble: 'elsewhere' }])
})
