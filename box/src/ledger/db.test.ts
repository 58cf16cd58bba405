import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { runs } from '@gatehouse/proto/properties.testing.ts'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { sql } from '../drizzle/core.ts'
import { openDb } from './db.ts'
import { LedgerFileError } from './db-errors.ts'
import { readValue, writeValue } from './identity.ts'
import { openLedger } from './open.ts'

const EVENT = { eventId: 'test-fair', wallClock: Date.now }
/** Of a ledger that is begun now. */
const PAGE = 2048

/** Appends `transactions` of three entries each; what the last one wrote is under `count`. */
function grow(opened: ReturnType<typeof openLedger>, transactions: number): void {
  const { ledger } = opened
  for (let i = 0; i < transactions; i++) {
    ledger.transact(() => {
      for (let n = 0; n < 3; n++) ledger.append('restart', { actor: `${i}.${n}`, address: 'x'.repeat(500) })
      writeValue(ledger.db, 'count', Buffer.from(String(ledger.size)))
    })
  }
}

/** A ledger as a power cut leaves it: what was committed is in the WAL, and not yet in the file. */
function copyUnclosed(from: string, to: string): string {
  mkdirSync(to)
  for (const name of ['ledger.db', 'ledger.db-wal', 'keys.json']) copyFileSync(join(from, name), join(to, name))
  return join(to, 'ledger.db')
}

function sha256(path: string): string | undefined {
  return existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : undefined
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8)
}

describe('ledger file', () => {
  let folder: string
  let path: string
  beforeEach((t) => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-db-'))
    path = join(folder, 'ledger.db')
    ;(t as TestContext).after(() => rmSync(folder, { recursive: true, force: true }))
  })

  const open = () => openLedger({ dataDir: folder, ...EVENT })

  it('is begun with small pages; an older one keeps its own, and its log is as long', () => {
    const pagesOf = (at: string) => {
      const { drizzle, close } = openDb(at)
      const [size, checkpoint] = ['page_size', 'wal_autocheckpoint'].map((name) =>
        Object.values(drizzle.get<Record<string, number>>(sql.raw(`PRAGMA ${name}`))).at(0),
      )
      close()
      return { size, log: (size ?? 0) * (checkpoint ?? 0) }
    }
    assert.deepEqual(pagesOf(path), { size: PAGE, log: 8 * 2 ** 20 })
    const older = join(folder, 'older.db')
    openDb(older).close()
    const db = new Database(older)
    db.pragma('journal_mode = DELETE')
    db.pragma('page_size = 4096')
    db.exec('VACUUM')
    db.close()
    assert.deepEqual(pagesOf(older), { size: 4096, log: 8 * 2 ** 20 })
  })

  it('writes each commit to the disk before it returns', () => {
    const db = openDb(path)
    const setting = (name: string) => Object.values(db.drizzle.get<object>(sql.raw(`PRAGMA ${name}`)))[0]
    assert.deepEqual([setting('journal_mode'), setting('synchronous')], ['wal', 2])
    db.close()
  })

  it('is for the box alone to read, whatever folder and backup it came from', (t) => {
    const umask = process.umask(0)
    ;(t as TestContext).after(() => process.umask(umask))
    chmodSync(folder, 0o755)
    const files = ['ledger.db', 'ledger.db-wal', 'ledger.db-shm'].map((name) => join(folder, name))
    const opened = open()
    grow(opened, 1)
    assert.deepEqual(files.map(modeOf), ['600', '600', '600'])

    const restored = join(folder, 'restored')
    copyUnclosed(folder, restored)
    opened.ledger[Symbol.dispose]()
    for (const name of readdirSync(restored)) chmodSync(join(restored, name), 0o644)
    using again = openLedger({ dataDir: restored, ...EVENT }).ledger
    assert.equal(again.size, 3)
    assert.deepEqual(
      readdirSync(restored).map((name) => [name, modeOf(join(restored, name))]),
      [
        ['keys.json', '600'],
        ['ledger.db', '600'],
        ['ledger.db-shm', '600'],
        ['ledger.db-wal', '600'],
      ],
    )
  })

  it('takes an empty file for a ledger that was never begun', () => {
    writeFileSync(path, '')
    using ledger = open().ledger
    assert.equal(ledger.size, 0)
    assert.equal(modeOf(path), '600')
  })

  it('takes a file without a table for a ledger that was cut short', () => {
    const sqlite = new Database(path)
    sqlite.pragma(`page_size = ${PAGE}`)
    sqlite.pragma('application_id = 1195463749')
    sqlite.close()
    assert.equal(statSync(path).size, PAGE)
    using ledger = open().ledger
    assert.equal(ledger.size, 0)
  })

  it('undoes the first page of a ledger that a power cut kept from being written', () => {
    const making = join(folder, 'making')
    const sqlite = new Database(making)
    sqlite.pragma(`page_size = ${PAGE}`)
    sqlite.pragma('cache_size = 0')
    sqlite.exec(`BEGIN; CREATE TABLE half (a); INSERT INTO half VALUES (zeroblob(${100 * PAGE}))`)
    copyFileSync(making, path)
    copyFileSync(`${making}-journal`, `${path}-journal`)
    sqlite.close()
    truncateSync(path, PAGE)
    using ledger = open().ledger
    assert.equal(ledger.size, 0)
    assert.ok(!existsSync(`${path}-journal`))
  })

  const damage: { what: string; make: () => void; says: RegExp }[] = [
    {
      what: 'a text file',
      make: () => writeFileSync(path, 'Dear diary, SQLite format 3 is nice'),
      says: /is not a ledger\. Nothing was changed\. Move the file/,
    },
    { what: 'a file shorter than a header', make: () => writeFileSync(path, 'SQLite'), says: /is not a ledger/ },
    {
      what: "another program's database",
      make: () => new Database(path).exec('CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)').close(),
      says: /is a database of another program\. Nothing was changed/,
    },
    {
      what: "another program's database that was not closed",
      make: () => {
        const theirs = new Database(join(folder, 'theirs'))
        theirs.pragma('journal_mode = WAL')
        theirs.exec('CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)')
        copyFileSync(join(folder, 'theirs'), path)
        copyFileSync(join(folder, 'theirs-wal'), `${path}-wal`)
        theirs.close()
      },
      says: /is a database of another program/,
    },
    {
      what: 'a header with nothing behind it',
      make: () => {
        openAndClose(20)
        truncateSync(path, 100)
      },
      says: /cannot be opened as a ledger: .*Nothing was changed/,
    },
    {
      what: 'a ledger cut short',
      make: () => {
        openAndClose(20)
        truncateSync(path, Math.floor(statSync(path).size / PAGE / 2) * PAGE)
      },
      says: /is cut short|is damaged|malformed/,
    },
    {
      what: 'a ledger with pages of noise',
      make: () => {
        openAndClose(20)
        const bytes = readFileSync(path)
        for (let page = 2; page < bytes.length / PAGE; page += 3) bytes.fill(0xa5, page * PAGE, (page + 1) * PAGE)
        writeFileSync(path, bytes)
      },
      says: /is damaged|malformed/,
    },
    {
      what: 'a ledger with a page of noise, killed before it was closed',
      make: () => {
        const killed = join(folder, 'killed')
        const opened = openLedger({ dataDir: killed, ...EVENT })
        grow(opened, 20)
        opened.ledger.db.drizzle.run(sql`PRAGMA wal_checkpoint(TRUNCATE)`)
        writeValue(opened.ledger.db, 'in the wal', Buffer.from('x'))
        for (const suffix of ['', '-wal']) copyFileSync(join(killed, `ledger.db${suffix}`), `${path}${suffix}`)
        opened.ledger[Symbol.dispose]()
        const bytes = readFileSync(path)
        bytes.fill(0xa5, 5 * PAGE, 6 * PAGE)
        writeFileSync(path, bytes)
      },
      says: /is damaged|malformed/,
    },
    {
      what: 'a ledger of a newer version',
      make: () => {
        openAndClose(1)
        const newer = new Database(path)
        newer.exec(`INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 99999999999999)`)
        newer.close()
      },
      says: /was made by a newer Gatehouse\. Start that version/,
    },
    {
      what: 'the write-ahead log of a ledger that was moved without it',
      make: () => {
        const opened = openLedger({ dataDir: join(folder, 'moved'), ...EVENT })
        copyFileSync(join(folder, 'moved', 'ledger.db-wal'), `${path}-wal`)
        opened.ledger[Symbol.dispose]()
      },
      says: /-wal is there without its ledger\. Put the ledger back, or move this file away/,
    },
    {
      what: "another event's ledger",
      make: () => openLedger({ dataDir: folder, ...EVENT, eventId: 'harbour-26' }).ledger[Symbol.dispose](),
      says: /belongs to the event "harbour-26", and the event folder describes "test-fair"\. Name another data directory/,
    },
  ]

  function openAndClose(transactions: number): void {
    const opened = open()
    grow(opened, transactions)
    opened.ledger[Symbol.dispose]()
  }

  for (const { what, make, says } of damage) {
    it(`refuses ${what}, and changes nothing`, () => {
      make()
      const before = [sha256(path), sha256(`${path}-wal`)]
      for (let tries = 0; tries < 2; tries++) {
        assert.throws(open, (error: Error) => {
          assert.ok(error instanceof LedgerFileError, error.stack)
          assert.match(error.message, says)
          return true
        })
      }
      const wal = `${path}-wal`
      const after = [sha256(path), existsSync(wal) && statSync(wal).size > 0 ? sha256(wal) : undefined]
      assert.deepEqual(after, before)
    })
  }

  it('refuses a folder in its place, and a place that cannot be', () => {
    mkdirSync(path)
    assert.throws(open, { name: 'LedgerFileError', message: /is not a file\. Name another place/ })
    writeFileSync(join(folder, 'file'), '')
    for (const dataDir of [join(folder, 'file'), join(folder, 'file', 'data')]) {
      assert.throws(() => openLedger({ dataDir, ...EVENT }), {
        name: 'LedgerFileError',
        message: /cannot be .*: set GATEHOUSE_DATA_DIR to a folder that can be written\.$/,
      })
    }
  })

  it('refuses a folder that it may not write', (t) => {
    if (process.getuid?.() === 0) return (t as TestContext).skip('root may write everywhere')
    chmodSync(folder, 0o500)
    assert.throws(open, { name: 'LedgerFileError', message: /Look at the disk/ })
    chmodSync(folder, 0o700)
  })

  it('loses whole commits from the end, and never half of one, when the write-ahead log is torn', () => {
    const opened = open()
    grow(opened, 30)
    const wal = readFileSync(`${path}-wal`)
    let run = 0
    const law = fc.property(fc.nat(wal.length - 1), fc.constantFrom('cut', 'flip', 'noise'), (at, how) => {
      const torn = join(folder, `torn-${run++}`)
      const file = copyUnclosed(folder, torn)
      if (how === 'cut') truncateSync(`${file}-wal`, at)
      else {
        const bytes = Buffer.from(wal)
        bytes.subarray(at, how === 'flip' ? at + 1 : at + 700).fill((bytes[at] ?? 0) ^ 0xff)
        writeFileSync(`${file}-wal`, bytes)
      }
      using ledger = openLedger({ dataDir: torn, ...EVENT }).ledger
      const entries = ledger.read(0, 1_000)
      assert.equal(entries.length % 3, 0)
      assert.deepEqual(entries, opened.ledger.read(0, entries.length))
      assert.equal(readValue(ledger.db, 'count')?.toString() ?? '0', String(entries.length))
    })
    fc.assert(law, runs(20, 200))
    opened.ledger[Symbol.dispose]()
  })

  it('is made once by processes that open it at the same moment', async () => {
    const open = `
      import { openLedger } from ${JSON.stringify(import.meta.resolve('./open.ts'))}
      await new Promise((resolve) => setTimeout(resolve, Number(process.argv[2]) - Date.now()))
      const { ledger, identity } = openLedger({ dataDir: process.argv[1], eventId: 'test-fair', wallClock: Date.now })
      ledger.transact(() => ledger.append('restart', { actor: String(process.pid), address: '' }))
      console.log(identity.boxId)
      ledger[Symbol.dispose]()`
    const at = String(Date.now() + 1_000)
    const args = ['--input-type=module', '--eval', open, folder, at]
    const boxes = await Promise.all(Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, args)))
    assert.equal(new Set(boxes.map(({ stdout }) => stdout)).size, 1)
    using ledger = openLedger({ dataDir: folder, ...EVENT }).ledger
    assert.equal(ledger.size, 4)
  })
})
