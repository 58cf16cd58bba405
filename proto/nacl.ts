/** Ed25519 without WebCrypto: for plain HTTP, and for browsers that do not know the curve. Import it when it is needed. */
import nacl from 'tweetnacl'
import type { Ed25519Verifier } from './ed25519.ts'
import { sha256 } from './sha256.ts'

const KEY_BYTES = 32
const SIGNATURE_BYTES = 64

export function naclVerifier(): Ed25519Verifier & { name: 'tweetnacl' } {
  return {
    name: 'tweetnacl',
    async verify(publicKey, message, signature) {
      // tweetnacl throws for a signature of another length, and a signature is the attacker's to choose.
      if (signature.length !== SIGNATURE_BYTES || publicKey.length !== KEY_BYTES) return false
      return nacl.sign.detached.verify(message, signature, publicKey)
    },
    sha256: async (bytes) => sha256(bytes),
  }
}

/** The key pair of a 32-byte seed. */
export function naclKey(seed: Uint8Array) {
  const { publicKey, secretKey } = nacl.sign.keyPair.fromSeed(seed)
  return {
    publicKey: new Uint8Array(publicKey),
    sign: async (message: Uint8Array) => new Uint8Array(nacl.sign.detached(new Uint8Array(message), secretKey)),
  }
}
