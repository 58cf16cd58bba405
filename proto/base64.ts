// Base64 and Base64url (RFC 4648, sections 4 and 5), for phones whose engine lacks Uint8Array.fromBase64. Stricter than atob:
// no white space, padding exactly where it belongs, unused bits zero. Text that is signed or compared must have one spelling.

const STANDARD = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const URL_SAFE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const STANDARD_VALUES = valuesOf(STANDARD)
const URL_SAFE_VALUES = valuesOf(URL_SAFE)

/** Base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  const text = new Uint8Array(Math.ceil(bytes.length / 3) * 4).fill('='.charCodeAt(0))
  let at = 0
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xffff
    bits += 8
    while (bits >= 6) {
      bits -= 6
      text[at++] = STANDARD.charCodeAt((held >> bits) & 63)
    }
  }
  if (bits > 0) text[at] = STANDARD.charCodeAt((held << (6 - bits)) & 63)
  return new TextDecoder().decode(text)
}

/** The bytes of padded Base64; undefined for any other text, and for another spelling of the same bytes. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 4 !== 0) return undefined
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return decode(text, text.length - padding, STANDARD_VALUES)
}

/** The bytes of unpadded Base64url; undefined for any other text, and for another spelling of the same bytes. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  return decode(text, text.length, URL_SAFE_VALUES)
}

function valuesOf(alphabet: string): Uint8Array {
  const values = new Uint8Array(128).fill(255)
  for (let i = 0; i < 64; i++) values[alphabet.charCodeAt(i)] = i
  return values
}

function decode(text: string, length: number, values: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  if (length % 4 === 1) return undefined
  const bytes = new Uint8Array(Math.floor((length * 3) / 4))
  let at = 0
  let bits = 0
  let held = 0
  for (let i = 0; i < length; i++) {
    const value = values[text.charCodeAt(i)] ?? 255
    if (value === 255) return undefined
    held = ((held << 6) | value) & 0xffff
    bits += 6
    if (bits >= 8) {
      bits -= 8
      bytes[at++] = held >> bits
    }
  }
  return (held & ((1 << bits) - 1)) === 0 ? bytes : undefined
}
