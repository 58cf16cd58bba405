/**
 * Ed25519 with the engine that this page has: WebCrypto in a secure context of a browser that knows the curve, tweetnacl on
 * plain HTTP and in older browsers. A WebCrypto key cannot be exported from the phone. A tweetnacl key can be read by a script
 * that gets into the page, so the screens say that it is weaker.
 */
import { formatCode, keyFromSeed, signedBytes } from '@gatehouse/proto/code.ts'
import { type Ed25519Verifier, knowsEd25519, webCryptoVerifier } from '@gatehouse/proto/ed25519.ts'
import { reimporting } from '@gatehouse/proto/ui/reimport.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** A key as it is stored in IndexedDB, which takes a CryptoKey as it is. */
export type KeptKey = { publicKey: Bytes } & ({ privateKey: CryptoKey } | { seed: Bytes })

/** A ticket's key: the phone's own, or the one that the link's seed makes. */
export interface TicketKey {
  /** 32 bytes */
  publicKey: Bytes
  sign(message: Uint8Array): Promise<Bytes>
}

export interface Ed25519 extends Ed25519Verifier {
  /** A new key of this phone. */
  generate(): Promise<KeptKey>
  fromSeed(seed: Bytes): Promise<TicketKey>
  /** Undefined for a key of the other engine that this one cannot use. */
  open(kept: KeptKey): Promise<TicketKey | undefined>
}

const loadNacl = reimporting(() => import('./nacl.ts'))

/** WebCrypto where it can, else tweetnacl. @param subtle undefined on plain HTTP */
export async function bestEd25519(subtle: SubtleCrypto | undefined = globalThis.crypto.subtle): Promise<Ed25519> {
  if (subtle && (await knowsEd25519(subtle))) return webCryptoEd25519(subtle)
  return (await loadNacl()).naclEd25519()
}

export function webCryptoEd25519(subtle: SubtleCrypto): Ed25519 {
  const keyOf = (publicKey: Bytes, privateKey: CryptoKey): TicketKey => ({
    publicKey,
    sign: async (message) => new Uint8Array(await subtle.sign('Ed25519', privateKey, new Uint8Array(message))),
  })
  return {
    ...webCryptoVerifier(subtle),
    async generate() {
      const { publicKey, privateKey } = (await subtle.generateKey('Ed25519', false, [
        'sign',
        'verify',
      ])) as CryptoKeyPair
      return { publicKey: new Uint8Array(await subtle.exportKey('raw', publicKey)), privateKey }
    },
    async fromSeed(seed) {
      const { publicKey, privateKey } = await keyFromSeed(seed)
      return keyOf(publicKey, privateKey)
    },
    async open(kept) {
      return 'seed' in kept ? this.fromSeed(kept.seed) : keyOf(kept.publicKey, kept.privateKey)
    },
  }
}

/** The text of a rotating code. @param tag 8 bytes, the event's */
export async function rotatingCode(key: TicketKey, tag: Uint8Array, slot: number): Promise<string> {
  const signature = await key.sign(signedBytes(tag, key.publicKey, slot))
  return formatCode({ publicKey: key.publicKey, slot, signature })
}
