/** The common parts of all certificates (RFC 5280): names, serial numbers, dates, and the signature. */
import { type KeyObject, randomBytes } from 'node:crypto'
import { Name, type X509Certificate } from '@peculiar/x509'

export const SIGNING = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
export const NAME_CONSTRAINTS = '2.5.29.30'

/** @param key P-256 */
export function toSigningKey(key: KeyObject): Promise<CryptoKey> {
  return crypto.subtle.importKey('pkcs8', key.export({ format: 'der', type: 'pkcs8' }), SIGNING, false, ['sign'])
}

export function nameOf(fields: Record<string, string>): Name {
  return new Name(Object.entries(fields).map(([field, value]) => ({ [field]: [{ utf8String: value }] })))
}

/** 128 bits, positive, of constant length. Unpredictable on purpose, like a key, and so not an argument. */
export function newSerial(): string {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40
  return bytes.toString('hex')
}

export function wholeSecond(ms: number): Date {
  return new Date(Math.floor(ms / 1000) * 1000)
}

export function pemOf(certificate: X509Certificate): string {
  return `${certificate.toString('pem')}\n`
}

export function pkcs8(key: KeyObject): string {
  return key.export({ format: 'pem', type: 'pkcs8' }).toString()
}
