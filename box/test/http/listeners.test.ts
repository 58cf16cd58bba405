/** Each listener: the tiers that it serves, their credentials, and its certificate. */
import assert from 'node:assert/strict'
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect as connectPlain } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { type ConnectionOptions, connect } from 'node:tls'
import { openAuthority } from '../../src/ca/authority.ts'
import { type Ask, ask, assertFailure, openStream, writeBytes } from '../world/ask.ts'
import { makeAuthority } from '../world/certificates.ts'
import type { TestDevice } from '../world/device.ts'
import { operationsOf } from '../world/operations.ts'
import { World } from '../world/world.ts'

const DAY = 86_400_000

describe('the listeners', () => {
  let world: World
  let device: TestDevice
  let shown: ConnectionOptions
  let deviceHeaders: Record<string, string>
  before(async () => {
    world = await World.open()
    device = await world.device()
    shown = { ca: device.paired.ca, cert: device.paired.certificate, key: device.paired.key }
    deviceHeaders = { authorization: `Bearer ${device.paired.token}` }
  })
  after(() => world[Symbol.asyncDispose]())

  const asAdmin = () => ({ authorization: `Bearer ${world.box.adminToken}` })
  const https = async (path: string, options: Ask = {}) =>
    ask(world.box.ports.https, path, { tls: { ca: await world.ca }, ...options })

  it('plain HTTP has the open tier and nothing else', async () => {
    const { http } = world.box.ports
    for (const { method, path, tier } of operationsOf(world.box)) {
      for (const headers of [{}, asAdmin(), deviceHeaders]) {
        const answer = await ask(http, path, { method, headers })
        if (tier === 'open') assert.notEqual(answer.status, 404, `${method} ${path}`)
        else assertFailure(answer, 'not_found', `${method} ${path}`)
      }
    }
  })

  it('HTTPS has every tier, each behind its credential', async () => {
    for (const { method, path, tier, operation } of operationsOf(world.box)) {
      // Its answer does not end: `a wallet's stream` below.
      if (path === '/v1/announcements/stream') continue
      const answer = await https(path, { method })
      // The proof of a person who is signing in is in the body.
      if (operation['x-role'] === 'signing_in') assert.notEqual(answer.status, 401, `${method} ${path}`)
      else if (tier === 'open') assert.notEqual(answer.status, 404, `${method} ${path}`)
      else if (tier === 'attendee') assert.notEqual(answer.status, 401, `${method} ${path}`)
      else assertFailure(answer, 'bad_token', `${method} ${path}`)
    }
  })

  it('the device port has the open and the device tier', async () => {
    const port = world.box.ports.device
    for (const { method, path, tier } of operationsOf(world.box)) {
      const answer = await ask(port, path, { method, tls: shown, headers: asAdmin() })
      if (tier === 'open') assert.notEqual(answer.status, 404, `${method} ${path}`)
      else assertFailure(answer, tier === 'device' ? 'bad_token' : 'not_found', `${method} ${path}`)
    }
  })

  it('HEAD is GET without its body, and a stream has none', async () => {
    const port = world.box.ports.device
    const stands = (name: string) => !['date', 'content-length', 'connection', 'keep-alive', 'etag'].includes(name)
    for (const { method, path, tier } of operationsOf(world.box)) {
      if (method !== 'GET' || tier === 'admin') continue
      const head = await ask(port, path, { method: 'HEAD', tls: shown, headers: deviceHeaders })
      assert.equal(head.text, '')
      if (path.endsWith('/stream')) {
        assert.equal(head.status, 404)
        continue
      }
      const get = await ask(port, path, { tls: shown, headers: deviceHeaders })
      assert.equal(head.status, get.status, path)
      assert.deepEqual(Object.keys(head.headers).filter(stands), Object.keys(get.headers).filter(stands), path)
    }
  })

  it("a wallet's stream is on HTTPS, begins with the announcements, and has the next one within a second", async () => {
    const stream = await openStream(world.box.ports.https, '/v1/announcements/stream', { tls: { ca: await world.ca } })
    assert.equal(stream.status, 200)
    const until = async (isDone: () => boolean) => {
      while (!isDone()) await new Promise(setImmediate)
    }
    await until(() => stream.text.includes('event: announcements\ndata: {"announcements":['))
    const sentAt = performance.now()
    const admin = await world.admin()
    await admin.POST('/v1/admin/announce', { body: { text: 'Doors at nine.', severity: 'info', actor: 'a' } })
    await until(() => stream.text.includes('Doors at nine.'))
    assert.ok(performance.now() - sentAt < 1_000, `${Math.round(performance.now() - sentAt)} ms`)
    stream.close()
  })

  it('any other method answers 404', async () => {
    for (const method of ['OPTIONS', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'PUT', 'POST']) {
      assertFailure(await ask(world.box.ports.http, '/v1/meta', { method }), 'not_found', method)
    }
    assertFailure(await ask(world.box.ports.http, '/v1/enroll', { method: 'GET' }), 'not_found')
  })

  it('the authority is the same everywhere, and the one that the box says it is', async () => {
    const { http, device: port } = world.box.ports
    const answers = [
      await ask(http, '/ca.crt'),
      await https('/ca.crt'),
      await ask(port, '/ca.crt', { tls: shown, headers: {} }),
    ]
    for (const { text, headers } of answers) {
      assert.equal(headers['content-type'], 'application/x-x509-ca-cert')
      const fingerprint = new X509Certificate(text).fingerprint256.replaceAll(':', '').toLowerCase()
      assert.equal(world.box.caFingerprint, `sha256:${fingerprint}`)
    }
    const meta = JSON.parse((await ask(http, '/v1/meta')).text)
    assert.equal(meta.ca_fingerprint, world.box.caFingerprint)
  })

  describe('the venue', () => {
    it('has the hash of its body as its tag', async () => {
      const { headers, text } = await ask(world.box.ports.http, '/v1/venue')
      assert.equal(headers.etag, `"sha256-${createHash('sha256').update(text).digest('hex')}"`)
      assert.equal(headers['cache-control'], 'no-cache')
    })

    it('is not sent to a client that has it', async () => {
      const { etag = '' } = (await ask(world.box.ports.http, '/v1/venue')).headers
      const other = `"sha256-${'0'.repeat(64)}"`
      const cases: [ifNoneMatch: string, status: number][] = [
        [etag, 304],
        [`W/${etag}`, 304],
        [`${other}, ${etag}`, 304],
        [`${other},W/${etag} , "x"`, 304],
        ['*', 304],
        [other, 200],
        [etag.slice(1, -1), 200],
        [etag.toUpperCase(), 200],
        ['"', 200],
        [',,,', 200],
        ['x'.repeat(8000), 200],
      ]
      for (const [value, status] of cases) {
        const answer = await ask(world.box.ports.http, '/v1/venue', { headers: { 'if-none-match': value } })
        assert.equal(answer.status, status, value)
        assert.equal(answer.headers.etag, etag)
        if (status === 304) assert.equal(answer.text, '')
      }
      const lines = await ask(world.box.ports.http, '/v1/venue', { headers: { 'if-none-match': [other, etag] } })
      assert.equal(lines.status, 304)
    })
  })

  describe('TLS', () => {
    it('is 1.2 or newer', async () => {
      for (const port of [world.box.ports.https, world.box.ports.device]) {
        const old = connect({
          host: '127.0.0.1',
          port,
          ...shown,
          minVersion: 'TLSv1.1',
          maxVersion: 'TLSv1.1',
          ciphers: 'DEFAULT@SECLEVEL=0',
        })
        await assert.rejects(once(old, 'secureConnect'))
      }
    })

    it('closes the connection of a client that does not speak TLS', async () => {
      for (const port of [world.box.ports.https, world.box.ports.device]) {
        const started = performance.now()
        assert.doesNotMatch(await writeBytes(port, 'GET / HTTP/1.1\r\nhost: x\r\n\r\n', { quietMs: 5000 }), /^HTTP/)
        assert.ok(performance.now() - started < 2000)
      }
    })

    it('asks for a client certificate on the device port only', async () => {
      const asks = async (port: number) => {
        // A client presents its certificate only on request.
        const answer = await ask(port, '/healthz', { tls: shown }).catch(() => undefined)
        const bare = await ask(port, '/healthz', { tls: { ca: device.paired.ca } }).catch(() => undefined)
        return [answer?.status, bare?.status]
      }
      assert.deepEqual(await asks(world.box.ports.https), [200, 200])
      assert.deepEqual(await asks(world.box.ports.device), [200, undefined])
    })
  })

  it('the OpenAPI document is consistent', async () => {
    const { text } = await ask(world.box.ports.http, '/v1/openapi.json')
    const served = JSON.parse(text)
    assert.deepEqual(served, JSON.parse(JSON.stringify(world.box.openapi)))
    const named = new Set(Object.keys(served.components.schemas).map((name) => `#/components/schemas/${name}`))
    for (const [, ref = ''] of text.matchAll(/"\$ref":"([^"]+)"/g)) assert.ok(named.has(ref), ref)
    const ids = operationsOf(world.box).map(({ operation }) => operation.operationId)
    assert.deepEqual(
      ids.filter((id, i) => id === undefined || ids.indexOf(id) !== i),
      [],
    )
  })
})

describe('an organiser’s own certificate', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-organiser-'))
  after(() => rmSync(folder, { recursive: true }))
  const certPath = join(folder, 'fullchain.pem')
  const keyPath = join(folder, 'key.pem')

  /** Writes a certificate of another authority for this machine into the two files. */
  async function bring(): Promise<{ ca: string; fingerprint: string }> {
    const dir = mkdtempSync(join(folder, 'ca-'))
    const authority = await openAuthority({
      ...{ dir, eventId: 'theirs', eventName: 'Theirs', endsAt: Date.now() + DAY, hostname: 'theirs', now: Date.now },
    })
    const { key, certificate } = await authority.issueServerCertificate({
      names: ['localhost'],
      addresses: ['127.0.0.1'],
    })
    writeFileSync(certPath, certificate)
    writeFileSync(keyPath, key)
    return { ca: authority.certificate, fingerprint: new X509Certificate(certificate).fingerprint256 }
  }

  it('is used on the HTTPS port only, and read again when it changes', async () => {
    const theirs = await bring()
    await using world = await World.open({ environment: { GATEHOUSE_TLS_CERT: certPath, GATEHOUSE_TLS_KEY: keyPath } })
    const { https, device, http } = world.box.ports
    const ours = await world.ca
    assert.equal(await shownOn(https, theirs.ca), theirs.fingerprint)
    await assert.rejects(shownOn(https, ours))
    const own = await shownOn(device, ours)
    assert.notEqual(own, theirs.fingerprint)
    assert.equal((await ask(http, '/ca.crt')).text, ours)
    const headers = { authorization: `Bearer ${world.box.adminToken}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ checkpoints: ['a-in'] })
    const invite = await ask(https, '/v1/admin/invite', { method: 'POST', tls: { ca: theirs.ca }, headers, body })
    assert.equal(JSON.parse(invite.text).trust_link, null, 'to trust the authority of the event would change nothing')

    const renewed = await bring()
    await world.box.renewCertificates()
    assert.equal(await shownOn(https, renewed.ca), renewed.fingerprint)
    assert.equal(await shownOn(device, ours), own)

    writeFileSync(keyPath, 'half a file')
    await world.box.renewCertificates()
    assert.equal(await shownOn(https, renewed.ca), renewed.fingerprint, 'what cannot be read replaces nothing')
  })

  it('is replaced by the box’s own while it is expired', async () => {
    const lines: string[] = []
    const internet = await makeAuthority('Internet')
    const valid = { notBefore: new Date(Date.now() - 200 * DAY), notAfter: new Date(Date.now() - 81 * DAY) }
    const { cert, key } = await internet.issue('127.0.0.1', [{ type: 'ip', value: '127.0.0.1' }], valid)
    writeFileSync(certPath, cert)
    writeFileSync(keyPath, key)
    await using world = await World.open({
      environment: { GATEHOUSE_TLS_CERT: certPath, GATEHOUSE_TLS_KEY: keyPath },
      offsetMs: -80 * DAY,
      log: { write: (line: string) => void lines.push(line) },
    })
    const { https, device } = world.box.ports
    const ours = await world.ca
    const own = await shownOn(device, ours)
    assert.equal(await shownOn(https, ours), own)
    const said = lines.map((line) => JSON.parse(line)).find(({ event }) => event === 'certificate_not_used')
    assert.match(said?.problem, /fullchain\.pem expired on /)
    assert.equal(said.level, 50)

    world.offsetMs = 0
    await world.box.renewCertificates()
    const ownRenewed = await shownOn(device, ours)
    assert.notEqual(ownRenewed, own)
    assert.equal(await shownOn(https, ours), ownRenewed, 'it is kept current there too')

    const theirs = await bring()
    await world.box.renewCertificates()
    assert.equal(await shownOn(https, theirs.ca), theirs.fingerprint)
    world.offsetMs = 70 * DAY
    await world.box.renewCertificates()
    assert.equal(await shownOn(https, theirs.ca), theirs.fingerprint, 'the box’s own is not shown there any more')
  })

  it('stops the start when it is unusable; on an appliance it is reported on the setup page', async () => {
    await bring()
    writeFileSync(certPath, 'hello')
    const environment = { GATEHOUSE_TLS_CERT: certPath, GATEHOUSE_TLS_KEY: keyPath }
    await assert.rejects(World.open({ environment }), /fullchain\.pem does not begin with a certificate in PEM/)

    const appliance = mkdtempSync(join(folder, 'appliance-'))
    writeFileSync(join(appliance, 'problems.json'), '{"problems":[]}')
    await using world = await World.open({ environment: { ...environment, GATEHOUSE_APPLIANCE: appliance } })
    const problems = async () => (await (await world.admin()).GET('/v1/admin/appliance')).data?.problems
    assert.deepEqual(
      (await problems())?.map(({ where }) => where),
      ['tls'],
    )
    const page = (language: string) => ask(world.box.ports.http, `/?lang=${language}`)
    assert.match(
      (await page('de')).text,
      /<strong>tls<\/strong> <span>Die Datei .*fullchain\.pem ist kein Zertifikat in PEM\. Bis dahin zeigt die Box ihr eigenes Zertifikat\.<\/span>/,
    )
    assert.match(
      (await page('en')).text,
      /<strong>tls<\/strong> <span>The file .*fullchain\.pem is not a PEM certificate\. Until then, the box shows its own certificate\.<\/span>/,
    )

    await bring()
    await world.box.renewCertificates()
    assert.ok(!(await ask(world.box.ports.http, '/')).text.includes('fullchain.pem'), 'said for as long as it is so')
  })
})

describe('the box’s own certificate', () => {
  it('is renewed without a restart, and devices stay connected', async () => {
    await using world = await World.open({ offsetMs: -80 * DAY })
    const device = await world.device()
    await using open = await world.device()
    assert.equal((await open.scan('ONCE-2')).verdict, 'ADMIT')
    const { https, device: port } = world.box.ports
    const ca = await world.ca
    const [before] = [await shownOn(https, ca), await shownOn(port, ca)]

    world.offsetMs = 0
    await world.box.renewCertificates()
    const renewed = await shownOn(https, ca)
    assert.notEqual(renewed, before)
    assert.equal(await shownOn(port, ca), renewed)
    assert.equal((await device.scan('ONCE-1')).verdict, 'ADMIT', 'a new connection')
    assert.equal((await open.scan('ONCE-2')).verdict, 'ALREADY_USED', 'one that stood')
    await assert.rejects(ask(port, '/healthz', { tls: { ca } }), 'a certificate is still asked for')
  })
})

describe('a box that closes', () => {
  async function openBox(t: TestContext) {
    const world = await World.open()
    t.after(() => world[Symbol.asyncDispose]())
    return { world, device: await world.device() }
  }

  async function closesWithin(world: World, ms: number) {
    const started = performance.now()
    await world[Symbol.asyncDispose]()
    assert.ok(performance.now() - started < ms)
  }

  it('ends the streams that are open', async (t) => {
    const { world, device } = await openBox(t)
    const { token, ca, certificate: cert, key } = device.paired
    const headers = { authorization: `Bearer ${token}` }
    const stream = await openStream(world.box.ports.device, '/v1/stream', { headers, tls: { ca, cert, key } })
    assert.equal(stream.status, 200)
    await closesWithin(world, 2000)
    await stream.closed
  })

  it('does not wait for idle connections', async (t) => {
    const { world, device } = await openBox(t)
    await device.scan('ONCE-1')
    const idle = Object.values(world.box.ports).map((port) => connectPlain(port, '127.0.0.1'))
    await Promise.all(idle.map((socket) => once(socket, 'connect')))
    await closesWithin(world, 2000)
  })
})

/** Fingerprint of the certificate that a listener presents to a client that trusts `ca`. */
async function shownOn(port: number, ca: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, ca })
  await once(socket, 'secureConnect')
  const { fingerprint256 = '' } = socket.getPeerX509Certificate() ?? {}
  socket.destroy()
  return fingerprint256
}
