import assert from 'node:assert/strict'
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { SAID } from '@gatehouse/proto/said.ts'
import { openAuthority } from './authority.ts'
import type { Machine } from './constraints.ts'
import {
  boxIdentity,
  CertificateExpired,
  type CertificateUnusable,
  type CertifiedKey,
  needsRenewal,
  organiserIdentity,
  readOrganiserCertificate,
} from './server-identity.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 6, 1)

/** A box whose clock and addresses the test moves by hand. */
async function world(t: TestContext) {
  const dir = await mkdtemp(join(tmpdir(), 'gatehouse-server-'))
  t.after(() => rm(dir, { recursive: true }))
  const state = { now: NOW, machine: { names: ['localhost'], addresses: ['127.0.0.1'] } as Machine }
  const now = () => state.now
  const event = { eventId: 'e', eventName: 'E', endsAt: NOW + DAY, hostname: 'gatehouse' }
  const authority = await openAuthority({ dir, ...event, now })
  const renewed: CertifiedKey[] = []
  const problems: unknown[] = []
  const options = {
    now,
    everyMs: DAY,
    onRenewed: (identity: CertifiedKey) => renewed.push(identity),
    onProblem: (error: unknown) => problems.push(error),
  }
  const open = async () => {
    const identity = await boxIdentity(authority, { dir, machine: () => state.machine, ...options })
    t.after(() => identity[Symbol.asyncDispose]())
    return identity
  }
  return { dir, state, authority, renewed, problems, options, open }
}

describe('the box’s own certificate', () => {
  test('is kept over a restart', async (t) => {
    const { open, dir, renewed } = await world(t)
    const first = await open()
    assert.equal((await stat(join(dir, 'server.pem'))).mode & 0o777, 0o600)
    assert.deepEqual((await readdir(dir)).sort(), ['authority.pem', 'server.pem'])
    const second = await open()
    assert.equal(second.current.cert, first.current.cert)
    assert.equal(second.current.key, first.current.key)
    assert.deepEqual(renewed, [])
  })

  test('is renewed when a third of its life is left, in memory and on disk', async (t) => {
    const { open, state, renewed } = await world(t)
    const identity = await open()
    const first = identity.current
    state.now = NOW + 59 * DAY
    await identity.check()
    assert.equal(identity.current, first)
    state.now = NOW + 60 * DAY
    await identity.check()
    assert.notEqual(identity.current.cert, first.cert)
    assert.notEqual(identity.current.key, first.key)
    assert.equal(identity.current.notAfter, NOW + 150 * DAY)
    assert.deepEqual(renewed, [identity.current])
    assert.equal((await open()).current.cert, identity.current.cert)
  })

  test('is renewed for a new address or name, at once at boot', async (t) => {
    const { open, state, renewed } = await world(t)
    const identity = await open()
    state.machine = { names: ['localhost', 'gatehouse.local'], addresses: ['127.0.0.1', '192.168.4.1', '203.0.113.9'] }
    await identity.check()
    assert.equal(renewed.length, 1)
    assert.deepEqual(identity.current.leftOut, ['203.0.113.9'])
    const certificate = new X509Certificate(identity.current.cert)
    assert.equal(
      certificate.subjectAltName,
      'DNS:localhost, DNS:gatehouse.local, IP Address:127.0.0.1, IP Address:192.168.4.1',
    )
    await identity.check()
    assert.equal(renewed.length, 1, 'an address that cannot be certified is no reason to try again')

    state.machine = { names: ['localhost'], addresses: ['127.0.0.1'] }
    await identity.check()
    assert.equal(renewed.length, 1, 'nor is one that went away')

    state.machine = { names: ['localhost'], addresses: ['10.0.0.5'] }
    assert.ok(new X509Certificate((await open()).current.cert).checkIP('10.0.0.5'))
  })

  for (const [name, text] of [
    ['is lost', undefined],
    ['is empty', ''],
    [
      'is damaged',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n',
    ],
  ] as const) {
    test(`is made again when its file ${name}`, async (t) => {
      const { open, dir } = await world(t)
      const first = await open()
      const path = join(dir, 'server.pem')
      await (text === undefined ? rm(path) : writeFile(path, text))
      const second = await open()
      assert.notEqual(second.current.cert, first.current.cert)
      assert.ok((await readFile(path, 'utf8')).startsWith(second.current.cert))
    })
  }

  test('is made again when it is of another authority', async (t) => {
    const [one, other] = [await world(t), await world(t)]
    const { current } = await other.open()
    await writeFile(join(one.dir, 'server.pem'), current.cert + current.key)
    assert.notEqual((await one.open()).current.cert, current.cert)
  })

  test('stays when it cannot be renewed, and is tried again', async (t) => {
    const { open, dir, state, renewed, problems } = await world(t)
    const identity = await open()
    const first = identity.current
    state.now = NOW + 70 * DAY
    await rm(dir, { recursive: true })
    await identity.check()
    assert.equal(identity.current, first)
    assert.equal(problems.length, 1)
    assert.deepEqual(renewed, [])
    await mkdir(dir)
    await identity.check()
    assert.deepEqual(renewed, [identity.current])
  })

  test('is looked at by itself, and no more once disposed', async (t) => {
    const { authority, dir, options, state } = await world(t)
    let looks = 0
    const machine = () => {
      looks++
      return state.machine
    }
    const identity = await boxIdentity(authority, { dir, machine, ...options, everyMs: 2 })
    const atFirst = looks
    while (looks < atFirst + 3) await new Promise((resolve) => setTimeout(resolve, 2))
    await identity[Symbol.asyncDispose]()
    const atLast = looks
    await new Promise((resolve) => setTimeout(resolve, 20))
    assert.equal(looks, atLast)
  })
})

test('needsRenewal', async (t) => {
  const { authority } = await world(t)
  const machine = { names: ['localhost', 'gatehouse.local'], addresses: ['127.0.0.1', 'fd00::1'] }
  const certificate = new X509Certificate((await authority.issueServerCertificate(machine)).certificate)
  const third = certificate.validToDate.getTime() - (91 * DAY) / 3
  for (const [names, addresses, now, expected] of [
    [machine.names, machine.addresses, NOW, false],
    [['localhost'], [], NOW, false],
    [['Localhost'], ['fd00:0::1'], NOW, false],
    [['localhost', 'new.local'], [], NOW, true],
    [[], ['127.0.0.1', '192.168.4.1'], NOW, true],
    [[], [], third, false],
    [[], [], third + 1, true],
    [[], [], NOW + 1000 * DAY, true],
    [[], [], 0, false],
  ] as const) {
    assert.equal(needsRenewal(certificate, names, addresses, now), expected, JSON.stringify([names, addresses, now]))
  }
})

describe('an organiser’s certificate', () => {
  async function files(t: TestContext) {
    const box = await world(t)
    const { key, certificate } = await box.authority.issueServerCertificate(box.state.machine)
    const paths = { certPath: join(box.dir, 'fullchain.pem'), keyPath: join(box.dir, 'privkey.pem') }
    const chain = certificate + box.authority.certificate
    await writeFile(paths.certPath, chain)
    await writeFile(paths.keyPath, key)
    return { ...box, ...paths, paths, key, certificate, chain }
  }

  test('is taken with its chain', async (t) => {
    const { certPath, keyPath, chain, key } = await files(t)
    const identity = await readOrganiserCertificate(certPath, keyPath, NOW)
    assert.deepEqual(identity, { key, cert: chain, notAfter: NOW + 90 * DAY, leftOut: [] })
    assert.ok(await readOrganiserCertificate(certPath, keyPath, 0), 'by a box that thinks it is 1970, too')
  })

  test('is read again when it changes, and not before both files fit', async (t) => {
    const { paths, options, renewed, problems, authority, state } = await files(t)
    await using identity = await organiserIdentity(paths, options)
    const first = identity.current
    await identity.check()
    assert.equal(identity.current, first)

    const next = await authority.issueServerCertificate(state.machine)
    await writeFile(paths.certPath, next.certificate)
    await identity.check()
    assert.equal(identity.current, first)
    assert.match(String(problems[0]), /is not the key of the first certificate/)

    await writeFile(paths.keyPath, next.key)
    await identity.check()
    assert.equal(identity.current.cert, next.certificate)
    assert.deepEqual(renewed, [identity.current])
  })

  const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const locked = otherKey.export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'p' }).toString()
  const mistakes: [string, (f: Awaited<ReturnType<typeof files>>) => Promise<unknown>, RegExp][] = [
    ['is not there', ({ certPath }) => rm(certPath), /fullchain\.pem cannot be read: check the path/],
    ['has no key', ({ keyPath }) => rm(keyPath), /privkey\.pem cannot be read: check the path/],
    ['is not PEM', ({ certPath }) => writeFile(certPath, 'hello'), /fullchain\.pem does not begin with a certificate/],
    ['has a key that is not PEM', ({ keyPath }) => writeFile(keyPath, 'hello'), /privkey\.pem is not a private key/],
    ['has a key with a password', ({ keyPath }) => writeFile(keyPath, locked), /without a password/],
    [
      'has another key',
      ({ keyPath }) => writeFile(keyPath, otherKey.export({ format: 'pem', type: 'pkcs8' })),
      /is not the key of the first certificate/,
    ],
    [
      'begins with the issuer',
      ({ certPath, certificate, authority }) => writeFile(certPath, authority.certificate + certificate),
      /put the server's own one first/,
    ],
  ]
  for (const [name, make, expected] of mistakes) {
    test(`that ${name} is refused with what to do`, async (t) => {
      const made = await files(t)
      await make(made)
      const read = () => readOrganiserCertificate(made.certPath, made.keyPath, NOW)
      await assert.rejects(read, expected)
      await assert.rejects(read, ({ why: { code, values } }: CertificateUnusable) => {
        assert.deepEqual(Object.keys(values ?? {}), SAID.setting[code])
        return true
      })
    })
  }

  test('that has expired is refused, and told from one that was never any', async (t) => {
    const { certPath, keyPath } = await files(t)
    const late = () => readOrganiserCertificate(certPath, keyPath, NOW + 90 * DAY)
    await assert.rejects(late, /expired on Sep 29 .* 2026 GMT: renew it/)
    await assert.rejects(late, CertificateExpired)
    await assert.rejects(late, ({ why }: CertificateExpired) => {
      assert.deepEqual(why, { code: 'certificate_expired', values: { file: certPath, date: '2026-09-29' } })
      return true
    })
    await writeFile(keyPath, 'hello')
    await assert.rejects(late, (error) => !(error instanceof CertificateExpired))
  })

  test('is waited for where there is something to show meanwhile, and each problem is said once', async (t) => {
    const { paths, options, renewed, problems, certificate, key, chain } = await files(t)
    const meanwhile = { key, cert: certificate, notAfter: 0, leftOut: [] }
    await writeFile(paths.certPath, 'hello')
    await assert.rejects(organiserIdentity(paths, { ...options, instead: () => undefined }), /does not begin with/)
    await using identity = await organiserIdentity(paths, { ...options, instead: () => meanwhile })
    assert.equal(identity.current, meanwhile)
    for (let i = 0; i < 3; i++) await identity.check()
    assert.equal(problems.length, 1)
    await writeFile(paths.certPath, chain)
    await identity.check()
    assert.deepEqual(
      renewed.map(({ cert }) => cert),
      [chain],
    )
    await writeFile(paths.certPath, 'hello')
    await identity.check()
    assert.equal(problems.length, 2, 'the same, and another time')
    assert.equal(identity.current.cert, chain)
  })
})
