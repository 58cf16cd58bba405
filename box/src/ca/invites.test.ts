import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { Desk } from '../../test/world/desk.ts'
import { readInvite } from '../device/pair.ts'
import { sql } from '../drizzle/core.ts'
import type { ErrorCode, GatehouseError } from '../errors.ts'
import { COMMAND_LINE } from './actor.ts'
import { INVITE_SECONDS, invitePayload, mintInvite, requireInvite, useInvite } from './invites.ts'

const NOW = Date.parse('2026-11-01T12:00:00Z')

async function open(t: TestContext) {
  const desk = await Desk.open({ now: NOW })
  t.after(() => desk[Symbol.dispose]())
  const { ledger } = desk.deps
  const mint = (options: Partial<Parameters<typeof mintInvite>[0]> = {}) =>
    mintInvite({ checkpoints: ['a-in'], by: COMMAND_LINE, ...options }, { event: desk.event, ledger, now: desk.now })
  const require = (code: string) => requireInvite(code, { ledger, now: desk.now })
  return { desk, ledger, mint, require }
}

const refusal = (code: ErrorCode) => (error: GatehouseError) => error.code === code

describe('an invite', () => {
  it('is in the journal with who made it and for where, and without its code', async (t) => {
    const { desk, mint } = await open(t)
    const { code, expiresAt } = await mint({
      name: 'Ana',
      supervisor: true,
      by: { actor: 'Rui', address: '192.0.2.7' },
    })
    const { hlc, index, ...entry } = desk.journal().at(-1) ?? {}
    assert.deepEqual(entry, {
      ...{ kind: 'invite', actor: 'Rui', address: '192.0.2.7', checkpoints: ['a-in'], supervisor: true },
      expires_at: new Date(expiresAt).toISOString(),
    })
    assert.ok(!JSON.stringify(desk.journal()).includes(code))
  })

  it('is 128 bits that nobody has seen before, kept only as a hash', async (t) => {
    const { mint, ledger, require } = await open(t)
    const codes = await Promise.all(Array.from({ length: 50 }, () => mint()))
    assert.equal(new Set(codes.map(({ code }) => code)).size, 50)
    const kept = JSON.stringify(ledger.db.drizzle.all(sql`SELECT quote(code_hash), * FROM invites`))
    for (const { code } of codes) {
      assert.match(code, /^[A-Za-z0-9_-]{22}$/)
      assert.ok(!kept.includes(code))
      assert.deepEqual(require(code).checkpoints, ['a-in'])
    }
  })

  it('holds for ten minutes, or as long as it is asked to', async (t) => {
    const { desk, mint, require } = await open(t)
    for (const seconds of [undefined, 30]) {
      const { code, expiresAt } = await mint(seconds === undefined ? {} : { seconds })
      assert.equal(expiresAt, NOW + (seconds ?? INVITE_SECONDS) * 1000)
      desk.now = expiresAt - 1
      require(code)
      desk.now = expiresAt
      assert.throws(() => require(code), refusal('invite_expired'))
      desk.now = NOW
    }
  })

  it('holds once; used is used, also when it has expired since', async (t) => {
    const { desk, ledger, mint, require } = await open(t)
    const { code, expiresAt } = await mint()
    await ledger.commit(() => useInvite(require(code), { ledger, now: desk.now }))
    assert.throws(() => require(code), refusal('invite_used'))
    desk.now = expiresAt + 1
    assert.throws(() => require(code), refusal('invite_used'))
  })

  it('of another box, or of nobody, is unknown', async (t) => {
    const { require, mint } = await open(t)
    const { code } = await mint()
    for (const wrong of ['', 'x', code.slice(1), `${code}=`, code.toLowerCase(), `${code}\0`]) {
      assert.throws(() => require(wrong), refusal('not_found'))
    }
  })

  it('is for checkpoints of this event, each once', async (t) => {
    const { mint, require } = await open(t)
    const { code } = await mint({ checkpoints: ['b-in', 'a-in', 'b-in'] })
    assert.deepEqual(require(code).checkpoints, ['b-in', 'a-in'])
    await assert.rejects(mint({ checkpoints: ['a-in', 'nowhere'] }), (error: GatehouseError) => {
      assert.equal(error.code, 'not_found')
      assert.match(error.message, /choose from a-in, a-out, b-in, late-in, v-in, v-out\.$/)
      return true
    })
  })

  it('as a link, says whose it is; the code stays behind the #, which no server is sent', async () => {
    const invite = { code: 'CODE', expiresAt: NOW }
    for (const baseUrl of ['https://192.168.4.1:8443', 'https://[2001:db8::7]:8443', 'https://gate.example.org']) {
      const link = invitePayload({ baseUrl, caFingerprint: 'sha256:ab', invite })
      assert.deepEqual(readInvite(link), { baseUrl, fingerprint: 'sha256:ab', code: 'CODE' })
      const { pathname, search, hash } = new URL(link)
      assert.deepEqual([pathname, search], ['/scanner/', ''])
      const payload = JSON.parse(Buffer.from(hash.slice('#i='.length), 'base64url').toString())
      assert.deepEqual(payload, { u: baseUrl, fp: 'sha256:ab', i: 'CODE', x: NOW / 1000 })
    }
  })
})
