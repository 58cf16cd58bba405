import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { eq, sql } from '../drizzle/core.ts'
import { type Db, openDb } from '../ledger/db.ts'
import { journal, subtrees } from '../ledger/schema.ts'
import { consistencyProof, hashesOver, inclusionProof, leafHash, type RangeHash, rootOf } from './merkle.ts'
import { FAN_OUT, LogTree } from './tree.ts'

/** Sizes around every place where something new begins. */
const EDGES = [1, 2, 15, 16, 17, 31, 32, 255, 256, 257, 512, 4095, 4096, 4097, 65_535, 65_536, 65_537, 65_792, 66_000]
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
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-tree-'))
    const filled = openDb(join(folder, 'filled.db'))
    const insert = filled.drizzle
      .insert(journal)
      .values({ index: sql.placeholder('index'), hlc: '', kind: '', bytes: sql.placeholder('bytes') })
      .prepare()
    filled.transaction(() => {
      for (let index = 0; index < MOST; index++) insert.run({ index, bytes: Buffer.from(`entry ${index}`) })
    })
    filled.close()
  })
  beforeEach(() => {
    copyFileSync(join(folder, 'filled.db'), join(folder, 'ledger.db'))
    db = openDb(join(folder, 'ledger.db'))
    tree = new LogTree(db)
  })
  afterEach(() => db.close())
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('has the roots and the proofs of RFC 6962 at every edge of its stored subtrees, stored or not', () => {
    for (const stored of [false, true]) {
      if (stored) db.transaction(() => tree.grow(MOST))
      // Without them everything is hashed each time.
      for (const size of stored ? EDGES : EDGES.slice(0, 11)) {
        assert.deepEqual(rootOf(size, range), rootOf(size, plain), `root of ${size}`)
        for (const other of EDGES.filter((edge) => edge <= size)) {
          assert.deepEqual(inclusionProof(other - 1, size, range), inclusionProof(other - 1, size, plain))
          assert.deepEqual(consistencyProof(other, size, range), consistencyProof(other, size, plain))
        }
      }
    }
  })

  it('grows as entries come, a few subtrees at a time, and then has nothing left to do', () => {
    let stored = 0
    for (const size of [0, 15, 16, 1000, 65_535, 65_536, MOST]) {
      const missing = Math.floor(size / FAN_OUT) - stored
      assert.equal(tree.missing(size), missing)
      for (let left = missing; left > 0; left -= 1000) {
        db.transaction(() => tree.grow(size, 1000))
        assert.equal(tree.missing(size), Math.max(0, left - 1000))
      }
      db.transaction(() => tree.grow(size))
      stored += missing
    }
    const expected: [number, number, Uint8Array][] = []
    for (let [level, unit] = [1, FAN_OUT]; unit <= MOST; level++, unit *= FAN_OUT) {
      for (let index = 0; (index + 1) * unit <= MOST; index++) {
        expected.push([level, index, plain(index * unit, (index + 1) * unit)])
      }
    }
    const rows = db.drizzle.select().from(subtrees).orderBy(subtrees.level, subtrees.index).all()
    assert.deepEqual(
      rows.map(({ level, index, hash }) => [level, index, hash]),
      expected.map(([level, index, hash]) => [level, index, Buffer.from(hash)]),
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
