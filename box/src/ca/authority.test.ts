import assert from 'node:assert/strict'
import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { connect, createServer, type TLSSocket } from 'node:tls'
import { GatehouseError } from '../errors.ts'
import { type Authority, fingerprint256, openAuthority } from './authority.ts'
import { requestKey } from './request-key.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 6, 1, 12)
const MACHINE = { names: ['gatehouse', 'gatehouse.local', 'localhost'], addresses: ['127.0.0.1', '::1', '192.168.4.1'] }

async function folder(t: TestContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'gatehouse-ca-'))
  t.after(() => rm(dir, { recursive: true }))
  return dir
}

function open(dir: string, change: Partial<Parameters<typeof openAuthority>[0]> = {}): Promise<Authority> {
  return openAuthority({
    dir,
    eventId: 'harbour-26',
    eventName: 'Harbour Sounds 2026',
    endsAt: NOW + 3 * DAY,
    hostname: 'gatehouse',
    now: () => NOW,
    ...change,
  })
}

function newKey(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

describe('at first boot', () => {
  test('an authority is made that can vouch for one local network and nothing more', async (t) => {
    const authority = await open(await folder(t))
    const certificate = new X509Certificate(authority.certificate)
    assert.equal(certificate.ca, true)
    assert.equal(certificate.verify(certificate.publicKey), true)
    assert.equal(certificate.publicKey.asymmetricKeyDetails?.namedCurve, 'prime256v1')
    assert.equal(certificate.validFromDate.getTime(), NOW - DAY)
    assert.ok(certificate.validToDate.getTime() > NOW + 3600 * DAY)
    assert.equal(authority.fingerprint, `sha256:${createHash('sha256').update(certificate.raw).digest('hex')}`)
    // Basic constraints: critical, CA, path length 0. Name constraints: critical.
    assert.ok(certificate.raw.includes(Buffer.from('0603551d130101ff040830060101ff020100', 'hex')))
    assert.ok(certificate.raw.includes(Buffer.from('0603551d1e0101ff', 'hex')))
  })

  test('its one file is for the box’s user alone, and nothing else is left behind', async (t) => {
    const dir = await folder(t)
    await open(dir)
    assert.deepEqual(await readdir(dir), ['authority.pem'])
    assert.equal((await stat(join(dir, 'authority.pem'))).mode & 0o777, 0o600)
  })

  test('two processes that start at once agree', async (t) => {
    const dir = await folder(t)
    const all = await Promise.all(Array.from({ length: 4 }, () => open(dir)))
    assert.equal(new Set(all.map(({ fingerprint }) => fingerprint)).size, 1)
  })

  test('two events have two authorities, even of one name', async (t) => {
    const [one, other] = [await open(await folder(t)), await open(await folder(t))]
    assert.notEqual(one.fingerprint, other.fingerprint)
    assert.notEqual(new X509Certificate(one.certificate).subject, new X509Certificate(other.certificate).subject)
  })

  test('a clock at 1970 or past 2050 still makes one that lasts', async (t) => {
    const early = new X509Certificate((await open(await folder(t), { now: () => 0 })).certificate)
    assert.ok(early.validToDate.getTime() > NOW + 3600 * DAY)
    const late = Date.UTC(2055, 0, 1)
    const then = new X509Certificate((await open(await folder(t), { now: () => late, endsAt: late })).certificate)
    assert.equal(then.validToDate.getUTCFullYear(), 2064)
  })
})

describe('at a later boot', () => {
  test('it is the same one, whatever the machine is called now', async (t) => {
    const dir = await folder(t)
    const first = await open(dir)
    const second = await open(dir, { hostname: 'renamed', now: () => NOW + 40 * DAY })
    assert.equal(second.certificate, first.certificate)
    assert.deepEqual(second.permit({ names: ['gatehouse', 'renamed'], addresses: [] }), {
      names: ['gatehouse'],
      addresses: [],
      leftOut: ['renamed'],
    })
  })

  test('a file of a write that power cut short is not an authority', async (t) => {
    const dir = await folder(t)
    await writeFile(join(dir, 'authority.pem.0f.new'), '-----BEGIN CERT')
    assert.match((await open(dir)).fingerprint, /^sha256:[0-9a-f]{64}$/)
  })

  const certificate = /-----BEGIN CERTIFICATE[\s\S]*END CERTIFICATE-----\n/
  const key = /-----BEGIN PRIVATE[\s\S]*END PRIVATE KEY-----\n/
  const damages: [string, (pem: string) => string, RegExp][] = [
    ['is empty', () => '', /damaged/],
    ['has a key and no certificate', (pem) => pem.replace(certificate, ''), /damaged/],
    ['has a certificate and no key', (pem) => pem.replace(key, ''), /damaged/],
    ['is cut short', (pem) => pem.slice(0, -40), /damaged/],
    ['has a flipped character', (pem) => pem.replace(/MII/, 'MXI'), /damaged/],
    ['is something else', () => 'hello', /damaged/],
    ['has another key', (pem) => pem.replace(key, pemOf(newKey().privateKey)), /do not belong together/],
  ]
  for (const [name, damage, expected] of damages) {
    test(`a file that ${name} is refused and left as it is`, async (t) => {
      const dir = await folder(t)
      await open(dir)
      const path = join(dir, 'authority.pem')
      const damaged = damage(await readFile(path, 'utf8'))
      await writeFile(path, damaged)
      await assert.rejects(open(dir), expected)
      assert.equal(await readFile(path, 'utf8'), damaged)
    })
  }

  test('the authority of another event is refused', async (t) => {
    const dir = await folder(t)
    await open(dir)
    await assert.rejects(open(dir, { eventId: 'other-27' }), /another event \(harbour-26\)/)
  })

  test('what cannot be read is an error, not a reason for a new one', async (t) => {
    const dir = await folder(t)
    await mkdir(join(dir, 'authority.pem'))
    await assert.rejects(open(dir), { code: 'EISDIR' })
  })
})

describe('a server certificate', () => {
  test('carries what is permitted, and names what is not', async (t) => {
    const authority = await open(await folder(t))
    const issued = await authority.issueServerCertificate({
      names: ['Gatehouse.local.', 'localhost', 'tickets.example.com'],
      addresses: ['10.1.2.3', 'fd00::7', '203.0.113.9'],
    })
    assert.deepEqual(issued.leftOut, ['tickets.example.com', '203.0.113.9'])
    const certificate = new X509Certificate(issued.certificate)
    assert.equal(
      certificate.subjectAltName,
      'DNS:gatehouse.local, DNS:localhost, IP Address:10.1.2.3, IP Address:FD00:0:0:0:0:0:0:7',
    )
    assert.equal(certificate.ca, false)
    assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1'])
    assert.equal(certificate.validFromDate.getTime(), NOW - DAY)
    assert.equal(certificate.validToDate.getTime(), NOW + 90 * DAY)
    assert.match(certificate.serialNumber, /^[4-7][0-9A-F]{31}$/)
    assert.equal(certificate.checkPrivateKey(createPrivateKey(issued.key)), true)
    assert.equal(certificate.checkIssued(new X509Certificate(authority.certificate)), true)
  })

  test('of a machine without a name or an address is for localhost', async (t) => {
    const authority = await open(await folder(t))
    const { certificate } = await authority.issueServerCertificate({ names: [], addresses: ['203.0.113.9'] })
    assert.equal(new X509Certificate(certificate).subjectAltName, 'DNS:localhost')
  })

  test('is never dated before its authority: a box may boot in 1970', async (t) => {
    const dir = await folder(t)
    await open(dir)
    const { certificate } = await (await open(dir, { now: () => 0 })).issueServerCertificate(MACHINE)
    assert.equal(new X509Certificate(certificate).validToDate.getTime(), NOW + 90 * DAY)
  })
})

describe('a device certificate', () => {
  test('is for one device, until a day after the event', async (t) => {
    const authority = await open(await folder(t))
    const { publicKey, privateKey } = newKey()
    const issued = await authority.issueDeviceCertificate({ deviceId: 'dev_1', publicKey })
    const certificate = new X509Certificate(issued.certificate)
    assert.equal(certificate.subject, 'CN=dev_1')
    assert.equal(certificate.subjectAltName, undefined)
    assert.equal(certificate.ca, false)
    assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.2'])
    assert.equal(certificate.validToDate.getTime(), NOW + 4 * DAY)
    assert.equal(issued.notAfter, NOW + 4 * DAY)
    assert.equal(issued.fingerprint, fingerprint256(issued.certificate))
    assert.equal(issued.fingerprint, fingerprint256(certificate.raw))
    assert.equal(issued.fingerprint, certificate.fingerprint256.replaceAll(':', '').toLowerCase())
    assert.deepEqual(issued.publicKey, publicKey.export({ format: 'der', type: 'spki' }))

    const base = Buffer.from('signed request')
    const signature = sign('sha256', base, { key: privateKey, dsaEncoding: 'ieee-p1363' })
    assert.equal(requestKey(certificate.publicKey).verify(base, signature), true)
    assert.equal(requestKey(certificate.publicKey).verify(Buffer.from('another'), signature), false)
    assert.equal(requestKey(certificate.publicKey).verify(base, Buffer.alloc(3)), false)
  })

  test('has a serial of its own each time', async (t) => {
    const authority = await open(await folder(t))
    const { publicKey } = newKey()
    const serials = new Set<string>()
    for (let i = 0; i < 20; i++) {
      const { certificate } = await authority.issueDeviceCertificate({ deviceId: 'd', publicKey })
      serials.add(new X509Certificate(certificate).serialNumber)
    }
    assert.equal(serials.size, 20)
  })

  test('is not issued once the event is over', async (t) => {
    const dir = await folder(t)
    const { publicKey } = newKey()
    const until = await open(dir, { now: () => NOW + 4 * DAY - 1 })
    assert.equal((await until.issueDeviceCertificate({ deviceId: 'd', publicKey })).notAfter, NOW + 4 * DAY)
    const over = await open(dir, { now: () => NOW + 4 * DAY })
    await assert.rejects(
      over.issueDeviceCertificate({ deviceId: 'd', publicKey }),
      (error) =>
        error instanceof GatehouseError && error.code === 'conflict' && /ended on 2026-07-04/.test(error.message),
    )
  })

  for (const deviceId of ['', 'a.example.com', 'a b', 'é', 'a'.repeat(65), 'a,CN=b']) {
    test(`is not issued to ${JSON.stringify(deviceId)}`, async (t) => {
      const authority = await open(await folder(t))
      await assert.rejects(authority.issueDeviceCertificate({ deviceId, publicKey: newKey().publicKey }), RangeError)
    })
  }
})

describe('a handshake', () => {
  async function handshake(
    server: { authority: Authority; names?: string[]; addresses?: string[] },
    client: {
      trusts: Authority
      as: { servername: string } | { host: string }
      device?: { key: string; cert: string }
    },
  ): Promise<string | undefined> {
    const issued = await server.authority.issueServerCertificate(MACHINE)
    const listener = createServer({
      key: issued.key,
      cert: issued.certificate,
      ca: server.authority.certificate,
      requestCert: true,
      rejectUnauthorized: false,
    })
    let socket: TLSSocket | undefined
    try {
      listener.listen(0, '127.0.0.1')
      await once(listener, 'listening')
      const { port } = listener.address() as AddressInfo
      const accepted = once(listener, 'secureConnection')
      socket = connect({ port, host: '127.0.0.1', ca: client.trusts.certificate, ...client.as, ...client.device })
      await once(socket, 'secureConnect')
      const [peer] = (await accepted) as [TLSSocket]
      const device = peer.authorized ? peer.getPeerX509Certificate()?.subject : undefined
      peer.destroy()
      return device
    } finally {
      socket?.destroy()
      listener.close()
    }
  }

  async function deviceOf(authority: Authority) {
    const { publicKey, privateKey } = newKey()
    const { certificate } = await authority.issueDeviceCertificate({ deviceId: 'dev_1', publicKey })
    return { key: pemOf(privateKey), cert: certificate }
  }

  // Real sockets look at the real clock.
  const opened = async (t: TestContext) => open(await folder(t), { now: Date.now, endsAt: Date.now() + DAY })

  test('proves the box by name and by address, and the device to the box', async (t) => {
    const authority = await opened(t)
    const device = await deviceOf(authority)
    for (const servername of ['localhost', 'gatehouse', 'gatehouse.local']) {
      assert.equal(await handshake({ authority }, { trusts: authority, as: { servername }, device }), 'CN=dev_1')
    }
    assert.equal(await handshake({ authority }, { trusts: authority, as: { host: '127.0.0.1' }, device }), 'CN=dev_1')
  })

  test('shows no device without a certificate, or with one of another event', async (t) => {
    const authority = await opened(t)
    const other = await deviceOf(await opened(t))
    const as = { servername: 'localhost' }
    assert.equal(await handshake({ authority }, { trusts: authority, as }), undefined)
    assert.equal(await handshake({ authority }, { trusts: authority, as, device: other }), undefined)
  })

  test('fails for a name that the box does not have, and for another authority', async (t) => {
    const authority = await opened(t)
    await assert.rejects(handshake({ authority }, { trusts: authority, as: { servername: 'other.local' } }), {
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    })
    await assert.rejects(handshake({ authority }, { trusts: await opened(t), as: { servername: 'localhost' } }))
  })
})

function pemOf(key: KeyObject): string {
  return key.export({ format: 'pem', type: 'pkcs8' }).toString()
}
