/**
 * Signs what boxes state outside their journals (reservations, the status of a voter, who asks for the list of boxes, a box's keys) with the key of their log. Pure.
 */
import { type KeyObject, sign } from 'node:crypto'
import { fromBase64 } from '@gatehouse/proto/base64.ts'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { verifyEd25519 } from '../ed25519.ts'
import { readVerifierKey } from '../seal/note.ts'

/** The kinds of statement: nothing else that a log key signs begins like one of these. */
export type StatementKind = 'reservation' | 'voter status' | 'list request' | 'box keys'

/** @param key Ed25519, private. @returns base64 */
export function signStatement(kind: StatementKind, fields: object, key: KeyObject): string {
  return sign(null, bytesOf(kind, fields), key).toString('base64')
}

/** @param signature from anybody; false for everything that is not one */
export function isSigned(kind: StatementKind, fields: object, signature: unknown, key: KeyObject): boolean {
  if (typeof signature !== 'string' || signature.length > 100) return false
  const bytes = fromBase64(signature)
  return bytes !== undefined && verifyEd25519(key, bytesOf(kind, fields), bytes)
}

/** Remembers the keys that it has read: a list of boxes has the same ones for hours. */
export class VerifierKeys {
  readonly #read = new Map<string, KeyObject | undefined>()

  /** @param verifierKey of a box's log; undefined for one that cannot be read */
  of(verifierKey: string | undefined): KeyObject | undefined {
    if (verifierKey === undefined) return undefined
    if (!this.#read.has(verifierKey)) {
      if (this.#read.size >= MOST_READ) this.#read.clear()
      this.#read.set(verifierKey, read(verifierKey))
    }
    return this.#read.get(verifierKey)
  }
}
/** More than boxes are listed, and were removed. */
const MOST_READ = 1_000

function read(verifierKey: string): KeyObject | undefined {
  try {
    return readVerifierKey(verifierKey).publicKey
  } catch {
    return undefined
  }
}

function bytesOf(kind: StatementKind, fields: object): Buffer {
  return Buffer.from(`gatehouse mesh ${kind}\n${canonicalJson({ ...fields })}`)
}
