/**
 * Folds and the redo log, without a box. A power cut is simulated: the disk keeps the ledger as it was last synced, with any number of
 * the writes since then to its write-ahead log, and the redo log as it was synced after each commit.
 */
import assert from 'node:assert/strict'
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { asc, eq } from '../drizzle/core.ts'
import { copyLedger, type Db, openDb, openSnapshot, settleLedger } from './db.ts'
import { beginNewIncarnation, readValue, writeValue } from './identity.ts'
import { PUBLISHED } from './published.ts'
import { PlaceRow } from './redo/place.ts'
import { encodeRecord } from './redo/record.ts'
import { journal, stagedImports } from './schema.ts'
import { FOLD_MS, FREE_MS } from './transactions.ts'

/** Histories with a power cut at their end. */
const RUNS = process.env.GATEHOUSE_TEST_LONG === '1' ? 300 : 20

class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'gatehouse-folds-'))
  readonly ledger = join(this.path, 'ledger.db');

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }

  /** The files of this ledger as they are now. */
  read(): Record<string, Buffer> {
    return Object.fromEntries(FILES.map((name) => [name, readIfThere(join(this.path, name))]))
  }
}

const FILES = ['ledger.db', 'ledger.db-wal', 'ledger.db-redo', 'keys.json']
const readIfThere = (path: string) => (statSync(path, { throwIfNoEntry: false }) ? readFileSync(path) : Buffer.alloc(0))

function restored(files: Record<string, Buffer>): Folder {
  const folder = new Folder()
  for (const [name, bytes] of Object.entries(files)) {
    if (bytes.length > 0) writeFileSync(join(folder.path, name), bytes)
  }
  return folder
}

/** One commit of a scan: an entry of the journal, and a value that is written again and again. */
function commit(db: Db, index: number, options = { wait: true, redo: true }): void {
  db.transaction(() => {
    const bytes = Buffer.from(`entry ${index}`)
    db.drizzle
      .insert(journal)
      .values({ index, hlc: String(index), kind: 'scan', bytes })
      .run()
    writeValue(db, 'latest', bytes)
  }, options)
}

function entriesOf(db: Db): number[] {
  return db.drizzle
    .select()
    .from(journal)
    .orderBy(asc(journal.index))
    .all()
    .map(({ index }) => index)
}

/** Closes the redo logs that this process has open: the next write to one fails. */
function closeRedoLogs(): void {
  for (const file of readdirSync('/proc/self/fd')) {
    try {
      if (readlinkSync(`/proc/self/fd/${file}`).endsWith('-redo')) closeSync(Number(file))
    } catch {
      // The one that lists them.
    }
  }
}

/** Number of entries that another connection sees. */
function seen(path: string): number {
  const other = new Database(path, { readonly: true })
  try {
    return other.prepare('SELECT count(*) FROM journal').pluck().get() as number
  } finally {
    other.close()
  }
}

/** Until a fold may begin again. */
const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FREE_MS + 1)
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)
const publication = { tables: PUBLISHED, maxRows: 10_000, onFull: 'drop' } as const
const CHANGELOG = { publication, incarnation: 1, token: 'a' }
/** Entries, and the sequence numbers and times that the change feed reads: what it has delivered must stay as it was. */
function state(db: Db): object {
  const logged = db.drizzle.all<object>('SELECT seq, tbl, op, key, last, at FROM changefeed_log ORDER BY seq')
  return { entries: entriesOf(db), latest: readValue(db, 'latest')?.toString(), logged }
}

describe('a fold', () => {
  it('is read by its own connection at once, and by another one when it has ended', async () => {
    using folder = new Folder()
    const db = openDb(folder.ledger)
    for (const index of upTo(5)) commit(db, index)
    assert.deepEqual(entriesOf(db), upTo(5))
    // The first one has begun the redo log, in a transaction of its own.
    assert.equal(seen(folder.ledger), 1)
    await sleep(FOLD_MS + 100)
    assert.equal(seen(folder.ledger), 5)
    commit(db, 5)
    commit(db, 6)
    db.settle()
    assert.equal(seen(folder.ledger), 7)
    db.close()
  })

  it('ends before work that is not to go into one, and before a statement by itself', () => {
    using folder = new Folder()
    const db = openDb(folder.ledger)
    for (const index of upTo(3)) commit(db, index)
    commit(db, 3, { wait: true, redo: false })
    assert.equal(seen(folder.ledger), 4)
    commit(db, 4)
    db.drizzle.delete(journal).where(eq(journal.index, 4)).run()
    assert.equal(seen(folder.ledger), 4)
    db.close()
  })

  it('keeps nothing of work that throws, and all of the work before and behind it', () => {
    using folder = new Folder()
    const db = openDb(folder.ledger)
    for (const index of upTo(3)) commit(db, index)
    const failing = () =>
      db.transaction(
        () => {
          writeValue(db, 'latest', Buffer.from('lost'))
          throw new Error('no')
        },
        { wait: true, redo: true },
      )
    assert.throws(failing, /^Error: no$/)
    commit(db, 3)
    db.transaction(
      () => {
        const undone = db.savepoint(() => {
          writeValue(db, 'latest', Buffer.from('lost'))
          throw new Error('no')
        })
        assert.ok('error' in undone)
        writeValue(db, 'other', Buffer.from('kept'))
      },
      { wait: true, redo: true },
    )
    using killed = restored(folder.read())
    db.close()
    const after = openDb(killed.ledger)
    assert.deepEqual(entriesOf(after), upTo(4))
    assert.equal(readValue(after, 'latest')?.toString(), 'entry 3')
    assert.equal(readValue(after, 'other')?.toString(), 'kept')
    after.close()
  })

  it('lets another connection write in between, and rests on what that has written', async () => {
    using folder = new Folder()
    const [db, other] = [openDb(folder.ledger), openDb(folder.ledger)]
    for (let index = 0; index < 12; ) {
      for (let i = 0; i < 3; i++) {
        commit(db, index++)
        // The first commit after one of another connection, which may not be synced, is a whole transaction: its sync covers both.
        if (i === 0) assert.equal(seen(folder.ledger), index)
      }
      await sleep(FOLD_MS + 50)
      commit(other, index++, { wait: false, redo: false })
    }
    assert.deepEqual(entriesOf(db), upTo(12))
    other.close()
    db.close()
  })

  it('is committed by whoever opens the ledger after a kill, however often that is killed too', () => {
    using folder = new Folder()
    let db = openDb(folder.ledger, CHANGELOG)
    let files = folder.read()
    for (let round = 0, index = 0; round < 4; round++) {
      using killed = restored(files)
      db.close()
      db = openDb(killed.ledger, CHANGELOG)
      assert.deepEqual(entriesOf(db), upTo(index))
      for (let i = 0; i < 4; i++) commit(db, index++)
      files = killed.read()
    }
    db.close()
  })

  it('is whole after a power cut at any moment, with any number of the writes that were not synced', () => {
    // Each number is a commit: 0 a whole one, 1 one into the fold, 2 one into the fold which then ends, 3 the same and a whole transaction that
    // does nothing, 4 the same and one that writes what is there already: SQLite syncs nothing for these.
    const steps = fc.array(fc.constantFrom(0, 1, 1, 1, 2, 2, 3, 4), { minLength: 1, maxLength: 25 })
    using begun = new Folder()
    openDb(begun.ledger, CHANGELOG).close()
    const empty = begun.read()
    fc.assert(
      fc.property(steps, fc.double({ min: 0, max: 1, noNaN: true }), (kinds, part) => {
        using folder = restored(empty)
        const db = openDb(folder.ledger, CHANGELOG)
        // The files as they were last synced; more of the log may have reached the disk.
        let synced = folder.read()
        for (const [index, kind] of kinds.entries()) {
          commit(db, index, { wait: true, redo: kind > 0 })
          // Others see it: it was a transaction of its own.
          if (seen(folder.ledger) === index + 1) synced = folder.read()
          if (kind >= 2) db.settle()
          if (kind >= 3) {
            const before = folder.read()['ledger.db-wal']
            db.transaction(() => (kind === 4 ? writeValue(db, 'latest', Buffer.from(`entry ${index}`)) : undefined))
            // A whole transaction that has written anything to the log has synced it.
            const after = folder.read()
            if (!after['ledger.db-wal']?.equals(before ?? Buffer.alloc(0))) synced = after
          }
          if (kind >= 2) pause()
        }
        const expected = state(db)
        const now = folder.read()
        db.close()
        const [was, is] = [synced['ledger.db-wal'] ?? Buffer.alloc(0), now['ledger.db-wal'] ?? Buffer.alloc(0)]
        const reached = Math.round(was.length + part * (is.length - was.length))
        using cut = restored({
          ...synced,
          'ledger.db-wal': is.subarray(0, reached),
          'ledger.db-redo': now['ledger.db-redo'] ?? Buffer.alloc(0),
        })
        const after = openDb(cut.ledger)
        try {
          assert.deepEqual(state(after), expected)
          commit(after, kinds.length)
          commit(after, kinds.length + 1)
          assert.deepEqual(entriesOf(after), upTo(kinds.length + 2))
        } finally {
          after.close()
        }
      }),
      { numRuns: RUNS },
    )
  })

  it('loses a commit whose record is not whole, and no other', () => {
    using folder = new Folder()
    const db = openDb(folder.ledger)
    for (const index of upTo(4)) commit(db, index)
    const before = folder.read()['ledger.db-redo'] ?? Buffer.alloc(0)
    commit(db, 4)
    const files = folder.read()
    db.close()
    const redo = files['ledger.db-redo'] ?? Buffer.alloc(0)
    const end = redo.findLastIndex((byte) => byte !== 0)
    assert.ok(!redo.equals(before))
    redo[end - 3] = (redo[end - 3] ?? 0) ^ 1
    using cut = restored(files)
    const after = openDb(cut.ledger)
    assert.deepEqual(entriesOf(after), upTo(4))
    after.close()
  })

  it('refuses a commit that the redo log cannot take, for good, and goes on', (t) => {
    if (process.platform !== 'linux') return t.skip('it finds the open file in /proc')
    for (const isFirst of [true, false]) {
      using folder = new Folder()
      const db = openDb(folder.ledger)
      commit(db, 0)
      commit(db, 1)
      db.settle()
      pause()
      if (!isFirst) commit(db, 2)
      const count = isFirst ? 2 : 3
      closeRedoLogs()
      const refused = () => commit(db, count)
      assert.throws(refused, (error) => (error as { code?: string }).code === 'ledger_unavailable')
      assert.deepEqual(entriesOf(db), upTo(count))
      {
        using killed = restored(folder.read())
        const after = openDb(killed.ledger)
        assert.deepEqual(entriesOf(after), upTo(count))
        after.close()
      }
      for (let index = count; index < count + 4; index++) commit(db, index)
      using killed = restored(folder.read())
      db.close()
      const after = openDb(killed.ledger)
      assert.deepEqual(entriesOf(after), upTo(count + 4))
      after.close()
    }
  })

  it('is in every copy and snapshot, also of a box that was killed', () => {
    using folder = new Folder()
    const db = openDb(folder.ledger)
    for (const index of upTo(4)) commit(db, index)
    using killed = restored(folder.read())
    using again = restored(folder.read())
    for (const { ledger, path } of [folder, killed]) {
      copyLedger(ledger, join(path, 'copy.db'))
      assert.equal(seen(join(path, 'copy.db')), 4)
    }
    {
      using snapshot = openSnapshot(again.ledger)
      assert.equal(snapshot.drizzle.select().from(journal).all().length, 4)
    }
    db.close()
  })

  it('is no part of a ledger that begins another incarnation', () => {
    using folder = new Folder()
    const db = openDb(folder.ledger)
    for (const index of upTo(3)) commit(db, index)
    const files = folder.read()
    db.close()
    // The copy was made after the second one.
    using back = restored({ ...files, 'ledger.db-redo': Buffer.alloc(0) })
    const before = openDb(back.ledger)
    beginNewIncarnation(before, Date.now)
    before.close()
    writeFileSync(`${back.ledger}-redo`, files['ledger.db-redo'] ?? '')
    const after = openDb(back.ledger)
    assert.deepEqual(entriesOf(after), upTo(1))
    after.close()
  })

  it('is refused by a copy of the ledger that it does not follow on, with advice', () => {
    using folder = new Folder()
    const db = openDb(folder.ledger)
    for (const index of upTo(3)) commit(db, index)
    const files = folder.read()
    db.close()
    // In the copy, another entry has the place of the second one.
    using other = restored({ ...files, 'ledger.db-redo': Buffer.alloc(0) })
    const copy = openDb(other.ledger)
    commit(copy, 1, { wait: true, redo: false })
    copy.close()
    const redo = files['ledger.db-redo'] ?? ''
    writeFileSync(`${other.ledger}-redo`, redo)
    const opens = [openDb, openSnapshot, settleLedger, (path: string) => copyLedger(path, join(other.path, 'copy.db'))]
    for (const open of opens)
      assert.throws(
        () => open(other.ledger),
        /-redo has scans that do not follow on this ledger .* move that file away/,
        open.name,
      )
    assert.deepEqual(readFileSync(`${other.ledger}-redo`), redo)
    rmSync(`${other.ledger}-redo`)
    openDb(other.ledger).close()
  })

  it('is refused with advice where its statements are of a version that has other tables', () => {
    using folder = new Folder()
    const db = openDb(folder.ledger)
    for (const index of upTo(2)) commit(db, index)
    const place = new PlaceRow(new Database(folder.ledger)).read() ?? assert.fail('no place')
    const files = folder.read()
    db.close()
    for (const statements of [['INSERT INTO tomorrow VALUES (1)'], []]) {
      const payload = { texts: statements, first: true, statements: [[0] as [number]] }
      const record = encodeRecord(place.generation, { seq: place.seq + 1, payload })
      using other = restored({ ...files, 'ledger.db-redo': record })
      assert.throws(() => openDb(other.ledger), /-redo has scans that this version cannot read .* move that file away/)
      rmSync(`${other.ledger}-redo`)
      openDb(other.ledger).close()
    }
  })

  it('leaves no redo log behind when the ledger is closed, and one that is without its ledger is refused', () => {
    using folder = new Folder()
    const db = openDb(folder.ledger)
    for (const index of upTo(4)) commit(db, index)
    using killed = restored(folder.read())
    db.close()
    assert.equal(existsSync(`${folder.ledger}-redo`), false)
    const after = openDb(folder.ledger)
    assert.deepEqual(entriesOf(after), upTo(4))
    after.close()
    const moved = killed.read()
    for (const name of ['ledger.db', 'ledger.db-wal', 'ledger.db-shm']) rmSync(join(killed.path, name), { force: true })
    assert.throws(() => openDb(killed.ledger), /-redo is there without its ledger\. Put the ledger back/)
    using back = restored(moved)
    const found = openDb(back.ledger)
    assert.deepEqual(entriesOf(found), upTo(4))
    found.close()
    rmSync(`${back.ledger}-redo`, { force: true })
    mkdirSync(`${back.ledger}-redo`)
    assert.throws(() => openDb(back.ledger), /-redo is not a file/)
  })

  it('is not opened while an import writes', () => {
    using folder = new Folder()
    const db = openDb(folder.ledger)
    for (const index of upTo(2)) commit(db, index)
    db.transaction(() => db.drizzle.insert(stagedImports).values({ pid: 1 }).run())
    for (const index of [2, 3]) {
      pause()
      commit(db, index)
      assert.equal(seen(folder.ledger), index + 1)
    }
    db.transaction(() => db.drizzle.delete(stagedImports).run())
    pause()
    commit(db, 4)
    assert.equal(seen(folder.ledger), 4)
    db.close()
  })

  it('has no transaction in it but savepoints', () => {
    using folder = new Folder()
    const db = openDb(folder.ledger)
    for (const index of upTo(2)) commit(db, index)
    const nested = () => db.transaction(() => commit(db, 2), { wait: true, redo: true })
    assert.throws(nested, /use a savepoint/)
    assert.deepEqual(entriesOf(db), upTo(2))
    db.close()
  })

  it('goes on when the redo log is full', () => {
    using folder = new Folder()
    const db = openDb(folder.ledger)
    const large = Buffer.alloc(300_000, 1)
    for (let index = 0; index < 40; index++) {
      db.transaction(
        () => {
          db.drizzle
            .insert(journal)
            .values({ index, hlc: String(index), kind: 'scan', bytes: large })
            .run()
        },
        { wait: true, redo: true },
      )
      pause()
    }
    assert.ok(statSync(`${folder.ledger}-redo`).size <= 4 * 1024 * 1024)
    using killed = restored(folder.read())
    db.close()
    const after = openDb(killed.ledger)
    assert.deepEqual(entriesOf(after), upTo(40))
    after.close()
  })

  it('takes up no redo log of another generation: of a ledger that was put back from a copy, or of one beside it', () => {
    using folder = new Folder()
    const first = openDb(folder.ledger)
    for (const index of upTo(3)) commit(first, index)
    first.close()
    const copy = folder.read()
    const second = openDb(folder.ledger)
    for (const index of [3, 4, 5]) commit(second, index)
    const later = folder.read()
    second.close()
    using put = restored({ ...copy, 'ledger.db-redo': later['ledger.db-redo'] ?? Buffer.alloc(0) })
    const db = openDb(put.ledger)
    assert.deepEqual(entriesOf(db), upTo(3))
    db.close()
    // A file that is no redo log at all.
    truncateSync(`${put.ledger}-redo`, 0)
    copyFileSync(put.ledger, `${put.ledger}-redo`)
    openDb(put.ledger).close()
  })
})
