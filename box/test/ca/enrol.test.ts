/** From an invite to a device on the roster: over HTTP, and by the client that ships with the box. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import { openAuthority } from '../../src/ca/authority.ts'
import { invitePayload } from '../../src/ca/invites.ts'
import { newRequest, PairingError, pair, readInvite } from '../../src/device/pair.ts'
import { sql } from '../../src/drizzle/core.ts'
import { type Answer, ask, assertFailure } from '../world/ask.ts'
import { World } from '../world/world.ts'

const DAY = 86_400_000

let world: World
before(async () => {
  world = await World.open()
})
after(() => world[Symbol.asyncDispose]())

const invite = async (of = world) => readInvite(await of.inviteLink(['a-in', 'a-out'])).code
const posted = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const enrol = async (body: object, of = world): Promise<Answer> =>
  ask(of.box.ports.https, '/v1/enroll', { ...posted(body), tls: { ca: await of.ca } })
const enrolInTheOpen = (body: object, of = world): Promise<Answer> => ask(of.box.ports.http, '/v1/enroll', posted(body))

describe('POST /v1/enroll', () => {
  it('answers a certificate request with what the device lacks, and with no key', async () => {
    const { csr, key } = await newRequest()
    const { status, headers, text } = await enrol({ invite: await invite(), name: 'phone', csr })
    assert.equal(status, 201, text)
    assert.equal(headers['cache-control'], 'no-store')
    const enrolment = JSON.parse(text)
    const fields = 'ca_certificate certificate checkpoints device_id device_url name supervisor token'.split(' ')
    assert.deepEqual(Object.keys(enrolment).sort(), fields)
    assert.equal(enrolment.device_url, `https://127.0.0.1:${world.box.ports.device}`)
    assert.deepEqual(
      enrolment.checkpoints.map(({ id }: { id: string }) => id),
      ['a-in', 'a-out'],
    )
    assert.equal(await scansAs({ cert: enrolment.certificate, key }, enrolment.token), 200)
  })

  it('answers without a certificate request with a key, and archives that let a device in', async () => {
    const { status, text } = await enrol({ invite: await invite(), name: 'phone' })
    assert.equal(status, 201, text)
    const { certificate, private_key, pkcs12, pkcs12_password: passphrase, token } = JSON.parse(text)
    assert.equal(await scansAs({ cert: certificate, key: private_key }, token), 200)
    assert.equal(await scansAs({ pfx: Buffer.from(pkcs12, 'base64'), passphrase }, token), 200)
  })

  it('shows no key over plain HTTP, where everybody on the network reads along', async () => {
    const code = await invite()
    const refused = await enrolInTheOpen({ invite: code, name: 'phone' })
    assertFailure(refused, 'bad_request')
    assert.match(refused.text, new RegExp(`https://[^ ]+:${world.box.ports.https}/v1/enroll`), 'it says where to go')
    assert.doesNotMatch(refused.text, /PRIVATE KEY/)
    assertFailure(await enrolInTheOpen({ invite: 'x'.repeat(22), name: 'phone' }), 'bad_request', 'no word on invites')

    const { csr, key } = await newRequest()
    const { status, text } = await enrolInTheOpen({ invite: code, name: 'phone', csr })
    assert.equal(status, 201, 'the invite is not used up, and a key that stays with the device needs no secrecy')
    const { certificate: cert, token } = JSON.parse(text)
    assert.equal(await scansAs({ cert, key }, token), 200)
  })

  it('answers with an archive for phones that openssl reads in legacy mode', async (t) => {
    const run = promisify(execFile)
    if (!(await run('openssl', ['version']).catch(() => undefined))) return t.skip('there is no openssl here')
    const { pkcs12_legacy, pkcs12, pkcs12_password, device_id } = JSON.parse(
      (await enrol({ invite: await invite(), name: 'phone' })).text,
    )
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-p12-'))
    t.after(() => rmSync(folder, { recursive: true }))
    for (const [name, archive, options, cipher] of [
      ['legacy.p12', pkcs12_legacy, ['-legacy'], /pbeWithSHA1And3-KeyTripleDES-CBC/],
      ['modern.p12', pkcs12, [], /AES-256-CBC/],
    ] as const) {
      writeFileSync(join(folder, name), Buffer.from(archive, 'base64'))
      const args = [
        'pkcs12',
        '-in',
        join(folder, name),
        '-passin',
        `pass:${pkcs12_password}`,
        '-info',
        '-nodes',
        ...options,
      ]
      const { stdout, stderr } = await run('openssl', args)
      assert.match(stderr, cipher)
      assert.match(stdout, new RegExp(`subject=CN = ${device_id}`))
      assert.match(stdout, /BEGIN PRIVATE KEY/)
    }
  })

  it('refuses an invite that is unknown, used or expired', async (t) => {
    assertFailure(await enrol({ invite: 'x'.repeat(22), name: 'phone' }), 'not_found')
    const code = await invite()
    assert.equal((await enrol({ invite: code, name: 'phone' })).status, 201)
    assertFailure(await enrol({ invite: code, name: 'phone' }), 'invite_used')

    const late = await invite()
    t.after(() => {
      world.offsetMs = 0
    })
    world.offsetMs = 601_000
    assertFailure(await enrol({ invite: late, name: 'phone' }), 'invite_expired')
    world.offsetMs = 0
    assert.equal((await enrol({ invite: late, name: 'phone' })).status, 201)
  })

  it('accepts one of two phones that use the same invite at once', async () => {
    const code = await invite()
    const answers = await Promise.all([enrol({ invite: code, name: 'a' }), enrol({ invite: code, name: 'b' })])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 410])
    for (const answer of answers) if (answer.status === 410) assertFailure(answer, 'invite_used')
  })

  it('keeps the invite when the request is bad, or the box cannot write', async () => {
    const code = await invite()
    assertFailure(await enrol({ invite: code, name: 'phone', csr: 'no request' }), 'bad_request')
    assertFailure(await enrol({ invite: code, name: 'phone', role: 'admin' }), 'bad_request')
    world.box.ledger.db.drizzle.run(sql`PRAGMA query_only = 1`)
    assertFailure(await enrol({ invite: code, name: 'phone' }), 'ledger_unavailable')
    world.box.ledger.db.drizzle.run(sql`PRAGMA query_only = 0`)
    assert.equal((await enrol({ invite: code, name: 'phone' })).status, 201)
  })

  it('limits the rate of one address', async () => {
    await using own = await World.open()
    own.holdRates()
    const answers = await atOnce(24, () => enrol({ invite: 'guess', name: 'phone' }, own))
    const [limited] = answers.filter(({ status }) => status === 429)
    assert.ok(limited)
    assertFailure(limited, 'rate_limited')
    assert.match(limited.headers['retry-after'] ?? '', /^[1-9]\d*$/)
    assert.equal(
      answers.filter(({ status }) => status === 404).length,
      24 - answers.filter(({ status }) => status === 429).length,
    )
    // Over either listener, it is one address.
    const more = await atOnce(24, () => enrolInTheOpen({ invite: 'guess', name: 'p' }, own))
    assertFailure(more.find(({ status }) => status === 429) ?? assert.fail(), 'rate_limited')
    assert.ok(more.filter(({ status }) => status !== 429).length < 20, 'its tries were used up before')
  })

  it('takes a good invite at once, however often others behind the same address were wrong', async () => {
    await using own = await World.open()
    own.holdRates()
    const code = readInvite(await own.inviteLink()).code
    const wrong = await atOnce(60, () => enrol({ invite: 'guess', name: 'phone' }, own))
    assert.ok(wrong.some(({ status }) => status === 429))
    assert.equal((await enrol({ invite: code, name: 'phone' }, own)).status, 201)
    // Used up, it is one of the wrong ones.
    const again = await atOnce(24, () => enrol({ invite: code, name: 'phone' }, own))
    assertFailure(again.find(({ status }) => status === 429) ?? assert.fail(), 'rate_limited')
    assert.ok(again.filter(({ status }) => status !== 429).length < 20, 'the tries were used up before')
  })

  it('bounds the tries with a good invite, whose requests are never right', async () => {
    await using own = await World.open()
    own.holdRates()
    const code = readInvite(await own.inviteLink()).code
    const statuses: number[] = []
    for (let i = 0; i < 40; i++) statuses.push((await enrol({ invite: code, name: 'phone', csr: 'no' }, own)).status)
    assert.deepEqual([statuses[0], statuses.at(-1)], [400, 429])
  })

  /** The status that a manifest is answered with. */
  async function scansAs(tls: object, token: string): Promise<number> {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await ask(world.box.ports.device, '/v1/manifest', { tls: { ca: await world.ca, ...tls }, headers })
    return answer.status
  }
})

/** Sent together: one after the other, a slow machine gives the rate time to recover. */
function atOnce(count: number, send: () => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, send))
}

describe('pairing', () => {
  it('gives a device everything that it needs, and its private key never leaves it', async () => {
    const paired = await pair(await world.inviteLink(['a-in']), 'turnstile')
    assert.equal(paired.ca, await world.ca)
    assert.deepEqual(paired.checkpoints, ['a-in'])
    assert.equal((await world.deviceOf(paired).scan('CREW-1')).verdict, 'ADMIT')
  })

  it('passes on why the box refuses an invite', async () => {
    const link = await world.inviteLink()
    await pair(link, 'first')
    await assert.rejects(pair(link, 'second'), (error) => isPairingError(error, /has been used: ask the control room/))
  })

  it('refuses a box other than that of the invite', async (t) => {
    const link = await world.inviteLink()
    const impostor = await somebodyElse(t)
    await assert.rejects(pair(redirected(link, impostor.url), 'phone'), (error) =>
      isPairingError(error, /do not pair here/),
    )
    assert.deepEqual(impostor.asked, ['GET /ca.crt'], 'the code was not sent')
    await pair(link, 'phone')
  })

  it('trusts the authority of the invite and no other certificate in the answer', async (t) => {
    const link = await world.inviteLink()
    const ca = await world.ca
    const impostor = await somebodyElse(t, (own) => `${ca}${own}`)
    await assert.rejects(pair(redirected(link, impostor.url), 'phone'), (error) =>
      isPairingError(error, /does not answer/),
    )
    assert.deepEqual(impostor.asked, ['GET /ca.crt'], 'the code was not sent')
  })

  it('works behind an organiser’s certificate that this machine trusts', async (t) => {
    const organiser = await someServer(t)
    const [certPath, keyPath] = [join(organiser.dir, 'chain.pem'), join(organiser.dir, 'key.pem')]
    writeFileSync(certPath, organiser.cert)
    writeFileSync(keyPath, organiser.key)
    await using own = await World.open({ environment: { GATEHOUSE_TLS_CERT: certPath, GATEHOUSE_TLS_KEY: keyPath } })
    const link = await own.inviteLink(['a-in'])
    await assert.rejects(pair(link, 'phone'), (error) => isPairingError(error, /does not answer/))

    const trusted = getCACertificates('default')
    t.after(() => setDefaultCACertificates(trusted))
    setDefaultCACertificates([...trusted, organiser.ca])
    const paired = await pair(link, 'phone')
    assert.equal(paired.ca, await own.ca)
    assert.equal((await own.deviceOf(paired).scan('CREW-1')).verdict, 'ADMIT')
  })

  it('says so when no box answers', async (t) => {
    const { url, close } = await somebodyElse(t)
    close()
    const link = redirected(await world.inviteLink(), url)
    await assert.rejects(pair(link, 'phone'), (error) => isPairingError(error, /does not answer: join its network/))
  })

  it('says so when the text is not an invite', async () => {
    const hash = (payload: unknown) =>
      `https://x/scanner/#i=${Buffer.from(JSON.stringify(payload)).toString('base64url')}`
    const links = [
      '',
      'hello',
      'https://x/scanner/',
      'https://x/scanner/#i=',
      'https://x/scanner/#i=!!!',
      hash(null),
      hash([]),
      hash({ u: 'https://x', fp: 'sha256:a' }),
      hash({ u: 'https://x', fp: 'sha256:a', i: 7 }),
      hash({ u: 'x', fp: 'sha256:a', i: 'b' }),
      hash({ u: 'http://x', fp: 'sha256:a', i: 'b' }),
      hash({ u: 'file:///x', fp: 'sha256:a', i: 'b' }),
    ]
    for (const link of links)
      await assert.rejects(pair(link, 'phone'), (error) => isPairingError(error, /not an invite/), link)
  })

  const isPairingError = (error: unknown, message: RegExp) =>
    error instanceof PairingError && message.test(error.message)
})

/** The invite of `link`, as if its box were at `url`. */
function redirected(link: string, url: string): string {
  const { fingerprint: caFingerprint, code } = readInvite(link)
  return invitePayload({ baseUrl: url, caFingerprint, invite: { code, expiresAt: Date.now() + DAY } })
}

/** Key and certificate of a server on this machine that is not the box's, by an authority of the same name. */
async function someServer(t: TestContext) {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-else-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const authority = await openAuthority({
    ...{ dir, eventId: 'test-fair', eventName: 'Test Fair', endsAt: Date.now() + DAY, hostname: 'x', now: Date.now },
  })
  const machine = { names: ['localhost'], addresses: ['127.0.0.1'] }
  const { key, certificate: cert } = await authority.issueServerCertificate(machine)
  return { dir, ca: authority.certificate, key, cert }
}

/** An HTTPS server on this machine that is not the box. @param certificates what it serves as its authority */
async function somebodyElse(t: TestContext, certificates = (own: string) => own) {
  const { ca, key, cert } = await someServer(t)
  const asked: string[] = []
  const server = createServer({ key, cert }, (request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.end(certificates(ca))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  return { url: `https://127.0.0.1:${port}`, asked, close: () => server.close() }
}
