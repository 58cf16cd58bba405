import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, it, type TestContext } from 'node:test'
import { Desk } from '../../test/world/desk.ts'
import type { GatehouseError } from '../errors.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { devices } from '../ledger/schema.ts'
import { type Device, hashToken, Roster } from './roster.ts'

const NOW = Date.parse('2026-11-01T12:00:00Z')
const publicKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'der', type: 'spki' })

async function open(t: TestContext) {
  const desk = await Desk.open({ now: NOW })
  t.after(() => desk[Symbol.dispose]())
  const { ledger } = desk.deps
  const roster = new Roster(ledger)
  const revoked: Device[] = []
  roster.onRevoked((device) => revoked.push(device))
  return { desk, ledger, roster, revoked }
}

/** Puts a device on the roster, as an enrolment does. */
function add(ledger: Ledger, id: string): Promise<void> {
  return ledger.commit(() => {
    const tokenHash = Buffer.from(hashToken(`token of ${id}`), 'hex')
    const row = {
      id,
      name: `name of ${id}`,
      fingerprint: `print of ${id}`,
      tokenHash,
      publicKey,
      checkpoints: ['a-in'],
    }
    ledger.db.drizzle
      .insert(devices)
      .values({ ...row, enrolledAt: NOW, expiresAt: NOW + 1000 })
      .run()
    ledger.append('enrolment', {
      certificate: row.fingerprint,
      checkpoints: row.checkpoints,
      device: id,
      supervisor: false,
    })
  })
}

const lost = { actor: 'Ana', address: '192.0.2.7', reason: 'lost', at: NOW + 5 }

describe('the roster', () => {
  it('knows a device by id, certificate and token, once it is on disk', async (t) => {
    const { ledger, roster } = await open(t)
    assert.equal(roster.byId('a'), undefined)
    await add(ledger, 'a')
    const device = roster.byId('a')
    assert.ok(device)
    assert.equal(roster.byFingerprint('print of a'), device)
    assert.equal(roster.byToken('token of a'), device)
    assert.deepEqual(roster.list(), [device])
    for (const wrong of ['', 'a', 'token of A', 'print of a']) assert.equal(roster.byToken(wrong), undefined)
  })

  it('revokes: who, when and why, for ever', async (t) => {
    const { desk, ledger, roster, revoked } = await open(t)
    await add(ledger, 'a')
    await add(ledger, 'b')
    const device = await roster.revoke('a', lost)
    assert.deepEqual([device.revokedAt, device.revokedReason], [NOW + 5, 'lost'])
    for (const found of [roster.byId('a'), roster.byToken('token of a'), roster.byFingerprint('print of a')]) {
      assert.equal(found?.revokedAt, NOW + 5)
    }
    assert.equal(roster.byId('b')?.revokedAt, null)
    assert.deepEqual(
      revoked.map(({ id }) => id),
      ['a'],
    )
    assert.partialDeepStrictEqual(desk.journal().at(-1), {
      kind: 'device_revoked',
      actor: 'Ana',
      address: '192.0.2.7',
      device: 'a',
      reason: 'lost',
    })

    const size = ledger.size
    const again = await roster.revoke('a', { actor: 'Bea', address: '192.0.2.8', reason: 'stolen', at: NOW + 9 })
    assert.deepEqual([again.revokedAt, again.revokedReason], [NOW + 5, 'lost'], 'the first revocation stands')
    assert.equal(ledger.size, size)
    assert.equal(revoked.length, 1)
  })

  it('cannot revoke whom it does not know', async (t) => {
    const { roster, ledger } = await open(t)
    const size = ledger.size
    for (const id of ['', 'nobody', "' OR 1=1 --", '\0']) {
      await assert.rejects(roster.revoke(id, lost), (error: GatehouseError) => error.code === 'not_found')
    }
    assert.equal(ledger.size, size)
  })

  it('is the same after a restart', async (t) => {
    const { desk, ledger, roster } = await open(t)
    await add(ledger, 'a')
    await add(ledger, 'b')
    await roster.revoke('a', lost)
    desk.restart()
    const again = new Roster(desk.deps.ledger)
    const plain = (of: Roster) =>
      of.list().map(({ publicKey: key, ...device }) => ({ ...device, key: key.export({ format: 'jwk' }) }))
    assert.deepEqual(plain(again), plain(roster))
  })
})
