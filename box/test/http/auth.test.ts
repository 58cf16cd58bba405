/** Access needs certificate and token, always both, on either port; and how soon a revoked device is refused. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash, createPrivateKey, generateKeyPairSync, randomUUID, sign, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type ConnectionOptions, connect } from 'node:tls'
import { promisify } from 'node:util'
import vectors from '@gatehouse/proto/vectors/signature.json' with { type: 'json' }
import fc from 'fast-check'
import { COMMAND_LINE } from '../../src/ca/actor.ts'
import { openAuthority } from '../../src/ca/authority.ts'
import { pemBlock } from '../../src/ca/pem.ts'
import { Roster } from '../../src/ca/roster.ts'
import type { PairedDevice } from '../../src/device/pair.ts'
import { openLedger } from '../../src/ledger/open.ts'
import { type Answer, type Ask, ask, assertFailure, openStream, type Stream } from '../world/ask.ts'
import { TEST_EVENT } from '../world/event.ts'
import { operationsOf } from '../world/operations.ts'
import { SOON_MS } from '../world/until.ts'
import { World } from '../world/world.ts'

const DAY = 86_400_000

let world: World
/** Two devices: one that asks, and one that it pretends to be. */
let mine: PairedDevice
let other: PairedDevice
before(async () => {
  world = await World.open()
  mine = (await world.device()).paired
  other = (await world.device()).paired
})
after(() => world[Symbol.asyncDispose]())

const shown = ({ ca, certificate: cert, key }: PairedDevice): ConnectionOptions => ({ ca, cert, key })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const onDevicePort = (path: string, options: Ask) => ask(world.box.ports.device, path, options)
const onHttps = (path: string, options: Ask = {}) =>
  ask(world.box.ports.https, path, { ...options, tls: { ca: mine.ca } })

describe('the device port', () => {
  it('reads no request of a client without a certificate of this authority', async () => {
    const foreign = await otherAuthority()
    const boxOwn = readFileSync(join(world.folder, 'data/ca/server.pem'), 'utf8')
    const refused: Record<string, ConnectionOptions> = {
      'no certificate': { ca: mine.ca },
      'another authority’s certificate, for a device of the same name': { ca: mine.ca, ...foreign },
      'the box’s own certificate': {
        ca: mine.ca,
        cert: pemBlock(boxOwn, 'CERTIFICATE'),
        key: pemBlock(boxOwn, 'PRIVATE KEY'),
      },
    }
    for (const [name, tls] of Object.entries(refused)) {
      for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
        const options = { tls: { ...tls, minVersion: version, maxVersion: version }, headers: bearer(mine.token) }
        for (const path of ['/healthz', '/v1/manifest']) await assert.rejects(onDevicePort(path, options), name)
      }
    }
  })

  it('requires the token of the same device, on every route', async () => {
    const headers: Record<string, Record<string, string>> = {
      'no token': {},
      'another device’s token': bearer(other.token),
      'the admin token': bearer(world.box.adminToken),
      'an empty token': bearer(''),
      'another scheme': { authorization: `Basic ${Buffer.from(`x:${mine.token}`).toString('base64')}` },
      'two tokens': bearer(`${mine.token} ${mine.token}`),
      'a token in the URL': { 'x-token': mine.token },
    }
    for (const { method, path, tier } of operationsOf(world.box)) {
      if (tier !== 'device') continue
      for (const [name, given] of Object.entries(headers)) {
        const answer = await onDevicePort(`${path}?token=${mine.token}`, { method, tls: shown(mine), headers: given })
        assertFailure(answer, 'bad_token', `${method} ${path} with ${name}`)
        assert.equal(answer.headers['www-authenticate'], 'Bearer')
      }
    }
  })

  it('knows only certificates on its roster', async () => {
    const tls = { ca: mine.ca, ...(await issuedBehindItsBack()) }
    assertFailure(await onDevicePort('/v1/manifest', { tls, headers: bearer(mine.token) }), 'bad_certificate')
  })

  it('lets a device in', async () => {
    assert.equal((await onDevicePort('/v1/manifest', { tls: shown(mine), headers: bearer(mine.token) })).status, 200)
    const lower = { authorization: `bearer ${mine.token}` }
    assert.equal((await onDevicePort('/v1/manifest', { tls: shown(mine), headers: lower })).status, 200)
  })

  describe('a resumed TLS session', () => {
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const pinned = { minVersion: version, maxVersion: version }

      it(`${version}: brings no certificate from the HTTPS port`, async () => {
        const session = await sessionOf(world.box.ports.https, { ca: mine.ca, ...pinned })
        assert.ok(session, 'the HTTPS port gives sessions away')
        await assert.rejects(
          onDevicePort('/v1/manifest', { tls: { ca: mine.ca, session, ...pinned }, headers: bearer(mine.token) }),
        )
      })

      it(`${version}: brings none from a handshake that failed`, async () => {
        for (const tls of [{}, await otherAuthority()]) {
          const session = await sessionOf(world.box.ports.device, { ca: mine.ca, ...tls, ...pinned })
          if (!session) continue
          const again = onDevicePort('/v1/manifest', {
            tls: { ca: mine.ca, session, ...pinned },
            headers: bearer(mine.token),
          })
          const outcome = await again.catch(() => undefined)
          if (outcome) assertFailure(outcome, 'bad_certificate')
        }
      })

      it(`${version}: brings the one that it was opened with, and its revocation`, async () => {
        const { paired } = await world.device()
        const session = await sessionOf(world.box.ports.device, { ...shown(paired), ...pinned })
        assert.ok(session)
        const resume = () =>
          onDevicePort('/v1/manifest', { tls: { ca: paired.ca, session, ...pinned }, headers: bearer(paired.token) })
        assert.equal((await resume()).status, 200)
        await revoke(paired.id)
        assertFailure(await resume(), 'device_revoked')
      })
    }
  })
})

describe('a signed request', () => {
  it('gets in, by device id or by certificate fingerprint', async () => {
    const fingerprint = createHash('sha256').update(new X509Certificate(mine.certificate).raw).digest('hex')
    for (const keyId of [mine.id, fingerprint]) assert.equal((await send(signed({ keyId }))).status, 200)
    assert.equal((await send(signed({ method: 'GET', path: '/v1/manifest', body: '' }))).status, 200)
  })

  it('a token alone is not enough, on any route', async () => {
    for (const { method, path, tier } of operationsOf(world.box)) {
      if (tier !== 'device') continue
      assertFailure(await onHttps(path, { method, headers: bearer(mine.token) }), 'bad_certificate', path)
      const certified = ask(world.box.ports.https, path, { method, tls: shown(mine), headers: bearer(mine.token) })
      assertFailure(await certified, 'bad_certificate', 'nobody asked for the certificate here')
    }
  })

  it('needs its token', async () => {
    const { authorization: _, ...headers } = signed({}).headers
    assertFailure(await send({ ...signed({}), headers }), 'bad_token')
    assertFailure(await send(signed({ token: 'x'.repeat(43) })), 'bad_token')
    assertFailure(await send(signed({ token: world.box.adminToken })), 'bad_token')
  })

  const altered: Record<string, (good: Signed) => Partial<Signed>> = {
    'another body': ({ body }) => ({ body: body.replace('CREW-1', 'ONCE-1') }),
    'a body where there was none': ({ headers }) => ({ body: '{}', headers }),
    'another method': () => ({ method: 'GET' }),
    'another path': () => ({ path: '/v1/incidents' }),
    'a query': () => ({ path: '/v1/scan?a=1' }),
    'another host': ({ headers }) => ({ headers: { ...headers, host: 'box.example' } }),
    'another device’s token': ({ headers }) => ({ headers: { ...headers, ...bearer(other.token) } }),
    'a later time': ({ headers }) => input({ headers }, /created=(\d+)/, (_, at) => `created=${Number(at) + 1}`),
    'another nonce': ({ headers }) => input({ headers }, /nonce="[^"]+"/, () => 'nonce="x"'),
    'one component fewer': ({ headers }) => input({ headers }, /"@method" /, () => ''),
    'components in another order': ({ headers }) =>
      input({ headers }, /"@method" "@target-uri"/, () => '"@target-uri" "@method"'),
  }
  for (const [name, change] of Object.entries(altered)) {
    it(`is not good for ${name}`, async () => {
      const good = signed({})
      const answer = await send({ ...good, ...change(good) })
      if (name === 'another method') assertFailure(answer, 'not_found')
      else assertFailure(answer, 'bad_signature')
      assert.equal((await send(good)).status, 200, 'and is not used up by it')
    })
  }

  it('is not good for another path or query of the same tier', async () => {
    const good = signed({ method: 'GET', path: '/v1/manifest?since=1', body: '' })
    for (const path of ['/v1/manifest', '/v1/manifest?since=2', '/v1/manifest?since=1&since=2', '/v1/stream?since=1']) {
      assertFailure(await send({ ...good, path }), 'bad_signature', path)
    }
    assert.equal((await send(good)).status, 200)
  })

  for (const missing of ['@method', '@target-uri', 'authorization', 'content-digest']) {
    it(`must cover ${missing}`, async () => {
      assertFailure(await send(signed({ without: missing })), 'bad_signature')
    })
  }

  it('is accepted within a minute of its time', async () => {
    const now = Math.floor(world.now() / 1000)
    for (const created of [now - 58, now + 58]) assert.equal((await send(signed({ created }))).status, 200)
    for (const created of [now - 62, now + 63, 0, 4_102_444_800]) {
      assertFailure(await send(signed({ created })), 'bad_signature', String(created - now))
    }
  })

  it('is accepted once, also when it is spelled differently', async () => {
    const good = signed({})
    assert.equal((await send(good)).status, 200)
    assertFailure(await send(good), 'bad_signature')
    assertFailure(
      await send({ ...good, headers: { ...good.headers, signature: mirrored(good.headers.signature ?? '') } }),
      'bad_signature',
    )
  })

  it('is accepted once when it is sent many times at once', async () => {
    const good = signed({})
    const answers = await Promise.all(Array.from({ length: 16 }, () => send(good)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  })

  it('must be by the key of the token’s own certificate', async () => {
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    assertFailure(await send(signed({ key: createPrivateKey(other.key) })), 'bad_signature')
    assertFailure(await send(signed({ key: createPrivateKey(other.key), keyId: other.id })), 'bad_signature')
    assertFailure(await send(signed({ key: stranger })), 'bad_signature')
    assertFailure(await send(signed({ keyId: 'nobody' })), 'bad_signature')
    assertFailure(await send(signed({ alg: 'ed25519' })), 'bad_signature')
    assertFailure(await send(signed({ alg: 'none' })), 'bad_signature')
  })

  it('is parsed strictly', async () => {
    const { headers, ...good } = signed({})
    const cases: Record<string, Record<string, string>> = {
      'two signatures': {
        'signature-input': `${headers['signature-input']}, b=("@method");created=1;keyid="x"`,
        signature: `${headers.signature}, b=:AAAA:`,
      },
      'another label': { signature: (headers.signature ?? '').replace('sig=', 'gis=') },
      'no signature': { signature: '' },
      'a signature in DER': { signature: `sig=:${Buffer.alloc(71, 0x30).toString('base64')}:` },
      'an empty one': { signature: 'sig=::' },
      'a list': { signature: 'sig=(:AAAA:)' },
      'a component twice': {
        'signature-input': (headers['signature-input'] ?? '').replace('"@method"', '"@method" "@method"'),
      },
      'a component with a parameter': {
        'signature-input': (headers['signature-input'] ?? '').replace('"@method"', '"@method";sf'),
      },
      'another digest': { 'content-digest': 'sha-512=:AAAA:' },
      'no digest': { 'content-digest': '' },
      'an endless header': { 'signature-input': `sig=("@method");created=1;keyid="${'x'.repeat(9000)}"` },
    }
    for (const [name, change] of Object.entries(cases)) {
      assertFailure(await send({ ...good, headers: { ...headers, ...change } }), 'bad_signature', name)
    }
  })

  it('is refused whatever its headers hold', async () => {
    const printable = fc.string({
      unit: fc.integer({ min: 0x20, max: 0x7e }).map((c) => String.fromCharCode(c)),
      maxLength: 80,
    })
    const value = fc.oneof(
      printable,
      fc.constantFrom(
        'sig=()',
        'sig=:AA==:',
        'sig=("@method");created=1',
        'sig=("@x");created=1e99;keyid=""',
        'a;b;c',
        '?1',
        '"',
      ),
    )
    const names = ['signature-input', 'signature', 'content-digest'] as const
    await fc.assert(
      fc.asyncProperty(
        fc.record({ 'signature-input': value, signature: value, 'content-digest': value }),
        fc.subarray([...names], { minLength: 1 }),
        async (random, changed) => {
          const { headers, ...rest } = signed({})
          const replaced = Object.fromEntries(changed.map((name) => [name, random[name].trim()]))
          assertFailure(await send({ ...rest, headers: { ...headers, ...replaced } }), 'bad_signature')
        },
      ),
      { numRuns: process.env.GATEHOUSE_TEST_LONG ? 5000 : 60 },
    )
  })
})

describe('a device that has expired', () => {
  it('is refused a day after the event, on both ports, by the box’s clock', async (t) => {
    const certificate = new X509Certificate(mine.certificate)
    assert.equal(certificate.validToDate.getTime(), Date.parse(TEST_EVENT.ends_at) + DAY)
    t.after(() => {
      world.offsetMs = 0
    })
    for (const [beyond, code] of [
      [-5000, undefined],
      [1000, 'bad_certificate'],
    ] as const) {
      world.offsetMs = certificate.validToDate.getTime() - Date.now() + beyond
      const answers = [
        await onDevicePort('/v1/manifest', { tls: shown(mine), headers: bearer(mine.token) }),
        await send(signed({ method: 'GET', path: '/v1/manifest', body: '' })),
      ]
      for (const answer of answers) code ? assertFailure(answer, code) : assert.equal(answer.status, 200)
    }
  })

  it('fails the handshake with an expired certificate', async () => {
    const event = { ...TEST_EVENT, starts_at: '2020-07-01T10:00:00Z', ends_at: '2020-07-02T10:00:00Z' }
    const checkpoints = TEST_EVENT.checkpoints.filter(({ id }) => id !== 'late-in')
    const then = Date.parse('2020-07-01T12:00:00Z') - Date.now()
    await using past = await World.open({ event: { ...event, checkpoints }, offsetMs: then })
    const answer = await ask(past.box.ports.https, '/v1/enroll', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      // By its clock it is 2020, and its own certificate has ended.
      tls: { rejectUnauthorized: false },
      body: JSON.stringify({ invite: await inviteCode(past), name: 'from the past' }),
    })
    const { certificate: cert, private_key: key, token } = JSON.parse(answer.text)
    const tls = { cert, key, rejectUnauthorized: false }
    await assert.rejects(ask(past.box.ports.device, '/v1/manifest', { tls, headers: bearer(token) }))
  })
})

describe('a revoked device', () => {
  /** A device with an open stream on each port. */
  async function streaming(): Promise<{ paired: PairedDevice; streams: Stream[] }> {
    const { paired } = await world.device()
    const request = signed({ device: paired, method: 'GET', path: '/v1/stream', body: '' })
    const streams = [
      await openStream(world.box.ports.device, '/v1/stream', { tls: shown(paired), headers: bearer(paired.token) }),
      await openStream(world.box.ports.https, '/v1/stream', { tls: { ca: paired.ca }, headers: request.headers }),
    ]
    for (const { status } of streams) assert.equal(status, 200)
    return { paired, streams }
  }

  async function assertOut({ paired, streams }: Awaited<ReturnType<typeof streaming>>): Promise<void> {
    const revoked = performance.now()
    await Promise.all(streams.map(({ closed }) => closed))
    assert.ok(performance.now() - revoked < SOON_MS, 'its streams close soon')
    const headers = bearer(paired.token)
    for (const { method, path, tier } of operationsOf(world.box)) {
      if (tier !== 'device') continue
      assertFailure(await onDevicePort(path, { method, tls: shown(paired), headers }), 'device_revoked')
      assertFailure(await onHttps(path, signed({ device: paired, method, path, body: '' })), 'device_revoked')
    }
  }

  it('is refused at once after a revocation in the control room', async () => {
    const device = await streaming()
    const untouched = await streaming()
    await revoke(device.paired.id)
    await assertOut(device)
    const still = await onDevicePort('/v1/manifest', {
      tls: shown(untouched.paired),
      headers: bearer(untouched.paired.token),
    })
    assert.equal(still.status, 200)
    for (const stream of untouched.streams) stream.close()
  })

  it('is refused within a second when another process writes the revocation', async () => {
    const device = await streaming()
    const dataDir = join(world.folder, 'data')
    const { ledger } = openLedger({ dataDir, eventId: TEST_EVENT.id, wallClock: () => world.now() })
    await new Roster(ledger).revoke(device.paired.id, { ...COMMAND_LINE, reason: 'lost', at: world.now() })
    ledger[Symbol.dispose]()
    await assertOut(device)
  })

  it('is still refused after a restart', async () => {
    await using own = await World.open()
    const { paired } = await own.device()
    const admin = await own.admin()
    await admin.POST('/v1/admin/devices/{id}/revoke', {
      params: { path: { id: paired.id } },
      body: { actor: 'a', reason: 'b' },
    })
    await own.restart()
    const answer = await ask(own.box.ports.device, '/v1/manifest', {
      tls: shown(paired),
      headers: bearer(paired.token),
    })
    assertFailure(answer, 'device_revoked')
  })

  it('gets no answer to a request that it had begun', async () => {
    const { paired } = await world.device()
    const body = JSON.stringify(world.scanOf('CREW-1'))
    const request = httpsRequest({
      ...{ host: '127.0.0.1', port: world.box.ports.device, path: '/v1/scan', method: 'POST', agent: false },
      ...shown(paired),
      headers: {
        ...bearer(paired.token),
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
    })
    request.write(body.slice(0, 10))
    await wait(50)
    await revoke(paired.id)
    const answered = once(request, 'response')
    request.end(body.slice(10))
    const [{ statusCode }] = await answered
    assert.equal(statusCode, 403)
  })
})

describe('the admin tier', () => {
  it('requires its token, on every route', async () => {
    const { adminToken } = world.box
    const last = adminToken.endsWith('A') ? 'B' : 'A'
    const wrong: Record<string, Record<string, string>> = {
      none: {},
      'a device’s': bearer(mine.token),
      'one of equal length': bearer('x'.repeat(adminToken.length)),
      'one that differs in its last letter': bearer(adminToken.slice(0, -1) + last),
      'one cut short': bearer(adminToken.slice(0, -1)),
      'one in other letters': bearer(adminToken.toLowerCase()),
      'one with a tail': bearer(`${adminToken}=`),
      'an endless one': bearer('x'.repeat(10_000)),
      'one as a password': { authorization: `Basic ${Buffer.from(`admin:${adminToken}`).toString('base64')}` },
    }
    for (const { method, path, tier, operation } of operationsOf(world.box)) {
      // A token proves nothing of somebody who is signing in: the proof is in the body.
      if (tier !== 'admin' || operation['x-role'] === 'signing_in') continue
      assert.ok(operation.responses['401'], 'and says so')
      for (const [name, headers] of Object.entries(wrong)) {
        const given = { method, headers: { ...headers, 'content-type': 'application/json' } }
        // Wrong tokens are slowed down by address: the next one comes a quarter of an hour later.
        world.elapsedMs += 15 * 60_000
        assertFailure(await onHttps(`${path}?token=${adminToken}`, given), 'bad_token', `${method} ${path}: ${name}`)
        if (method !== 'GET') continue
        // A stream and an export have no HEAD: the one would never end, the other would be made for nothing.
        const head = await onHttps(path, { ...given, method: 'HEAD' })
        assert.ok([401, 404].includes(head.status), `${path}: ${head.status}`)
      }
    }
  })

  it('keeps its token over a restart, readable by its own user only', async () => {
    await using own = await World.open()
    const { adminToken } = own.box
    assert.equal(statSync(join(own.folder, 'data/admin-token')).mode & 0o777, 0o600)
    await own.restart()
    assert.equal(own.box.adminToken, adminToken)
    const { error } = await (await own.admin(adminToken)).GET('/v1/admin/devices')
    assert.equal(error, undefined)

    rmSync(join(own.folder, 'data/admin-token'))
    await own.restart()
    assert.notEqual(own.box.adminToken, adminToken)
    assert.equal((await (await own.admin(adminToken)).GET('/v1/admin/devices')).error?.code, 'bad_token')
  })
})

describe('curl', () => {
  const run = promisify(execFile)

  it('gets in with the files of an enrolment', async (t) => {
    if (!(await run('curl', ['--version']).catch(() => undefined))) return t.skip('there is no curl here')
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-curl-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const files = { 'ca.pem': mine.ca, 'cert.pem': mine.certificate, 'key.pem': mine.key }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    const curl = async (...args: string[]) =>
      (
        await run(
          'curl',
          ['--silent', '--show-error', '--cacert', 'ca.pem', '--write-out', '\n%{http_code}', ...args],
          { cwd: folder },
        )
      ).stdout
    const url = (path: string) => `https://127.0.0.1:${world.box.ports.device}${path}`
    const shows = ['--cert', 'cert.pem', '--key', 'key.pem']
    const token = ['--header', `authorization: Bearer ${mine.token}`]

    const scan = ['--header', 'content-type: application/json', '--data', JSON.stringify(world.scanOf('CREW-1'))]
    assert.match(await curl(...shows, ...token, ...scan, url('/v1/scan')), /"verdict":"ADMIT"[\s\S]*\n200$/)
    assert.match(await curl(...shows, url('/v1/manifest')), /"code":"bad_token"[\s\S]*\n401$/)
    await assert.rejects(curl(...token, url('/v1/manifest')))
  })
})

it('the example in authentication.md equals the test vector', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/authentication.md'), 'utf8')
  const [example] = vectors.gatehouse
  assert.ok(example)
  const { request, added, base } = example
  assert.ok(page.includes(`\n\`\`\`\n${base.join('\n')}\n\`\`\`\n`))
  assert.ok(page.includes(`\n\n${request.body}\n\`\`\`\n`))
  for (const [name, value] of Object.entries({ ...request.headers, ...added })) {
    assert.match(page, new RegExp(`^${name}: ${RegExp.escape(value)}$`, 'im'))
  }
})

interface Signed {
  method: string
  path: string
  headers: Record<string, string>
  body: string
}

/**
 * A request signed by the letter of RFC 9421, without the code that the box checks it with.
 * @param options what is to be wrong with it
 */
function signed(options: {
  device?: PairedDevice
  method?: string
  path?: string
  body?: string
  token?: string
  key?: ReturnType<typeof createPrivateKey>
  keyId?: string
  alg?: string
  created?: number
  without?: string
}): Signed {
  const { device = mine, method = 'POST', path = '/v1/scan', body = JSON.stringify(world.scanOf('CREW-1')) } = options
  const {
    token = device.token,
    key = createPrivateKey(device.key),
    keyId = device.id,
    alg = 'ecdsa-p256-sha256',
  } = options
  const { created = Math.floor(world.now() / 1000), without } = options
  const host = `127.0.0.1:${world.box.ports.https}`
  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`
  const components: [name: string, value: string][] = [
    ['@method', method],
    ['@target-uri', `https://${host}${path}`],
    ['authorization', `Bearer ${token}`],
    ...(body ? [['content-digest', digest] as [string, string]] : []),
  ]
  const covered = components.filter(([name]) => name !== without)
  const names = covered.map(([name]) => `"${name}"`).join(' ')
  const parameters = `(${names});created=${created};keyid="${keyId}";alg="${alg}";nonce="${randomUUID()}"`
  const base = [...covered.map(([name, value]) => `"${name}": ${value}`), `"@signature-params": ${parameters}`].join(
    '\n',
  )
  const signature = sign('sha256', Buffer.from(base), { key, dsaEncoding: 'ieee-p1363' }).toString('base64')
  return {
    method,
    path,
    body,
    headers: {
      host,
      ...bearer(token),
      ...(body && { 'content-type': 'application/json', 'content-digest': digest }),
      'signature-input': `sig=${parameters}`,
      signature: `sig=:${signature}:`,
    },
  }
}

function send({ method, path, headers, body }: Signed): Promise<Answer> {
  return onHttps(path, { method, headers, ...(body && { body }) })
}

function input(
  { headers }: Pick<Signed, 'headers'>,
  part: RegExp,
  by: (...found: string[]) => string,
): Partial<Signed> {
  return { headers: { ...headers, 'signature-input': (headers['signature-input'] ?? '').replace(part, by) } }
}

/** For ECDSA, (r, n - s) is a signature wherever (r, s) is. */
function mirrored(signature: string): string {
  const n = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  const bytes = Buffer.from(signature.slice(5, -1), 'base64')
  const s = n - BigInt(`0x${bytes.subarray(32).toString('hex')}`)
  return `sig=:${Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')]).toString('base64')}:`
}

/** The session that a server gives to this client, if any, whether or not it lets it in. */
function sessionOf(port: number, tls: ConnectionOptions): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, servername: 'localhost', ...tls })
    let session: Buffer | undefined
    socket.on('session', (given: Buffer) => {
      session = given
    })
    socket.on('error', () => {})
    socket.on('data', () => {})
    socket.on('secureConnect', () => socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'))
    socket.on('close', () => resolve(session))
  })
}

async function authorityIn(dir: string, eventId: string) {
  const { name: eventName, ends_at } = TEST_EVENT
  return openAuthority({ dir, eventId, eventName, endsAt: Date.parse(ends_at), hostname: 'x', now: () => world.now() })
}

/** A key and a certificate for `mine`'s device id, by an authority of the same name. */
async function otherAuthority(): Promise<{ cert: string; key: string }> {
  return issue(mkdtempSync(join(world.folder, 'other-')))
}

/** By the box's own authority, but never enrolled. */
async function issuedBehindItsBack(): Promise<{ cert: string; key: string }> {
  return issue(join(world.folder, 'data/ca'))
}

async function issue(dir: string): Promise<{ cert: string; key: string }> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { certificate } = await (await authorityIn(dir, TEST_EVENT.id)).issueDeviceCertificate({
    deviceId: mine.id,
    publicKey,
  })
  return { cert: certificate, key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString() }
}

async function revoke(id: string): Promise<void> {
  const admin = await world.admin()
  const { data } = await admin.POST('/v1/admin/devices/{id}/revoke', {
    params: { path: { id } },
    body: { actor: 'Ana', reason: 'lost' },
  })
  assert.ok(data)
}

async function inviteCode(of: World): Promise<string> {
  const link = await of.inviteLink(['a-in'])
  const payload = new URLSearchParams(new URL(link).hash.slice(1)).get('i') ?? ''
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).i
}
