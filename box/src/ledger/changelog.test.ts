import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import Sqlite, { type Database } from 'better-sqlite3'
import fc from 'fast-check'
import type { ChangeEvent } from '../feed/change.ts'
import { ChangelogReader } from '../feed/sources/sqlite/reader.ts'
import { Slot } from '../feed/sources/sqlite/slot.ts'
import {
  hasChangelog,
  installChangelog,
  openCommitMark,
  outOfStep,
  type Publication,
  removeChangelog,
  shapesOf,
} from './changelog.ts'
import type { PublishedTable } from './triggers.ts'

const LIMITLESS = { events: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY }

/** A table of the numbers from 1. */
const series = (last: number) =>
  `(WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ${last}) SELECT value FROM n)`

class Fixture implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'changelog-'))
  readonly db: Database

  constructor(schema: string) {
    this.db = this.open()
    this.db.pragma('journal_mode = WAL')
    this.db.exec(schema)
  }

  open(): Database {
    return new Sqlite(join(this.folder, 'app.db'))
  }

  publish(tables: PublishedTable[], more: Partial<Publication> = {}): void {
    installChangelog(this.db, { tables, maxRows: 1000, onFull: 'drop', ...more }, 7, 'token')
  }

  /** The change log of `tables`: operation, table and images. */
  told(tables: PublishedTable[], after = 0) {
    return this.events(tables, after).map(({ op, table, beforeJson, afterJson }) => [
      op,
      table,
      beforeJson && JSON.parse(beforeJson),
      afterJson && JSON.parse(afterJson),
    ])
  }

  events(tables: PublishedTable[], after = 0): ChangeEvent[] {
    return new ChangelogReader(this.db, shapesOf(this.db, tables), 7).read(after, LIMITLESS).map(({ event }) => event)
  }

  [Symbol.dispose](): void {
    this.db.close()
    rmSync(this.folder, { recursive: true })
  }
}

const T = [{ name: 't' }]
const SCHEMA = 'CREATE TABLE t (id INTEGER PRIMARY KEY, a, b TEXT UNIQUE)'

describe('a change log', () => {
  it('tells inserts, updates and deletes with their images, in order', () => {
    using fixture = new Fixture(SCHEMA)
    fixture.publish(T)
    fixture.db.exec(`INSERT INTO t VALUES (1, 'x', 'one'); UPDATE t SET a = 'y'; DELETE FROM t`)
    assert.deepEqual(fixture.told(T), [
      ['insert', 't', '', { id: '1', a: 'x', b: 'one' }],
      ['update', 't', { id: '1', a: 'x', b: 'one' }, { id: '1', a: 'y', b: 'one' }],
      ['delete', 't', { id: '1', a: 'y', b: 'one' }, ''],
    ])
  })

  it('keeps every value: 64 bits, reals, blobs, NULL, and text of any kind', () => {
    using fixture = new Fixture(SCHEMA)
    fixture.publish(T)
    const insert = fixture.db.prepare('INSERT INTO t (a) VALUES (?)')
    const values = [
      9223372036854775807n,
      -9223372036854775808n,
      9007199254740993n,
      0.1,
      1e300,
      5e-324,
      null,
      '',
      'NULL',
      'a\0b',
      '"quoted" \\ \u2028 \u{1f39f} é\n',
      Buffer.from([0, 255, 39]),
      Buffer.alloc(0),
    ]
    for (const value of values) insert.run(value)
    const told = fixture.told(T).map((row) => (row[3] as { a: string | null }).a)
    assert.deepEqual(told.slice(0, 3), ['9223372036854775807', '-9223372036854775808', '9007199254740993'])
    assert.deepEqual(told.slice(3, 6).map(Number), [0.1, 1e300, 5e-324])
    assert.deepEqual(told.slice(6), [
      ...[null, '', 'NULL', 'a\0b', '"quoted" \\ \u2028 \u{1f39f} é\n'],
      ...['\\x00ff27', '\\x'],
    ])
  })

  it('reads every number back as the same number', () => {
    using fixture = new Fixture('CREATE TABLE t (a)')
    fixture.publish(T)
    const insert = fixture.db.prepare('INSERT INTO t VALUES (?)')
    let after = 0
    fc.assert(
      fc.property(
        fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n)),
        (value) => {
          insert.run(value)
          const [event] = fixture.events(T, after++)
          const { a } = JSON.parse(event?.afterJson ?? '') as { a: string }
          // SQLite knows one zero.
          assert.equal(typeof value === 'bigint' ? BigInt(a) : Number(a), value === 0 ? 0 : value)
        },
      ),
    )
  })

  it('publishes the columns that it is told to, and is silent when only others change', () => {
    using fixture = new Fixture(`CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, "odd ""name""" TEXT)`)
    const tables = [{ name: 'people', columns: ['odd "name"', 'id'] }]
    fixture.publish(tables)
    fixture.db.exec(
      `INSERT INTO people VALUES (1, 'Ana', 'x'); UPDATE people SET name = 'Rui'; UPDATE people SET "odd ""name""" = NULL`,
    )
    assert.deepEqual(fixture.told(tables), [
      ['insert', 'people', '', { id: '1', 'odd "name"': 'x' }],
      ['update', 'people', { id: '1', 'odd "name"': 'x' }, { id: '1', 'odd "name"': null }],
    ])
    assert.ok(!JSON.stringify(fixture.db.prepare('SELECT * FROM changefeed_log').all()).includes('Ana'))
  })

  it('follows a row of an append-only table by reference', () => {
    using fixture = new Fixture('CREATE TABLE t (id INTEGER PRIMARY KEY, a BLOB)')
    const tables = [{ name: 't', text: ['a'], appendOnly: true }]
    fixture.publish(tables)
    fixture.db.prepare('INSERT INTO t VALUES (5, ?)').run(Buffer.from('{"é":1}'))
    assert.deepEqual(fixture.told(tables), [['insert', 't', '', { id: '5', a: '{"é":1}' }]])
    assert.deepEqual(fixture.db.prepare('SELECT key, after FROM changefeed_log').get(), { key: 5, after: null })
    assert.throws(() => fixture.told(T), /t was logged as appendOnly/, 'and tells nothing where it cannot')
  })

  it('tells a REPLACE as delete and insert where the writer lets delete triggers fire, and else as an insert', () => {
    using fixture = new Fixture(SCHEMA)
    fixture.publish(T)
    fixture.db.exec(`INSERT INTO t VALUES (1, 'x', 'one'), (2, 'x', 'two')`)
    fixture.db.pragma('recursive_triggers = ON')
    fixture.db.exec(`REPLACE INTO t VALUES (1, 'y', 'two')`)
    fixture.db.pragma('recursive_triggers = OFF')
    fixture.db.exec(`REPLACE INTO t VALUES (1, 'z', 'two')`)
    assert.deepEqual(
      fixture.told(T, 2).map(([op, , before, after]) => [op, (before || after).id, (before || after).a]),
      [
        ['delete', '1', 'x'],
        ['delete', '2', 'x'],
        ['insert', '1', 'y'],
        ['insert', '1', 'z'],
      ],
    )
  })

  it('tells an upsert as an update, a statement of many rows row by row, and nothing of what was rolled back', () => {
    using fixture = new Fixture(SCHEMA)
    fixture.publish(T)
    fixture.db.exec(`INSERT INTO t SELECT value, 'x', value FROM ${series(3)}`)
    fixture.db.exec(
      `INSERT INTO t VALUES (1, 'y', '1') ON CONFLICT DO UPDATE SET a = 'upserted'; INSERT OR IGNORE INTO t VALUES (1, 'z', '1')`,
    )
    fixture.db.exec(
      `BEGIN; DELETE FROM t; ROLLBACK; BEGIN; SAVEPOINT s; DELETE FROM t; ROLLBACK TO s; UPDATE t SET a = 'kept' WHERE id = 2; COMMIT`,
    )
    fixture.db.exec('DELETE FROM t')
    assert.deepEqual(
      fixture.told(T).map(([op]) => op),
      ['insert', 'insert', 'insert', 'update', 'update', 'delete', 'delete', 'delete'],
    )
    assert.deepEqual(
      fixture.db.prepare('SELECT seq FROM changefeed_log').pluck().all(),
      [1, 2, 3, 4, 5, 6, 7, 8],
      'without a hole',
    )
  })

  it('keeps transactions together where the writer marks them, and tells other changes one by one', () => {
    using fixture = new Fixture(SCHEMA)
    fixture.publish(T)
    const mark = openCommitMark(fixture.db) ?? assert.fail()
    const transaction = (work: string) =>
      fixture.db.transaction(() => {
        mark.begin()
        fixture.db.exec(work)
        mark.end()
      })()
    const other = fixture.open()
    transaction(`INSERT INTO t VALUES (1, 1, 1), (2, 2, 2)`)
    other.exec(`INSERT INTO t VALUES (3, 3, 3), (4, 4, 4)`)
    transaction('SELECT 1')
    transaction('UPDATE t SET a = 9')
    other.close()
    const events = fixture.events(T)
    assert.deepEqual(
      events.map(({ id }) => id),
      ['7/2:0', '7/2:1', '7/3:0', '7/4:0', '7/8:0', '7/8:1', '7/8:2', '7/8:3'],
    )
    assert.deepEqual(
      events.map(({ lsn }) => lsn),
      ['7/1', '7/2', '7/3', '7/4', '7/5', '7/6', '7/7', '7/8'],
    )
    for (const { commitTime } of events) assert.ok(Math.abs(Date.parse(commitTime) - Date.now()) < 60_000)
    assert.equal(new Set(events.slice(0, 2).map(({ commitTime }) => commitTime)).size, 1)
  })

  it('reads in pages, and never splits what one change says', () => {
    using fixture = new Fixture(SCHEMA)
    fixture.publish(T)
    const mark = openCommitMark(fixture.db) ?? assert.fail()
    mark.begin()
    fixture.db.exec(`INSERT INTO t SELECT value, hex(zeroblob(1000)), value FROM ${series(10)}`)
    mark.end()
    const reader = new ChangelogReader(fixture.db, shapesOf(fixture.db, T), 7)
    assert.equal(reader.read(0, { events: 4, bytes: 1e9 }).length, 4)
    assert.equal(reader.read(4, { events: 100, bytes: 5000 }).length, 3)
    assert.equal(reader.read(7, { events: 100, bytes: 1 }).length, 1)
    assert.deepEqual(
      reader.read(8, { events: 100, bytes: 1e9 }).map(({ event, last }) => [event.id, last]),
      [
        ['7/A:8', false],
        ['7/A:9', true],
      ],
    )
  })

  it('is brought in step with a table that has gained a column, and with another publication', () => {
    using fixture = new Fixture(`${SCHEMA}; CREATE TABLE u (id INTEGER PRIMARY KEY)`)
    fixture.publish(T)
    const publication = { tables: T, maxRows: 1000, onFull: 'drop' } as const
    assert.equal(outOfStep(fixture.db, publication), undefined)
    fixture.db.exec(`ALTER TABLE t ADD COLUMN c TEXT DEFAULT 'new'`)
    assert.match(outOfStep(fixture.db, publication) ?? '', /changefeed_t_insert/)
    fixture.publish(T)
    fixture.db.exec('INSERT INTO t (id) VALUES (1)')
    assert.equal(fixture.told(T).at(-1)?.[3].c, 'new')
    fixture.publish([{ name: 'u' }])
    fixture.db.exec('INSERT INTO t (id) VALUES (2); INSERT INTO u VALUES (1)')
    assert.deepEqual(
      fixture.told([...T, { name: 'u' }]).map(([, table]) => table),
      ['t', 'u'],
    )
    removeChangelog(fixture.db)
    assert.equal(hasChangelog(fixture.db), false)
    fixture.db.exec('INSERT INTO t (id) VALUES (3)')
    removeChangelog(fixture.db)
  })

  it('names what cannot be published, and changes nothing', () => {
    using fixture =
      new Fixture(`${SCHEMA}; CREATE TABLE w (id INTEGER PRIMARY KEY) WITHOUT ROWID; CREATE TABLE h (id INTEGER);
      CREATE TABLE i (id INT PRIMARY KEY)`)
    const mistakes: [PublishedTable[], RegExp][] = [
      [[{ name: 'nowhere' }], /no table nowhere/],
      [[{ name: 't', columns: ['id', 'zz'] }], /no column zz/],
      [[{ name: 't', text: ['zz'] }], /no column zz/],
      [[{ name: 'w', appendOnly: true }], /no INTEGER PRIMARY KEY/],
      [[{ name: 'h', appendOnly: true }], /no INTEGER PRIMARY KEY/],
      [[{ name: 'i', appendOnly: true }], /no INTEGER PRIMARY KEY/],
      [[...T, ...T], /published twice/],
    ]
    for (const [tables, message] of mistakes) {
      assert.throws(() => fixture.publish(tables), { name: 'PublicationError', message })
      assert.equal(hasChangelog(fixture.db), false)
    }
  })

  it('gives up when nobody takes its rows, and lets the writer write on', () => {
    using fixture = new Fixture(SCHEMA)
    fixture.publish(T, { maxRows: 10 })
    const slot = new Slot(fixture.db)
    for (let i = 1; i <= 20; i++) fixture.db.prepare('INSERT INTO t (id) VALUES (?)').run(i)
    assert.equal(slot.read().lost, true)
    assert.equal(slot.retained().rows, 11, 'the one that found it full is the last')
    assert.ok(slot.recreate(2))
    fixture.db.exec('DELETE FROM t WHERE id = 1')
    assert.deepEqual(fixture.told(T, slot.read().confirmed), [['delete', 't', { id: '1', a: null, b: null }, '']])
  })

  it('or refuses to be written past its end, where the operator wants that', () => {
    using fixture = new Fixture(SCHEMA)
    fixture.publish(T, { maxRows: 10, onFull: 'block' })
    const slot = new Slot(fixture.db)
    const insert = () => fixture.db.prepare('INSERT INTO t (a) VALUES (1)').run()
    for (let i = 1; i <= 10; i++) insert()
    assert.throws(insert, /start the change feed, or raise maxRows/)
    assert.equal(fixture.db.prepare('SELECT count(*) FROM t').pluck().get(), 10, 'nothing by halves')
    slot.confirm(5, 'token')
    for (let i = 1; i <= 5; i++) insert()
    assert.throws(insert)
  })

  it('loses what is taken, a bite at a time', () => {
    using fixture = new Fixture(SCHEMA)
    fixture.publish(T, { maxRows: 10_000 })
    fixture.db.exec(`INSERT INTO t (id) SELECT value FROM ${series(2500)}`)
    const slot = new Slot(fixture.db)
    assert.deepEqual(
      [0, 1, 2].map(() => slot.confirm(2400, 'token')),
      [true, true, false],
    )
    assert.deepEqual([slot.retained().rows, slot.lastSeq(), slot.read().confirmed], [100, 2500, 2400])
    slot.confirm(5, 'token')
    assert.equal(slot.read().confirmed, 2400, 'never goes back')
  })

  it('loses nothing to whoever took changes of another life', () => {
    using fixture = new Fixture(SCHEMA)
    fixture.publish(T)
    fixture.db.exec('INSERT INTO t (id) VALUES (1), (2)')
    const slot = new Slot(fixture.db)
    assert.deepEqual(
      [slot.confirm(1, 'other'), slot.confirm(3, 'token'), slot.setToken('x', 'other')],
      [undefined, undefined, false],
    )
    assert.deepEqual([slot.read().confirmed, slot.retained().rows, slot.read().token], [0, 2, 'token'])
    assert.deepEqual([slot.setToken('x', 'token'), slot.confirm(1, 'x')], [true, false])
    assert.deepEqual([slot.read().confirmed, slot.retained().rows], [1, 1])
  })

  it('does not wait for a writer', () => {
    using fixture = new Fixture(SCHEMA)
    fixture.publish(T)
    const other = fixture.open()
    other.exec('BEGIN IMMEDIATE')
    fixture.db.pragma('busy_timeout = 0')
    const slot = new Slot(fixture.db)
    assert.deepEqual(
      [slot.confirm(1, 'token'), slot.setToken('x', 'token'), slot.setIncarnation(9), slot.recreate(9)],
      [undefined, false, false, false],
    )
    other.close()
    assert.equal(slot.read().incarnation, 7)
  })

  it('applied in order, makes the table that it was told of, whatever was written', () => {
    using fixture = new Fixture('CREATE TABLE t (id INTEGER PRIMARY KEY, a)')
    fixture.publish(T, { maxRows: 1e6 })
    fixture.db.pragma('recursive_triggers = ON')
    const copy = new Map<string, string | null>()
    let after = 0
    const id = fc.integer({ min: 1, max: 5 })
    const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null))
    const statement = fc.oneof(
      fc.record({ sql: fc.constant('REPLACE INTO t (a, id) VALUES (?, ?)'), id, value }),
      fc.record({ sql: fc.constant('INSERT OR IGNORE INTO t (a, id) VALUES (?, ?)'), id, value }),
      fc.record({
        sql: fc.constant('INSERT INTO t (a, id) VALUES (?, ?) ON CONFLICT DO UPDATE SET a = excluded.a'),
        id,
        value,
      }),
      fc.record({ sql: fc.constant('UPDATE OR REPLACE t SET id = id + 1 WHERE a IS NOT ? AND id < ?'), id, value }),
      fc.record({ sql: fc.constant('DELETE FROM t WHERE a IS ? OR id > ?'), id, value }),
    )
    fc.assert(
      fc.property(fc.array(statement, { maxLength: 20 }), (statements) => {
        for (const { sql, id, value } of statements) fixture.db.prepare(sql).run(value, id)
        for (const [op, , before, image] of fixture.told(T, after)) {
          if (op !== 'insert') assert.equal(copy.get(before.id), before.a)
          if (op !== 'insert') copy.delete(before.id)
          if (op !== 'delete') copy.set(image.id, image.a)
        }
        after = new Slot(fixture.db).lastSeq()
        const rows = fixture.db.prepare('SELECT CAST(id AS TEXT), CAST(a AS TEXT) FROM t').raw().all() as [
          string,
          string | null,
        ][]
        assert.deepEqual(new Map([...copy].sort()), new Map(rows.sort()))
      }),
    )
  })
})
