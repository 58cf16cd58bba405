/** A SQLite database, its source, the engine, and a receiver that keeps a copy of the table by the specification's rules. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { anyText } from '@gatehouse/proto/properties.testing.ts'
import Sqlite, { type Database } from 'better-sqlite3'
import fc from 'fast-check'
import type { ChangeEvent } from '../../src/feed/change.ts'
import type { Engine } from '../../src/feed/engine/engine.ts'
import { comparePositions, type Position } from '../../src/feed/lsn.ts'
import type { SqliteOptions } from '../../src/feed/sources/sqlite/options.ts'
import { SqliteSource } from '../../src/feed/sources/sqlite/source.ts'
import { openCommitMark } from '../../src/ledger/changelog.ts'
import { until } from '../world/until.ts'
import { EngineFolder } from './running.ts'
import { ScriptedSink, serve } from './scripted-sink.ts'

/** The copy of `t` at a receiver that drops duplicates and checks each old image against its own. */
class Copy {
  readonly rows = new Map<string, string>()
  #last: Position = { commitLsn: -1n, index: 0 }

  take({ position, op, beforeJson, afterJson }: ChangeEvent): void {
    if (comparePositions(position, this.#last) <= 0) return
    this.#last = position
    if (op !== 'insert') {
      const { id } = JSON.parse(beforeJson)
      assert.equal(this.rows.get(id), beforeJson)
      this.rows.delete(id)
    }
    if (op !== 'delete') this.rows.set(JSON.parse(afterJson).id, afterJson)
  }
}

class World implements AsyncDisposable {
  readonly folder = new EngineFolder()
  readonly path = join(this.folder.path, 'app.db')
  readonly copy = new Copy()
  /** Two programs: one says where its transactions end, the other knows nothing of a feed. */
  readonly writers: readonly [Database, Database]
  source: SqliteSource | undefined
  sink = new ScriptedSink()
  #engine: Engine | undefined

  constructor(schema: string) {
    this.writers = [new Sqlite(this.path), new Sqlite(this.path)]
    this.writers[0].pragma('journal_mode = WAL')
    this.writers[0].exec(schema)
    for (const writer of this.writers) writer.pragma('recursive_triggers = ON')
  }

  async start(): Promise<void> {
    const { log, path: stateDir } = this.folder
    const options: SqliteOptions = {
      kind: 'sqlite',
      path: this.path,
      tables: [{ name: 't' }],
      create: true,
      onSlotLost: 'fail',
      maxRows: 1_000_000,
      onFull: 'drop',
      pollMs: 1,
    }
    this.source = new SqliteSource(options, { stateDir, log, now: Date.now })
    this.sink = new ScriptedSink()
    this.#engine = this.folder.engine(this.source, [serve(this.sink, { queue: { maxEvents: 50, maxBytes: 1e6 } })])
    await this.#engine.start()
  }

  async stop(): Promise<void> {
    await this.#engine?.[Symbol.asyncDispose]()
    for (const event of this.sink.received.splice(0)) this.copy.take(event)
  }

  /** Waits until the receiver has everything that was committed. */
  async drained(): Promise<void> {
    const last = this.writers[0].prepare('SELECT max(seq) FROM changefeed_log').pluck().get() as number
    const incarnation = BigInt(this.source?.identity.split('/')[1] ?? 0) << 32n
    await until(() => {
      const flushed = this.#engine?.stats().flushedLsn.split('/') ?? []
      const [upper = '0', lower = '0'] = flushed
      return (BigInt(`0x${upper}`) << 32n) + BigInt(`0x${lower}`) >= incarnation + BigInt(last ?? 0)
    })
    assert.equal(this.source?.state.lastError, null)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    for (const writer of this.writers) writer.close()
    this.folder[Symbol.dispose]()
  }
}

const id = fc.integer({ min: 1, max: 6 })
const value = fc.oneof(
  anyText({ maxLength: 20 }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.double({ noNaN: true }),
  fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
  fc.constant(null),
)
const statement = fc.tuple(
  fc.constantFrom(
    'REPLACE INTO t (a, id) VALUES (?, ?)',
    'INSERT OR IGNORE INTO t (a, id) VALUES (?, ?)',
    'INSERT INTO t (a, id) VALUES (?, ?) ON CONFLICT DO UPDATE SET a = excluded.a',
    'UPDATE OR REPLACE t SET id = id + 1 WHERE a IS NOT ? AND id < ?',
    'DELETE FROM t WHERE a IS ? OR id > ?',
  ),
  value,
  id,
)
const step = fc.oneof(
  {
    arbitrary: fc.record({ by: fc.nat(1), ends: fc.boolean(), run: fc.array(statement, { maxLength: 8 }) }),
    weight: 6,
  },
  { arbitrary: fc.constantFrom('restart', 'checkpoint', 'drain'), weight: 1 },
)

test('a receiver has the table as it was written, with other writers, restarts and purges in between (fault 32)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      await using world = new World('CREATE TABLE t (id INTEGER PRIMARY KEY, a)')
      await world.start()
      const mark = openCommitMark(world.writers[0])
      for (const step of steps) {
        if (step === 'restart') {
          await world.stop()
          await world.start()
        } else if (step === 'checkpoint') world.writers[0].pragma('wal_checkpoint(TRUNCATE)')
        else if (step === 'drain') await world.drained()
        else {
          const writer = world.writers[step.by] ?? world.writers[0]
          // One after the other holds the lock; the feed never does for long.
          writer.exec('BEGIN IMMEDIATE')
          if (step.by === 0) mark?.begin()
          for (const [sql, value, id] of step.run) writer.prepare(sql).run(value, id)
          if (step.by === 0) mark?.end()
          writer.exec(step.ends ? 'COMMIT' : 'ROLLBACK')
        }
      }
      await world.drained()
      await world.stop()
      const images = world.writers[1]
        .prepare(`SELECT json_object('id', CAST(id AS TEXT), 'a', ${TEXT_OF_A}) FROM t ORDER BY id`)
        .pluck()
        .all()
      const copied = [...world.copy.rows].sort(([a], [b]) => Number(a) - Number(b)).map(([, image]) => image)
      assert.deepEqual(copied, images)
    }),
    { numRuns: 40 },
  )
})
const TEXT_OF_A = `CASE typeof(a) WHEN 'blob' THEN '\\x' || lower(hex(a)) WHEN 'real' THEN printf('%!.17g', a) ELSE CAST(a AS TEXT) END`

test('100,000 changes from while no feed ran arrive once each, and are removed from the log (fault 32)', async () => {
  await using world = new World('CREATE TABLE t (id INTEGER PRIMARY KEY, a)')
  await world.start()
  await world.stop()
  const [app] = world.writers
  const insert = app.prepare(
    `WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s LIMIT 1000) INSERT INTO t (a) SELECT 'row ' || n FROM s`,
  )
  for (let i = 0; i < 100; i++) insert.run()
  await world.start()
  await world.drained()
  assert.equal(world.sink.received.length, 100_000)
  const left = app.prepare('SELECT count(*) FROM changefeed_log').pluck()
  // The newest one stays, for the number of the next one.
  await until(() => left.get() === 1)
  assert.equal((app.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[])[0]?.busy, 0, 'no reader is in the way')
  await world.stop()
  assert.equal(world.copy.rows.size, 100_000)
})
