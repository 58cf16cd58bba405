/**
 * The names by which a staged row is found: its ref, its code hashes and, for a change, its ticket. They are kept as sorted runs, so
 * that a hundred thousand of them are written one after the other, and a look-up reads one run.
 */
import { and, desc, gt, gte, lt, lte, sql } from '../../drizzle/core.ts'
import type { Db } from '../../ledger/db.ts'
import { stagedNames } from '../../ledger/schema.ts'
import { fixedLimit } from '../../ledger/statements.ts'

/** Import (6 bytes), kind (1), name (16). */
const NAME_BYTES = 6 + 1 + 16
/** After the name: the number of its row, and its ticket's place. */
const RECORD_BYTES = NAME_BYTES + 4 + 4
/** About one page of the file. */
const NAMES_PER_RUN = 125

const KINDS = { ref: 1, printed: 2, key: 3, ticket: 4 } as const
export type NameKind = keyof typeof KINDS
const KIND_OF = new Map<number, NameKind>([
  [1, 'ref'],
  [2, 'printed'],
  [3, 'key'],
  [4, 'ticket'],
])

export type StagedName =
  /** 32 hex digits. */
  | { ref: string }
  | { printed: Buffer }
  | { key: Buffer }
  /** The id of a ticket that is changed. */
  | { ticket: number }

/** A row by one of its names. */
export interface NamedRow {
  kind: NameKind
  /** The name itself: of a code, its hash. */
  name: Buffer
  /** Number of the row in its import. */
  n: number
  /** Of a new ticket among the new ones, from 1 on. */
  place: number
}

/** Collects names, and gives them out in sorted runs. */
export class NameRuns {
  readonly #import: number
  readonly #names: string[] = []
  /** The rows of new tickets, in the order of the file. */
  readonly #new: number[] = []

  constructor(ofImport: number) {
    this.#import = ofImport
  }

  /** The row with the last new ticket. */
  get lastNew(): { n: number; place: number } | undefined {
    const n = this.#new.at(-1)
    return n === undefined ? undefined : { n, place: this.#new.length }
  }

  /** @param n number of the row in its import: names are added row by row */
  add(name: StagedName, n: number): void {
    if ('ref' in name) this.#new.push(n)
    const bytes = Buffer.alloc(NAME_BYTES + 4)
    nameBytes(this.#import, name).copy(bytes)
    bytes.writeUInt32BE(n, NAME_BYTES)
    this.#names.push(bytes.toString('latin1'))
  }

  /**
   * By kind, and sorted within each: tickets and codes are then inserted in the order of an index. New tickets are numbered in the
   * order of the file, in which lists of tickets show them. Sorts all names before it returns, which takes a third of a second for
   * 100,000 rows: called outside of a transaction.
   */
  runs(): Iterator<typeof stagedNames.$inferInsert> {
    this.#names.sort()
    return this.#cut(new Map(this.#new.map((n, i) => [n, i + 1])))
  }

  *#cut(places: ReadonlyMap<number, number>): Generator<typeof stagedNames.$inferInsert> {
    for (let at = 0; at < this.#names.length; at += NAMES_PER_RUN) {
      const some = this.#names.slice(at, at + NAMES_PER_RUN)
      const names = Buffer.alloc(some.length * RECORD_BYTES)
      for (const [i, name] of some.entries()) {
        const record = names.subarray(i * RECORD_BYTES, (i + 1) * RECORD_BYTES)
        record.write(name, 'latin1')
        record.writeUInt32BE(places.get(rowOf(record).n) ?? 0, NAME_BYTES + 4)
      }
      yield { first: names.subarray(0, NAME_BYTES), names }
    }
  }
}

/** The rows of one run. */
export function rowsIn(names: Buffer): NamedRow[] {
  return Array.from({ length: names.length / RECORD_BYTES }, (_, i) => rowOf(names.subarray(i * RECORD_BYTES)))
}

/** @returns finds the row with a name; undefined where there is none */
export function nameFinder({
  drizzle,
}: Pick<Db, 'drizzle'>): (ofImport: number, name: StagedName) => NamedRow | undefined {
  const run = drizzle
    .select({ names: stagedNames.names })
    .from(stagedNames)
    .where(lte(stagedNames.first, sql.placeholder('name')))
    .orderBy(desc(stagedNames.first))
    .limit(fixedLimit(1))
    .prepare()
  return (ofImport, name) => {
    const wanted = nameBytes(ofImport, name)
    const names = run.get({ name: wanted })?.names
    return names && findIn(names, wanted)
  }
}

/** The next runs of an import. @param after `first` of the run before; null for the beginning */
export function runsAfter({ drizzle }: Pick<Db, 'drizzle'>, ofImport: number, after: Buffer | null, most: number) {
  const from = after ? gt(stagedNames.first, after) : gte(stagedNames.first, importBytes(ofImport))
  const ofIt = and(from, lt(stagedNames.first, importBytes(ofImport + 1)))
  return drizzle.select().from(stagedNames).where(ofIt).orderBy(stagedNames.first).limit(most).all()
}

/** Removes the names of an import. Within a transaction. @returns whether there were any */
export function removeNames({ drizzle }: Pick<Db, 'drizzle'>, ofImport: number, most: number): boolean {
  const last = runsAfter({ drizzle }, ofImport, null, most).at(-1)
  if (!last) return false
  const range = and(gte(stagedNames.first, importBytes(ofImport)), lte(stagedNames.first, last.first))
  drizzle.delete(stagedNames).where(range).run()
  return true
}

function findIn(names: Buffer, wanted: Buffer): NamedRow | undefined {
  let [low, high] = [0, names.length / RECORD_BYTES]
  while (low < high) {
    const middle = (low + high) >> 1
    const at = middle * RECORD_BYTES
    const order = names.compare(wanted, 0, NAME_BYTES, at, at + NAME_BYTES)
    if (order === 0) return rowOf(names.subarray(at))
    if (order < 0) low = middle + 1
    else high = middle
  }
  return undefined
}

function rowOf(record: Buffer): NamedRow {
  return {
    kind: KIND_OF.get(record[6] ?? 0) ?? 'ticket',
    name: record.subarray(7, NAME_BYTES),
    n: record.readUInt32BE(NAME_BYTES),
    place: record.readUInt32BE(NAME_BYTES + 4),
  }
}

function nameBytes(ofImport: number, name: StagedName): Buffer {
  const bytes = Buffer.alloc(NAME_BYTES)
  importBytes(ofImport).copy(bytes)
  const [kind, value] = Object.entries(name)[0] as [NameKind, Buffer | string | number]
  bytes[6] = KINDS[kind]
  if (typeof value === 'number') bytes.writeUIntBE(value, 7, 6)
  else if (typeof value === 'string') bytes.write(value, 7, 'hex')
  else value.copy(bytes, 7)
  return bytes
}

function importBytes(ofImport: number): Buffer {
  const bytes = Buffer.alloc(6)
  bytes.writeUIntBE(ofImport, 0, 6)
  return bytes
}
