/** Signs requests: HTTP message signatures (RFC 9421) with a Content-Digest (RFC 9530). `verify.ts` is the other side. */
import { type InnerList, serializeDictionary } from 'structured-headers'
import { fieldsOf, type SignableRequest, signatureBase } from './base.ts'
import { type Sha256, type SigningKey, toArrayBuffer, webCryptoSha256 } from './keys.ts'

const LABEL = 'sig'

/**
 * Signs a request. Covers `@method`, `@target-uri`, `authorization` when it is there, and the body by its digest.
 * Returns the headers to add. `created` is in unix seconds; `nonce` is fresh for each request, so that two identical
 * requests in the same second do not look like a replay. Throws a TypeError for a URL that is not absolute http or https.
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
  // The form that fetch puts on the wire: the URL in its normal form and without its fragment, the method in capitals.
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
  if (typeof base !== 'string') throw new TypeError(`This request cannot be signed: ${base.malformed}`)
  const signature = await sign(new TextEncoder().encode(base))
  added['signature-input'] = serializeDictionary(new Map([[LABEL, input]]))
  added.signature = serializeDictionary({ [LABEL]: toArrayBuffer(signature) })
  return added
}
