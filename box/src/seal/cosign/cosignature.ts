/** Timestamped cosignatures of checkpoints: C2SP tlog-cosignature (cosignature/v1), Ed25519. */
import { createHash, sign } from 'node:crypto'
import { fromBase64, toBase64 } from '@gatehouse/proto/base64.ts'
import { rawPublicKey, verifyEd25519 } from '../../ed25519.ts'
import type { NoteKey, Signer } from '../note.ts'

const COSIGNATURE_V1 = 0x04
const TIME_BYTES = 8
const LENGTH = 4 + TIME_BYTES + 64

/**
 * The line that a witness adds to the signatures of a checkpoint.
 * @param text of the checkpoint, with its last line feed and without signatures
 * @param at unix ms: when the witness compared the seal with its own copy
 */
export function cosign(text: string, { name, key }: Signer, at: number): string {
  const seconds = Math.floor(at / 1000)
  const time = Buffer.alloc(TIME_BYTES)
  time.writeBigUInt64BE(BigInt(seconds))
  const signature = sign(null, messageOf(text, seconds), key)
  return `— ${name} ${toBase64(Buffer.concat([keyIdOf(name, rawPublicKey(key)), time, signature]))}`
}

/**
 * @param key of the witness's log: its name, and its public key
 * @returns when it was signed, unix seconds; undefined for a line that is not this witness's signature of this checkpoint
 */
export function cosignedAt(line: string, text: string, { name, publicKey }: NoteKey): number | undefined {
  const [dash, signer, encoded = '', ...more] = line.split(' ')
  const bytes = fromBase64(encoded)
  if (dash !== '—' || signer !== name || more.length > 0 || bytes?.length !== LENGTH) return undefined
  const whole = Buffer.from(bytes)
  if (!keyIdOf(name, rawPublicKey(publicKey)).equals(whole.subarray(0, 4))) return undefined
  const seconds = Number(whole.readBigUInt64BE(4))
  if (!Number.isSafeInteger(seconds)) return undefined
  return verifyEd25519(publicKey, messageOf(text, seconds), whole.subarray(4 + TIME_BYTES)) ? seconds : undefined
}

function messageOf(text: string, seconds: number): Buffer {
  return Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`)
}

function keyIdOf(name: string, publicKey: Uint8Array): Buffer {
  const digest = createHash('sha256').update(`${name}\n`).update(Buffer.of(COSIGNATURE_V1)).update(publicKey).digest()
  return digest.subarray(0, 4)
}
