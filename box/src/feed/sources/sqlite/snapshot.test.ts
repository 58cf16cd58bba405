import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import Sqlite, { type Database } from 'better-sqlite3'
import fc from 'fast-check'
import { installChangelog, removeChangelog, shapesOf } from '../../../ledger/changelog.ts'
import { ChangelogReader } from './reader.ts'
import { Snapshot } from './snapshot.ts'

const TABLES = [{ name: 'seats' }, { name: 'log', appendOnly: true, text: ['body'] }, { name: 'pairs' }]
const SCHEMA = `CREATE TABLE seats (id INTEGER PRIMARY KEY, who TEXT);
  CREATE TABLE log (idx INTEGER PRIMARY KEY, body BLOB);
  CREATE TABLE pairs (a TEXT, b INTEGER, v TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;`

class Fixture implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'snapshot-'))
  readonly db: Database = this.open()

  constructor() {
    this.db.pragma('journal_mode = WAL')
    this.db.exec(SCHEMA)
  }

  open(): Database {
    return new Sqlite(join(this.folder, 'app.db'), { timeout: 0 })
  }

  install(): void {
    installChangelog(this.db, { tables: TABLES, maxRows: 1_000_000, onFull: 'drop' }, 7, 'token')
  }

  snapshot(of = 'hq', db = this.db): Snapshot {
    return new Snapshot(db, shapesOf(this.db, TABLES), of)
  }

  /** Content of a receiver that takes every image as its row's state. */
  copy(): Map<string, string> {
    const rows = new Map<string, string>()
    const limit = { events: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY }
    const told = new ChangelogReader(this.db, shapesOf(this.db, TABLES), 7).read(0, limit)
    for (const { event } of told) {
      const keyOf = (json: string) => {
        const { id, idx, a, b } = JSON.parse(json)
        return `${event.table} ${id ?? idx ?? `${a}/${b}`}`
      }
      if (event.beforeJson) rows.delete(keyOf(event.beforeJson))
      if (event.afterJson) rows.set(keyOf(event.afterJson), event.afterJson)
    }
    return rows
  }

  /** Content of the tables, in the same form. */
  truth(): Map<string, string> {
    const all = (sql: string) => this.db.prepare(sql).raw().all() as [string, string][]
    return new Map([
      ...all(`SELECT 'seats ' || id, json_object('id', CAST(id AS TEXT), 'who', who) FROM seats`),
      ...all(`SELECT 'log ' || idx, json_object('idx', CAST(idx AS TEXT), 'body', CAST(body AS TEXT)) FROM log`),
      ...all(`SELECT 'pairs ' || a || '/' || b, json_object('a', a, 'b', CAST(b AS TEXT), 'v', v) FROM pairs`),
    ])
  }

  [Symbol.dispose](): void {
    this.db.close()
    rmSync(this.folder, { recursive: true })
  }
}

const sorted = (rows: Map<string, string>) => [...rows].sort(([a], [b]) => (a < b ? -1 : 1))

describe('what was there before the log', () => {
  it('is told whole, whatever is written meanwhile', () => {
    const write = fc.record({
      kind: fc.constantFrom('seat', 'gone', 'log', 'pair', 'page', 'page', 'restart'),
      n: fc.integer({ min: 1, max: 1600 }),
    })
    fc.assert(
      fc.property(fc.array(write, { maxLength: 30 }), (writes) => {
        using fixture = new Fixture()
        const { db } = fixture
        const many = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200) SELECT'
        db.exec(
          `INSERT INTO seats ${many} i, 'before' FROM n; INSERT INTO log ${many} i, CAST('é' || i AS BLOB) FROM n`,
        )
        db.exec(`INSERT INTO pairs ${many} 'k' || (i % 7), i, 'before' FROM n`)
        fixture.install()
        let snapshot = fixture.snapshot()
        for (const { kind, n } of writes) {
          if (kind === 'seat')
            db.prepare(`INSERT INTO seats VALUES (?, 'now') ON CONFLICT DO UPDATE SET who = 'now' || ?`).run(n, n)
          if (kind === 'gone') db.prepare('DELETE FROM seats WHERE id = ?').run(n)
          if (kind === 'log') db.exec(`INSERT INTO log (body) VALUES (CAST('later' AS BLOB))`)
          if (kind === 'pair') db.prepare(`UPDATE pairs SET b = b + 10000, v = 'moved' WHERE b = ?`).run(n)
          if (kind === 'page') snapshot.advance(0)
          if (kind === 'restart') snapshot = fixture.snapshot()
        }
        while (!snapshot.isDone) assert.equal(snapshot.advance(0), true)
        assert.deepEqual(sorted(fixture.copy()), sorted(fixture.truth()))
      }),
      { numRuns: process.env.GATEHOUSE_TEST_LONG ? 300 : 15 },
    )
  })

  it('is told once for each receiver, and not again after a restart', () => {
    using fixture = new Fixture()
    fixture.db.exec(`INSERT INTO seats VALUES (1, 'x')`)
    fixture.install()
    const snapshot = fixture.snapshot()
    while (!snapshot.isDone) snapshot.advance(0)
    const rows = () => fixture.db.prepare('SELECT count(*) FROM changefeed_log').pluck().get()
    assert.equal(rows(), 1)
    assert.equal(fixture.snapshot().isDone, true)
    const other = fixture.snapshot('another')
    assert.equal(other.isDone, false)
    while (!other.isDone) other.advance(0)
    assert.equal(rows(), 2)
    removeChangelog(fixture.db)
    const left = fixture.db.prepare(`SELECT count(*) FROM sqlite_master WHERE name LIKE 'changefeed%'`).pluck().get()
    assert.equal(left, 0)
  })

  it('is told whole where a table gets another key meanwhile', () => {
    using fixture = new Fixture()
    const { db } = fixture
    const many = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200) SELECT'
    db.exec(`INSERT INTO pairs ${many} 'k' || (i % 7), i, 'before' FROM n`)
    fixture.install()
    fixture.snapshot().advance(0)
    fixture.snapshot().advance(0)
    assert.equal(fixture.snapshot().advance(0), true)
    assert.ok(fixture.copy().size > 0)
    db.exec(`CREATE TABLE anew (a TEXT, b INTEGER, v TEXT, PRIMARY KEY (a, b)); INSERT INTO anew SELECT * FROM pairs;
      DROP TABLE pairs; ALTER TABLE anew RENAME TO pairs`)
    fixture.install()
    const snapshot = fixture.snapshot()
    while (!snapshot.isDone) assert.equal(snapshot.advance(0), true)
    assert.deepEqual(sorted(fixture.copy()), sorted(fixture.truth()))
  })

  it('waits for a writer, and while much is waiting', () => {
    using fixture = new Fixture()
    fixture.db.exec(`INSERT INTO seats VALUES (1, 'x')`)
    fixture.install()
    const feed = fixture.open()
    const snapshot = fixture.snapshot('hq', feed)
    assert.equal(snapshot.advance(1_000_000), undefined)
    fixture.db.exec('BEGIN IMMEDIATE')
    assert.equal(snapshot.advance(0), false)
    fixture.db.exec('COMMIT')
    assert.equal(snapshot.advance(0), true)
    feed.close()
  })
})
