/** Ed25519 without WebCrypto. Its random numbers are the browser's: `crypto.getRandomValues` is there on plain HTTP too. */
import { sha256 } from '@gatehouse/proto/sha256.ts'
import nacl from 'tweetnacl'
import type { Ed25519, TicketKey } from './ed25519.ts'

const SEED_BYTES = 32
const SIGNATURE_BYTES = 64

export function naclEd25519(): Ed25519 {
  const keyOf = (seed: Uint8Array): TicketKey => {
    const { publicKey, secretKey } = nacl.sign.keyPair.fromSeed(seed)
    return {
      publicKey: new Uint8Array(publicKey),
      sign: async (message) => new Uint8Array(nacl.sign.detached(new Uint8Array(message), secretKey)),
    }
  }
  return {
    name: 'tweetnacl',
    async generate() {
      const seed = crypto.getRandomValues(new Uint8Array(SEED_BYTES))
      return { seed, publicKey: keyOf(seed).publicKey }
    },
    fromSeed: async (seed) => keyOf(seed),
    open: async (kept) => ('seed' in kept ? keyOf(kept.seed) : undefined),
    async verify(publicKey, message, signature) {
      // tweetnacl throws for a signature of another length, and a signature is the attacker's to choose.
      if (signature.length !== SIGNATURE_BYTES || publicKey.length !== SEED_BYTES) return false
      return nacl.sign.detached.verify(message, signature, publicKey)
    },
    sha256: async (bytes) => sha256(bytes),
  }
}
