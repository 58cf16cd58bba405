/** Keys that sign and verify requests. */
/** Both make signatures of 64 bytes: ECDSA as r then s (IEEE P1363, as WebCrypto gives it), or Ed25519. */
export type Algorithm = 'ecdsa-p256-sha256' | 'ed25519'

export type SigningKey = {
  keyId: string
  alg: Algorithm
  sign: (base: Uint8Array) => Promise<Uint8Array>
}

export type VerifyingKey = {
  alg: Algorithm
  /** For Ed25519 behind the rule of ed25519-rule.ts. */
  verify: (base: Uint8Array, signature: Uint8Array) => boolean | Promise<boolean>
}

export type Sha256 = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>

const WEB_CRYPTO = {
  'ecdsa-p256-sha256': { name: 'ECDSA', hash: 'SHA-256' },
  ed25519: { name: 'Ed25519' },
} as const satisfies Record<Algorithm, object>

/** Signs with a WebCrypto key, which may be non-extractable. */
export function webCryptoSigner(alg: Algorithm, key: CryptoKey): SigningKey['sign'] {
  return async (base) => new Uint8Array(await crypto.subtle.sign(WEB_CRYPTO[alg], key, toArrayBuffer(base)))
}

export async function webCryptoSha256(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', toArrayBuffer(bytes)))
}

/** WebCrypto refuses a view over a SharedArrayBuffer, which the type of a Buffer allows. */
export function toArrayBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}
