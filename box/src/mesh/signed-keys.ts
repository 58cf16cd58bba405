/**
 * Each box signs the keys that it is listed with, with the key of its log: the event's key alone, which a removed box still has, does
 * not give a box other keys. Pure.
 */
import { createPublicKey, type KeyObject } from 'node:crypto'
import { readVerifierKey } from '../seal/note.ts'
import { isSigned, signStatement } from './statement.ts'
import type { TopologyBox } from './topology-schema.ts'

type Keys = Pick<TopologyBox, 'id' | 'log_key' | 'encryption_key' | 'link_keys' | 'key_signature'>

/**
 * @param logKey Ed25519, private. @returns the same box with its keys signed; undefined where the log key is not the one that it
 * is listed with
 */
export function withSignature<B extends Keys>(box: B, event: string, logKey: KeyObject): B | undefined {
  const signed = { ...box, key_signature: signStatement('box keys', statementOf(box, event), logKey) }
  return isItsKey(box, createPublicKey(logKey)) ? signed : undefined
}

/** True if the box itself has signed the keys that it is listed with. */
export function hasSignedKeys(box: Keys, event: string): boolean {
  const key = box.key_signature === undefined ? undefined : keyIn(box)
  return key !== undefined && isSigned('box keys', statementOf(box, event), box.key_signature, key)
}

/** The box with the keys that it has signed, where only `known` has them: whoever made the other list had no right to change them. */
export function withOwnKeys(box: TopologyBox, known: TopologyBox | undefined, event: string): TopologyBox {
  if (!known || known.key_signature === undefined || known.log_key !== box.log_key) return box
  if (hasSameKeys(box, known) || hasSignedKeys(box, event) || !hasSignedKeys(known, event)) return box
  const { encryption_key: _, link_keys: __, ...rest } = box
  const { encryption_key, link_keys, key_signature } = known
  return { ...rest, ...(encryption_key && { encryption_key }), ...(link_keys && { link_keys }), key_signature }
}

function statementOf({ id, encryption_key = null, link_keys = null }: Widened, event: string): object {
  return { event, id, encryption_key, link_keys }
}
interface Widened {
  id: string
  encryption_key?: string | null
  link_keys?: TopologyBox['link_keys'] | null
}

function hasSameKeys(one: Keys, other: Keys): boolean {
  const text = (box: Keys) => JSON.stringify([statementOf(box, ''), box.key_signature])
  return text(one) === text(other)
}

function isItsKey(box: Keys, key: KeyObject): boolean {
  return keyIn(box)?.equals(key) ?? false
}

function keyIn({ log_key }: Keys): KeyObject | undefined {
  try {
    return readVerifierKey(log_key).publicKey
  } catch {
    return undefined
  }
}
