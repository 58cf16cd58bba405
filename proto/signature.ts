/**
 * Signed requests: HTTP message signatures (RFC 9421) with a Content-Digest (RFC 9530).
 *
 * A page cannot script its TLS, so a browser shows that it holds the key of its certificate by signing each request
 * with it. Runs unchanged in a browser, on the command line and on the box.
 *
 * What an attacker controls: every byte of the request, `Signature-Input` included, and when and how often it
 * arrives. So nothing here throws on what was received; what must be covered is the verifier's list and never the
 * request's own; the algorithm belongs to the key and is never taken from the request; and a signature counts once.
 */
import {
  type InnerList,
  isInnerList,
  parseDictionary,
  serializeDictionary,
  serializeInnerList,
} from 'structured-headers'

/** Both make signatures of 64 bytes: ECDSA as r then s (IEEE P1363, as WebCrypto gives it), or Ed25519. */
export type Algorithm = 'ecdsa-p256-sha256' | 'ed25519'

export type SignableRequest = {
  method: string
  /** Absolute, http or https. When verifying: as it was asked for, byte for byte; see `requestedUrl`. */
  url: string
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The bytes on the wire, before any decoding. Leave out, or empty, when there are none. */
  body?: Uint8Array
}

export type SigningKey = {
  keyId: string
  alg: Algorithm
  sign: (base: Uint8Array) => Promise<Uint8Array>
}

export type VerifyingKey = {
  alg: Algorithm
  verify: (base: Uint8Array, signature: Uint8Array) => boolean | Promise<boolean>
}

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

/** `detail` is for whoever writes the client: it names the component or the parameter, never a value. */
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
  /** How old `created` may be. */
  maxAgeSeconds?: number
  /** How far ahead of `now` `created` may be. */
  maxSkewSeconds?: number
  /** Header fields, in lower case, that must be there and be covered: `authorization` for the device tier. */
  required?: readonly string[]
  keyFor: (keyId: string) => VerifyingKey | undefined | Promise<VerifyingKey | undefined>
  seen: ReplayCache
  sha256?: Sha256
}

type Sha256 = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>

// Several times what a legitimate client sends; the parser walks character by character.
const LONGEST_HEADER = 4096
const SIGNATURE_BYTES = 64
const LABEL = 'sig'

/**
 * Signs a request. Covers `@method`, `@target-uri`, `authorization` when it is there, and the body by its digest.
 * Returns the headers to add. `created` is in unix seconds; `nonce` is fresh for each request, so that two alike in
 * the same second are not taken for a replay. Throws a TypeError for a URL that is not absolute http or https.
 */
export async function signRequest(
  request: SignableRequest,
  {
    keyId,
    alg,
    sign,
    created,
    nonce,
    sha256 = webCryptoSha256,
  }: SigningKey & { created: number; nonce: string; sha256?: Sha256 },
): Promise<Record<string, string>> {
  // What fetch puts on the wire: the URL in its normal form and without its fragment, the method in capitals.
  const url = new URL(request.url)
  url.hash = ''
  const fields = fieldsOf(request.headers)
  const added: Record<string, string> = {}
  const covered = ['@method', '@target-uri']
  if (fields.has('authorization')) covered.push('authorization')
  if (request.body && request.body.length > 0) {
    added['content-digest'] = serializeDictionary({ 'sha-256': toArrayBuffer(await sha256(request.body)) })
    fields.set('content-digest', added['content-digest'])
    covered.push('content-digest')
  }
  const input: InnerList = [
    covered.map((name) => [name, new Map()]),
    new Map<string, string | number>([
      ['created', created],
      ['keyid', keyId],
      ['alg', alg],
      ['nonce', nonce],
    ]),
  ]
  const base = signatureBase({ method: request.method.toUpperCase(), url: url.href }, fields, input)
  if (typeof base !== 'string') throw new TypeError(`This request cannot be signed: ${base.detail}`)
  const signature = await sign(new TextEncoder().encode(base))
  added['signature-input'] = serializeDictionary(new Map([[LABEL, input]]))
  added.signature = serializeDictionary({ [LABEL]: toArrayBuffer(signature) })
  return added
}

/**
 * Reads the one signature that a request carries and rebuilds what it signs. Decides nothing: neither who signed,
 * nor when, nor whether enough is covered. A request with several signatures is refused as malformed, so that there
 * is never a question of which of them counted.
 */
export function parseSignature(request: SignableRequest): ParsedSignature | Failure {
  return parse(request, fieldsOf(request.headers))
}

/**
 * Verifies a signed request: what must be covered is covered, `created` is within the window, the body is the one
 * digested, the key is known, its signature is right, and the same has not been accepted before.
 *
 * Covered must be `@method`; `@target-uri`, or `@path` with `@query` when there is a query (`@request-target` is
 * both); `content-digest` when there is a body; and every field of `required`. What is not covered (a
 * `Content-Type`, say) is the attacker's, and must not change what the request does.
 */
export async function verifyRequest(
  request: SignableRequest,
  {
    now,
    maxAgeSeconds = 60,
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
  const until = Math.min(created + maxAgeSeconds, expires ?? Number.POSITIVE_INFINITY) * 1000
  if (now > until) return failure('stale', 'created')

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

  // Only after the signature: otherwise anybody could fill the memory, or burn a request before its owner sends it.
  // By what was signed, never by the signature: for ECDSA (r, n-s) is valid wherever (r, s) is, so whoever saw one
  // signature can make a second for the same request. Looked up and stored in one step, without an await between.
  const digest = await sha256(base)
  if (!seen(keyId, String.fromCharCode(...digest), until, now)) return failure('replayed', 'nonce')
  return { ok: true, keyId, covered }
}

/**
 * Remembers what was accepted until it would be stale anyway. Returns false for what it has seen. Times are unix
 * milliseconds.
 */
export type ReplayCache = (keyId: string, id: string, until: number, now: number) => boolean

/**
 * A replay memory, bounded for each key: a device that signs thousands of requests a minute makes the box forget
 * only its own, which it could sign again anyway. Empty after a restart; what the box does for a signed request is
 * idempotent for that reason too.
 */
export function replayCache({ perKey = 8192 } = {}): ReplayCache {
  const byKey = new Map<string, Map<string, number>>()
  let sweepAt = 0
  return (keyId, id, until, now) => {
    if (now >= sweepAt) {
      for (const [key, own] of byKey) if (forgetExpired(own, now) === 0) byKey.delete(key)
      sweepAt = now + 60_000
    }
    const own = byKey.get(keyId) ?? new Map<string, number>()
    if (own.has(id)) return false
    if (forgetExpired(own, now) >= perKey) own.delete(own.keys().next().value ?? '')
    byKey.set(keyId, own.set(id, until))
    return true
  }
}

/** Entries come nearly in the order in which they expire: stopping at the first live one keeps each call short. */
function forgetExpired(own: Map<string, number>, now: number): number {
  for (const [id, until] of own) {
    if (until >= now) break
    own.delete(id)
  }
  return own.size
}

/**
 * The URL that a server was asked for, from its Host header and request target. Undefined when either is not what it
 * should be: a Host of `box/v1/open?` would otherwise move the boundary between authority and path.
 */
export function requestedUrl(scheme: 'http' | 'https', host: string | undefined, target: string): string | undefined {
  if (!host || !/^[A-Za-z0-9.\-_[\]:]+$/.test(host)) return undefined
  const url = `${scheme}://${host}${target}`
  return target.startsWith('/') && URL_PARTS.test(url) ? url : undefined
}

/** Signs with a WebCrypto key, which may be non-extractable. */
export function webCryptoSigner(alg: Algorithm, key: CryptoKey): SigningKey['sign'] {
  return async (base) => new Uint8Array(await crypto.subtle.sign(WEB_CRYPTO[alg], key, toArrayBuffer(base)))
}

/** Verifies with a WebCrypto key. The box uses node:crypto instead, for speed. */
export function webCryptoVerifier(alg: Algorithm, key: CryptoKey): VerifyingKey {
  return {
    alg,
    verify: (base, signature) =>
      crypto.subtle.verify(WEB_CRYPTO[alg], key, toArrayBuffer(signature), toArrayBuffer(base)),
  }
}

const WEB_CRYPTO = {
  'ecdsa-p256-sha256': { name: 'ECDSA', hash: 'SHA-256' },
  ed25519: { name: 'Ed25519' },
} as const satisfies Record<Algorithm, object>

async function webCryptoSha256(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', toArrayBuffer(bytes)))
}

function parse(request: SignableRequest, fields: Map<string, string>): ParsedSignature | Failure {
  const inputHeader = fields.get('signature-input')
  const signatureHeader = fields.get('signature')
  if (inputHeader === undefined && signatureHeader === undefined) return failure('missing', 'signature')
  const inputs = dictionary(inputHeader)
  if (inputs?.size !== 1) return failure('malformed', 'signature-input')
  const signatures = dictionary(signatureHeader)
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
  if (typeof base !== 'string') return base
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

function signatureBase(
  request: Pick<SignableRequest, 'method' | 'url'>,
  fields: Map<string, string>,
  input: InnerList,
): string | Failure {
  const derived = derivedComponents(request)
  if (!derived) return failure('malformed', 'url')
  const lines: string[] = []
  const names = new Set<string>()
  for (const [name, params] of input[0]) {
    // `;sf`, `;bs`, `;key`, `;req` and `;tr` change what a name stands for, and no client of the box needs them.
    if (typeof name !== 'string' || params.size > 0) return failure('malformed', 'a component with parameters')
    if (names.has(name)) return failure('malformed', 'a component covered twice')
    names.add(name)
    const value = name.startsWith('@') ? derived.get(name) : fields.get(name)
    if (value === undefined) return failure('malformed', 'a covered component that the request does not have')
    // A line break inside a value would let it pose as the next line of the base.
    if (!/^[\t\x20-\x7e]*$/.test(value)) return failure('malformed', 'a covered component that is not ASCII')
    lines.push(`"${name}": ${value}`)
  }
  lines.push(`"@signature-params": ${serializeInnerList(input)}`)
  return lines.join('\n')
}

// Split by hand, and never normalised: the router sees the bytes that were sent, so these must be the bytes that
// were signed. A URL parser would give `/v1/x/../scan` and `/v1/scan` the same name.
const URL_PARTS = /^(https?):\/\/([^/?#\s]+)(\/[^?#\s]*)?(\?[^#\s]*)?$/

function derivedComponents({ method, url }: Pick<SignableRequest, 'method' | 'url'>): Map<string, string> | undefined {
  const parts = URL_PARTS.exec(url)
  if (!parts) return undefined
  const [, scheme = '', host = '', path = '/', query = ''] = parts
  const authority = host.toLowerCase().replace(scheme === 'https' ? /:443$/ : /:80$/, '')
  return new Map([
    ['@method', method],
    ['@scheme', scheme],
    ['@authority', authority],
    ['@target-uri', `${scheme}://${authority}${path}${query}`],
    ['@request-target', path + query],
    ['@path', path],
    ['@query', query || '?'],
  ])
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

/** Lower-case names; several lines of one field joined as RFC 9421, 2.1 has it. */
function fieldsOf(headers: SignableRequest['headers']): Map<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of Symbol.iterator in headers ? headers : Object.entries(headers)) {
    if (value === undefined) continue
    const lines = typeof value === 'string' ? [value] : value
    fields.set(name.toLowerCase(), lines.map(trimOptionalWhitespace).join(', '))
  }
  return fields
}

/** Space and tab only: `trim` would also drop a no-break space, and so make two different headers one. */
function trimOptionalWhitespace(line: string): string {
  let start = 0
  let end = line.length
  while (start < end && (line[start] === ' ' || line[start] === '\t')) start++
  while (end > start && (line[end - 1] === ' ' || line[end - 1] === '\t')) end--
  return line.slice(start, end)
}

function dictionary(header: string | undefined): ReturnType<typeof parseDictionary> | undefined {
  if (header === undefined || header.length > LONGEST_HEADER) return undefined
  try {
    return parseDictionary(header)
  } catch {
    return undefined
  }
}

function sha256Of(contentDigest: string | undefined): Uint8Array | undefined {
  const value = dictionary(contentDigest)?.get('sha-256')?.[0]
  return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}

/** WebCrypto takes no view over a SharedArrayBuffer, and the types of a Buffer do not rule one out. */
function toArrayBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}

function failure(code: FailureCode, detail: string): Failure {
  return { ok: false, code, detail }
}
