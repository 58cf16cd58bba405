import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KeyRing } from '../store/key-ring.ts'
import { type ClaimDeps, ticketClaims } from './claims.ts'
import { naclEd25519 } from './nacl.ts'

/** A phone whose box takes every claim. @param broken what fails there */
function phone(broken: Partial<KeyRing> & Partial<Pick<ClaimDeps, 'engine'>>) {
  const { engine = async () => naclEd25519(), ...brokenKeys } = broken
  const changes: object[] = []
  const holdFirst: KeyRing['holdFirst'] = async (_id, key) => ({ key, confirmed: false })
  const keys = { holdFirst, confirm: async () => {}, ...brokenKeys }
  const box = { claim: async () => ({ ok: true, value: true }) }
  const tickets = { find: () => undefined, change: (_id: string, change: object) => changes.push(change) }
  const claims = ticketClaims({ box, keys, engine, tickets } as unknown as ClaimDeps)
  return { claims, changes }
}

const fails = async () => {
  throw new Error('it fails')
}

test('a part of the app that did not arrive is not taken for a browser that keeps no keys', async () => {
  assert.equal(await phone({ engine: fails }).claims.claim('t'), 'unreachable')
  assert.equal(await phone({ holdFirst: fails }).claims.claim('t'), 'unkept')
})

test('a claim that the box has taken is this phone’s, also where that cannot be noted', async () => {
  const { claims, changes } = phone({ confirm: fails })
  assert.equal(await claims.claim('t'), null)
  assert.partialDeepStrictEqual(changes, [{ claim: 'mine' }])
})
