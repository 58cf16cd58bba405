/**
 * Signed notes (C2SP signed-note): a text, an empty line, and lines of signatures over the text. Ed25519 alone. A note
 * comes from whoever wants it believed: nothing of it is used before the signature has been checked.
 */
import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { fromBase64, toBase64 } from '@gatehouse/proto/base64.ts'
import { parseVerifierKey } from '@gatehouse/proto/verifier-key.ts'
import { keyId } from './verifier-key.ts'

/** Sixteen signatures of the largest kind that there is, and a text as long, are less. */
const LONGEST = 256 * 1024
const KEY_ID_BYTES = 4

/** Why a note, a checkpoint or a verifier key is none. */
export type NoteFailure =
  /** Not `<name>+<key id>+<key>`, or of another algorithm. */
  | 'bad_verifier_key'
  /** A verifier key whose id is not the one of its name and key: mistyped, or put together from two. */
  | 'wrong_key_id'
  | 'too_long'
  /** A control character, or half of a surrogate pair. */
  | 'bad_character'
  /** No empty line with at least one signature below. */
  | 'no_signature'
  | 'bad_signature_line'
  /** Signed, but not by this key. */
  | 'unknown_key'
  | 'wrong_signature'
  /** Not three lines or more, all of them with something in them. */
  | 'bad_lines'
  /** A checkpoint of another log than the key's. */
  | 'wrong_origin'
  | 'bad_size'
  | 'bad_root'

export class NoteError extends Error {
  override readonly name = 'NoteError'
  readonly code: NoteFailure

  constructor(code: NoteFailure) {
    super(`Not a note by this key: ${code}.`)
    this.code = code
  }
}

/** What a note is checked with. */
export interface NoteKey {
  readonly name: string
  /** 4 bytes. */
  readonly id: Uint8Array
  readonly publicKey: KeyObject
}

/** What a note is signed with. */
export interface Signer {
  /** Without spaces and pluses. */
  readonly name: string
  /** Ed25519, private. */
  readonly key: KeyObject
}

/** @throws NoteError `bad_verifier_key`, `wrong_key_id` */
export function readVerifierKey(text: string): NoteKey {
  const parsed = parseVerifierKey(text)
  if (!parsed || !isKeyName(parsed.name)) throw new NoteError('bad_verifier_key')
  const id = keyId(parsed.name, parsed.publicKey)
  if (id.toString('hex') !== parsed.keyId) throw new NoteError('wrong_key_id')
  return { name: parsed.name, id, publicKey: publicKeyOf(parsed.publicKey) }
}

/**
 * @param text ends with a line feed
 * @throws NoteError `bad_character` for a text that no note may hold
 */
export function signNote(text: string, { name, key }: Signer): string {
  if (!isText(text) || !text.endsWith('\n') || !isKeyName(name)) throw new NoteError('bad_character')
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  const id = keyId(name, Buffer.from(x, 'base64url'))
  const signature = Buffer.concat([id, sign(null, Buffer.from(text), key)])
  return `${text}\n— ${name} ${toBase64(signature)}\n`
}

/**
 * The text of a note that this key has signed, with its last line feed. Signatures by other keys are passed over.
 * @throws NoteError for any other note
 */
export function openNote(note: string, key: NoteKey): string {
  if (note.length > LONGEST) throw new NoteError('too_long')
  if (!isText(note)) throw new NoteError('bad_character')
  const end = note.lastIndexOf('\n\n') + 1
  const lines = note.slice(end + 1).split('\n')
  // What follows the last line feed.
  if (end === 0 || lines.pop() !== '' || lines.length === 0) throw new NoteError('no_signature')
  const text = note.slice(0, end)
  const signatures = lines.map(readSignatureLine).filter(({ name, id }) => name === key.name && sameBytes(id, key.id))
  if (signatures.length === 0) throw new NoteError('unknown_key')
  const signed = Buffer.from(text)
  for (const { signature } of signatures) {
    if (!verify(null, signed, key.publicKey, signature)) throw new NoteError('wrong_signature')
  }
  return text
}

function readSignatureLine(line: string): { name: string; id: Uint8Array; signature: Uint8Array } {
  const [dash, name = '', encoded = '', ...more] = line.split(' ')
  const bytes = fromBase64(encoded)
  if (dash !== '—' || !isKeyName(name) || !bytes || bytes.length <= KEY_ID_BYTES || more.length > 0) {
    throw new NoteError('bad_signature_line')
  }
  return { name, id: bytes.subarray(0, KEY_ID_BYTES), signature: bytes.subarray(KEY_ID_BYTES) }
}

function isKeyName(name: string): boolean {
  return name !== '' && isText(name) && !/[+\p{White_Space}]/u.test(name)
}

/** Whether it is what UTF-8 can say, without control characters other than line feeds. */
function isText(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x20 && code !== 0x0a) return false
  }
  return text.isWellFormed()
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}

function publicKeyOf(raw: Uint8Array): KeyObject {
  const x = Buffer.from(raw).toString('base64url')
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}
