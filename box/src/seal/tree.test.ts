import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { type Db, openDb } from '../db.ts'
import { journal, subtrees } from '../ledger/schema.ts'
import { consistencyProof, hashesOver, inclusionProof, leafHash, type RangeHash, rootOf } from './merkle.ts'
import { FAN_OUT, LogTree } from './tree.ts'

/** Sizes around every place where something new begins. */
const EDGES = [1, 2, 3, 255, 256, 257, 511, 512, 513, 65_535, 65_536, 65_537, 65_792, 66_000]
const MOST = 66_000
const leaves = Array.from({ length: MOST }, (_, i) => leafHash(Buffer.from(`entry ${i}`)))

/** The plain way, with the hashes of whole blocks kept so that the test ends. */
const plain = (() => {
  const known = new Map<string, Uint8Array>()
  const all = hashesOver((i) => leaves[i] ?? assert.fail())
  const range: RangeHash = (start, end) => {
    const key = `${start} ${end}`
    const hash = known.get(key) ?? all(start, end)
    known.set(key, hash)
    return hash
  }
  return range
})()

describe('the tree of a journal', () => {
  let folder: string
  let db: Db
  let tree: LogTree
  const range: RangeHash = (start, end) => tree.range(start, end)
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-tree-'))
    db = openDb(join(folder, 'ledger.db'))
    tree = new LogTree(db)
    const { drizzle } = db
    const insert = drizzle
      .insert(journal)
      .values({ index: sql.placeholder('index'), hlc: '', kind: '', bytes: sql.placeholder('bytes') })
      .prepare()
    db.transaction(() => {
      for (let index = 0; index < MOST; index++) insert.run({ index, bytes: Buffer.from(`entry ${index}`) })
    })
  })
  afterEach(() => {
    db.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('has the roots and the proofs of RFC 6962 at every edge of its stored subtrees, stored or not', () => {
    for (const stored of [false, true]) {
      if (stored) db.transaction(() => tree.grow(MOST))
      // Without them everything is hashed each time.
      for (const size of stored ? EDGES : EDGES.slice(0, 9)) {
        assert.deepEqual(rootOf(size, range), rootOf(size, plain), `root of ${size}`)
        for (const other of EDGES.filter((edge) => edge <= size)) {
          assert.deepEqual(inclusionProof(other - 1, size, range), inclusionProof(other - 1, size, plain))
          assert.deepEqual(consistencyProof(other, size, range), consistencyProof(other, size, plain))
        }
      }
    }
  })

  it('grows as entries come, a few subtrees at a time, and then has nothing left to do', () => {
    const roots: Uint8Array[] = []
    for (const size of [0, 255, 256, 1000, 65_535, 65_536, MOST]) {
      const missing = Math.floor(size / FAN_OUT) - roots.length
      assert.equal(tree.missing(size), missing)
      for (let left = missing; left > 0; left -= 100) {
        db.transaction(() => tree.grow(size, 100))
        assert.equal(tree.missing(size), Math.max(0, left - 100))
      }
      db.transaction(() => tree.grow(size))
      while (roots.length < Math.floor(size / FAN_OUT)) {
        roots.push(plain(roots.length * FAN_OUT, (roots.length + 1) * FAN_OUT))
      }
    }
    const rows = db.drizzle.select().from(subtrees).orderBy(subtrees.level, subtrees.index).all()
    assert.deepEqual(
      rows.map(({ level, index, hash }) => [level, index, hash]),
      [...roots.map((hash, i) => [1, i, hash]), [2, 0, plain(0, 65_536)]],
    )
  })

  it('does without rows that went missing, and does not do without entries', () => {
    db.transaction(() => tree.grow(MOST))
    db.drizzle.delete(subtrees).where(sql`level = 2 or idx % 7 = 3`).run()
    assert.deepEqual(rootOf(MOST, range), rootOf(MOST, plain))
    db.drizzle.delete(journal).where(eq(journal.index, 65_999)).run()
    assert.throws(() => tree.range(0, MOST), /has not all entries/)
  })
})
