import assert from 'node:assert/strict'
import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { createSecureContext } from 'node:tls'
import { Desk } from '../../test/world/desk.ts'
import { newRequest } from '../device/pair.ts'
import { sql } from '../drizzle/core.ts'
import type { ErrorCode, GatehouseError } from '../errors.ts'
import { COMMAND_LINE } from './actor.ts'
import { openAuthority } from './authority.ts'
import { enroll } from './enroll.ts'
import { mintInvite, type NewInvite } from './invites.ts'
import { Roster } from './roster.ts'

const NOW = Date.parse('2026-11-01T12:00:00Z')

/** A box's desk with its authority, and devices that come to it. */
async function office(t: TestContext) {
  const desk = await Desk.open({ now: NOW })
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-enroll-'))
  t.after(() => {
    desk[Symbol.dispose]()
    rmSync(dir, { recursive: true })
  })
  const { event } = desk
  const { ledger } = desk.deps
  const now = () => desk.now
  const authority = await openAuthority({
    ...{ dir, eventId: event.id, eventName: event.name, endsAt: Date.parse(event.ends_at), hostname: 'x', now },
  })
  const roster = new Roster(ledger)
  const deps = { authority, event, ledger, now, deviceUrl: () => 'https://box:8444' }
  const invite = async (options: Partial<NewInvite> = {}) =>
    (await mintInvite({ checkpoints: ['a-in'], by: COMMAND_LINE, ...options }, { event, ledger, now: desk.now })).code
  const come = (code: string, more: { name?: string; csr?: string } = {}) =>
    enroll({ invite: code, name: 'phone', ...more }, deps)
  return { desk, ledger, authority, roster, invite, come }
}

const refusal = (code: ErrorCode) => (error: GatehouseError) => error.code === code

describe('an enrolment', () => {
  it('with a request: the key stays where it was made', async (t) => {
    const { come, invite, roster, authority } = await office(t)
    const { csr, key } = await newRequest()
    const enrolment = await come(await invite({ checkpoints: ['b-in', 'a-in'] }), { csr })
    const certificate = new X509Certificate(enrolment.certificate)
    assert.ok(certificate.checkPrivateKey(createPrivateKey(key)))
    assert.ok(certificate.verify(new X509Certificate(authority.certificate).publicKey))
    assert.equal(enrolment.ca_certificate, authority.certificate)
    assert.equal(enrolment.device_url, 'https://box:8444')
    assert.deepEqual(
      enrolment.checkpoints.map(({ id }) => id),
      ['a-in', 'b-in'],
      'in the order of the event',
    )
    for (const field of ['private_key', 'pkcs12', 'pkcs12_legacy', 'pkcs12_password'])
      assert.ok(!(field in enrolment), field)

    const device = roster.byToken(enrolment.token)
    assert.equal(device?.id, enrolment.device_id)
    assert.equal(device?.fingerprint, createHash('sha256').update(certificate.raw).digest('hex'))
    assert.deepEqual([...(device?.checkpoints ?? [])], ['b-in', 'a-in'])
    assert.equal(certificate.subject, `CN=${enrolment.device_id}`)
  })

  it('without one: a key, and two archives of it', async (t) => {
    const { come, invite } = await office(t)
    const enrolment = await come(await invite())
    const { private_key = '', pkcs12 = '', pkcs12_password = '' } = enrolment
    assert.ok(new X509Certificate(enrolment.certificate).checkPrivateKey(createPrivateKey(private_key)))
    assert.ok(createSecureContext({ pfx: Buffer.from(pkcs12, 'base64'), passphrase: pkcs12_password }))
    assert.throws(() => createSecureContext({ pfx: Buffer.from(pkcs12, 'base64'), passphrase: 'x' }))
    assert.ok(pkcs12_password.length >= 8)
  })

  it('takes the name of the invite before the device’s own', async (t) => {
    const { come, invite, roster } = await office(t)
    const named = await come(await invite({ name: 'Gate A, left' }), { name: 'iPhone' })
    const unnamed = await come(await invite(), { name: 'iPhone' })
    assert.equal(roster.byId(named.device_id)?.name, 'Gate A, left')
    assert.equal(roster.byId(unnamed.device_id)?.name, 'iPhone')
    assert.deepEqual([named.name, unnamed.name], ['Gate A, left', 'iPhone'], 'and says it to the device')
  })

  it('leaves a fact in the journal, and no name, token or invite anywhere', async (t) => {
    const { come, invite, desk, ledger } = await office(t)
    const code = await invite()
    const { token, device_id } = await come(code, { name: 'Anas phone' })
    const last = desk.journal().at(-1)
    const fact = { kind: 'enrolment', device: device_id, checkpoints: ['a-in'], supervisor: false }
    assert.partialDeepStrictEqual(last, fact)
    assert.deepEqual(Object.keys(last ?? {}).sort(), [...Object.keys(fact), 'certificate', 'hlc', 'index'].sort())
    const kept = ledger.db.drizzle.all(sql`SELECT quote(token_hash), d.*, i.* FROM devices d, invites i`)
    for (const secret of [token, code]) assert.ok(!JSON.stringify(kept).includes(secret))
  })
})

describe('an invite', () => {
  it('gives the right to admit refused tickets, when it says so', async (t) => {
    const { come, invite, roster, desk } = await office(t)
    for (const supervisor of [true, false]) {
      const enrolment = await come(await invite({ supervisor }))
      assert.equal(enrolment.supervisor, supervisor)
      assert.equal(roster.byId(enrolment.device_id)?.supervisor, supervisor)
      assert.equal(desk.journal().at(-1)?.supervisor, supervisor)
    }
  })

  it('lets one device in', async (t) => {
    const { come, invite, roster } = await office(t)
    const code = await invite()
    await come(code)
    await assert.rejects(come(code), refusal('invite_used'))
    assert.equal(roster.list().length, 1)
  })

  it('lets one device in, of many that hold it at once', async (t) => {
    const { come, invite, roster } = await office(t)
    const code = await invite()
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => come(code)))
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const outcome of outcomes) if (outcome.status === 'rejected') assert.equal(outcome.reason.code, 'invite_used')
    assert.equal(roster.list().length, 1)
  })

  it('is not used up by a request that cannot be honoured', async (t) => {
    const { come, invite } = await office(t)
    const code = await invite()
    const { csr } = await newRequest()
    for (const bad of [
      '',
      'no PEM',
      csr.replace(/[A-Z]{4}/, 'AAAA'),
      '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----',
    ]) {
      await assert.rejects(come(code, { csr: bad }), refusal('bad_request'))
    }
    await come(code, { csr })
  })

  it('is not used up by a box that cannot write', async (t) => {
    const { come, invite, ledger, roster } = await office(t)
    const code = await invite()
    ledger.db.drizzle.run(sql`PRAGMA query_only = 1`)
    await assert.rejects(come(code), refusal('ledger_unavailable'))
    ledger.db.drizzle.run(sql`PRAGMA query_only = 0`)
    assert.equal(roster.list().length, 0)
    await come(code)
  })

  it('is not used up by a device that comes after the event', async (t) => {
    const { come, invite, desk } = await office(t)
    desk.now = Date.parse(desk.event.ends_at) + 2 * 86_400_000
    const code = await invite()
    await assert.rejects(come(code), refusal('conflict'))
    desk.now = NOW
    await come(code)
  })
})
