import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, it } from 'node:test'
import { signRequest } from '@gatehouse/proto/signature/sign.ts'
import fc from 'fast-check'
import type { FastifyRequest } from 'fastify'
import { type RequireSignature, signatureCheck } from './request-signature.ts'

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const HOST = 'box.local'
const PATH = '/v1/admin/holds'
const START = 1_800_000_000_000

/** A request as Fastify gives it, signed at `at`, unix ms: `created` has whole seconds. */
async function signedAt(at: number): Promise<FastifyRequest> {
  const headers = { authorization: 'Bearer a token', host: HOST }
  const added = await signRequest(
    { method: 'GET', url: `https://${HOST}${PATH}`, headers },
    {
      ...{ keyId: 'tablet', alg: 'ecdsa-p256-sha256', created: Math.floor(at / 1000), nonce: crypto.randomUUID() },
      sign: async (base) => sign('sha256', base, { key: privateKey, dsaEncoding: 'ieee-p1363' }),
    },
  )
  return { method: 'GET', url: PATH, headers: { ...headers, ...added }, rawBody: null } as unknown as FastifyRequest
}

/** The check of a box that started at `since`, with a clock that a test moves. */
function checkSince(since: number) {
  let now = since
  const check = signatureCheck({ now: () => now, since })
  return (request: FastifyRequest, at: number): ReturnType<RequireSignature> => {
    now = at
    return check(request, { names: ['tablet'], key: publicKey })
  }
}

const milliseconds = (max: number) => fc.integer({ min: 0, max })

describe('a signed request that may not be repeated', () => {
  it('is taken within a minute, however soon after the start it was signed', async () => {
    await fc.assert(
      fc.asyncProperty(milliseconds(999), milliseconds(120_000), milliseconds(59_000), async (begun, later, took) => {
        const since = START + begun
        await checkSince(since)(await signedAt(since + later), since + later + took)
      }),
    )
  })

  it('is refused where it was signed in a second before that of the start', async () => {
    await fc.assert(
      fc.asyncProperty(milliseconds(999), milliseconds(30_000), milliseconds(30_000), async (begun, before, took) => {
        const since = START + begun
        const request = await signedAt(START - 1 - before)
        await assert.rejects(checkSince(since)(request, since + took), { code: 'bad_signature' })
      }),
    )
  })

  it('is refused a second time for as long as it could be taken, also in the minute after the start', async () => {
    await fc.assert(
      fc.asyncProperty(milliseconds(999), milliseconds(60_000), milliseconds(60_000), async (begun, later, until) => {
        const since = START + begun
        const at = since + later
        const ask = checkSince(since)
        const request = await signedAt(at)
        await ask(request, at)
        // Another request makes the memory let go of what has expired.
        await ask(await signedAt(at + until), at + until)
        await assert.rejects(ask(request, at + until), { code: 'bad_signature' })
      }),
    )
  })
})
