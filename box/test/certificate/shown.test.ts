/** Certificates that the HTTPS port shows, by caller, with a public name: handshakes on a real box. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { connect } from 'node:tls'
import { OWN_CERTIFICATE } from '../../src/http/own-certificate.ts'
import { AcmeServer, NO_PEBBLE } from '../world/acme-server.ts'
import { makeAuthority } from '../world/certificates.ts'
import type { TestDevice } from '../world/device.ts'
import { DnsHook } from '../world/dns-hook.ts'
import { bringCertificate } from '../world/public-certificate.ts'
import { until } from '../world/until.ts'
import { World } from '../world/world.ts'

const NAME = 'gate.example.org'
const DAY = 86_400_000

async function peerOf(port: number, servername?: string, ca?: string) {
  const socket = connect({
    host: '127.0.0.1',
    port,
    rejectUnauthorized: false,
    ...(servername && { servername }),
    ...(ca && { ca }),
  })
  await once(socket, 'secureConnect')
  const { authorized } = socket
  const certificate = socket.getPeerX509Certificate()
  assert.ok(certificate)
  return { socket, certificate, authorized, issuer: certificate.issuer, [Symbol.dispose]: () => socket.destroy() }
}

describe('the public name of a box', () => {
  let world: World
  let device: TestDevice
  let publicOnes: Awaited<ReturnType<typeof makeAuthority>>
  before(async () => {
    world = await World.open({ environment: { GATEHOUSE_CERTIFICATE_NAME: NAME } })
    publicOnes = await makeAuthority('Public CA')
    device = await world.device()
    // By its address: the public name is in no DNS here.
    await world.admin()
  })
  after(() => world[Symbol.asyncDispose]())

  const issuerFor = async (servername?: string) => {
    using peer = await peerOf(world.box.ports.https, servername)
    return peer.issuer
  }
  const bring = (days: number) => bringCertificate(world, NAME, publicOnes, days)

  it('has the certificate of the authority of the event until there is another, and that one names it', async () => {
    using peer = await peerOf(world.box.ports.https, NAME, await world.ca)
    assert.equal(peer.authorized, true, 'for the crew, which trusts the authority')
    assert.match(await issuerFor(NAME), /Gatehouse/)
    assert.match(world.box.baseUrl, /^https:\/\/127\.0\.0\.1:/)
  })

  it('gets the public one without a restart, and nobody else does; connections stay', async () => {
    using open = await peerOf(world.box.ports.https, NAME)
    await bring(30)
    assert.match(await issuerFor(NAME), /Public CA/)
    assert.match(await issuerFor(NAME.toUpperCase()), /Public CA/)
    for (const other of [undefined, 'localhost', 'gatehouse.local', `www.${NAME}`, OWN_CERTIFICATE])
      assert.match(await issuerFor(other), /Gatehouse/, other)
    assert.equal(world.box.baseUrl, `https://${NAME}:${world.box.ports.https}`)
    open.socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    const [answer] = (await once(open.socket, 'data')) as [Buffer]
    assert.match(answer.toString(), /^HTTP\/1\.1 200/)
  })

  it('is renewed without a restart', async () => {
    const cert = await bring(60)
    using peer = await peerOf(world.box.ports.https, NAME)
    assert.equal(peer.certificate.toString().trim(), cert.trim())
  })

  it('a scanner that was paired under the authority of the event goes on', async () => {
    for (const client of [device.client, device.signed]) {
      const { response } = await client.GET('/v1/manifest')
      assert.equal(response.status, 200)
    }
  })

  it('a file that cannot be read: the one before is shown, and the page says so; without one, that of the event', async () => {
    const admin = await world.admin()
    const folder = join(world.folder, 'data', 'certificate')
    const newest = join(folder, 'certificate.json')
    const sound = readFileSync(newest, 'utf8')
    for (const broken of ['', sound.slice(0, -40), '{"cert": 7}', sound.replaceAll('BEGIN', 'BEGAN')]) {
      writeFileSync(newest, broken)
      await world.box.renewCertificates()
      assert.match(await issuerFor(NAME), /Public CA/)
      const { data } = await admin.GET('/v1/admin/certificate')
      assert.deepEqual([data?.state, data?.damaged], ['held', true])
    }
    rmSync(join(folder, 'certificate-before.json'))
    await world.box.renewCertificates()
    assert.doesNotMatch(await issuerFor(NAME), /Public CA/)
    const { data } = await admin.GET('/v1/admin/certificate')
    assert.deepEqual([data?.state, data?.damaged], ['none', true])
    assert.equal((await device.client.GET('/v1/manifest')).response.status, 200)
    // A new one mends it.
    await bring(30)
    assert.match(await issuerFor(NAME), /Public CA/)
    assert.equal((await admin.GET('/v1/admin/certificate')).data?.damaged, false)
  })

  it('once it has expired, gates open with the certificate of the event, and invites name the address again', async () => {
    world.offsetMs = 61 * DAY
    assert.match(await issuerFor(NAME), /Gatehouse/)
    assert.match(world.box.baseUrl, /^https:\/\/127\.0\.0\.1:/)
    const { data } = await (await world.admin()).GET('/v1/admin/certificate')
    assert.equal(data?.state, 'expired')
    assert.equal((await (await world.admin()).POST('/v1/admin/certificate/obtain')).response.status, 409)
    // Two hours on, at the gate: the certificate was good for one.
    world.offsetMs = 0
    await bring(1 / 24)
    assert.match(await issuerFor(NAME), /Public CA/)
    world.offsetMs = 2 * 3_600_000
    assert.equal((await (await world.admin()).GET('/v1/admin/certificate')).data?.state, 'expired')
    assert.match(await issuerFor(NAME), /Gatehouse/)
    assert.equal((await device.scan('ONCE-1')).verdict, 'ADMIT')
    assert.equal((await device.scan('ONCE-1')).verdict, 'ALREADY_USED')
    await using phone = await world.device()
    assert.equal((await phone.scan('ONCE-2')).verdict, 'ADMIT', 'a phone that is paired now')
    world.offsetMs = 0
    assert.equal((await device.client.GET('/v1/manifest')).response.status, 200)
  })
})

describe('a box that obtains its certificate', { skip: NO_PEBBLE }, () => {
  it('is open before it has one, shows it when it comes, and starts with it again while the authority is gone', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-acme-box-'))
    await using stack = new AsyncDisposableStack()
    stack.defer(() => rmSync(folder, { recursive: true }))
    const server = stack.use(await AcmeServer.open(folder))
    const hook = stack.use(
      await DnsHook.open(folder, server.issued, { present: (record, value) => server.setTxt(record, value) }),
    )
    const world = stack.use(
      await World.open({
        environment: {
          ...{ GATEHOUSE_CERTIFICATE_NAME: NAME, GATEHOUSE_ACME_DNS: 'webhook', GATEHOUSE_ACME_DNS_AT: hook.url },
          ...{ GATEHOUSE_ACME_DNS_SECRET: hook.secretFile, GATEHOUSE_ACME_CA: server.caFile },
          ...{ GATEHOUSE_ACME_DIRECTORY: server.directory, GATEHOUSE_ACME_DNS_SERVER: server.dns },
        },
      }),
    )
    const root = await server.root()
    const isTrusted = async () => {
      using peer = await peerOf(world.box.ports.https, NAME, root)
      return peer.authorized
    }
    await until(isTrusted)
    await server[Symbol.asyncDispose]()
    await world.restart()
    assert.equal(await isTrusted(), true)
    const asked = hook.received.length
    await world.box.renewCertificates()
    assert.equal(hook.received.length, asked, 'nothing is due')
  })
})
