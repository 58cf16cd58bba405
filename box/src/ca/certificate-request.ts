/**
 * Reads the certificate request of a device that pairs (PKCS#10, RFC 2986). Anybody with an invite may have made it.
 * Only its public key is used; the names, usages and extensions that it requests are
 * ignored.
 */
import 'reflect-metadata'
import type { KeyObject } from 'node:crypto'
import { Pkcs10CertificateRequest } from '@peculiar/x509'
import { GatehouseError } from '../errors.ts'
import { readP256 } from './p256.ts'
import { pemBlock } from './pem.ts'

// A request for a P-256 key has about 500 characters; a megabyte of nesting must not reach the ASN.1 parser.
const LONGEST = 8192

/**
 * The public key of a certificate request in PEM, once the request's own signature has shown that the asker holds the
 * private half. P-256 only: what every browser can make and no phone refuses.
 * @throws GatehouseError `bad_request` for anything else
 */
export async function provenKeyOf(pem: string): Promise<KeyObject> {
  if (pem.length > LONGEST) throw refused(`is longer than ${LONGEST} characters`)
  const block = pemBlock(pem, 'CERTIFICATE REQUEST') ?? pemBlock(pem, 'NEW CERTIFICATE REQUEST')
  if (!block) throw refused('is not a certificate request in PEM')

  let key: KeyObject
  let proven: boolean
  try {
    const request = new Pkcs10CertificateRequest(block)
    const found = readP256(Buffer.from(request.publicKey.rawData))
    if (!found) throw refused('must be for an EC key on the curve P-256')
    key = found
    proven = await request.verify()
  } catch (error) {
    if (error instanceof GatehouseError) throw error
    throw refused('cannot be read', error)
  }
  if (!proven) throw refused('is not signed by its own key')
  return key
}

function refused(what: string, cause?: unknown): GatehouseError {
  return new GatehouseError(
    'bad_request',
    `The field csr ${what}: make a new key and request on the device, and pair again.`,
    { cause },
  )
}
