/** The tree of a log that is read from its beginning: keeps one hash for each full subtree, and nothing else. */
import { EMPTY_ROOT, nodeHash } from './merkle.ts'

export interface FullSubtree {
  readonly size: number
  readonly hash: Uint8Array
}

export class GrowingRoot {
  /** Largest first. */
  readonly #full: FullSubtree[]
  readonly #onFull: (size: number, end: number, hash: Uint8Array) => void
  #size: number

  /**
   * @param onFull called with every subtree of two entries or more as it fills
   * @param full state to continue from: the `full` of an earlier tree
   */
  constructor(onFull: (size: number, end: number, hash: Uint8Array) => void, full: readonly FullSubtree[] = []) {
    this.#onFull = onFull
    this.#full = [...full]
    this.#size = full.reduce((sum, { size }) => sum + size, 0)
  }

  /** Leaves so far. */
  get size(): number {
    return this.#size
  }

  /** The whole state: hashes of the full subtrees, largest first. */
  get full(): readonly FullSubtree[] {
    return this.#full
  }

  add(leaf: Uint8Array): void {
    this.#size++
    let last: FullSubtree = { size: 1, hash: leaf }
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
