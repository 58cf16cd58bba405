/**
 * Reads a certificate request (PKCS#10, RFC 2986) that somebody brought: whoever obtains a certificate for it lends their proof of the
 * name to its key, so name and key are read before anything is ordered.
 */
import 'reflect-metadata'
import { createHash } from 'node:crypto'
import { Pkcs10CertificateRequest, SubjectAlternativeNameExtension } from '@peculiar/x509'
import { GatehouseError } from '../errors.ts'

export interface CertificateRequest {
  /** The request alone, PEM. */
  readonly pem: string
  /** Host names that it asks for. */
  readonly names: readonly string[]
  /** `sha256:` and hex, of its public key (SPKI): what people compare. */
  readonly keyFingerprint: string
}

/** A request with a P-256 key has 500 characters, with a large RSA key 2,000. */
const LONGEST = 8192

/** @param pem as a file has it @throws GatehouseError `bad_request` for what is none, or is not signed by its own key */
export async function readRequest(pem: string): Promise<CertificateRequest> {
  if (pem.length > LONGEST) throw refused(`it is longer than ${LONGEST} characters`)
  const [block] =
    /-----BEGIN (NEW )?CERTIFICATE REQUEST-----[A-Za-z0-9+/=\s]+-----END (NEW )?CERTIFICATE REQUEST-----/.exec(pem) ??
    []
  if (block === undefined) throw refused('there is no certificate request in it, in PEM')
  let request: Pkcs10CertificateRequest
  let isProven: boolean
  try {
    request = new Pkcs10CertificateRequest(block)
    isProven = await request.verify()
  } catch (cause) {
    throw refused('it cannot be read', cause)
  }
  if (!isProven) throw refused('it is not signed by its own key')
  const alternative = request.extensions.find((one) => one instanceof SubjectAlternativeNameExtension)
  const listed = alternative?.names.items.map(({ type, value }) => (type === 'dns' ? value : `${type}:${value}`)) ?? []
  const common = request.subjectName.getField('CN')
  const digest = createHash('sha256').update(Buffer.from(request.publicKey.rawData)).digest('hex')
  return {
    pem: block,
    names: [...new Set([...common, ...listed].map((name) => name.toLowerCase()))],
    keyFingerprint: `sha256:${digest}`,
  }
}

function refused(why: string, cause?: unknown): GatehouseError {
  return new GatehouseError('bad_request', `The request was not taken: ${why}.`, { cause })
}
