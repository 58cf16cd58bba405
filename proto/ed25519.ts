/**
 * Verifies Ed25519 by whichever engine this page has: WebCrypto in a secure context of a browser that knows the curve,
 * tweetnacl on plain HTTP and in older browsers.
 */

type Bytes = Uint8Array<ArrayBuffer>

export interface Ed25519Verifier {
  name: 'webcrypto' | 'tweetnacl'
  /** False for anything that is no signature of this key, also where key or signature have another size. */
  verify: (publicKey: Bytes, message: Bytes, signature: Bytes) => Promise<boolean>
  sha256: (bytes: Bytes) => Promise<Uint8Array>
}

/** WebCrypto where it can, else tweetnacl, which is loaded then. @param subtle undefined on plain HTTP */
export async function bestVerifier(
  subtle: SubtleCrypto | undefined = globalThis.crypto.subtle,
): Promise<Ed25519Verifier> {
  if (subtle && (await knowsEd25519(subtle))) return webCryptoVerifier(subtle)
  return (await import('./nacl.ts')).naclVerifier()
}

export async function knowsEd25519(subtle: SubtleCrypto): Promise<boolean> {
  try {
    await subtle.generateKey('Ed25519', false, ['sign', 'verify'])
    return true
  } catch {
    return false
  }
}

/** For an engine that knows the curve. */
export function webCryptoVerifier(subtle: SubtleCrypto): Ed25519Verifier & { name: 'webcrypto' } {
  return {
    name: 'webcrypto',
    async verify(publicKey, message, signature) {
      try {
        const key = await subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify'])
        return await subtle.verify('Ed25519', key, signature, message)
      } catch {
        // 32 bytes that are no point of the curve. That the engine knows the curve was found out before.
        return false
      }
    },
    sha256: async (bytes) => new Uint8Array(await subtle.digest('SHA-256', bytes)),
  }
}
