/** Reads a certificate with its chain and its key, whoever sent them, and refuses what phones would refuse. Pure. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { GatehouseError } from '../errors.ts'

/** A certificate that fits its key and its name, both PEM. */
export interface HeldCertificate {
  readonly key: string
  /** The server's certificate first, then the chain to its issuer. */
  readonly cert: string
  /** Unix ms. */
  readonly notBefore: number
  readonly notAfter: number
  /** Common name, or organisation, of whoever signed it. */
  readonly issuer: string
}

/** A public chain has two to four certificates. A longer text is something else. */
const MOST_BYTES = 64 * 1024
const MOST_CERTIFICATES = 8
const PKCS8 = { format: 'pem', type: 'pkcs8' } as const

/**
 * @param name the host name that the certificate has to be for
 * @param now unix ms. One that is not valid yet is taken: a box whose clock has not been set starts in the past
 * @throws GatehouseError with what is wrong, as the end of a sentence
 */
export function readChain(
  { cert, key }: { cert: string; key: string },
  { name, now }: { name: string; now: number },
): HeldCertificate {
  const [leaf, ...chain] = parseChain(cert)
  if (!leaf) throw refused('there is no certificate in it, in PEM')
  if (leaf.ca) throw refused('its first certificate is an authority, not the one of a server: put that one first')
  if (!leaf.checkHost(name, { subject: 'never' })) throw refused(`it is not for ${name}, but for ${namesOf(leaf)}`)
  if (!isKeyOf(leaf, key)) throw refused('it is not for this private key')
  const problem = linkProblem([leaf, ...chain])
  if (problem !== undefined) throw refused(problem)
  const [notBefore, notAfter] = [leaf.validFromDate.getTime(), leaf.validToDate.getTime()]
  if (notAfter <= now) throw refused(`it expired on ${leaf.validToDate.toISOString().slice(0, 10)}`)
  // Written anew: what people paste together is not always what OpenSSL takes.
  const normal = { cert: [leaf, ...chain].map(String).join(''), key: createPrivateKey(key).export(PKCS8).toString() }
  return { ...normal, notBefore, notAfter, issuer: issuerOf(leaf) }
}

function parseChain(pem: string): X509Certificate[] {
  if (pem.length > MOST_BYTES) throw refused('it is too long for a certificate')
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g) ?? []
  if (blocks.length > MOST_CERTIFICATES) throw refused('its chain is too long')
  try {
    return blocks.map((block) => new X509Certificate(block))
  } catch (cause) {
    throw refused('a certificate in it cannot be read', cause)
  }
}

/** Each has to be signed by the next one: browsers that mend a broken chain are not the ones at a gate without internet. */
function linkProblem(chain: readonly X509Certificate[]): string | undefined {
  for (const [i, certificate] of chain.entries()) {
    const issuer = chain[i + 1]
    if (!issuer) return undefined
    if (!issuer.ca || !certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey))
      return `certificate ${i + 1} of its chain is not signed by the next one`
  }
  return undefined
}

function isKeyOf(leaf: X509Certificate, key: string): boolean {
  try {
    return leaf.checkPrivateKey(createPrivateKey(key))
  } catch (cause) {
    throw refused('its key is not a private key in PEM without a password', cause)
  }
}

function issuerOf({ issuer }: X509Certificate): string {
  const part = (kind: string) => new RegExp(`^${kind}=(.+)$`, 'm').exec(issuer)?.[1]
  return (part('CN') ?? part('O') ?? 'an unnamed authority').slice(0, 100)
}

function namesOf({ subjectAltName = 'no name' }: X509Certificate): string {
  return subjectAltName.replaceAll('DNS:', '').slice(0, 200)
}

function refused(why: string, cause?: unknown): GatehouseError {
  return new GatehouseError('bad_request', `The certificate was not taken: ${why}.`, { cause })
}
