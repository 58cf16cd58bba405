// As much of X.509 (RFC 5280, 4.1) as a device needs to know its certificate's bytes and expiry.
import { fromBase64 } from '@gatehouse/proto/base64.ts'

const SEQUENCE = 0x30
const UTC_TIME = 0x17
const GENERALIZED_TIME = 0x18
const VERSION = 0xa0

/** The DER of the first certificate in a PEM text; undefined where there is none. */
export function certificateBytes(pem: string): Uint8Array<ArrayBuffer> | undefined {
  const block = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/.exec(pem)?.[1]
  return block === undefined ? undefined : fromBase64(block.replace(/\s/g, ''))
}

/** The expiry of a certificate, unix ms; undefined for bytes that are not a certificate. */
export function certificateEnd(bytes: Uint8Array): number | undefined {
  const certificate = children(bytes)[0]
  const fields = children(children(certificate?.content)[0]?.content)
  // version (optional), serial number, signature, issuer, validity
  const validity = fields[fields[0]?.tag === VERSION ? 4 : 3]
  const notAfter = validity?.tag === SEQUENCE ? children(validity.content)[1] : undefined
  if (!notAfter) return undefined
  const text = new TextDecoder().decode(notAfter.content)
  const match = /^(\d{2,4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(text)
  if (!match) return undefined
  const [year = 0, month = 0, ...rest] = match.slice(1).map(Number)
  const full = notAfter.tag === UTC_TIME ? (year < 50 ? 2000 : 1900) + year : year
  if (notAfter.tag !== UTC_TIME && notAfter.tag !== GENERALIZED_TIME) return undefined
  const [day = 0, hour = 0, minute = 0, second = 0] = rest
  return Date.UTC(full, month - 1, day, hour, minute, second)
}

interface Element {
  tag: number
  content: Uint8Array
}

/** The elements of some DER, one after the other; stops at the first that is malformed. */
function children(bytes: Uint8Array = new Uint8Array()): Element[] {
  const found: Element[] = []
  for (let at = 0; at + 2 <= bytes.length; ) {
    const tag = bytes[at] ?? 0
    let length = bytes[at + 1] ?? 0
    let start = at + 2
    if (length > 0x80) {
      const octets = length & 0x7f
      length = bytes.subarray(start, start + octets).reduce((sum, byte) => sum * 256 + byte, 0)
      start += octets
    }
    if (start + length > bytes.length) break
    found.push({ tag, content: bytes.subarray(start, start + length) })
    at = start + length
  }
  return found
}
