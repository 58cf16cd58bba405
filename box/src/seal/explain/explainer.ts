/**
 * Compares the ledger's tables with the journal. Every table has an explainer: it follows the journal as the box did, and at the
 * end reports entries without a row, rows that differ, and rows that no entry explains. A new table gets a file in this folder
 * and a line in `explainers.ts`.
 */
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import type { Thing } from '@gatehouse/proto/record-problems.ts'
import type { Snapshot } from '../../ledger/db.ts'
import type { Fact } from '../fact.ts'
import type { Problems } from '../problems.ts'

export interface Explainer {
  /** Takes the entries in order. @throws an error for one that somebody has changed */
  add(fact: Fact): void
  /** After the last entry: compares the rows. */
  finish(): void
}

export interface ExplainContext {
  drizzle: Snapshot['drizzle']
  problems: Problems
}

export type Values = { readonly [name: string]: unknown }

/** Names of the values in which a row differs from what is expected. */
export function differences(expected: Values, row: Values): string[] {
  return Object.keys(expected).filter(
    (name) => canonicalJson(expected[name] ?? null) !== canonicalJson(row[name] ?? null),
  )
}

/** The rows of a small table as the journal explains them: as many as the event has gates, staff or cases. */
export class ExpectedRows<Row extends Values = Values> {
  readonly #name: Thing
  readonly #problems: Problems
  readonly #rows = new Map<string, { index: number; values: Row }>()

  /** @param name begins the kinds of its problems: `<name>_missing`, `<name>_differs`, `<name>_unexplained`, `<name>_unknown` */
  constructor(name: Thing, problems: Problems) {
    this.#name = name
    this.#problems = problems
  }

  get(key: string): Row | undefined {
    return this.#rows.get(key)?.values
  }

  /** From this entry on, the row has these values. */
  set(key: string, index: number, values: Row): void {
    this.#rows.set(key, { index, values })
  }

  /** From this entry on, some of the row's values are others. The row has to be there. */
  change(key: string, index: number, values: Partial<Row>): void {
    const before = this.get(key)
    if (before) this.set(key, index, { ...before, ...values })
    else this.addUnknown(key, index)
  }

  /** An entry of this box is about a row that no entry before it has made. */
  addUnknown(key: string, index: number): void {
    this.#problems.add(`${this.#name}_unknown`, index, `nothing before this entry tells of ${this.#name} ${key}`)
  }

  /** The row may have any value here, because two boxes have recorded different ones. */
  accept(key: string, name: keyof Row & string): void {
    const there = this.#rows.get(key)
    if (!there) return
    const { [name]: _, ...values } = there.values
    this.#rows.set(key, { ...there, values: values as Row })
  }

  /** @param rows the table; `index` where a row names its entry itself */
  compare(rows: Iterable<{ key: string; index: number | null; values: Values }>): void {
    for (const { key, index, values } of rows) {
      const expected = this.#rows.get(key)
      this.#rows.delete(key)
      if (!expected) {
        this.#problems.add(`${this.#name}_unexplained`, index, `no entry explains ${this.#name} ${key}`)
        continue
      }
      const differing = differences(expected.values, values)
      if (differing.length > 0) {
        this.#problems.add(`${this.#name}_differs`, expected.index, `${this.#name} ${key}: ${differing.join(', ')}`)
      }
    }
    for (const [key, { index }] of this.#rows) {
      this.#problems.add(`${this.#name}_missing`, index, `there is no ${this.#name} ${key}`)
    }
  }
}

/** Unix ms of a time in an entry; null for none. */
export function unixMs(time: string | null | undefined): number | null {
  return time === null || time === undefined ? null : Date.parse(time)
}
