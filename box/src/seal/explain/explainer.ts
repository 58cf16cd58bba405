/**
 * State against journal. Every table of the ledger has an explainer: it follows the journal as the box did, and in the end
 * says which facts have no row, which rows say something else, and which rows no fact explains. A new table gets a file
 * here and a line in `explainers.ts`.
 */
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import type { Snapshot } from '../../db.ts'
import type { Problems } from '../problems.ts'

/** An entry of the journal. What it says may be anything: somebody may have changed it. */
export interface Fact {
  readonly index: number
  readonly hlc: string
  readonly kind: string
  readonly said: { readonly [name: string]: unknown }
  /** Which other box it was heard from; `index` is then of the entry of this box that says so, and `place` the one there. */
  readonly box?: string
  readonly place?: number
  /** As `mesh/facts.ts` has it. */
  readonly again?: boolean
  readonly known?: boolean
}

export interface Explainer {
  /** Every entry, in order. */
  fact(fact: Fact): void
  /** When there are no more. */
  end(): void
}

export interface ExplainContext {
  drizzle: Snapshot['drizzle']
  problems: Problems
}

export type Values = { readonly [name: string]: unknown }

/** Names of the values in which a row is not what the journal makes of it. */
export function differences(expected: Values, row: Values): string[] {
  return Object.keys(expected).filter(
    (name) => canonicalJson(expected[name] ?? null) !== canonicalJson(row[name] ?? null),
  )
}

/** A table as small as the event and its staff: what the journal makes of it is kept, and compared in the end. */
export class SmallTable<Expected extends Values> {
  readonly #name: string
  readonly #problems: Problems
  readonly #expected = new Map<string, { index: number; values: Expected }>()

  /** @param name what its problems are called by: `<name>_missing`, `<name>_differs`, `<name>_unexplained` */
  constructor(name: string, problems: Problems) {
    this.#name = name
    this.#problems = problems
  }

  get(key: string): Expected | undefined {
    return this.#expected.get(key)?.values
  }

  /** The row of this key is these values from this entry on. */
  set(key: string, index: number, values: Expected): void {
    this.#expected.set(key, { index, values })
  }

  /** Which of several things the row says here is not known: two boxes have said different ones. */
  forget(key: string, name: keyof Expected & string): void {
    const there = this.#expected.get(key)
    if (!there) return
    const { [name]: _, ...values } = there.values
    this.#expected.set(key, { ...there, values: values as Expected })
  }

  /** Some of the row's values change. An entry about a row that no entry has made is a problem by itself. */
  change(key: string, index: number, values: Partial<Expected>): void {
    const before = this.get(key)
    if (before) this.set(key, index, { ...before, ...values })
    else this.#problems.add(`${this.#name}_unknown`, index, `nothing before this entry tells of ${this.#name} ${key}`)
  }

  /** @param rows the table as it is; `index` where a row names its entry itself */
  compare(rows: Iterable<{ key: string; index: number | null; values: Values }>): void {
    for (const { key, index, values } of rows) {
      const expected = this.#expected.get(key)
      this.#expected.delete(key)
      if (!expected) {
        this.#problems.add(`${this.#name}_unexplained`, index, `no entry explains ${this.#name} ${key}`)
        continue
      }
      const differing = differences(expected.values, values)
      if (differing.length > 0) {
        this.#problems.add(`${this.#name}_differs`, expected.index, `${this.#name} ${key}: ${differing.join(', ')}`)
      }
    }
    for (const [key, { index }] of this.#expected) {
      this.#problems.add(`${this.#name}_missing`, index, `there is no ${this.#name} ${key}`)
    }
  }
}

/** Unix ms of a time in an entry; null for none. */
export function unixMs(time: string | null | undefined): number | null {
  return time === null || time === undefined ? null : Date.parse(time)
}
