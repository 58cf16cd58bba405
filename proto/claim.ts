/**
 * A claim makes a ticket one phone's own: the phone's key replaces the seed that everybody had who had the link. The
 * proof shows that whoever registers a public key holds its private half, for this ticket and no other.
 */

/** The bytes that a claim's proof signs: `gatehouse/claim/v1`, NUL, the ticket id. */
export function claimBytes(ticketId: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`gatehouse/claim/v1\0${ticketId}`)
}

/**
 * Points of small order, little-endian, without the sign bit (Curve25519's cofactor is 8). Under such a "key" some
 * engines accept one signature for many messages, so a claim with it would open the ticket to anybody.
 */
const SMALL_ORDER = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]

/** Whether 32 bytes can serve as a ticket's Ed25519 key. That they are a point at all, the proof shows. */
export function isUsableKey(publicKey: Uint8Array): boolean {
  if (publicKey.length !== 32) return false
  const hex = Array.from(publicKey, (byte, i) => (i === 31 ? byte & 0x7f : byte).toString(16).padStart(2, '0')).join('')
  return !SMALL_ORDER.includes(hex)
}
