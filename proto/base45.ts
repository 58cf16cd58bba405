// Base45 (RFC 9285). Its alphabet is that of the QR code's alphanumeric mode, in which a character takes 5.5 bits and not 8.

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:'

const VALUES = new Uint8Array(128).fill(255)
for (let i = 0; i < ALPHABET.length; i++) VALUES[ALPHABET.charCodeAt(i)] = i

/** Bytes as Base45: three characters for each pair, two for a last odd byte. */
export function encodeBase45(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 2) {
    const high = bytes[i] ?? 0
    const low = bytes[i + 1]
    const value = low === undefined ? high : high * 256 + low
    text += ALPHABET.charAt(value % 45) + ALPHABET.charAt(Math.floor(value / 45) % 45)
    if (low !== undefined) text += ALPHABET.charAt(Math.floor(value / 2025))
  }
  return text
}

/**
 * The bytes of a Base45 text; undefined for anything else: a character outside the alphabet (lower case too), an impossible
 * length, or a group whose value exceeds its bytes. Each value has exactly one text, so that nobody can spell a code in two
 * ways.
 */
export function decodeBase45(text: string): Uint8Array<ArrayBuffer> | undefined {
  const rest = text.length % 3
  if (rest === 1) return undefined
  const bytes = new Uint8Array(Math.floor(text.length / 3) * 2 + rest / 2)
  let at = 0
  for (let i = 0; i < text.length; i += 3) {
    const pair = i + 2 < text.length
    const c = valueAt(text, i)
    const d = valueAt(text, i + 1)
    const e = pair ? valueAt(text, i + 2) : 0
    const value = c + d * 45 + e * 2025
    if (c === 255 || d === 255 || e === 255 || value > (pair ? 0xffff : 0xff)) return undefined
    if (pair) bytes[at++] = value >> 8
    bytes[at++] = value & 0xff
  }
  return bytes
}

function valueAt(text: string, index: number): number {
  return VALUES[text.charCodeAt(index)] ?? 255
}
