import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import Sqlite, { type Database } from 'better-sqlite3'
import { ChangelogReader } from '../feed/sources/sqlite/reader.ts'
import { Slot } from '../feed/sources/sqlite/slot.ts'
import { installChangelog, openCommitMark, shapesOf } from './changelog.ts'
import { bringChangelogUpToDate } from './changelog-forms.ts'
import { openDb } from './db.ts'
import { triggersFor } from './triggers.ts'

/** As versions before the migration 0025 made them. */
const EARLIER = `
CREATE TABLE changefeed_log (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  tbl TEXT NOT NULL,
  op TEXT NOT NULL,
  at INTEGER NOT NULL,
  key INTEGER,
  before TEXT,
  after TEXT
);
CREATE TABLE changefeed_commits (
  first_seq INTEGER PRIMARY KEY,
  last_seq INTEGER NOT NULL,
  at INTEGER NOT NULL
);
CREATE TABLE changefeed_slot (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  incarnation INTEGER NOT NULL,
  confirmed INTEGER NOT NULL,
  token TEXT NOT NULL,
  lost INTEGER NOT NULL DEFAULT 0,
  max_rows INTEGER NOT NULL
);
CREATE TABLE changefeed_snapshot (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  of TEXT NOT NULL,
  tbl TEXT,
  after TEXT
);
INSERT INTO changefeed_slot VALUES (1, 7, 0, 'token', 0, 1000);`
const TABLES = [{ name: 't' }]

/** An application of the version before, with its log and its triggers. */
function earlier(t: TestContext): Database {
  const db = new Sqlite(':memory:')
  t.after(() => db.close())
  db.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY); ${EARLIER}`)
  for (const sql of triggersFor(shapesOf(db, TABLES), 'drop').values()) db.exec(sql)
  return db
}

const told = (db: Database, after: number) =>
  new ChangelogReader(db, shapesOf(db, TABLES), 7)
    .read(after, { events: 100, bytes: 1e9 })
    .map(({ event, last }) => [event.id, event.lsn, event.op, event.afterJson, Date.parse(event.commitTime), last])

describe('a change log of the version before', () => {
  it('is told with the same ids, positions, times and transactions, and goes on with the next number', (t) => {
    const db = earlier(t)
    db.exec(`INSERT INTO t VALUES (1), (2); INSERT INTO changefeed_commits VALUES (1, 2, 100);
      INSERT INTO t VALUES (3); INSERT INTO changefeed_commits VALUES (3, 3, 200);
      INSERT INTO t VALUES (4); UPDATE changefeed_log SET at = 300 WHERE seq = 4;
      INSERT INTO t VALUES (5), (6), (7); INSERT INTO changefeed_commits VALUES (5, 7, 400)`)
    bringChangelogUpToDate(db)
    const one = (tx: number, index: number, seq: number, at: number, last: boolean) => [
      `7/${tx}:${index}`,
      `7/${seq}`,
      'insert',
      `{"id":"${seq}"}`,
      at,
      last,
    ]
    assert.deepEqual(told(db, 0), [
      one(2, 0, 1, 100, false),
      one(2, 1, 2, 100, true),
      one(3, 0, 3, 200, true),
      one(4, 0, 4, 300, true),
      one(7, 0, 5, 400, false),
      one(7, 1, 6, 400, false),
      one(7, 2, 7, 400, true),
    ])
    const mark = openCommitMark(db) ?? assert.fail()
    mark.begin()
    db.exec('INSERT INTO t VALUES (8), (9)')
    mark.end()
    assert.deepEqual(
      told(db, 7).map(([id, lsn]) => [id, lsn]),
      [
        ['7/9:0', '7/8'],
        ['7/9:1', '7/9'],
      ],
    )
    const tables = db.prepare(`SELECT name FROM sqlite_master WHERE name LIKE '%commits' OR name LIKE '%earlier'`).all()
    assert.deepEqual(tables, [])
    bringChangelogUpToDate(db)
    installChangelog(db, { tables: TABLES, maxRows: 1000, onFull: 'drop' }, 9, 'other')
    assert.equal(told(db, 0).length, 9, 'a second time changes nothing')
    assert.equal(new Slot(db).read().incarnation, 7)
  })

  it('uses no number again where everything was delivered and deleted', (t) => {
    const db = earlier(t)
    db.exec('INSERT INTO t VALUES (1), (2), (3); DELETE FROM changefeed_log; UPDATE changefeed_slot SET confirmed = 3')
    bringChangelogUpToDate(db)
    const slot = new Slot(db)
    assert.deepEqual([slot.lastSeq(), slot.retained()], [3, { rows: 0, bytes: 0 }])
    assert.deepEqual(told(db, slot.read().confirmed), [])
    db.exec('INSERT INTO t VALUES (4)')
    assert.deepEqual(
      told(db, slot.read().confirmed).map(([id]) => id),
      ['7/4:0'],
    )
    assert.equal(slot.confirm(4, 'token'), false)
    assert.deepEqual(db.prepare('SELECT seq FROM changefeed_log').pluck().all(), [4])
    db.exec('INSERT INTO t VALUES (5)')
    assert.equal(slot.lastSeq(), 5)
  })

  it('is brought up to date by whoever opens the ledger first, also by a command that says nothing of the feed', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-changelog-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, 'ledger.db')
    openDb(path).close()
    const before = new Sqlite(path)
    before.exec(EARLIER)
    for (const sql of triggersFor(shapesOf(before, [{ name: 'identity' }]), 'drop').values()) before.exec(sql)
    before.close()
    const db = openDb(path)
    db.transaction(() => db.drizzle.run(`INSERT INTO identity VALUES ('a', x'01'), ('b', x'02')`))
    db.close()
    const after = new Sqlite(path)
    assert.deepEqual(after.prepare('SELECT seq, last FROM changefeed_log').raw().all(), [
      [1, 2],
      [2, null],
    ])
    after.close()
  })
})
