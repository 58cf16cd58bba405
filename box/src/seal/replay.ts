/**
 * Reads the journal from the first entry to the last, and checks each entry's place, canonical form and clock, and every seal.
 * Anybody who can write the file may have changed what is read here.
 */
import { compare, format, parse, type Timestamp } from '@gatehouse/proto/hlc.ts'
import { asc, count, gt, sql } from '../drizzle/core.ts'
import type { Snapshot } from '../ledger/db.ts'
import { readValue } from '../ledger/identity.ts'
import { journal, seals, subtrees } from '../ledger/schema.ts'
import { matching } from '../ledger/statements.ts'
import { openCheckpoint } from './checkpoint.ts'
import { type Fact, factOf, readEntry } from './fact.ts'
import { GrowingRoot } from './growing-root.ts'
import { leafHash } from './merkle.ts'
import { NoteError, type NoteKey } from './note.ts'
import type { Problems } from './problems.ts'
import { chained, NEWEST_SEAL, SEAL_CHAIN, type Seal } from './sealer.ts'
import { FAN_OUT } from './tree.ts'

/** Entries read at a time. */
const PAGE = 500

export interface ReplayContext {
  drizzle: Snapshot['drizzle']
  problems: Problems
  key: NoteKey
  /** Entries read so far. */
  onProgress: (done: number) => void
}

export interface Replayed {
  size: number
  root: Uint8Array
  seals: number
}

/** @param onFact called with every entry that can be read */
export function replay(context: ReplayContext, onFact: (fact: Fact) => void): Replayed {
  const { drizzle, problems } = context
  const stored = storedSubtrees(context)
  const tree = new GrowingRoot(stored.compare)
  const sealed = sealsInOrder(context)
  let place = 0
  let before: Timestamp = { ms: 0, count: -1 }
  sealed.reach(0, tree)
  const page = drizzle
    .select()
    .from(journal)
    .where(gt(journal.index, sql.placeholder('after')))
    .orderBy(asc(journal.index))
    .limit(PAGE)
    .prepare()
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = page.values({ after }) as [number, string, string, Buffer][]
    const last = rows.at(-1)
    if (!last) break
    for (const [index, hlc, kind, bytes] of rows) {
      if (index !== place) problems.add('gap', index, `entry ${place} should be here`)
      place = index + 1
      const said = readEntry(bytes)
      if (!said) problems.add('not_canonical', index, 'the bytes are not the canonical form of any JSON')
      else if (said.index !== index || said.hlc !== hlc || said.kind !== kind) {
        problems.add('column_differs', index, `it says of itself that it is entry ${JSON.stringify(said.index)}`)
      }
      const reading = parse(hlc)
      if (!reading || format(reading) !== hlc || compare(reading, before) <= 0) {
        problems.add('clock_order', index, `${hlc} is not after ${format(before)}`)
      }
      before = reading ?? before
      tree.add(leafHash(bytes))
      sealed.reach(index + 1, tree)
      if (said) onFact(factOf({ index, hlc, kind }, said))
    }
    after = last[0]
    context.onProgress(place)
  }
  stored.end()
  sealed.end(place)
  return { size: place, root: tree.root(), seals: sealed.count }
}

/** The stored roots of subtrees, which save work in proofs: a wrong one would make proofs wrong. */
function storedSubtrees({ drizzle, problems }: ReplayContext) {
  const find = drizzle
    .select({ hash: subtrees.hash })
    .from(subtrees)
    .where(matching(subtrees, 'level', 'index'))
    .prepare()
  let known = 0
  return {
    compare(size: number, end: number, hash: Uint8Array): void {
      if (size < FAN_OUT) return
      const level = Math.log2(size) / Math.log2(FAN_OUT)
      if (!Number.isInteger(level)) return
      const row = find.get({ level, index: end / size - 1 })
      if (!row) return
      known++
      if (!row.hash.equals(hash)) problems.add('subtree_differs', end - size, `the stored root of ${size} entries`)
    },
    end(): void {
      const [rows] = drizzle.select({ rows: count() }).from(subtrees).all()
      if (rows && rows.rows > known)
        problems.add('subtree_unexplained', null, 'subtrees of more entries than there are')
    },
  }
}

/** Compares each seal with the tree at its size, which makes all seals consistent with each other. */
function sealsInOrder({ drizzle, problems, key }: ReplayContext) {
  const rows = drizzle.select().from(seals).orderBy(asc(seals.size)).all()
  let next = 0
  let chain: Buffer | undefined
  for (const { size, root, note } of rows) {
    chain = chained(chain, note)
    const failure = failureOf({ size, root, note }, key)
    if (failure) problems.add('seal_differs', size, `the seal of ${size} entries: ${failure}`)
  }
  const kept = readValue({ drizzle }, SEAL_CHAIN)
  if (Buffer.compare(chain ?? Buffer.alloc(0), kept ?? Buffer.alloc(0)) !== 0) {
    problems.add('seal_missing', rows.at(-1)?.size ?? null, 'the seals are not all those that were made')
  }
  if (readValue({ drizzle }, NEWEST_SEAL)?.toString() !== rows.at(-1)?.note) {
    problems.add('seal_missing', rows.at(-1)?.size ?? null, 'the newest seal is not the last that was made')
  }
  return {
    count: rows.length,
    reach(size: number, tree: GrowingRoot): void {
      for (let seal = rows[next]; seal && seal.size <= size; seal = rows[++next]) {
        if (seal.size < size) problems.add('seal_root', seal.size, `entries of the seal of ${seal.size} are missing`)
        else if (Buffer.compare(seal.root, tree.root()) !== 0) {
          problems.add('seal_root', seal.size, `the first ${seal.size} entries are not those that were sealed`)
        }
      }
    },
    end(size: number): void {
      const beyond = rows[next]
      if (beyond) problems.add('seal_beyond', beyond.size, `${beyond.size} entries were sealed, ${size} are there`)
    },
  }
}

/** Reason why the columns of a seal are not what its note says, if so. */
function failureOf({ size, root, note }: Pick<Seal, 'size' | 'root' | 'note'>, key: NoteKey): string | undefined {
  try {
    const signed = openCheckpoint(note, key)
    return signed.size === size && Buffer.compare(signed.root, root) === 0
      ? undefined
      : 'another size or root was signed'
  } catch (error) {
    if (error instanceof NoteError) return error.code
    throw error
  }
}
