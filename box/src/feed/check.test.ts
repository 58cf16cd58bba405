import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Sqlite from 'better-sqlite3'
import { installChangelog } from '../ledger/changelog.ts'
import { checkServer, exitStatus, type Finding, findingsText, runChecks } from './check.ts'
import type { FeedConfig, SinkConfig } from './config/config.ts'

type SqliteSource = Extract<FeedConfig['source'], { kind: 'sqlite' }>

describe('changefeed check', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-feed-check-'))
  })
  after(() => rmSync(folder, { recursive: true }))

  const path = () => join(folder, 'shop.db')
  const source = (more: Partial<SqliteSource> = {}): SqliteSource => ({
    kind: 'sqlite',
    path: path(),
    tables: [{ name: 'orders' }],
    create: false,
    onSlotLost: 'fail',
    maxRows: 1000,
    onFull: 'drop',
    pollMs: 50,
    ...more,
  })
  const sink = (check?: () => Promise<void>) => {
    const open = async () => assert.fail('a check opens nothing')
    const kind = { durability: 'durable', options: {}, open, ...(check && { check }) }
    return { id: 'north', from: 'grpc', kind, options: {} } as unknown as SinkConfig
  }
  const config = (more: Partial<FeedConfig>): FeedConfig => ({
    server: { host: '127.0.0.1', port: 0, authToken: 'a'.repeat(32), tls: undefined },
    stateDir: join(folder, 'state'),
    logLevel: 'info',
    source: source(),
    sinks: [sink()],
    warnings: [],
    ...more,
  })
  const found = async (more: Partial<FeedConfig>) =>
    (await runChecks(config(more), {})).map(({ level, about, text }) => `${level} ${about}: ${text}`)
  const sourceOf = async (more: Partial<SqliteSource> = {}) =>
    (await found({ source: source(more) })).filter((line) => line.includes(' source, '))

  it('repeats what is probably a mistake, and is no reason not to start', async () => {
    const findings = await runChecks(config({ warnings: ['CHANGEFEED_PORT is not a setting of this version'] }), {})
    assert.deepEqual(findings[0], {
      level: 'warning',
      about: 'configuration',
      text: 'CHANGEFEED_PORT is not a setting of this version',
    })
  })

  it('looks at a SQLite database, and leaves it as it is', async () => {
    assert.match((await sourceOf())[0] ?? '', /^unknown source, database: .*shop\.db is not there/)
    writeFileSync(path(), 'this is not a database, but some text that is long enough to be taken for one\n'.repeat(20))
    assert.match((await sourceOf())[0] ?? '', /^unknown source, database: file is not a database/)
    rmSync(path())

    const db = new Sqlite(path())
    db.exec('CREATE TABLE orders (id INTEGER PRIMARY KEY, item TEXT)')
    const before = db.serialize()
    const journal =
      'warning source, journal mode: it is delete, in which the feed and the writers hold each other up: PRAGMA journal_mode = WAL'
    assert.deepEqual(await sourceOf(), [
      'ok source, tables: orders (id, item)',
      `error source, change log: there is no change log in this database. Set create, or let the owner of ${path()} do it`,
      journal,
    ])
    assert.equal((await sourceOf({ create: true }))[1], 'ok source, change log: it will be made')
    assert.equal(
      (await sourceOf({ tables: [{ name: 'ordres' }] }))[0],
      `error source, tables: ${path()}: there is no table ordres`,
    )
    assert.deepEqual(db.serialize(), before)

    db.pragma('journal_mode = WAL')
    installChangelog(db, source(), 1, 'token')
    assert.deepEqual(await sourceOf(), [
      'ok source, tables: orders (id, item)',
      'ok source, change log: it is there, and as configured',
      'ok source, journal mode: it is wal',
      'ok source, slot: nothing is lost',
    ])
    const other = { tables: [{ name: 'orders', columns: ['id'] }] }
    assert.match((await sourceOf(other))[1] ?? '', /^error source, change log: these triggers are missing or differ/)
    assert.equal((await sourceOf({ ...other, create: true }))[1], 'ok source, change log: it will be brought in step')
    db.exec('UPDATE changefeed_slot SET lost = 1')
    assert.match((await sourceOf())[3] ?? '', /^error source, slot: .*set onSlotLost to recreate$/)
    assert.match((await sourceOf({ onSlotLost: 'recreate' }))[3] ?? '', /^warning source, slot: /)
    db.close()
  })

  it('asks the receivers, and says what they say', async () => {
    const sinks = [sink(), sink(async () => {}), sink(() => Promise.reject(new Error('nobody is there: start it')))]
    assert.deepEqual((await found({ sinks })).slice(-3), [
      'ok sink north: grpc: there is nobody to ask',
      'ok sink north: grpc: the receiver answers',
      'error sink north: nobody is there: start it',
    ])
  })

  it('finds out whether positions can be kept', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    const stateOf = async (stateDir: string) =>
      (await found({ stateDir })).filter((line) => line.includes(' stateDir: ')).join()
    const inside = join(folder, 'not', 'yet')
    assert.equal(await stateOf(inside), `ok stateDir: ${inside}`)
    assert.match(await stateOf(join(file, 'state')), /^error stateDir: .*cannot be written to \(ENOTDIR/)
  })

  it('warns of a control plane that others can use', () => {
    const server = { host: '127.0.0.1', port: 7717, authToken: 'a'.repeat(16), tls: undefined }
    const levels = (more: object) => checkServer({ ...server, ...more }).map(({ level, text }) => `${level} ${text}`)
    assert.deepEqual([levels({}), levels({ host: '::1' }), levels({ host: 'localhost' })], [[], [], []])
    assert.match(levels({ host: '0.0.0.0' })[0] ?? '', /^warning 0\.0\.0\.0 can be reached from elsewhere/)
    assert.deepEqual(levels({ host: '::', tls: { cert: 'a', key: 'b' } }), [])
    assert.match(levels({ authToken: 'short' })[0] ?? '', /^warning server\.authToken is shorter than 16 characters/)
    assert.match(levels({ authToken: undefined })[0] ?? '', /^ok /)
  })

  it('sums up: what is unknown counts more than what is wrong', () => {
    const finding = (level: Finding['level']): Finding => ({ level, about: 'x', text: 'one\ntwo' })
    const status = (...levels: Finding['level'][]) => exitStatus(levels.map(finding))
    assert.deepEqual(
      [status(), status('ok', 'warning'), status('error', 'ok'), status('error', 'unknown')],
      [0, 0, 1, 2],
    )
    assert.equal(findingsText([finding('error'), finding('ok')]), 'FIX   x: one\n      two\nok    x: one\n      two')
  })
})
