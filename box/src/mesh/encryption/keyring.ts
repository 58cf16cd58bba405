/**
 * The keys with which a box encrypts what it sends and decrypts what others send: it encrypts with the group key of its own list
 * of boxes, and decrypts with that and with the ones before it, because others may not have the newest list yet.
 */
import type { Topology } from '../topology.ts'
import { decryptContent, encryptContent, keyNamedIn } from './encrypted-content.ts'
import { haveAllKeys, type KeyHolder, openGroupKey } from './group-key.ts'

const NONCE_BYTES = 24
/** Keys that are kept, in memory alone: a message is no older than the last few changes of the list. */
const MOST_KEYS = 4

/** A message that a box on the list has signed, and that cannot be read here: the two have different lists. It is not a forgery. */
export class LockedMessageError extends Error {
  override readonly name = 'LockedMessageError'
}

export class Keyring {
  readonly #holder: KeyHolder
  readonly #topology: () => Topology | undefined
  /** By name, the newest last. */
  readonly #keys = new Map<string, Uint8Array>()
  /** The list that the rest was read from. */
  #readFrom: Topology | undefined
  #isClear = true
  #present: string | undefined

  constructor(holder: KeyHolder, topology: () => Topology | undefined) {
    this.#holder = holder
    this.#topology = topology
  }

  /**
   * Leaves content in clear only while a box on the list has no key, because it has an older version.
   * @throws LockedMessageError where this box has no group key of its list: nothing may be sent then
   */
  encrypt(content: Uint8Array): Uint8Array {
    this.#read()
    if (this.#isClear) return content
    const id = this.#present ?? ''
    const key = this.#keys.get(id)
    if (!key) throw new LockedMessageError('This box has no group key of its list of boxes.')
    return encryptContent(content, { id, key }, this.#holder.random(NONCE_BYTES))
  }

  /** @throws LockedMessageError for content under a key that is not known here, and for content in clear where none may be */
  decrypt(bytes: Uint8Array): Uint8Array {
    this.#read()
    const id = keyNamedIn(bytes)
    if (id === undefined) {
      if (this.#isClear) return bytes
      throw new LockedMessageError('A message is in clear, and every box has a key.')
    }
    const key = this.#keys.get(id)
    const content = key && decryptContent(bytes, key)
    if (!content) throw new LockedMessageError('A message is encrypted with a key that is not known here.')
    return content
  }

  #read(): void {
    const topology = this.#topology()
    if (topology === this.#readFrom) return
    this.#readFrom = topology
    this.#isClear = topology === undefined || !haveAllKeys(topology)
    const opened = topology && openGroupKey(topology, this.#holder)
    this.#present = opened?.id
    if (!opened) return
    this.#keys.delete(opened.id)
    this.#keys.set(opened.id, opened.key)
    const [oldest] = this.#keys.keys()
    if (this.#keys.size > MOST_KEYS && oldest !== undefined) this.#keys.delete(oldest)
  }
}
