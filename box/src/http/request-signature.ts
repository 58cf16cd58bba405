/** Checks the signatures of requests from browsers, whose scripts cannot choose a certificate for their TLS: scanners, and paired tablets of the staff. */
import { createHash, type KeyObject } from 'node:crypto'
import { requestedUrl } from '@gatehouse/proto/signature/base.ts'
import { replayCache } from '@gatehouse/proto/signature/replay.ts'
import { type Failure, type VerifyOptions, verifyRequest } from '@gatehouse/proto/signature/verify.ts'
import type { FastifyRequest } from 'fastify'
import { requestKey } from '../ca/request-key.ts'
import { GatehouseError } from '../errors.ts'

/** The sender whom the token of a request names. */
export interface Signer {
  /** A request may name the key by any of these. */
  readonly names: readonly string[]
  readonly key: KeyObject
}

/** @throws GatehouseError `bad_signature`. Called after the body has been read: the signature covers it */
export type RequireSignature = (request: FastifyRequest, signer: Signer) => Promise<void>

/**
 * Takes each signature once.
 * @param options `now` in unix ms; `since`, unix ms: what was signed in an earlier second is refused, because what was answered before
 *   a restart is forgotten. For requests that may not be repeated
 */
export function signatureCheck({ now, since }: { now: () => number; since?: number }): RequireSignature {
  const seen = replayCache()
  return async (request, { names, key }) => {
    const failure = await failureOf(request, {
      now: now(),
      // A signature has whole seconds. That of the start counts, because nobody was answered in it before: a process takes longer to load, and a box that begins anew
      // in the same process waits (cli/serve.ts).
      ...(since !== undefined && { notBefore: Math.floor(since / 1000) }),
      required: ['authorization'],
      keyFor: (keyId) => (names.includes(keyId) ? requestKey(key) : undefined),
      seen,
      sha256: (bytes) => createHash('sha256').update(bytes).digest(),
    })
    if (failure) throw new GatehouseError('bad_signature', SIGNATURE_ADVICE[failure])
  }
}

async function failureOf(request: FastifyRequest, options: VerifyOptions): Promise<Failure['code'] | undefined> {
  const url = requestedUrl('https', request.headers.host, request.url)
  if (url === undefined) return 'malformed'
  const { method, headers, rawBody } = request
  const result = await verifyRequest({ method, url, headers, ...(rawBody && { body: rawBody }) }, options)
  return result.ok ? undefined : result.code
}

const SIGNATURE_ADVICE: Record<Failure['code'], string> = {
  missing: 'The request is not signed: update the app.',
  malformed: 'The signature cannot be read: update the app.',
  uncovered: 'The signature leaves out a part that it must cover: update the app.',
  stale: "The signature is too old: set this device's clock to automatic, then try again.",
  future: "The signature is from the future: set this device's clock to automatic, then try again.",
  digest_mismatch: 'The body is not the one that was signed: try again.',
  unknown_key: 'The signature is by another key than that of this device: pair it again.',
  bad_signature: 'The signature is wrong: pair this device again.',
  replayed: 'This request was answered before: sign it again to repeat it.',
}
