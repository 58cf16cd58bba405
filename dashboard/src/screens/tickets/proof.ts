/**
 * Checks a box's proof on this tablet: RFC 9162, section 2.1.3.2, and the signature of the C2SP checkpoint.
 * It shows that the answer is in the record which the box signed; that the key is this box's, its page says.
 */
import { fromBase64 } from '@gatehouse/proto/base64.ts'
import { webCryptoVerify } from '@gatehouse/proto/ed25519.ts'
import { checkedVerifierKey } from '@gatehouse/proto/verifier-key.ts'
import type { Attendance } from '@gatehouse/proto/wire/seal.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** True when every entry is in the tree of the checkpoint, and the box's key has signed that. WebCrypto: a secure context. */
export async function proofHolds(attendance: Attendance, verifierKey: string): Promise<boolean> {
  const note = await signedNote(attendance.checkpoint, verifierKey)
  if (!note) return false
  for (const proven of attendance.entries) {
    const root = proven.size === note.size ? await rootFrom(proven) : undefined
    if (!root || !equal(root, note.root)) return false
  }
  return true
}

export interface Head {
  size: number
  root: Bytes
}

/** The tree head in a note that the given key has signed; undefined for every other note. */
export async function signedNote(note: string, verifierKey: string): Promise<Head | undefined> {
  const key = await checkedVerifierKey(verifierKey)
  const [, text = '', origin, size = '', root = '', name, encoded = ''] =
    /^((.+)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/=]+)\n)\n— (\S+) ([A-Za-z0-9+/=]+)\n$/.exec(note) ?? []
  const [signature, rootBytes] = [fromBase64(encoded), fromBase64(root)]
  if (!key || origin !== key.name || name !== key.name || signature?.length !== 68 || rootBytes?.length !== 32) return
  const id = Array.from(signature.slice(0, 4), (byte) => byte.toString(16).padStart(2, '0')).join('')
  if (id !== key.keyId) return
  const signed = await webCryptoVerify(key.publicKey, new TextEncoder().encode(text), signature.slice(4))
  return signed ? { size: Number(size), root: rootBytes } : undefined
}

async function rootFrom({ entry, index, size, proof }: Attendance['entries'][number]): Promise<Bytes | undefined> {
  const bytes = fromBase64(entry)
  let [node, last] = [index, size - 1]
  if (!bytes || node > last) return
  let hash = await sha256(Uint8Array.of(0), bytes)
  for (const encoded of proof) {
    const sibling = fromBase64(encoded)
    if (last === 0 || sibling?.length !== 32) return
    if (node % 2 === 1 || node === last) {
      hash = await sha256(Uint8Array.of(1), sibling, hash)
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)]
    } else hash = await sha256(Uint8Array.of(1), hash, sibling)
    ;[node, last] = [half(node), half(last)]
  }
  return last === 0 ? hash : undefined
}

// Not with the bit operators: those take 32 bits.
const half = (n: number) => Math.floor(n / 2)

async function sha256(...parts: Uint8Array[]): Promise<Bytes> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', whole))
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
