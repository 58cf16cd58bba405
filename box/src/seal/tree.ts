/**
 * The Merkle tree of this ledger's journal. Roots of full subtrees of 16, 256, 4,096, ... entries are stored in `subtrees`, so
 * that a root or a proof in a log of any length reads some hundred rows, few of them entries, and holds no hash of the whole
 * log in memory.
 */

import { and, asc, desc, eq, gte, lt, sql } from '../drizzle/core.ts'
import type { Db } from '../ledger/db.ts'
import { journal, subtrees } from '../ledger/schema.ts'
import { allColumns, excluded, matching } from '../ledger/statements.ts'
import { hashesOver, leafHash } from './merkle.ts'

/** Children of a stored subtree. With 256 a proof would hash several hundred long entries; with 2 there would be twice as many rows as entries. */
export const FAN_OUT = 16

/** The root over whole siblings of one size in order, the last of which may be smaller. */
export function rootOver(hashes: readonly Uint8Array[]): Uint8Array {
  return hashesOver((i) => hashes[i] as Uint8Array)(0, hashes.length)
}

export class LogTree {
  readonly #statements: ReturnType<typeof prepare>

  constructor(db: Pick<Db, 'drizzle'>) {
    this.#statements = prepare(db)
  }

  /**
   * The hash of a range that is a subtree, for `merkle.ts`.
   * @throws Error when the journal has fewer entries
   */
  range(start: number, end: number): Uint8Array {
    let [level, unit] = [0, 1]
    while (unit * FAN_OUT < end - start) [level, unit] = [level + 1, unit * FAN_OUT]
    const whole = Math.floor((end - start) / unit)
    const rest = start + whole * unit
    const hashes = this.#nodes(level, start / unit, start / unit + whole)
    if (rest < end) hashes.push(this.range(rest, end))
    return rootOver(hashes)
  }

  /** Number of the smallest full subtrees of the first `size` entries that are not stored yet. */
  missing(size: number): number {
    return Math.floor(size / FAN_OUT) - this.#stored()
  }

  /**
   * Stores the roots of the full subtrees of the first `size` entries, at most `most` of the smallest ones at
   * once. Within a transaction: they go to disk with their entries, or not at all.
   */
  grow(size: number, most = Number.POSITIVE_INFINITY): void {
    const stored = this.#stored()
    const until = stored + Math.min(most, this.missing(size))
    for (let index = stored; index < until; index++) {
      this.#store(1, index)
      for (let [level, count] = [2, (index + 1) / FAN_OUT]; Number.isInteger(count); level++, count /= FAN_OUT) {
        this.#store(level, count - 1)
      }
    }
  }

  #stored(): number {
    return (this.#statements.last.get()?.index ?? -1) + 1
  }

  #store(level: number, index: number): void {
    const hash = rootOver(this.#nodes(level - 1, index * FAN_OUT, (index + 1) * FAN_OUT))
    this.#statements.put.run({ level, index, hash })
  }

  /** The hashes of nodes `from` up to `to` of a level; level 0 are the leaves. */
  #nodes(level: number, from: number, to: number): Uint8Array[] {
    if (level === 0) {
      const entries = this.#statements.entries.values({ from, to }) as [Buffer][]
      if (entries.length !== to - from) throw new Error(`The journal has not all entries from ${from} to ${to}.`)
      return entries.map(([bytes]) => leafHash(bytes))
    }
    const stored = this.#statements.nodes.values({ level, from, to }) as [Buffer][]
    if (stored.length === to - from) return stored.map(([hash]) => hash)
    // Computed if it is not stored: the rows only save work.
    return Array.from({ length: to - from }, (_, i) =>
      rootOver(this.#nodes(level - 1, (from + i) * FAN_OUT, (from + i + 1) * FAN_OUT)),
    )
  }
}

function prepare({ drizzle }: Pick<Db, 'drizzle'>) {
  const { placeholder } = sql
  return {
    entries: drizzle
      .select({ bytes: journal.bytes })
      .from(journal)
      .where(and(gte(journal.index, placeholder('from')), lt(journal.index, placeholder('to'))))
      .orderBy(asc(journal.index))
      .prepare(),
    nodes: drizzle
      .select({ hash: subtrees.hash })
      .from(subtrees)
      .where(
        and(
          matching(subtrees, 'level'),
          gte(subtrees.index, placeholder('from')),
          lt(subtrees.index, placeholder('to')),
        ),
      )
      .orderBy(asc(subtrees.index))
      .prepare(),
    last: drizzle
      .select({ index: subtrees.index })
      .from(subtrees)
      .where(eq(subtrees.level, 1))
      .orderBy(desc(subtrees.index))
      .limit(1)
      .prepare(),
    put: drizzle
      .insert(subtrees)
      .values(allColumns(subtrees))
      .onConflictDoUpdate({ target: [subtrees.level, subtrees.index], set: excluded(subtrees, 'hash') })
      .prepare(),
  }
}
