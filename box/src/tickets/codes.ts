/** Parses what a scanner has read: which credential it is, and whether its signature holds. */
import { parseCode, signedBytes } from '@gatehouse/proto/code.ts'
import { bareCode } from '@gatehouse/proto/payload.ts'
import { verifyEd25519 } from '../ed25519.ts'
import { HmacKey } from '../hmac.ts'

/** `codeHash` is looked up among the credentials. Undefined for a rotating code with a wrong signature. */
export type ShownCode =
  | { codeHash: Buffer; kind: 'static' }
  | { codeHash: Buffer; kind: 'rotating'; slot: number; publicKey: Uint8Array }
  | undefined

export class CodeReader {
  readonly #salt: HmacKey
  readonly #eventTag: Uint8Array

  /** @param salt the manifest's salt @param eventTag 8 bytes, `eventTag(event id)` */
  constructor(salt: Uint8Array, eventTag: Uint8Array) {
    this.#salt = new HmacKey(salt)
    this.#eventTag = eventTag
  }

  /** First 16 bytes of HMAC-SHA-256(salt, credential): identifies a code that is not stored. */
  hash(credential: Uint8Array | string): Buffer {
    return this.#salt.digest(credential).subarray(0, 16)
  }

  /** The attacker controls every byte of `payload`. */
  read(payload: string): ShownCode {
    const text = bareCode(payload)
    const code = parseCode(text)
    if (!code) return { codeHash: this.hash(text), kind: 'static' }
    const message = signedBytes(this.#eventTag, code.publicKey, code.slot)
    if (!verifyEd25519(code.publicKey, message, code.signature)) return undefined
    return { codeHash: this.hash(code.publicKey), kind: 'rotating', slot: code.slot, publicKey: code.publicKey }
  }
}
