/** Keys as nats-server writes them: base32 (RFC 4648) of prefix, key and CRC-16. (github.com/nats-io/nkeys) */
const USER = 20 << 3
const SEED = 18 << 3
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** @param raw 32 bytes: the public key of Ed25519. @returns 56 characters that begin with `U` */
export function userKey(raw: Uint8Array): string {
  return encoded(Buffer.concat([Buffer.of(USER), raw]))
}

/** @param seed 32 bytes. @returns 58 characters that begin with `SU`: secret */
export function userSeed(seed: Uint8Array): string {
  return encoded(Buffer.concat([Buffer.of(SEED | (USER >> 5), (USER & 31) << 3), seed]))
}

function encoded(bytes: Buffer): string {
  const sum = crc16(bytes)
  const all = [...bytes, sum & 0xff, sum >> 8]
  const bits = all.map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** CRC-16/XMODEM. */
function crc16(bytes: Uint8Array): number {
  let sum = 0
  for (const byte of bytes) {
    sum ^= byte << 8
    for (let bit = 0; bit < 8; bit++) sum = ((sum << 1) ^ (sum & 0x8000 ? 0x1021 : 0)) & 0xffff
  }
  return sum
}
