/** Ed25519 without WebCrypto. Its random numbers are the browser's: `crypto.getRandomValues` is there on plain HTTP too. */
import { naclKey, naclVerifier } from '@gatehouse/proto/nacl.ts'
import type { Ed25519 } from './ed25519.ts'

const SEED_BYTES = 32

export function naclEd25519(): Ed25519 {
  return {
    ...naclVerifier(),
    async generate() {
      const seed = crypto.getRandomValues(new Uint8Array(SEED_BYTES))
      return { seed, publicKey: naclKey(seed).publicKey }
    },
    fromSeed: async (seed) => naclKey(seed),
    open: async (kept) => ('seed' in kept ? naclKey(kept.seed) : undefined),
  }
}
