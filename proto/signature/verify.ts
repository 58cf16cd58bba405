/**
 * Verifies signed requests: HTTP message signatures (RFC 9421) with a Content-Digest (RFC 9530).
 *
 * A page cannot script its TLS, so a browser shows that it holds the key of its certificate by signing each request
 * with it. Runs unchanged in a browser, on the command line and on the box.
 *
 * The attacker controls every byte of the request, `Signature-Input` included, and when and how often it arrives. Therefore
 * nothing here throws on received data; the components that must be covered are the verifier's list and never the request's
 * own; the algorithm is that of the key and never taken from the request; and a signature is accepted once.
 */
import { isInnerList } from 'structured-headers'
import { dictionaryIn, fieldsOf, type SignableRequest, signatureBase } from './base.ts'
import { type Sha256, type VerifyingKey, webCryptoSha256 } from './keys.ts'
import type { ReplayCache } from './replay.ts'

export type FailureCode =
  | 'missing'
  | 'malformed'
  | 'uncovered'
  | 'stale'
  | 'future'
  | 'digest_mismatch'
  | 'unknown_key'
  | 'bad_signature'
  | 'replayed'

/** `detail` is for the author of the client: it names the component or the parameter, never a value. */
export type Failure = { ok: false; code: FailureCode; detail: string }

export type ParsedSignature = {
  ok: true
  keyId: string
  /** Unix seconds. */
  created: number
  expires?: number
  alg?: string
  nonce?: string
  covered: readonly string[]
  /** The bytes that were signed, rebuilt from the request (RFC 9421, 2.5). */
  base: Uint8Array
  signature: Uint8Array
}

export type VerifyOptions = {
  /** Unix milliseconds. */
  now: number
  /** Unix seconds: what was signed earlier is stale. */
  notBefore?: number
  /** `created` may be this far ahead of `now`. */
  maxSkewSeconds?: number
  /** Header fields, in lower case, that must be there and be covered: `authorization` for the device tier. */
  required?: readonly string[]
  keyFor: (keyId: string) => VerifyingKey | undefined | Promise<VerifyingKey | undefined>
  seen: ReplayCache
  sha256?: Sha256
}

const SIGNATURE_BYTES = 64
const MAX_AGE_SECONDS = 60

/**
 * Reads the signature of a request and rebuilds the bytes that it signs. Does not check who signed, when, or whether enough is
 * covered. A request with several signatures is malformed, so that it is always clear which one counts.
 */
export function parseSignature(request: SignableRequest): ParsedSignature | Failure {
  return parse(request, fieldsOf(request.headers))
}

/**
 * Verifies a signed request: what must be covered is covered, `created` is within the window, the digest is that of the
 * body, the key is known, its signature is right, and the same request has not been accepted before.
 *
 * Covered must be `@method`; `@target-uri`, or `@path` with `@query` when there is a query (`@request-target` is
 * both); `content-digest` when there is a body; and every field of `required`. What is not covered (a
 * `Content-Type`, say) is the attacker's to choose, and must not change what the request does.
 */
export async function verifyRequest(
  request: SignableRequest,
  {
    now,
    notBefore = Number.NEGATIVE_INFINITY,
    maxSkewSeconds = 60,
    required = [],
    keyFor,
    seen,
    sha256 = webCryptoSha256,
  }: VerifyOptions,
): Promise<{ ok: true; keyId: string; covered: readonly string[] } | Failure> {
  const fields = fieldsOf(request.headers)
  const parsed = parse(request, fields)
  if (!parsed.ok) return parsed
  const { keyId, created, expires, covered, base, signature } = parsed

  const uncovered = firstUncovered(request, covered, required)
  if (uncovered) return failure('uncovered', uncovered)
  if (created * 1000 > now + maxSkewSeconds * 1000) return failure('future', 'created')
  const until = Math.min(created + MAX_AGE_SECONDS, expires ?? Number.POSITIVE_INFINITY) * 1000
  if (now > until || created < notBefore) return failure('stale', 'created')

  const key = await keyFor(keyId)
  if (!key) return failure('unknown_key', 'keyid')
  if (covered.includes('content-digest')) {
    const stated = sha256Of(fields.get('content-digest'))
    if (!stated) return failure('digest_mismatch', 'content-digest has no sha-256')
    const actual = await sha256(request.body ?? new Uint8Array())
    if (!sameBytes(stated, actual)) return failure('digest_mismatch', 'content-digest')
  }
  if (parsed.alg !== undefined && parsed.alg !== key.alg) return failure('bad_signature', 'alg')
  if (signature.length !== SIGNATURE_BYTES) return failure('bad_signature', 'signature')
  if (!(await key.verify(base, signature))) return failure('bad_signature', 'signature')

  // Only after the signature: otherwise anybody could fill the memory, or use up a request before its owner sends it.
  // By what was signed, never by the signature: for ECDSA (r, n-s) is valid wherever (r, s) is, so whoever saw one
  // signature can make a second for the same request. Looked up and stored in one step, without an await between.
  const digest = await sha256(base)
  if (!seen(keyId, String.fromCharCode(...digest), until, now)) return failure('replayed', 'nonce')
  return { ok: true, keyId, covered }
}

function parse(request: SignableRequest, fields: ReadonlyMap<string, string>): ParsedSignature | Failure {
  const inputHeader = fields.get('signature-input')
  const signatureHeader = fields.get('signature')
  if (inputHeader === undefined && signatureHeader === undefined) return failure('missing', 'signature')
  const inputs = dictionaryIn(inputHeader)
  if (inputs?.size !== 1) return failure('malformed', 'signature-input')
  const signatures = dictionaryIn(signatureHeader)
  if (signatures?.size !== 1) return failure('malformed', 'signature')

  const [label = ''] = inputs.keys()
  const input = inputs.get(label)
  const signature = signatures.get(label)?.[0]
  if (!(signature instanceof ArrayBuffer)) return failure('malformed', 'signature')
  if (!input || !isInnerList(input)) return failure('malformed', 'signature-input')
  const params = input[1]
  const keyId = params.get('keyid')
  const created = params.get('created')
  const expires = params.get('expires')
  const alg = params.get('alg')
  const nonce = params.get('nonce')
  if (typeof keyId !== 'string' || keyId === '') return failure('malformed', 'keyid')
  if (!Number.isInteger(created)) return failure('malformed', 'created')
  if (expires !== undefined && !Number.isInteger(expires)) return failure('malformed', 'expires')
  if (alg !== undefined && typeof alg !== 'string') return failure('malformed', 'alg')
  if (nonce !== undefined && typeof nonce !== 'string') return failure('malformed', 'nonce')

  const base = signatureBase(request, fields, input)
  if (typeof base !== 'string') return failure('malformed', base.malformed)
  return {
    ok: true,
    keyId,
    created: Number(created),
    ...(expires !== undefined && { expires: Number(expires) }),
    ...(alg !== undefined && { alg }),
    ...(nonce !== undefined && { nonce }),
    covered: input[0].map(([name]) => String(name)),
    base: new TextEncoder().encode(base),
    signature: new Uint8Array(signature),
  }
}

function firstUncovered(
  { url, body }: SignableRequest,
  covered: readonly string[],
  required: readonly string[],
): string | undefined {
  const has = (name: string) => covered.includes(name)
  if (!has('@method')) return '@method'
  if (!has('@target-uri') && !has('@request-target')) {
    if (!has('@path')) return '@target-uri'
    if (url.includes('?') && !has('@query')) return '@query'
  }
  if (body && body.length > 0 && !has('content-digest')) return 'content-digest'
  return required.find((name) => !has(name))
}

function sha256Of(contentDigest: string | undefined): Uint8Array | undefined {
  const value = dictionaryIn(contentDigest)?.get('sha-256')?.[0]
  return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}

function failure(code: FailureCode, detail: string): Failure {
  return { ok: false, code, detail }
}
