/** What a ledger has against it: of each kind the first place and how often, so that a million errors are a short list. */
import type { Verification } from '@gatehouse/proto/wire/seal.ts'

type Problem = Verification['problems'][number]

export class Problems {
  readonly #first = new Map<string, Problem>()

  /** @param what what a person needs to find it; no name, code or ticket id */
  add(kind: string, index: number | null, what: string): void {
    // It quotes what somebody may have written into the file, and is shown on terminals, which obey some characters.
    const detail = what.replaceAll(/\p{C}/gu, '?')
    const known = this.#first.get(kind)
    if (!known) this.#first.set(kind, { index, kind, detail, count: 1 })
    else if (index !== null && (known.index === null || index < known.index)) {
      this.#first.set(kind, { index, kind, detail, count: known.count + 1 })
    } else known.count++
  }

  /** By place in the journal. */
  list(): Problem[] {
    return [...this.#first.values()].sort((a, b) => (a.index ?? Infinity) - (b.index ?? Infinity))
  }
}
