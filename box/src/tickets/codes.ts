/** Reads what a scanner read: which credential it is, and whether it may be believed. */
import { createHmac, createPublicKey, createSecretKey, type KeyObject, verify } from 'node:crypto'
import { parseCode, signedBytes } from '@gatehouse/proto/code.ts'

/** `codeHash` opens a ticket, if there is one. Undefined: no credential at all, or a forged one. */
export type ShownCode =
  | { codeHash: Buffer; kind: 'static' }
  | { codeHash: Buffer; kind: 'rotating'; slot: number; publicKey: Uint8Array }
  | undefined

export class CodeReader {
  readonly #salt: KeyObject
  readonly #eventTag: Uint8Array

  /** @param salt the manifest's salt @param eventTag 8 bytes, `eventTag(event id)` */
  constructor(salt: Uint8Array, eventTag: Uint8Array) {
    this.#salt = createSecretKey(salt)
    this.#eventTag = eventTag
  }

  /** First 16 bytes of HMAC-SHA-256(salt, credential): how a code is known without being kept (architecture, 8). */
  hash(credential: Uint8Array | string): Buffer {
    return createHmac('sha256', this.#salt).update(credential).digest().subarray(0, 16)
  }

  /** The attacker controls every byte of `payload`. */
  read(payload: string): ShownCode {
    const code = parseCode(payload)
    if (!code) return { codeHash: this.hash(payload), kind: 'static' }
    const message = signedBytes(this.#eventTag, code.publicKey, code.slot)
    if (!verifyEd25519(code.publicKey, message, code.signature)) return undefined
    return { codeHash: this.hash(code.publicKey), kind: 'rotating', slot: code.slot, publicKey: code.publicKey }
  }
}

/** In the caller's thread: a scan waits for it. @param publicKey 32 bytes; any that are no key verify nothing */
export function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' })
  return verify(null, message, key, signature)
}

/** SubjectPublicKeyInfo of Ed25519 up to the key itself (RFC 8410). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')
