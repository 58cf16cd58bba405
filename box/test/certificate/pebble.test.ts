/** The public certificate by a real ACME authority: Debian's pebble with its challenge server, on loopback. */
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { PublicCertificate } from '../../src/certificate/public-certificate.ts'
import type { AcmeSettings, DnsSettings } from '../../src/certificate/settings.ts'
import { AcmeServer, NO_PEBBLE } from '../world/acme-server.ts'
import { DnsHook } from '../world/dns-hook.ts'

const NAME = 'gate.example.org'
const RECORD = `_acme-challenge.${NAME}`
const DAY = 86_400_000
const QUIET = { info() {}, warn() {} }

describe('the public certificate, by pebble', { skip: NO_PEBBLE }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-acme-'))
  let server: AcmeServer
  let hook: DnsHook
  before(async () => {
    server = await AcmeServer.open(folder, { nonceReject: 20 })
  })
  after(async () => {
    await server[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })
  let dataDir: string
  let offsetMs = 0
  beforeEach(async () => {
    dataDir = mkdtempSync(join(folder, 'box-'))
    offsetMs = 0
    hook = await DnsHook.open(folder, server.issued, { present: (record, value) => server.setTxt(record, value) })
  })
  afterEach(() => hook[Symbol.asyncDispose]())

  const now = () => Date.now() + offsetMs
  const acme = (dns: Partial<DnsSettings> = {}): AcmeSettings => ({
    ...{ directory: server.directory, contact: 'crew@example.org', ca: server.caFile },
    dns: {
      ...{
        method: 'webhook',
        at: hook.url,
        secret: hook.secretFile,
        record: RECORD,
        waitMs: 2_000,
        server: server.dns,
      },
      ...dns,
    },
  })
  const open = (settings = acme(), name = NAME) =>
    PublicCertificate.open({ name, acme: settings }, { dataDir, logger: QUIET, now, random: () => 0.5 })
  const serialOf = (cert: string) => new X509Certificate(cert).serialNumber
  const store = () => join(dataDir, 'certificate')

  it('is obtained by a webhook, although the authority refuses one nonce in five', async () => {
    await using box = await open()
    assert.equal(box.current, undefined)
    await box.obtain()
    const { cert = '' } = box.current ?? {}
    assert.equal(new X509Certificate(cert).checkHost(NAME), NAME)
    assert.deepEqual(hook.actions, ['present', 'remove'])
    assert.deepEqual(box.state.attempts, { failures: 0, nextAt: null, problem: null })
    for (const file of ['account-key.pem', 'certificate.json', 'attempts.json'])
      assert.equal(statSync(join(store(), file)).mode & 0o777, 0o600, file)
    assert.equal(statSync(store()).mode & 0o777, 0o700)
    // A later start has it at once.
    await using again = await open()
    assert.equal(again.current?.cert, cert)
    await again.check()
    assert.equal(again.state.stage, undefined, 'nothing is due')
  })

  it('is renewed when a third of its life is left, with another key, and the old one is shown until then', async () => {
    await using box = await open()
    await box.obtain()
    const first = box.current
    assert.ok(first)
    const life = first.notAfter - first.notBefore
    offsetMs = first.notAfter - life / 3 - Date.now() - 60_000
    await box.check()
    assert.equal(box.state.stage, undefined, 'a minute too early')
    offsetMs += 120_000
    await box.check()
    assert.equal(box.current?.cert, first.cert, 'while the new one is on its way')
    await box.obtain()
    assert.notEqual(box.current?.cert, first.cert)
    assert.notEqual(box.current?.key, first.key)
    // One that is asked to reuse no authorization does so now and then: pebble compares its percentage with `>`.
    const presented = hook.actions.filter((action) => action === 'present').length
    assert.ok(presented <= 2, 'the attempt in progress was joined')
  })

  it('is asked for a few times a day while the DNS service fails for a week, and comes when it is back', async () => {
    await using failing = await DnsHook.open(folder, server.issued, {
      status: () => status,
      present: (record, value) => server.setTxt(record, value),
    })
    let status = 503
    await using box = await open(acme({ at: failing.url }))
    let attempts = 0
    for (const end = now() + 7 * DAY; now() < end; offsetMs += 10 * 60_000) {
      await box.check()
      if (box.state.stage === undefined) continue
      attempts++
      await assert.rejects(box.obtain(), /The DNS service at 127\.0\.0\.1:\d+ answered with status 503\.$/)
    }
    assert.ok(attempts >= 14 && attempts <= 24, `${attempts} attempts`)
    assert.equal(box.state.attempts.failures, attempts)
    assert.match(box.state.attempts.problem ?? '', /status 503/)
    // A box that restarts asks no more often.
    await using again = await open(acme({ at: failing.url }))
    await again.check()
    assert.equal(again.state.stage, undefined)
    status = 200
    offsetMs += 15 * 3_600_000
    await again.check()
    await again.obtain()
    assert.ok(again.current)
    assert.equal(again.state.attempts.problem, null)
  })

  it('is absent once it has expired, and is kept for the page to say so', async () => {
    await using box = await open()
    await box.obtain()
    offsetMs = (box.current?.notAfter ?? 0) - Date.now() + 1000
    assert.equal(box.current, undefined)
    assert.ok((box.state.held?.notAfter ?? 0) < now())
  })

  it('is not asked for when the service says yes and writes nothing', async () => {
    await using lying = await DnsHook.open(folder, server.issued)
    await using box = await open(acme({ at: lying.url, waitMs: 300 }))
    await assert.rejects(box.obtain(), /The record _acme-challenge\.gate\.example\.org did not come into DNS\.$/)
    assert.deepEqual(lying.actions, ['present', 'remove'])
    assert.equal(box.state.attempts.failures, 1)
  })

  it('a redirect takes the token nowhere', async () => {
    await using moved = await DnsHook.open(folder, server.issued, { status: () => 307 })
    await using box = await open(acme({ at: moved.url }))
    await assert.rejects(box.obtain(), /The DNS service at .* did not answer: .*redirect/)
  })

  it('tells the service the record, its value and its own token', async () => {
    await using box = await open()
    await box.obtain()
    const [first] = hook.received
    const { value, ...rest } = first?.body ?? {}
    assert.deepEqual(rest, { action: 'present', type: 'TXT', record: RECORD, ttl: 60 })
    assert.match(String(value), /^[\w-]{43}$/)
    assert.equal(first?.headers.authorization, 'Bearer a-token')
  })

  it('goes by acme-dns to the record where the CNAME leads', async () => {
    const [led, fulldomain] = [`_acme-challenge.led.example.org`, 'd420.dns.example.org']
    await server.setCname(led, fulldomain)
    // acme-dns knows its own names alone: nothing is ever written at the record itself.
    await using dns = await DnsHook.open(folder, server.issued, {
      present: (_, value) => server.setTxt(fulldomain, value),
    })
    const secret = join(dataDir, 'acme-dns.json')
    writeFileSync(
      secret,
      JSON.stringify({
        username: 'user',
        password: 'pass',
        subdomain: 'd420',
        fulldomain,
        allowfrom: [],
      }),
    )
    const settings = acme({ method: 'acme-dns', at: dns.url, secret, record: led })
    await using box = await open(settings, 'led.example.org')
    await box.obtain()
    assert.equal(new X509Certificate(box.current?.cert ?? '').checkHost('led.example.org'), 'led.example.org')
    const [{ path, headers, body } = { path: '', headers: {}, body: {} }, ...more] = dns.received
    assert.deepEqual(
      [path, headers['x-api-user'], headers['x-api-key'], body.subdomain, more.length],
      ['/dns/update', 'user', 'pass', 'd420', 0],
    )
  })

  it('goes by a program, which gets its words as they are and none of the settings', async () => {
    const program = join(dataDir, 'hook')
    const seen = join(dataDir, 'seen')
    process.env.GATEHOUSE_MESH_INVITE = 'secret'
    const [, management] = /(http:.*)/.exec(server.dnsManagement) ?? []
    writeFileSync(
      program,
      `#!/bin/sh\nenv > ${seen}.env\necho "$# $@" >> ${seen}\n[ $1 = remove ] && exit\ncurl -s -d '{"host":"'$2'."}' ${management}/clear-txt\ncurl -s -d '{"host":"'$2'.","value":"'$3'"}' ${management}/set-txt\n`,
    )
    chmodSync(program, 0o700)
    await using box = await open(acme({ method: 'command', at: program }))
    await box.obtain()
    delete process.env.GATEHOUSE_MESH_INVITE
    assert.match(readFileSync(seen, 'utf8'), /^3 present _acme-challenge\.gate\.example\.org [\w-]{43}\n3 remove _acme/)
    assert.doesNotMatch(readFileSync(`${seen}.env`, 'utf8'), /GATEHOUSE|secret/)
  })

  it('waits for a record that is written by hand, and says which', async () => {
    const stages: string[] = []
    await using box = await PublicCertificate.open(
      { name: NAME, acme: acme({ method: 'manual', at: undefined, secret: undefined }) },
      {
        ...{ dataDir, logger: QUIET, now, random: () => 0.5 },
        onStage: (stage, record) => {
          stages.push(stage)
          if (record) void server.setTxt(record.record, record.value)
        },
      },
    )
    await box.obtain()
    assert.ok(box.current)
    assert.deepEqual(stages, ['account', 'order', 'record', 'proof', 'certificate'])
    await server.clearTxt(RECORD)
  })

  it('a key that leaked: a new certificate, and the old one is revoked; the account has a new key too', async () => {
    await using box = await open()
    await box.obtain()
    const old = box.current
    assert.ok(old)
    const account = readFileSync(join(store(), 'account-key.pem'), 'utf8')
    await box.replace()
    assert.notEqual(box.current?.key, old.key)
    // Nor does anything of it stay as the certificate before.
    for (const name of readdirSync(store())) {
      assert.ok(!readFileSync(join(store(), name), 'utf8').includes(JSON.stringify(old.key).slice(1, -1)), name)
    }
    const { Status, Reason } = await server.statusOf(serialOf(old.cert))
    assert.deepEqual([Status, Reason], ['Revoked', 1])
    assert.equal((await server.statusOf(serialOf(box.current?.cert ?? ''))).Status, 'Valid')
    assert.notEqual(readFileSync(join(store(), 'account-key.pem'), 'utf8'), account)
    await box.obtain()
  })

  it('a key that leaked while DNS fails: revoked all the same, and shown no longer', async () => {
    await using failing = await DnsHook.open(folder, server.issued, { status: () => 500 })
    await using good = await open()
    await good.obtain()
    await using box = await open(acme({ at: failing.url }))
    const { cert = '' } = box.current ?? {}
    await assert.rejects(box.replace(), /The old certificate is revoked, and there is no new one: .*status 500/)
    assert.equal(box.current, undefined)
    assert.equal((await server.statusOf(serialOf(cert))).Status, 'Revoked')
  })

  it('an authority that is down costs nothing, and is asked again within a quarter of an hour', async () => {
    const settings = { ...acme(), directory: 'https://127.0.0.1:1/dir' }
    await using box = await open(settings)
    for (let i = 0; i < 8; i++) await assert.rejects(box.obtain(), /ECONNREFUSED|connect/)
    const { nextAt } = box.state.attempts
    assert.ok(nextAt !== null && nextAt - now() <= 18 * 60_000)
    assert.deepEqual(hook.received, [])
  })

  it('ends an attempt at once when the box stops', async () => {
    await using silent = await DnsHook.open(folder, server.issued, { status: () => null })
    const box = await open(acme({ at: silent.url }))
    const ending = assert.rejects(box.obtain())
    while (silent.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await box[Symbol.asyncDispose]()
    await ending
  })
})
