/** The keys of a ledger are beside it, and nowhere in it: in a new one, and in one of version 0.1 after any crash of the move. */
import assert from 'node:assert/strict'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, it, type TestContext } from 'node:test'
import Sqlite from 'better-sqlite3'
import { openDb } from './db.ts'
import { openLedger } from './open.ts'
import { SECRET_NAMES, secretsBeside } from './secrets.ts'

const GOLDEN = join(import.meta.dirname, '../../test/golden')
const NOW = Date.parse('2036-07-04T12:00:00Z')

describe('the secrets of a ledger', () => {
  let folder: string
  let path: string
  beforeEach((t) => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-secrets-'))
    path = join(folder, 'ledger.db')
    ;(t as TestContext).after(() => rmSync(folder, { recursive: true, force: true }))
  })
  const open = (eventId = 'test-fair') => openLedger({ dataDir: folder, eventId, wallClock: () => NOW })
  /** A ledger of version 0.1. @returns its secrets, as they are in its table */
  const older = (name: string) => {
    copyFileSync(join(GOLDEN, `${name}.db`), path)
    const sqlite = new Sqlite(path)
    const select = sqlite.prepare('SELECT value FROM identity WHERE name = ?').pluck()
    const values = SECRET_NAMES.map((name) => [name, select.get(name) as Buffer | undefined] as const)
    sqlite.close()
    return values.filter((pair): pair is readonly [(typeof pair)[0], Buffer] => pair[1] !== undefined)
  }
  /** In any file of the folder but the one for them, raw or as hex. */
  const found = (secret: Buffer) =>
    readdirSync(folder)
      .filter((name) => !name.startsWith('keys.json'))
      .filter((name) => {
        const bytes = readFileSync(join(folder, name))
        return bytes.includes(secret) || bytes.includes(secret.toString('hex'))
      })

  it('are in a file of their own that the box alone reads, and in no byte of a new ledger', () => {
    const { ledger, identity } = open()
    for (const secret of [identity.signingSeed, identity.refKey]) assert.deepEqual(found(secret), [])
    ledger[Symbol.dispose]()
    for (const secret of [identity.signingSeed, identity.refKey]) assert.deepEqual(found(secret), [])
    assert.equal(statSync(join(folder, 'keys.json')).mode & 0o777, 0o600)
    const again = open()
    assert.deepEqual(again.identity, identity)
    again.ledger[Symbol.dispose]()
  })

  for (const name of ['one-box', 'two-boxes'])
    it(`are moved out of a ledger of version 0.1 (${name}), and out of each of its bytes`, () => {
      const values = older(name)
      assert.ok(values.length >= 2)
      for (const [, secret] of values) assert.deepEqual(found(secret), ['ledger.db'], 'they were in it')
      const { ledger, identity } = open()
      for (const [name, secret] of values) {
        assert.deepEqual(ledger.db.secrets.get(name), secret)
        assert.deepEqual(found(secret), [], name)
      }
      assert.deepEqual(identity.signingSeed, values.find(([name]) => name === 'signing_seed')?.[1])
      ledger[Symbol.dispose]()
      for (const [, secret] of values) assert.deepEqual(found(secret), [])
    })

  it('are whole after a power cut at any moment of the move', () => {
    const values = older('one-box')
    const whole = readFileSync(path)
    openDb(path).close()
    const keys = readFileSync(join(folder, 'keys.json'))
    // The file was written, and the ledger was not changed yet; or the file was half written under its other name.
    for (const left of [{ 'keys.json': keys }, { 'keys.json.new': keys.subarray(0, 40) }, {}]) {
      for (const name of readdirSync(folder)) rmSync(join(folder, name))
      writeFileSync(path, whole)
      for (const [name, bytes] of Object.entries(left)) writeFileSync(join(folder, name), bytes)
      const { ledger } = open()
      for (const [name, secret] of values) assert.deepEqual(ledger.db.secrets.get(name), secret)
      ledger[Symbol.dispose]()
      for (const [, secret] of values) assert.deepEqual(found(secret), [])
      assert.ok(!existsSync(join(folder, 'keys.json.new')) || !('keys.json.new' in left))
    }
  })

  it('that another process still reads in the write-ahead log are gone from it at the next opening', () => {
    const values = older('one-box')
    const reader = new Sqlite(path)
    reader.pragma('journal_mode = WAL')
    // So that they are in the log, too.
    for (const [name, value] of values) reader.prepare('UPDATE identity SET value = ? WHERE name = ?').run(value, name)
    reader.exec('BEGIN; SELECT count(*) FROM identity')
    reader.prepare('SELECT count(*) FROM identity').get()
    const db = openDb(path)
    for (const [, secret] of values) assert.notDeepEqual(found(secret), [], 'somebody still reads them')
    reader.exec('COMMIT')
    openDb(path).close()
    for (const [, secret] of values) assert.deepEqual(found(secret), [])
    db.close()
    reader.close()
  })

  for (const name of ['one-box', 'two-boxes'])
    it(`of another event stay as they are when a ledger of version 0.1 (${name}) is put beside them: it does not open`, () => {
      const values = older(name)
      const [another, its] = [(n: number) => Buffer.alloc(32, n), Object.fromEntries(values)]
      const theirs = { signing_seed: another(1), log_seed: another(2), ref_key: another(3), ticket_key: another(4) }
      // All of another event's; the event's own, with the log key of another of its boxes; one alone.
      for (const keys of [
        theirs,
        { ...its, log_seed: another(2) },
        { log_seed: another(2) },
        { ticket_key: another(4) },
      ]) {
        rmSync(join(folder, 'keys.json'), { force: true })
        secretsBeside(path).set(keys)
        const before = readFileSync(join(folder, 'keys.json'))
        assert.throws(() => open(), {
          name: 'LedgerFileError',
          message: /another ledger's keys.*: move keys\.json away/,
        })
        assert.deepEqual(readFileSync(join(folder, 'keys.json')), before)
      }
      rmSync(join(folder, 'keys.json'))
      const { ledger, identity } = open()
      assert.deepEqual(identity.logSeed, its.log_seed ?? its.signing_seed, 'with its own, after what the message says')
      ledger[Symbol.dispose]()
    })

  it('are never made anew for a ledger that has begun: without them, or with those of another, it does not open', () => {
    open().ledger[Symbol.dispose]()
    const keys = readFileSync(join(folder, 'keys.json'))
    const ledger = readFileSync(path)
    rmSync(join(folder, 'keys.json'))
    assert.throws(
      () => open(),
      /keys\.json, which has the keys of this ledger, is not beside it: put it back, or restore/,
    )
    secretsBeside(path).set({ signing_seed: Buffer.alloc(32, 1), ref_key: Buffer.alloc(32, 2) })
    assert.throws(() => open(), /has another ledger's keys: put its own back/)
    for (const damaged of ['', '{', '{"format":"gatehouse-keys/2"}', keys.subarray(0, -5)]) {
      writeFileSync(join(folder, 'keys.json'), damaged)
      assert.throws(() => open(), { name: 'LedgerFileError', message: /keys\.json.* Restore a backup of this box\./ })
    }
    writeFileSync(join(folder, 'keys.json'), keys)
    open().ledger[Symbol.dispose]()
    assert.deepEqual(readFileSync(path).length, ledger.length)
  })
})
