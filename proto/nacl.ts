/** Ed25519 without WebCrypto, for plain HTTP and for browsers that do not support the curve. Imported only where needed. */
import { sha256 } from '@noble/hashes/sha2.js'
import nacl from 'tweetnacl'
import type { Ed25519Verifier } from './ed25519.ts'
import { isStrict } from './ed25519-rule.ts'

export function naclVerifier(): Ed25519Verifier & { name: 'tweetnacl' } {
  return {
    name: 'tweetnacl',
    async verify(publicKey, message, signature) {
      // Also because tweetnacl throws for another length, and a signature is the attacker's to choose.
      return isStrict(publicKey, signature) && nacl.sign.detached.verify(message, signature, publicKey)
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
