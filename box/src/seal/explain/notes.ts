/** Free texts, of which the journal has a salted hash: they are as they were written, or were erased on purpose. */
import { noteHash } from '../../ledger/note-hash.ts'
import type { Problems } from '../problems.ts'
import type { Fact } from './explainer.ts'

export class Notes {
  readonly #name: string
  readonly #problems: Problems
  readonly #expected = new Map<string, { index: number; hash: string; heard: boolean }>()
  /** Everything up to this entry may have been erased. */
  #erasedUpTo = -1

  constructor(name: string, problems: Problems) {
    this.#name = name
    this.#problems = problems
  }

  fact({ index, kind }: Fact): void {
    if (kind === 'erasure') this.#erasedUpTo = index
  }

  /**
   * @param hash SHA-256 over salt and note, hex; null for no note
   * @param options.heard from another box, whose notes do not come along once names are forgotten
   */
  expect(key: string, index: number, hash: string | null, { heard } = { heard: false }): void {
    if (hash === null) this.#expected.delete(key)
    else this.#expected.set(key, { index, hash, heard })
  }

  compare(key: string, note: string | null, salt: Buffer | null): void {
    const expected = this.#expected.get(key)
    if (!expected) {
      if (note !== null) this.#problems.add(`${this.#name}_differs`, null, `${this.#name} ${key}: note`)
      return
    }
    const erased =
      note === null && salt === null && (expected.index < this.#erasedUpTo || (expected.heard && this.#erasedUpTo >= 0))
    const same = note !== null && salt !== null && noteHash(note, salt) === expected.hash
    if (!same && !erased) this.#problems.add(`${this.#name}_differs`, expected.index, `${this.#name} ${key}: note`)
  }
}
