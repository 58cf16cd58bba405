/**
 * Signed notes (C2SP signed-note): a text, an empty line, and lines of signatures over the text. Ed25519 only. A note
 * may be an attacker's: nothing of it is used before its signature is verified.
 */
import { type KeyObject, sign } from 'node:crypto'
import { fromBase64, toBase64 } from '@gatehouse/proto/base64.ts'
import { parseVerifierKey } from '@gatehouse/proto/verifier-key.ts'
import { publicKeyOf, rawPublicKey, verifyEd25519 } from '../ed25519.ts'
import { keyId } from './verifier-key.ts'

/** Size limit: more than sixteen signatures of the largest kind and a text of the same length. */
const LONGEST = 256 * 1024
const KEY_ID_BYTES = 4

/** Reason why a note, a checkpoint or a verifier key is invalid. */
export type NoteFailure =
  /** Not `<name>+<key id>+<key>`, of another algorithm, or a key that no verifier may accept (proto/ed25519-rule.ts). */
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
  /** Fewer than three lines, or an empty one. */
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

/** A key to verify notes. */
export interface NoteKey {
  readonly name: string
  /** 4 bytes. */
  readonly id: Uint8Array
  readonly publicKey: KeyObject
}

/** A key to sign notes. */
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
 * @throws NoteError `bad_character` for a text that a note must not contain
 */
export function signNote(text: string, { name, key }: Signer): string {
  if (!isText(text) || !text.endsWith('\n') || !isKeyName(name)) throw new NoteError('bad_character')
  const id = keyId(name, rawPublicKey(key))
  const signature = Buffer.concat([id, sign(null, Buffer.from(text), key)])
  return `${text}\n— ${name} ${toBase64(signature)}\n`
}

/**
 * The text of a note that this key has signed, with its last line feed. Signatures by other keys are ignored.
 * @throws NoteError for any other note
 */
export function openNote(note: string, key: NoteKey): string {
  if (note.length > LONGEST) throw new NoteError('too_long')
  if (!isText(note)) throw new NoteError('bad_character')
  const end = note.lastIndexOf('\n\n') + 1
  const lines = note.slice(end + 1).split('\n')
  // The part after the last line feed.
  if (end === 0 || lines.pop() !== '' || lines.length === 0) throw new NoteError('no_signature')
  const text = note.slice(0, end)
  const signatures = lines.map(readSignatureLine).filter(({ name, id }) => name === key.name && sameBytes(id, key.id))
  if (signatures.length === 0) throw new NoteError('unknown_key')
  const signed = Buffer.from(text)
  for (const { signature } of signatures) {
    if (!verifyEd25519(key.publicKey, signed, signature)) throw new NoteError('wrong_signature')
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

/** True for text that UTF-8 can encode, without control characters other than line feeds. */
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
