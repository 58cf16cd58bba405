/**
 * The locks of SQLite belong to a process, and end when any part of it closes the file: a second program then takes the ledger for one that
 * nobody has open, and removes or empties the files beside it under the box.
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { shareWithFeed } from '../../src/feed/shared-ledger.ts'
import { type Db, openDb, openSnapshot } from '../../src/ledger/db.ts'
import { readValue, writeValue } from '../../src/ledger/identity.ts'
import { lockForBox } from '../../src/ledger/open.ts'
import { cli } from '../world/programs.ts'

const NOT_HERE = process.platform === 'linux' ? false : 'reads the locks of this process from /proc'
const DEMO = join(import.meta.dirname, '../../demo')

class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'gatehouse-locks-'))
  readonly ledger = join(this.path, 'ledger.db');

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }

  /** Locks of this process on the ledger and the files beside it: file and range of each. */
  get locks(): string[] {
    const inodes = ['', '-wal', '-shm'].map((suffix) => String(statSync(`${this.ledger}${suffix}`).ino))
    return readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , , pid, file]) => pid === String(process.pid) && inodes.includes(file?.split(':')[2] ?? ''))
      .map(([, , , , , file, from, to]) => `${file} ${from} ${to}`)
      .sort()
  }
}

/** Opens and closes the ledger as a command does whose user may write to it. */
function openElsewhere(ledger: string): void {
  const script = `const Database = require('better-sqlite3')
    const db = new Database(process.argv[1])
    db.prepare('SELECT count(*) FROM journal').get()
    db.close()`
  const { status, stderr } = spawnSync(process.execPath, ['-e', script, ledger], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
}

function commit(db: Db, value: string): void {
  db.transaction(() => writeValue(db, 'latest', Buffer.from(value)), { wait: true, redo: true })
}

describe("the ledger's locks", { skip: NOT_HERE }, () => {
  for (const [what, act] of [
    ['a snapshot', ({ ledger }: Folder) => openSnapshot(ledger)[Symbol.dispose]()],
    ['a second connection', ({ ledger }: Folder) => openDb(ledger).close()],
    ['sharing it with the feed', ({ path }: Folder) => shareWithFeed(path, process.getgid?.())],
  ] as const)
    it(`stay where this process does more with the file: ${what}`, () => {
      using folder = new Folder()
      const db = openDb(folder.ledger)
      for (const value of ['a', 'b', 'c']) commit(db, value)
      const before = folder.locks
      assert.ok(before.length >= 2, before.join('\n'))
      act(folder)
      db.settle()
      assert.ok(folder.locks.length >= 2, folder.locks.join('\n'))
      const files = () => ['', '-wal', '-shm'].map((suffix) => statSync(`${folder.ledger}${suffix}`).ino)
      const were = files()
      openElsewhere(folder.ledger)
      commit(db, 'd')
      commit(db, 'e')
      db.settle()
      assert.deepEqual(files(), were)
      using other = openSnapshot(folder.ledger)
      assert.equal(readValue(other, 'latest')?.toString(), 'e')
      db.close()
    })

  it('let a command write that comes while a fold is open, a moment later', async () => {
    using folder = new Folder()
    const db = openDb(folder.ledger)
    for (const value of ['a', 'b', 'c']) commit(db, value)
    const identity = import.meta.resolve('../../src/ledger/identity.ts')
    const script = `import { openDb } from '${import.meta.resolve('../../src/ledger/db.ts')}'
      import { readValue, writeValue } from '${identity}'
      const db = openDb(process.argv[1])
      const seen = readValue(db, 'latest')
      db.transaction(() => writeValue(db, 'latest', Buffer.concat([seen, Buffer.from('+')])))
      db.close()`
    const command = spawn(process.execPath, ['--input-type=module', '-e', script, folder.ledger], { stdio: 'inherit' })
    assert.deepEqual(await once(command, 'exit'), [0, null])
    assert.equal(readValue(db, 'latest')?.toString(), 'c+')
    db.close()
  })

  it('survive a program that opens the ledger while a fold is open', () => {
    using folder = new Folder()
    const db = openDb(folder.ledger)
    shareWithFeed(folder.path, process.getgid?.())
    for (const value of ['a', 'b', 'c']) commit(db, value)
    openElsewhere(folder.ledger)
    for (const value of ['d', 'e']) commit(db, value)
    db.close()
    const after = openDb(folder.ledger)
    assert.equal(readValue(after, 'latest')?.toString(), 'e')
    after.close()
  })
})

it('a second box on the same folder is refused, with what to do', () => {
  using folder = new Folder()
  const lock = lockForBox(folder.path)
  const environment = { GATEHOUSE_DATA_DIR: folder.path, GATEHOUSE_EVENT_DIR: DEMO, GATEHOUSE_HTTP_PORT: '0' }
  const env = { ...environment, GATEHOUSE_HTTPS_PORT: '0', GATEHOUSE_DEVICE_PORT: '0' }
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli(), 'serve'], { env, encoding: 'utf8' })
  assert.notEqual(status, 0)
  assert.match(`${stdout}${stderr}`, /Another box runs on .*: stop it first, or name another folder/)
  lock[Symbol.dispose]()
  lockForBox(folder.path)[Symbol.dispose]()
})
