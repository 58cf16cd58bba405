import 'reflect-metadata'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Pkcs10CertificateRequestGenerator, SubjectAlternativeNameExtension } from '@peculiar/x509'
import fc from 'fast-check'
import { GatehouseError } from '../errors.ts'
import { provenKeyOf } from './certificate-request.ts'

const P256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

async function request(algorithm: object = P256): Promise<{ pem: string; der: Buffer; spki: Buffer }> {
  const keys = (await crypto.subtle.generateKey(algorithm as EcKeyGenParams, true, ['sign', 'verify'])) as CryptoKeyPair
  const made = await Pkcs10CertificateRequestGenerator.create({
    name: 'CN=control room, O=Someone else',
    keys,
    signingAlgorithm: algorithm as EcdsaParams,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: 'tickets.example.com' }])],
  })
  return {
    pem: made.toString('pem'),
    der: Buffer.from(made.rawData),
    spki: Buffer.from(await crypto.subtle.exportKey('spki', keys.publicKey)),
  }
}

function pem(der: Uint8Array, kind = 'CERTIFICATE REQUEST'): string {
  return `-----BEGIN ${kind}-----\n${Buffer.from(der).toString('base64')}\n-----END ${kind}-----\n`
}

function isRefusal(error: unknown): boolean {
  return error instanceof GatehouseError && error.code === 'bad_request' && error.message.startsWith('The field csr ')
}

test('the key of a request is what it was made with', async () => {
  const { pem: text, der, spki } = await request()
  for (const form of [text, text.replaceAll('\n', '\r\n'), `hello\n${text}`, pem(der, 'NEW CERTIFICATE REQUEST')]) {
    assert.deepEqual((await provenKeyOf(form)).export({ format: 'der', type: 'spki' }), spki)
  }
})

describe('a request is refused', () => {
  for (const [name, algorithm] of [
    ['P-384', { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' }],
    ['Ed25519', { name: 'Ed25519' }],
    [
      'RSA',
      { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1) },
    ],
  ] as const) {
    test(`for a key of ${name}, saying what to use`, async () => {
      const { pem: text } = await request(algorithm)
      await assert.rejects(provenKeyOf(text), (error) => isRefusal(error) && /P-256/.test(String(error)))
    })
  }

  test('for somebody else’s key', async () => {
    const [mine, theirs] = [await request(), await request()]
    const forged = Buffer.from(mine.der)
    theirs.spki.copy(forged, forged.indexOf(mine.spki))
    await assert.rejects(provenKeyOf(pem(forged)), (error) => isRefusal(error) && /own key/.test(String(error)))
  })

  const nested = Buffer.from('3080'.repeat(2500), 'hex')
  const table: [string, string][] = [
    ['nothing', ''],
    ['words', 'please'],
    ['a certificate', pem(Buffer.alloc(100), 'CERTIFICATE')],
    ['an empty block', pem(Buffer.alloc(0))],
    ['zeros', pem(Buffer.alloc(500))],
    ['nesting without end', pem(nested)],
    ['a length past its end', pem(Buffer.from('3084ffffffff', 'hex'))],
    ['an empty sequence', pem(Buffer.from('3000', 'hex'))],
    ['no base64', '-----BEGIN CERTIFICATE REQUEST-----\n!!!!\n-----END CERTIFICATE REQUEST-----\n'],
    ['a megabyte', pem(Buffer.alloc(1_000_000))],
    ['a hundred thousand beginnings', '-----BEGIN CERTIFICATE REQUEST-----\n'.repeat(100_000)],
  ]
  for (const [name, text] of table) test(`for ${name}`, () => assert.rejects(provenKeyOf(text), isRefusal))
})

test('no change of a request yields another key', async () => {
  const { der, spki } = await request()
  const change = fc.record({ at: fc.nat(der.length - 1), to: fc.nat(255), cut: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(change, async ({ at, to, cut }) => {
      const changed = Buffer.from(cut ? der.subarray(0, at) : der)
      if (!cut) changed[at] = to
      const key = await provenKeyOf(pem(changed)).catch((error) => assert.ok(isRefusal(error)))
      if (key) assert.deepEqual(key.export({ format: 'der', type: 'spki' }), spki)
    }),
    { numRuns: 500 },
  )
})

test('no bytes and no text do more than be refused', async () => {
  const block = fc.uint8Array({ maxLength: 300 }).map((bytes) => pem(bytes))
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), block), (text) => assert.rejects(provenKeyOf(text), isRefusal)),
    { numRuns: 500 },
  )
})
