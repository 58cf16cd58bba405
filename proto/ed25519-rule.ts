/**
 * The Ed25519 keys and signatures that count: strict RFC 8032 (5.1.3, 5.1.7), and no point of small order. Verifiers differ
 * here: tweetnacl, and engines older than the ones that we test, accept S + L in the place of S and keys of small order, with
 * which one signature is good for many messages. A scanner that is alone and its box must give one answer, so this rule stands in front of
 * every verifier. What it lets pass, all of them judge by the same equation, [S]B = R + [k]A. That A and R are points of
 * the curve is theirs to check. For public data only: it does not run in constant time.
 */

const KEY_BYTES = 32
const SIGNATURE_BYTES = 64

/** 2^255 - 19, little-endian: the y of a point is below it. */
const PRIME = fromHex('edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f')
/** L, the order of the base point, little-endian: S is below it. */
const ORDER = fromHex('edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010')
/** The y of every point whose order divides 8 (the cofactor), little-endian. */
const SMALL_ORDER = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
].map(fromHex)
/** The highest bit of an encoded point is the sign of x. */
const WITHOUT_SIGN = 0x7f

/** True if these bytes can serve as a public key. That they are a point of the curve follows from a good signature. */
export function isStrictKey(publicKey: Uint8Array): boolean {
  return publicKey.length === KEY_BYTES && isStrictPoint(publicKey)
}

/** True if a verifier is asked at all. Where this is false, the signature is wrong, whatever a verifier says. */
export function isStrict(publicKey: Uint8Array, signature: Uint8Array): boolean {
  return (
    isStrictKey(publicKey) &&
    signature.length === SIGNATURE_BYTES &&
    isStrictPoint(signature) &&
    compare(signature, SIGNATURE_BYTES / 2, ORDER, 0xff) < 0
  )
}

/** Of the first 32 bytes. The two encodings of x = 0 with a sign are among those of small order. */
function isStrictPoint(bytes: Uint8Array): boolean {
  if (compare(bytes, 0, PRIME, WITHOUT_SIGN) >= 0) return false
  for (const y of SMALL_ORDER) if (compare(bytes, 0, y, WITHOUT_SIGN) === 0) return false
  return true
}

/** Of 32 bytes from `at` with a number, both little-endian: below 0, 0, or above 0. @param top mask of the last byte */
function compare(bytes: Uint8Array, at: number, number: Uint8Array, top: number): number {
  let difference = ((bytes[at + 31] ?? 0) & top) - (number[31] ?? 0)
  for (let i = 30; i >= 0 && difference === 0; i--) difference = (bytes[at + i] ?? 0) - (number[i] ?? 0)
  return difference
}

function fromHex(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16))
}
