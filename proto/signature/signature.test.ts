import assert from 'node:assert/strict'
import { generateKeyPairSync, sign as signNode } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import vectors from '../vectors/signature.json' with { type: 'json' }
import { requestedUrl, type SignableRequest } from './base.ts'
import { type Algorithm, type VerifyingKey, webCryptoSigner } from './keys.ts'
import { replayCache } from './replay.ts'
import { signRequest } from './sign.ts'
import { type FailureCode, parseSignature, verifyRequest } from './verify.ts'

const CREATED = 1795000000
const NOW = CREATED * 1000
const TOKEN = 'Bearer a-device-token'
const SCAN = bytes('{"scan_id":"s-1","payload":"demo"}')

const keys = {
  'ecdsa-p256-sha256': await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
    'sign',
    'verify',
  ]),
  ed25519: (await crypto.subtle.generateKey({ name: 'Ed25519' }, false, ['sign', 'verify'])) as CryptoKeyPair,
}

function webCryptoVerifier(alg: Algorithm, key: CryptoKey): VerifyingKey {
  const by = alg === 'ed25519' ? { name: 'Ed25519' } : { name: 'ECDSA', hash: 'SHA-256' }
  const verify: VerifyingKey['verify'] = (base, signature) =>
    crypto.subtle.verify(by, key, new Uint8Array(signature), new Uint8Array(base))
  return { alg, verify }
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function keyFor(alg: Algorithm, known = 'device-1'): (keyId: string) => VerifyingKey | undefined {
  return (keyId) => (keyId === known ? webCryptoVerifier(alg, keys[alg].publicKey) : undefined)
}

type Scan = Omit<SignableRequest, 'headers'> & { headers: Record<string, string> }

/** A request as it arrives at the box: what the client sent, with what signing added. */
async function signed(
  change: Partial<Scan> = {},
  alg: Algorithm = 'ecdsa-p256-sha256',
  created = CREATED,
): Promise<Scan> {
  const request = {
    method: 'POST',
    url: 'https://box.local:8443/v1/scan',
    headers: { authorization: TOKEN },
    body: SCAN,
    ...change,
  }
  const sign = webCryptoSigner(alg, keys[alg].privateKey)
  const added = await signRequest(request, { keyId: 'device-1', alg, sign, created, nonce: 'n-1' })
  return { ...request, headers: { ...request.headers, ...added } }
}

function verify(request: SignableRequest, change: Partial<Parameters<typeof verifyRequest>[1]> = {}) {
  const alg = 'ecdsa-p256-sha256'
  return verifyRequest(request, {
    now: NOW,
    required: ['authorization'],
    keyFor: keyFor(alg),
    seen: replayCache(),
    ...change,
  })
}

async function codeOf(request: SignableRequest, change: Parameters<typeof verify>[1] = {}) {
  const result = await verify(request, change)
  return result.ok ? 'ok' : result.code
}

/** The same signed content with other signature parameters or components, signed properly: what a client may choose. */
async function signedOver(components: string, { params = '', change = {} as Partial<Scan> } = {}): Promise<Scan> {
  const request = await signed(change)
  const input = `x=(${components});created=${CREATED};keyid="device-1"${params}`
  const draft = { ...request, headers: { ...request.headers, 'signature-input': input, signature: 'x=:AA==:' } }
  const parsed = parseSignature(draft)
  if (!parsed.ok) return draft
  const signature = await webCryptoSigner('ecdsa-p256-sha256', keys['ecdsa-p256-sha256'].privateKey)(parsed.base)
  return { ...draft, headers: { ...draft.headers, signature: `x=:${Buffer.from(signature).toString('base64')}:` } }
}

async function vectorKeys(keyId: string): Promise<{ alg: Algorithm; sign: CryptoKey; verify: VerifyingKey }> {
  const key = Object.entries(vectors.keys).find(([name]) => name === keyId)?.[1]
  assert.ok(key)
  const alg = key.alg as Algorithm
  const of = alg === 'ed25519' ? { name: 'Ed25519' } : { name: 'ECDSA', namedCurve: 'P-256' }
  const pkcs8 = Buffer.from(key.private_pkcs8, 'base64')
  const spki = Buffer.from(key.public_spki, 'base64')
  return {
    alg,
    sign: await crypto.subtle.importKey('pkcs8', pkcs8, of, false, ['sign']),
    verify: webCryptoVerifier(alg, await crypto.subtle.importKey('spki', spki, of, false, ['verify'])),
  }
}

function vectorRequest({ body, ...request }: { method: string; url: string; headers: object; body?: string }) {
  return { ...request, ...(body !== undefined && { body: bytes(body) }) } as SignableRequest
}

describe('RFC 9421 appendix B', () => {
  for (const vector of vectors.rfc9421) {
    test(vector.section, async () => {
      const key = await vectorKeys(vector.keyid)
      const parsed = parseSignature(vectorRequest(vector.request))
      assert.ok(parsed.ok)
      assert.equal(Buffer.from(parsed.base).toString(), vector.base.join('\n'))
      assert.equal(parsed.keyId, vector.keyid)
      assert.ok(await key.verify.verify(parsed.base, parsed.signature))
      if (vector.deterministic)
        assert.deepEqual(await webCryptoSigner(key.alg, key.sign)(parsed.base), parsed.signature)
    })
  }

  test('its own signatures are refused where they leave the body or the query open', async () => {
    for (const vector of vectors.rfc9421) {
      const key = await vectorKeys(vector.keyid)
      const result = await verifyRequest(vectorRequest(vector.request), {
        now: 1618884473_000,
        keyFor: () => key.verify,
        seen: replayCache(),
      })
      assert.equal(result.ok ? 'ok' : result.code, 'uncovered', vector.section)
    }
  })
})

describe('golden requests', () => {
  for (const vector of vectors.gatehouse) {
    test(vector.name, async () => {
      const key = await vectorKeys(vector.keyid)
      const request = vectorRequest(vector.request)
      const { created, nonce } = vector
      const sign = webCryptoSigner(key.alg, key.sign)
      const added = await signRequest(request, { keyId: vector.keyid, alg: key.alg, sign, created, nonce })
      const { signature: _, ...fixed } = vector.added
      if (vector.deterministic) assert.deepEqual(added, vector.added)
      else assert.deepEqual({ ...added, signature: undefined }, { ...fixed, signature: undefined })

      const received = { ...request, headers: { ...request.headers, ...vector.added } } as SignableRequest
      const parsed = parseSignature(received)
      assert.ok(parsed.ok)
      assert.equal(Buffer.from(parsed.base).toString(), vector.base.join('\n'))
      const options = { now: created * 1000, keyFor: () => key.verify, seen: replayCache() }
      assert.equal((await verifyRequest(received, options)).ok, true)
    })
  }
})

describe('what a client signs', () => {
  for (const alg of ['ecdsa-p256-sha256', 'ed25519'] as const) {
    test(`is accepted: ${alg}`, async () => {
      const result = await verify(await signed({}, alg), { keyFor: keyFor(alg) })
      assert.deepEqual(result, {
        ok: true,
        keyId: 'device-1',
        covered: ['@method', '@target-uri', 'authorization', 'content-digest'],
      })
    })
  }

  test('leaves content-digest out when there is no body', async () => {
    for (const body of [undefined, new Uint8Array()]) {
      const received = await signed({ method: 'GET', body })
      assert.equal(received.headers['content-digest'], undefined)
      assert.equal(await codeOf(received), 'ok')
    }
  })

  test('is the URL and the method as fetch sends them', async () => {
    const { headers } = await signed({ method: 'post', url: 'https://BOX.local:443/v1/a b?c#fragment' })
    assert.equal(await codeOf({ method: 'POST', url: 'https://box.local/v1/a%20b?c', headers, body: SCAN }), 'ok')
  })

  test('takes a Headers object, and names in any case', async () => {
    const { headers, ...rest } = await signed()
    assert.equal(await codeOf({ ...rest, headers: new Headers(headers) }), 'ok')
    assert.equal(
      (await signed({ headers: { Authorization: TOKEN } })).headers['signature-input']?.includes('authorization'),
      true,
    )
  })

  test('must have an absolute URL and ASCII headers', async () => {
    await assert.rejects(signed({ url: '/v1/scan' }), TypeError)
    await assert.rejects(signed({ url: 'file:///v1/scan' }), TypeError)
    await assert.rejects(signed({ headers: { authorization: 'Bearer ü' } }), TypeError)
  })
})

describe('what must be covered', () => {
  const all = '"authorization" "content-digest"'
  const query = { url: 'https://box.local/v1/manifest?since=1' }
  const table: [string, string, Parameters<typeof signedOver>[1], FailureCode | 'ok'][] = [
    ['path instead of the whole URL', `"@method" "@path" ${all}`, {}, 'ok'],
    ['path and query', `"@method" "@path" "@query" ${all}`, { change: query }, 'ok'],
    ['request target', `"@method" "@request-target" ${all}`, { change: query }, 'ok'],
    ['more than needed', `"@method" "@path" "@authority" "@scheme" ${all}`, {}, 'ok'],
    ['path without its query', `"@method" "@path" ${all}`, { change: query }, 'uncovered'],
    ['no method', `"@target-uri" ${all}`, {}, 'uncovered'],
    ['no target', `"@method" "@authority" "@query" ${all}`, {}, 'uncovered'],
    ['no digest', '"@method" "@target-uri" "authorization"', {}, 'uncovered'],
    ['no token', '"@method" "@target-uri" "content-digest"', {}, 'uncovered'],
    ['nothing', '', {}, 'uncovered'],
    ['a header that is not there', `"@method" "@target-uri" "x-absent" ${all}`, {}, 'malformed'],
    ['a name every object has', `"@method" "@target-uri" "constructor" ${all}`, {}, 'malformed'],
    ['a derived component that is not', `"@method" "@target-uri" "@status" ${all}`, {}, 'malformed'],
    ['the parameters themselves', `"@method" "@target-uri" "@signature-params" ${all}`, {}, 'malformed'],
    ['one component twice', `"@method" "@method" "@target-uri" ${all}`, {}, 'malformed'],
    ['a component of another message', `"@method";req "@target-uri" ${all}`, {}, 'malformed'],
    ['a token for a name', `"@method" "@target-uri" authorization "content-digest"`, {}, 'malformed'],
    ['an algorithm that is not the key’s', `"@method" "@path" ${all}`, { params: ';alg="ed25519"' }, 'bad_signature'],
    ['parameters we do not know', `"@method" "@path" ${all}`, { params: ';tag="x";v=?1' }, 'ok'],
    ['an end in the future', `"@method" "@path" ${all}`, { params: `;expires=${CREATED + 5}` }, 'ok'],
    ['an end in the past', `"@method" "@path" ${all}`, { params: `;expires=${CREATED - 5}` }, 'stale'],
    ['a created date', `"@method" "@path" ${all}`, { params: `;created=@${CREATED}` }, 'malformed'],
    ['half a second', `"@method" "@path" ${all}`, { params: `;created=${CREATED}.5` }, 'malformed'],
    ['no key', `"@method" "@path" ${all}`, { params: ';keyid=""' }, 'malformed'],
    ['a number for a nonce', `"@method" "@path" ${all}`, { params: ';nonce=7' }, 'malformed'],
  ]
  for (const [name, components, options, expected] of table) {
    test(`${name}: ${expected}`, async () => {
      assert.equal(await codeOf(await signedOver(components, options)), expected)
    })
  }
})

describe('the window', () => {
  for (const [seconds, expected] of [
    [60, 'ok'],
    [60.001, 'stale'],
    [3600, 'stale'],
    [-60, 'ok'],
    [-60.001, 'future'],
  ] as const) {
    test(`${seconds} s old: ${expected}`, async () => {
      assert.equal(await codeOf(await signed(), { now: NOW + seconds * 1000 }), expected)
    })
  }

  test('is the caller’s to choose', async () => {
    const request = await signed()
    assert.equal(await codeOf(request, { notBefore: CREATED }), 'ok')
    assert.equal(await codeOf(request, { notBefore: CREATED + 1 }), 'stale')
    assert.equal(await codeOf(request, { now: NOW - 6_000, maxSkewSeconds: 5 }), 'future')
  })
})

describe('a replay', () => {
  test('is refused until the signature is stale anyway', async () => {
    const seen = replayCache()
    const request = await signed()
    assert.equal(await codeOf(request, { seen, now: NOW - 60_000 }), 'ok')
    assert.equal(await codeOf(request, { seen, now: NOW - 60_000 }), 'replayed')
    assert.equal(await codeOf(request, { seen, now: NOW + 60_000 }), 'replayed')
    assert.equal(await codeOf(request, { seen, now: NOW + 60_001 }), 'stale')
  })

  test('is refused with the other signature that ECDSA allows, and under another label', async () => {
    const seen = replayCache()
    const request = await signed()
    assert.equal(await codeOf(request, { seen }), 'ok')

    const n = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
    const raw = Buffer.from(request.headers.signature?.slice('sig=:'.length, -1) ?? '', 'base64')
    const s = n - BigInt(`0x${raw.subarray(32).toString('hex')}`)
    const twin = Buffer.concat([raw.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')])
    const other = { ...request.headers, signature: `sig=:${twin.toString('base64')}:` }
    assert.equal(await codeOf({ ...request, headers: other }), 'ok', 'it is a valid signature')
    assert.equal(await codeOf({ ...request, headers: other }, { seen }), 'replayed')

    const relabelled = {
      ...request.headers,
      signature: `b${request.headers.signature}`,
      'signature-input': `b${request.headers['signature-input']}`,
    }
    assert.equal(await codeOf({ ...request, headers: relabelled }, { seen }), 'replayed')
  })

  test('is one of two that race', async () => {
    const seen = replayCache()
    const request = await signed()
    const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(request, { seen })))
    assert.equal(codes.filter((code) => code === 'ok').length, 1)
  })

  test('is not what a forged copy makes of the real request', async () => {
    const seen = replayCache()
    const request = await signed()
    const forged = { ...request, headers: { ...request.headers, signature: `sig=:${'A'.repeat(86)}==:` } }
    assert.equal(await codeOf(forged, { seen }), 'bad_signature')
    assert.equal(await codeOf(request, { seen }), 'ok')
  })

  test('memory is bounded for each key, and one key cannot empty another’s', () => {
    const seen = replayCache({ perKey: 3 })
    assert.equal(seen('quiet', 'q', 1000, 0), true)
    for (let i = 0; i < 10; i++) assert.equal(seen('loud', `l${i}`, 1000, 0), true)
    assert.equal(seen('loud', 'l9', 1000, 0), false)
    assert.equal(seen('loud', 'l0', 1000, 0), true, 'its own oldest is what it forgot')
    assert.equal(seen('quiet', 'q', 1000, 1000), false)
    assert.equal(seen('quiet', 'other', 99_000, 60_001), true)
    assert.equal(seen('quiet', 'q', 99_000, 60_001), true, 'expired entries are gone')
  })
})

describe('a request that is not what was signed', () => {
  test('any other character of method, URL, token, parameters or body is refused', async () => {
    const original = await signed({ url: 'https://box.local:8443/v1/manifest?since=41' })
    const input = original.headers['signature-input'] ?? ''
    const parts: Record<string, (value: string) => SignableRequest> = {
      method: (method) => ({ ...original, method }),
      url: (url) => ({ ...original, url }),
      authorization: (authorization) => ({ ...original, headers: { ...original.headers, authorization } }),
      input: (value) => ({ ...original, headers: { ...original.headers, 'signature-input': value } }),
      body: (body) => ({ ...original, body: bytes(body) }),
    }
    const values: Record<string, string> = {
      method: original.method,
      url: original.url,
      authorization: TOKEN,
      input,
      body: new TextDecoder().decode(SCAN),
    }
    // Equal by the specifications: a host in capitals, space around a header, and around a list's members.
    const same = (part: string, a: string, b: string) =>
      (part === 'url' && a.replace(/^https:..[^/]*/, (host) => host.toLowerCase()) === b) ||
      (part === 'authorization' && a.replace(/^[ \t]+|[ \t]+$/g, '') === b) ||
      (part === 'input' && a.replace(/[ \t]+/g, '') === b.replace(/[ \t]+/g, ''))
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(parts)),
        fc.nat(),
        fc.constantFrom('replace', 'insert', 'remove'),
        fc.oneof(
          fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
          fc.constantFrom('?', '#', '/', '&', '\n'),
        ),
        async (part, at, how, character) => {
          const value = values[part] ?? ''
          const i = at % value.length
          const changed =
            value.slice(0, i) + (how === 'remove' ? '' : character) + value.slice(how === 'insert' ? i : i + 1)
          fc.pre(changed !== value && !same(part, changed, value))
          const request = parts[part]?.(changed)
          assert.ok(request)
          assert.notEqual(await codeOf(request), 'ok', JSON.stringify([part, changed]))
        },
      ),
      { numRuns: 600 },
    )
  })

  const table: [string, (request: Scan) => SignableRequest, FailureCode][] = [
    ['unsigned', ({ headers, ...rest }) => ({ ...rest, headers: { authorization: headers.authorization } }), 'missing'],
    ['no signature', (r) => ({ ...r, headers: { ...r.headers, signature: '' } }), 'malformed'],
    ['no input', ({ headers: { 'signature-input': _, ...headers }, ...r }) => ({ ...r, headers }), 'malformed'],
    ['another body', (r) => ({ ...r, body: bytes('{"scan_id":"s-2"}') }), 'digest_mismatch'],
    ['no body', ({ body: _, ...r }) => r, 'digest_mismatch'],
    [
      'another body and its digest',
      (r) => ({
        ...r,
        headers: { ...r.headers, 'content-digest': 'sha-256=:RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=:' },
        body: bytes('{}'),
      }),
      'bad_signature',
    ],
    [
      'no sha-256 in the digest',
      (r) => ({ ...r, headers: { ...r.headers, 'content-digest': 'md5=:AA==:' } }),
      'digest_mismatch',
    ],
    [
      'a digest that is not a dictionary',
      (r) => ({ ...r, headers: { ...r.headers, 'content-digest': '((' } }),
      'digest_mismatch',
    ],
    [
      'a second digest line',
      (r) => ({
        ...r,
        headers: { ...r.headers, 'content-digest': [r.headers['content-digest'] ?? '', 'sha-256=:AA==:'] },
      }),
      'digest_mismatch',
    ],
    ['another method', (r) => ({ ...r, method: 'DELETE' }), 'bad_signature'],
    ['another box', (r) => ({ ...r, url: 'https://other.local:8443/v1/scan' }), 'bad_signature'],
    [
      'a path that a URL parser would take for the same',
      (r) => ({ ...r, url: 'https://box.local:8443/v1/x/../scan' }),
      'bad_signature',
    ],
    ['a relative URL', (r) => ({ ...r, url: '/v1/scan' }), 'malformed'],
    ['another token', (r) => ({ ...r, headers: { ...r.headers, authorization: 'Bearer b' } }), 'bad_signature'],
    [
      'a no-break space after the token',
      (r) => ({ ...r, headers: { ...r.headers, authorization: `${TOKEN}\u00a0` } }),
      'malformed',
    ],
    [
      'a line of the base inside a header',
      (r) => ({ ...r, headers: { ...r.headers, authorization: `${TOKEN}\n"x": y` } }),
      'malformed',
    ],
    [
      'another key',
      (r) => ({
        ...r,
        headers: {
          ...r.headers,
          'signature-input': r.headers['signature-input']?.replace('device-1', 'device-2') ?? '',
        },
      }),
      'unknown_key',
    ],
    [
      'two signatures',
      (r) => ({
        ...r,
        headers: {
          ...r.headers,
          'signature-input': `${r.headers['signature-input']}, b=("@method");created=1;keyid="b"`,
        },
      }),
      'malformed',
    ],
    ['a short signature', (r) => ({ ...r, headers: { ...r.headers, signature: 'sig=:AAAA:' } }), 'bad_signature'],
    [
      'a signature in DER',
      (r) => ({ ...r, headers: { ...r.headers, signature: `sig=:${Buffer.alloc(71, 48).toString('base64')}:` } }),
      'bad_signature',
    ],
    [
      'an item for a list',
      (r) => ({ ...r, headers: { ...r.headers, 'signature-input': 'sig="@method";created=1;keyid="a"' } }),
      'malformed',
    ],
  ]
  for (const [name, change, expected] of table) {
    test(`${name}: ${expected}`, async () => assert.equal(await codeOf(change(await signed())), expected))
  }
})

describe('hostile headers', () => {
  const grammar = fc
    .array(
      fc.constantFrom(
        'sig',
        '=',
        '(',
        ')',
        '"@method"',
        '"a"',
        ';',
        'created',
        'keyid',
        '"',
        ':',
        ',',
        ' ',
        '@1',
        '?1',
        '%"',
        '-1.5',
        'AA==',
        '\\',
        '*',
        '\t',
        '\u0000',
        'é',
        '9'.repeat(20),
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join(''))

  test('never throw and never pass', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(grammar, fc.string()),
        fc.oneof(grammar, fc.string()),
        grammar,
        async (input, signature, digest) => {
          const request = await plain({ 'signature-input': input, signature, 'content-digest': digest })
          const code = await codeOf(request)
          assert.notEqual(code, 'ok')
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('are refused unread when they are huge', async () => {
    const many = Array.from({ length: 200_000 }, (_, i) => `s${i}=("@method")`).join(', ')
    for (const value of [many, '('.repeat(1_000_000), ' '.repeat(1_000_000), `sig=:${'A'.repeat(1_000_000)}:`]) {
      assert.equal(await codeOf(await plain({ 'signature-input': value, signature: value })), 'malformed')
    }
  })

  async function plain(headers: Record<string, string>): Promise<SignableRequest> {
    return { method: 'POST', url: 'https://box.local/v1/scan', headers, body: SCAN }
  }
})

describe('the URL that was asked for', () => {
  for (const [host, target, expected] of [
    ['box.local:8443', '/v1/scan?x=1', 'https://box.local:8443/v1/scan?x=1'],
    ['[fd00::1]:8443', '/', 'https://[fd00::1]:8443/'],
    ['box.local', '/v1/x/../scan', 'https://box.local/v1/x/../scan'],
    ['box/v1/open?', '/v1/scan', undefined],
    ['user@box', '/v1/scan', undefined],
    ['box#', '/v1/scan', undefined],
    ['', '/v1/scan', undefined],
    [undefined, '/v1/scan', undefined],
    ['box', '*', undefined],
    ['box', 'http://other/v1/scan', undefined],
    ['box', '/a#b', undefined],
    ['box', '/a b', undefined],
  ] as const) {
    test(`${host} and ${target}`, () => assert.equal(requestedUrl('https', host, target), expected))
  }
})

test('a key of node:crypto does as well as one of WebCrypto', async () => {
  const { createPublicKey, verify: check } = await import('node:crypto')
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const imported = await crypto.subtle.importKey(
    'pkcs8',
    privateKey.export({ format: 'der', type: 'pkcs8' }),
    { name: 'ECDSA', namedCurve: 'P-256' },
    false,
    ['sign'],
  )
  const request = { method: 'GET', url: 'https://box.local/v1/manifest', headers: { authorization: TOKEN } }
  const sign = webCryptoSigner('ecdsa-p256-sha256', imported)
  const added = await signRequest(request, { keyId: 'd', alg: 'ecdsa-p256-sha256', sign, created: CREATED, nonce: 'n' })
  const key = createPublicKey(publicKey.export({ format: 'pem', type: 'spki' }))
  const verifying: VerifyingKey = {
    alg: 'ecdsa-p256-sha256',
    verify: (base, signature) => check('sha256', base, { key, dsaEncoding: 'ieee-p1363' }, signature),
  }
  const received = { ...request, headers: { ...request.headers, ...added } }
  assert.equal(await codeOf(received, { keyFor: () => verifying }), 'ok')
})

test('node:crypto and WebCrypto judge the edges of ECDSA alike', async () => {
  const { verify: check } = await import('node:crypto')
  // The order of P-256 (SEC 2).
  const n = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const of = { name: 'ECDSA', namedCurve: 'P-256' }
  const web = await crypto.subtle.importKey('jwk', publicKey.export({ format: 'jwk' }), of, false, ['verify'])
  const base = bytes('what a request signs')
  const signature = signNode('sha256', base, { key: privateKey, dsaEncoding: 'ieee-p1363' })
  const [r, s] = [BigInt(`0x${signature.toString('hex', 0, 32)}`), BigInt(`0x${signature.toString('hex', 32)}`)]
  const two = (a: bigint, b: bigint) =>
    Buffer.from([a, b].map((half) => half.toString(16).padStart(64, '0')).join(''), 'hex')
  for (const [tried, answer] of [
    [two(r, s), true],
    // Good as well, in every implementation: therefore a replay is known by what was signed.
    [two(r, n - s), true],
    [two(n - r, s), false],
    [two(0n, s), false],
    [two(r, 0n), false],
    [two(0n, 0n), false],
    [two(n, s), false],
    [two(r, n), false],
    [two(2n ** 256n - 1n, s), false],
    [two(r, 2n ** 256n - 1n), false],
  ] as const) {
    const key = { key: publicKey, dsaEncoding: 'ieee-p1363' as const }
    assert.equal(check('sha256', base, key, tried), answer, tried.toString('hex'))
    assert.equal(await webCryptoVerifier('ecdsa-p256-sha256', web).verify(base, tried), answer, tried.toString('hex'))
  }
})
