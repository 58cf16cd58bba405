/** Free texts, of which the journal has salted hashes: each is as it was written, or was erased. */
import type { Thing } from '@gatehouse/proto/record-problems.ts'
import { noteHash } from '../../ledger/note-hash.ts'
import type { Fact, FactOf } from '../fact.ts'
import type { Problems } from '../problems.ts'

type Noted = FactOf<'incident' | 'incident_note' | 'flag_resolved'>

export class Notes {
  readonly #name: Thing
  readonly #problems: Problems
  readonly #expected = new Map<string, Noted>()
  /** Notes of entries before this one may have been erased. */
  #erasedUpTo = -1

  constructor(name: Thing, problems: Problems) {
    this.#name = name
    this.#problems = problems
  }

  add({ index, kind }: Fact): void {
    if (kind === 'erasure') this.#erasedUpTo = index
  }

  /** @param fact the entry with the hash of the note; undefined for a case without an entry that may have one */
  expect(key: string, fact: Noted | undefined): void {
    if (fact && fact.fields.note_hash !== null) this.#expected.set(key, fact)
  }

  compare(key: string, note: string | null, salt: Buffer | null): void {
    const expected = this.#expected.get(key)
    const same = expected
      ? (note !== null && salt !== null && noteHash(note, salt) === expected.fields.note_hash) ||
        (note === null && salt === null && this.#mayBeErased(expected))
      : note === null
    if (!same) this.#problems.add(`${this.#name}_differs`, expected?.index ?? null, `${this.#name} ${key}: note`)
  }

  /** Notes of another box are not replicated once personal data was erased. */
  #mayBeErased({ index, box }: Noted): boolean {
    return index < this.#erasedUpTo || (box !== undefined && this.#erasedUpTo >= 0)
  }
}
