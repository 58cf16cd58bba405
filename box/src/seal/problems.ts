/** Collects the problems of a ledger: of each kind the first place and how often, so that a million errors are a short list. */
import type { ProblemKind } from '@gatehouse/proto/record-problems.ts'
import type { Verification } from '@gatehouse/proto/wire/seal.ts'

type Problem = Verification['problems'][number]

export class Problems {
  readonly #first = new Map<string, Problem>()

  /** @param what details by which a person can find it; no name, code or ticket id */
  add(kind: ProblemKind, index: number | null, what: string): void {
    // Without control characters: it quotes a file that an attacker may have written, and a terminal would obey escape sequences.
    const detail = what.replaceAll(/\p{C}/gu, '?')
    const known = this.#first.get(kind)
    if (!known) this.#first.set(kind, { index, kind, detail, count: 1 })
    else if (index !== null && (known.index === null || index < known.index)) {
      this.#first.set(kind, { index, kind, detail, count: known.count + 1 })
    } else known.count++
  }

  /** In journal order. */
  list(): Problem[] {
    return [...this.#first.values()].sort((a, b) => (a.index ?? Infinity) - (b.index ?? Infinity))
  }
}
