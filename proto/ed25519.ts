/**
 * Verifies Ed25519 signatures: with WebCrypto in a secure context of a browser that supports the curve, with tweetnacl on plain
 * HTTP and in older browsers. Both behind one rule (ed25519-rule.ts), so that they give one answer.
 */
import { isStrict } from './ed25519-rule.ts'

type Bytes = Uint8Array<ArrayBuffer>

export interface Ed25519Verifier {
  name: 'webcrypto' | 'tweetnacl'
  /** False for anything but a signature by this key, also for a key or signature of the wrong size. */
  verify: (publicKey: Bytes, message: Bytes, signature: Bytes) => Promise<boolean>
  sha256: (bytes: Bytes) => Promise<Uint8Array>
}

/** WebCrypto where it supports the curve, otherwise tweetnacl, which is loaded then. @param subtle undefined on plain HTTP */
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
    verify: (publicKey, message, signature) => webCryptoVerify(publicKey, message, signature, subtle),
    sha256: async (bytes) => new Uint8Array(await subtle.digest('SHA-256', bytes)),
  }
}

/**
 * As `Ed25519Verifier.verify`. @param subtle that of a secure context (https, or localhost)
 * @throws DOMException `NotSupportedError` where the engine does not know the curve: that must not look like a forgery
 */
export async function webCryptoVerify(
  publicKey: Bytes,
  message: Bytes,
  signature: Bytes,
  subtle: SubtleCrypto = crypto.subtle,
): Promise<boolean> {
  if (!isStrict(publicKey, signature)) return false
  try {
    const key = await subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify'])
    return await subtle.verify('Ed25519', key, signature, message)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotSupportedError') throw error
    // 32 bytes that are not a point of the curve: some engines refuse them at import.
    return false
  }
}
