/** The tree of a log that is read from its beginning: one hash for each subtree that is full so far, and no more. */
import { EMPTY_ROOT, nodeHash } from './merkle.ts'

export class GrowingRoot {
  /** Largest first. */
  readonly #full: { size: number; hash: Uint8Array }[] = []
  readonly #onFull: (size: number, end: number, hash: Uint8Array) => void
  #size = 0

  /** @param onFull called with every subtree of two entries or more as it fills */
  constructor(onFull: (size: number, end: number, hash: Uint8Array) => void) {
    this.#onFull = onFull
  }

  add(leaf: Uint8Array): void {
    this.#size++
    let last = { size: 1, hash: leaf }
    while (this.#full.at(-1)?.size === last.size) {
      const left = this.#full.pop()?.hash as Uint8Array
      last = { size: last.size * 2, hash: nodeHash(left, last.hash) }
      this.#onFull(last.size, this.#size, last.hash)
    }
    this.#full.push(last)
  }

  root(): Uint8Array {
    const last = this.#full.at(-1)
    if (!last) return EMPTY_ROOT
    return this.#full.slice(0, -1).reduceRight((right, { hash }) => nodeHash(hash, right), last.hash)
  }
}
