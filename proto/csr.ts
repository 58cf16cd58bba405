/**
 * Makes the certificate request (PKCS#10, RFC 2986) that an app sends to enrol, for a key that never leaves its device. The DER
 * is written by hand: an ASN.1 library is larger than the whole app, and there is only this structure to write.
 */
import { toBase64 } from './base64.ts'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
/** SEQUENCE { OID 1.2.840.10045.4.3.2 }, ecdsa-with-SHA256 (RFC 5758, 3.2). */
const ECDSA_WITH_SHA256 = Uint8Array.of(0x30, 0x0a, 6, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2)

const INTEGER = 0x02
const BIT_STRING = 0x03
const SEQUENCE = 0x30
/** `[0] IMPLICIT SET OF Attribute`: required, even when it is empty. */
const ATTRIBUTES = 0xa0

/** A P-256 key pair whose private half no script can read, not even an attacker's in the page. */
export function newDeviceKey(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify'])
}

/** The request for this pair's certificate, PEM. It has no subject: the box assigns one and ignores any in the request. */
export async function certificateRequest({ publicKey, privateKey }: CryptoKeyPair): Promise<string> {
  const spki = new Uint8Array(await crypto.subtle.exportKey('spki', publicKey))
  const version = der(INTEGER, Uint8Array.of(0))
  const info = der(SEQUENCE, version, der(SEQUENCE), spki, der(ATTRIBUTES))
  const signature = new Uint8Array(await crypto.subtle.sign(ALGORITHM, privateKey, info))
  const bits = der(BIT_STRING, Uint8Array.of(0), derSignature(signature))
  return pem('CERTIFICATE REQUEST', der(SEQUENCE, info, ECDSA_WITH_SHA256, bits))
}

/** r then s of 32 bytes each, as WebCrypto gives them, in the form that X.509 requires (RFC 3279, 2.2.3). */
export function derSignature(signature: Uint8Array): Uint8Array<ArrayBuffer> {
  if (signature.length !== 64) throw new RangeError(`a P-256 signature has 64 bytes, not ${signature.length}`)
  return der(SEQUENCE, derInteger(signature.subarray(0, 32)), derInteger(signature.subarray(32)))
}

/** The shortest form of a non-negative number: no leading zeros, except one before a byte whose high bit is set. */
function derInteger(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0)
  const digits = first === -1 ? bytes.subarray(-1) : bytes.subarray(first)
  return der(INTEGER, (digits[0] ?? 0) < 0x80 ? digits : Uint8Array.of(0, ...digits))
}

function der(tag: number, ...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const octets = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  const bytes = new Uint8Array(1 + octets.length + length)
  bytes.set([tag, ...octets])
  let at = 1 + octets.length
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

function pem(label: string, bytes: Uint8Array): string {
  const lines = toBase64(bytes).match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}
