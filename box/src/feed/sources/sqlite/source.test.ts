import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite, { type Database } from 'better-sqlite3'
import { installChangelog, removeChangelog } from '../../../ledger/changelog.ts'
import type { ChangeEvent } from '../../change.ts'
import type { Lsn } from '../../lsn.ts'
import type { Delivered, SourceListener } from '../../source.ts'
import type { SqliteOptions } from './options.ts'
import { lsnOf } from './reader.ts'
import { SqliteSource } from './source.ts'

/** An application, its database, and what a feed beside it was told. */
class Followed implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'sqlite-source-'))
  readonly path = join(this.folder, 'app.db')
  readonly memory = join(this.folder, 'state/sqlite-source.json')
  app: Database
  readonly options: SqliteOptions = {
    kind: 'sqlite',
    path: this.path,
    tables: [{ name: 't' }],
    create: true,
    onSlotLost: 'fail',
    maxRows: 1000,
    onFull: 'drop',
    pollMs: 2,
  }
  readonly warnings: string[] = []
  readonly gaps: string[] = []
  events: ChangeEvent[] = []
  ends: Lsn[] = []
  idle: Lsn | undefined
  /** Position at which reading began, and how many events were told before that. */
  began: [end: Lsn, events: number] | undefined
  now = Date.parse('2026-07-04T12:00:00Z')
  source: SqliteSource | undefined

  constructor() {
    this.app = new Sqlite(this.path)
    this.app.pragma('journal_mode = WAL')
    this.app.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, a)')
  }

  async start(more: Partial<SqliteOptions> = {}, delivered?: Delivered): Promise<SqliteSource> {
    await this.source?.[Symbol.asyncDispose]()
    this.events = []
    this.ends = []
    const note = (fields: object) => void this.warnings.push((fields as { event: string }).event)
    this.source = new SqliteSource(
      { ...this.options, ...more },
      { stateDir: join(this.folder, 'state'), log: { info: note, warn: note, error: note }, now: () => this.now },
    )
    const listener: SourceListener = {
      began: (end) => {
        this.began = [end, this.events.length]
      },
      event: (event) => this.events.push(event),
      commit: ({ end }) => this.ends.push(end),
      idle: (end) => {
        this.idle = end
      },
      gap: async ({ reason }) => void this.gaps.push(reason),
    }
    await this.source.start(listener, delivered)
    return this.source
  }

  async stop(): Promise<void> {
    await this.source?.[Symbol.asyncDispose]()
    this.source = undefined
  }

  /** Waits until as many events were told, and a little longer, for those that should not come. */
  async told(count: number): Promise<string[]> {
    for (let tries = 0; this.events.length < count && tries < 6000; tries++) await sleep(5)
    await sleep(30)
    return this.events.map(({ op, afterJson, beforeJson }) => `${op} ${JSON.parse(afterJson || beforeJson).id}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    this.app.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

describe('the SQLite source', () => {
  it('tells what is written beside it, and begins again after what was acknowledged', async () => {
    await using followed = new Followed()
    const source = await followed.start()
    followed.app.exec('INSERT INTO t (id) VALUES (1), (2)')
    assert.deepEqual(await followed.told(2), ['insert 1', 'insert 2'])
    assert.equal(followed.ends.length, 2)
    const acknowledged = followed.ends[0] ?? 0n
    source.acknowledge(acknowledged)
    await followed.stop()
    followed.app.exec('INSERT INTO t (id) VALUES (3)')
    await followed.start()
    assert.deepEqual(await followed.told(2), ['insert 2', 'insert 3'])
    assert.deepEqual(followed.began, [acknowledged, 0], 'it says from where')
    assert.deepEqual(followed.warnings, [])
  })

  it('tells the end of what it has told when nothing is left', async () => {
    await using followed = new Followed()
    await followed.start()
    followed.app.exec('INSERT INTO t (id) VALUES (1)')
    await followed.told(1)
    assert.equal(followed.idle, followed.ends.at(-1))
  })

  it('reads nothing while it is paused', async () => {
    await using followed = new Followed()
    const source = await followed.start()
    source.pause()
    source.pause()
    await sleep(20)
    followed.app.exec('INSERT INTO t (id) VALUES (1)')
    assert.deepEqual(await followed.told(0), [])
    source.resume()
    assert.deepEqual(await followed.told(1), ['insert 1'])
  })

  it('takes away what is acknowledged, and only that', async () => {
    await using followed = new Followed()
    const source = await followed.start()
    followed.app.exec('INSERT INTO t (id) VALUES (1), (2), (3)')
    await followed.told(3)
    source.acknowledge(followed.ends[1] ?? 0n)
    // Of another incarnation: means nothing here.
    source.acknowledge(1n << 40n)
    const rows = () => followed.app.prepare('SELECT seq FROM changefeed_log').pluck().all()
    for (let tries = 0; rows().length > 1 && tries < 6000; tries++) await sleep(10)
    assert.deepEqual(rows(), [3])
    const { slot, publication, walLevel } = await source.status()
    assert.deepEqual([publication, walLevel], [{ exists: true, allTables: false }, 'wal'])
    assert.ok(slot?.exists && slot.active && slot.retainedWalBytes > 0)
    assert.match(slot.confirmedFlushLsn, /^[0-9A-F]+\/2$/)
  })

  it('keeps telling while a writer holds the lock', async () => {
    await using followed = new Followed()
    const source = await followed.start()
    followed.app.exec('INSERT INTO t (id) VALUES (1)')
    await followed.told(1)
    followed.app.exec('BEGIN IMMEDIATE; INSERT INTO t (id) VALUES (2)')
    source.acknowledge(followed.ends[0] ?? 0n)
    await sleep(1200)
    assert.deepEqual(await followed.told(1), ['insert 1'])
    followed.app.exec('COMMIT')
    assert.deepEqual(await followed.told(2), ['insert 1', 'insert 2'])
    assert.deepEqual(source.state, { state: 'streaming', lastError: null })
  })

  for (const [name, further] of [
    ['before it has written again', 0],
    ['when it has written more than it had', 5],
  ] as const) {
    it(`knows a backup that was put back, ${name}: its ids are new`, async () => {
      await using followed = new Followed()
      await followed.start()
      followed.app.exec('INSERT INTO t (id) VALUES (1)')
      await followed.told(1)
      await followed.stop()
      followed.app.pragma('wal_checkpoint(TRUNCATE)')
      cpSync(followed.path, join(followed.folder, 'backup.db'))
      const first = await followed.start()
      followed.app.exec('INSERT INTO t (id) VALUES (2), (3)')
      await followed.told(3)
      for (const end of followed.ends) first.acknowledge(end)
      const ids = followed.events.map(({ id }) => id)
      await followed.stop()

      followed.app.close()
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${followed.path}${suffix}`, { force: true })
      cpSync(join(followed.folder, 'backup.db'), followed.path)
      followed.app = new Sqlite(followed.path)
      for (let i = 0; i < further; i++) followed.app.prepare('INSERT INTO t (id) VALUES (?)').run(100 + i)
      followed.now += 1000
      const source = await followed.start()
      assert.notEqual(source.identity, first.identity)
      await followed.told(1 + further)
      assert.deepEqual(followed.warnings, ['feed_source_restored'])
      assert.ok(followed.events.every(({ id }) => !ids.includes(id)))
      await followed.start()
      assert.deepEqual(followed.warnings, ['feed_source_restored'], 'once')
    })
  }

  it('knows a backup that was made a moment ago, while it ran', async () => {
    await using followed = new Followed()
    const first = await followed.start()
    followed.app.exec('INSERT INTO t (id) VALUES (1)')
    await followed.told(1)
    await followed.app.backup(join(followed.folder, 'backup.db'))
    followed.app.exec('INSERT INTO t (id) VALUES (2)')
    await followed.told(2)
    for (const end of followed.ends) first.acknowledge(end)
    const ids = followed.events.map(({ id }) => id)
    await followed.stop()
    followed.app.close()
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${followed.path}${suffix}`, { force: true })
    cpSync(join(followed.folder, 'backup.db'), followed.path)
    followed.app = new Sqlite(followed.path)
    followed.app.exec('INSERT INTO t (id) VALUES (7), (8), (9)')
    await followed.start()
    assert.deepEqual(await followed.told(4), ['insert 1', 'insert 7', 'insert 8', 'insert 9'])
    assert.ok(followed.events.every(({ id }) => !ids.includes(id)))
  })

  for (const [how, putBack] of [
    ['through SQLite', async ({ path }, backup) => void (await backup.backup(path))],
    [
      'under its name',
      async ({ path, folder }, backup) => {
        await backup.backup(join(folder, 'next.db'))
        for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
        renameSync(join(folder, 'next.db'), path)
      },
    ],
  ] as [string, (followed: Followed, backup: Database) => Promise<void>][]) {
    it(`follows a backup that is put back ${how} while it runs`, async () => {
      await using followed = new Followed()
      const source = await followed.start()
      followed.app.exec('INSERT INTO t (id) VALUES (1)')
      await followed.told(1)
      await followed.app.backup(join(followed.folder, 'backup.db'))
      followed.app.exec('INSERT INTO t (id) VALUES (2), (3), (4)')
      await followed.told(4)
      const { identity } = source
      const ids = followed.events.map(({ id }) => id)
      for (const end of followed.ends) source.acknowledge(end)
      followed.app.close()
      const backup = new Sqlite(join(followed.folder, 'backup.db'))
      await putBack(followed, backup)
      backup.close()
      followed.app = new Sqlite(followed.path)
      followed.app.exec('INSERT INTO t (id) VALUES (9)')
      await followed.told(6)
      const again = followed.events.slice(4)
      assert.deepEqual(
        again.map(({ afterJson }) => JSON.parse(afterJson).id),
        ['1', '9'],
      )
      assert.ok(again.every(({ id }) => !ids.includes(id)))
      assert.notEqual(source.identity, identity)
      assert.equal(source.state.state, 'streaming')
    })
  }

  it('knows by what was delivered that a power cut, or a copy put back within seconds, has made other changes of it', async () => {
    await using followed = new Followed()
    const { identity } = await followed.start()
    followed.app.exec('INSERT INTO t (id) VALUES (1), (2)')
    await followed.told(2)
    const transactions = followed.events.map(({ position, commitTime }) => ({ ...position, commitTime }))
    await followed.start({}, { identity, transactions })
    await followed.told(2)
    assert.deepEqual([followed.source?.identity, followed.warnings], [identity, []])
    await followed.stop()
    followed.app.exec('UPDATE changefeed_log SET at = at + 1 WHERE seq = 2')
    await followed.start({}, { identity, transactions })
    assert.deepEqual(await followed.told(2), ['insert 1', 'insert 2'])
    assert.deepEqual(followed.warnings, ['feed_source_restored'])
    assert.notEqual(followed.source?.identity, identity)
  })

  it('waits after a power cut until the writer has run its redo log again, and not when it is to end', async () => {
    await using followed = new Followed()
    const { identity } = await followed.start()
    followed.app.exec('INSERT INTO t (id) VALUES (1), (2)')
    await followed.told(2)
    const transactions = followed.events.map(({ position, commitTime }) => ({ ...position, commitTime }))
    await followed.stop()
    const change = (by: number) => followed.app.exec(`UPDATE changefeed_log SET at = at + ${by} WHERE seq = 2`)
    // As if the last change were lost.
    change(1)
    writeFileSync(`${followed.path}-redo`, '')
    const waiting = followed.start({}, { identity, transactions })
    await sleep(400)
    assert.deepEqual([followed.source?.state.state, followed.warnings], ['starting', []])
    change(-1)
    await waiting
    assert.deepEqual([followed.source?.identity, followed.warnings], [identity, []])
    await followed.stop()
    change(1)
    const ended = assert.rejects(followed.start({}, { identity, transactions }), /was closed before it began/)
    await sleep(50)
    const began = performance.now()
    await followed.stop()
    await ended
    assert.ok(performance.now() - began < 5_000)
  })

  it('gives new ids after its log was taken away and made again, by a clock that went back', async () => {
    await using followed = new Followed()
    await followed.start()
    followed.app.exec('INSERT INTO t (id) VALUES (1)')
    await followed.told(1)
    const before = followed.events[0]?.position.commitLsn ?? 0n
    await followed.stop()
    removeChangelog(followed.app)
    installChangelog(followed.app, followed.options, 1, 'token')
    followed.app.exec('INSERT INTO t (id) VALUES (2)')
    followed.now -= 365 * 86_400_000
    await followed.start()
    assert.deepEqual(await followed.told(1), ['insert 2'])
    assert.ok((followed.events[0]?.position.commitLsn ?? 0n) > before)
  })

  it('has the change log to itself', async () => {
    await using followed = new Followed()
    await followed.start()
    const { options, folder } = followed
    const log = { info() {}, warn() {}, error() {} }
    const second = () => new SqliteSource(options, { stateDir: join(folder, 'other'), log, now: () => followed.now })
    const nobody = { began() {}, event() {}, commit() {}, idle() {}, async gap() {} }
    await assert.rejects(second().start(nobody), /is followed by another change feed already/)
    await followed.stop()
    await using source = second()
    await source.start(nobody)
  })

  it('goes on after a writer that keeps everybody out', async () => {
    await using followed = new Followed()
    followed.app.pragma('journal_mode = DELETE')
    const source = await followed.start()
    followed.app.exec('BEGIN EXCLUSIVE; INSERT INTO t (id) VALUES (1)')
    await sleep(50)
    assert.deepEqual(source.state, { state: 'streaming', lastError: null })
    followed.app.exec('COMMIT')
    assert.deepEqual(await followed.told(1), ['insert 1'])
  })

  it('counts on when a sequence outgrows its half of a position', async () => {
    await using followed = new Followed()
    await followed.start()
    await followed.stop()
    followed.app.exec(`UPDATE changefeed_slot SET confirmed = ${2 ** 32 - 2}, incarnation = 5;
      INSERT INTO changefeed_log (seq, tbl, op, at) VALUES (${2 ** 32 - 2}, 't', 'insert', 0)`)
    const { tokens } = JSON.parse(readFileSync(followed.memory, 'utf8'))
    writeFileSync(followed.memory, JSON.stringify({ incarnation: 5, seq: 0, tokens }))
    const source = await followed.start()
    followed.app.exec('INSERT INTO t (id) VALUES (1); INSERT INTO t (id) VALUES (2); INSERT INTO t (id) VALUES (3)')
    await followed.told(3)
    assert.deepEqual(
      followed.events.map(({ id }) => id),
      ['5/FFFFFFFF:0', '6/0:0', '6/1:0'],
    )
    for (const end of followed.ends) source.acknowledge(end)
    await followed.start()
    followed.app.exec('INSERT INTO t (id) VALUES (4)')
    assert.deepEqual(await followed.told(1), ['insert 4'])
    assert.equal(followed.events[0]?.position.commitLsn, lsnOf(6, 2))
  })

  it('that changes were dropped is said, and waits for a person, unless it may go on from now', async () => {
    await using followed = new Followed()
    await followed.start()
    await followed.stop()
    const fill = followed.app.prepare('INSERT INTO t (a) VALUES (1)')
    for (let i = 0; i <= 1001; i++) fill.run()
    await assert.rejects(followed.start(), /dropped changes that nobody took.*onSlotLost: recreate/)
    const before = lsnOf(Math.floor(followed.now / 1000), 2 ** 32 - 1)
    const source = await followed.start({ onSlotLost: 'recreate' })
    assert.deepEqual(followed.warnings, ['feed_slot_recreated'])
    followed.app.exec('INSERT INTO t (id) VALUES (9999)')
    assert.deepEqual(await followed.told(1), ['insert 9999'])
    assert.ok((followed.events[0]?.position.commitLsn ?? 0n) > before, 'the gap shows in the ids')
    assert.equal((await source.status()).slot?.exists, true)
  })

  it('fails, and says so, when that happens while it runs', async () => {
    await using followed = new Followed()
    const source = await followed.start()
    source.pause()
    const fill = followed.app.prepare('INSERT INTO t (a) VALUES (1)')
    for (let i = 0; i <= 1001; i++) fill.run()
    source.resume()
    for (let tries = 0; source.state.state !== 'failed' && tries < 6000; tries++) await sleep(5)
    assert.match(source.state.lastError ?? '', /dropped/)
    assert.equal((await source.status()).slot?.exists, false)
  })

  it('or goes on behind the gap, when that happens while it runs and it may', async () => {
    await using followed = new Followed()
    const source = await followed.start({ onSlotLost: 'recreate' })
    const { identity } = source
    source.pause()
    const fill = followed.app.prepare('INSERT INTO t (a) VALUES (1)')
    for (let i = 0; i <= 1001; i++) fill.run()
    source.resume()
    for (let tries = 0; followed.warnings.length === 0 && tries < 6000; tries++) await sleep(5)
    assert.deepEqual(followed.warnings, ['feed_slot_recreated'])
    followed.app.exec('INSERT INTO t (id) VALUES (9999)')
    const told = await followed.told(1002)
    assert.equal(told.at(-1), 'insert 9999')
    assert.notEqual(source.identity, identity)
  })

  it('says what to do about a database that cannot be followed, and makes none', async () => {
    await using followed = new Followed()
    await assert.rejects(followed.start({ path: join(followed.folder, 'nowhere.db') }), /nowhere\.db is not there/)
    await assert.rejects(followed.start({ create: false }), /no change log.*create: true/)
    installChangelog(followed.app, followed.options, 1, 'token')
    followed.app.exec('DROP TRIGGER changefeed_t_delete')
    await assert.rejects(followed.start({ create: false }), /changefeed_t_delete/)
    await followed.start()
    followed.app.exec('INSERT INTO t (id) VALUES (1); DELETE FROM t')
    assert.deepEqual(await followed.told(2), ['insert 1', 'delete 1'])
  })

  it('without what it should remember takes the database for a backup on another machine: its ids are new', async () => {
    await using followed = new Followed()
    const { identity } = await followed.start()
    followed.app.exec('INSERT INTO t (id) VALUES (1)')
    await followed.told(1)
    const [{ id } = { id: '' }] = followed.events
    await followed.stop()
    rmSync(join(followed.folder, 'state'), { recursive: true })
    const source = await followed.start()
    assert.deepEqual(await followed.told(1), ['insert 1'])
    assert.notEqual(source.identity, identity)
    assert.notEqual(followed.events[0]?.id, id)
    assert.deepEqual(followed.warnings, [])
  })

  it('goes on without being able to remember', async () => {
    await using followed = new Followed()
    writeFileSync(join(followed.folder, 'state'), 'in the way')
    const source = await followed.start()
    followed.app.exec('INSERT INTO t (id) VALUES (1)')
    assert.deepEqual(await followed.told(1), ['insert 1'])
    assert.equal(source.state.state, 'streaming')
    assert.ok(followed.warnings.includes('feed_memory_not_written'))
  })
})
