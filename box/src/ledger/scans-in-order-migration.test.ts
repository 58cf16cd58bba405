import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import Database from 'better-sqlite3'
import { Scans } from '../rights/scans.ts'
import { openDb } from './db.ts'
import { packId, unpackId } from './packed-id.ts'

const MIGRATIONS = join(import.meta.dirname, '../../migrations')
const GOLDEN = join(import.meta.dirname, '../../test/golden/one-box.db')
const UUID = '00112233-4455-6677-8899-aabbccddeeff'

it('a ledger of the version before keeps every answer under its id, byte for byte', () => {
  const db = new Database(':memory:')
  const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'))
  const apply = (name: string) => db.exec(readFileSync(join(MIGRATIONS, name), 'utf8'))
  for (const name of files.filter((each) => each < '0025')) apply(name)
  const ids = [UUID, UUID.toUpperCase(), 'z', 'a', '']
  const insert = db.prepare('INSERT INTO scans VALUES (?, ?, ?, ?, ?)')
  ids.forEach((id, n) => {
    insert.run(packId(id), Buffer.alloc(32, n), n % 2, `{"n":${n}}`, 100 - n)
  })
  // A hole in the rowids, as after an answer that was replaced by hand.
  db.exec('DELETE FROM scans WHERE entry = 98')
  apply('0025_scans_in_order.sql')
  const rows = db
    .prepare(
      'SELECT scan_id, digest, passed, t.text, own, entry FROM scans JOIN verdict_texts t ON t.id = scans.text ORDER BY entry DESC',
    )
    .raw()
    .all() as [string | Buffer, ...unknown[]][]
  assert.deepEqual(
    rows.map(([id, ...row]) => [unpackId(id), ...row]),
    ids
      .map((id, n) => [id, Buffer.alloc(32, n), n % 2, `{"n":${n}}`, null, 100 - n])
      .filter(([, , , , , entry]) => entry !== 98),
  )
})

it('a golden ledger answers its scans as before', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-scans-in-order-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'ledger.db')
  copyFileSync(GOLDEN, path)
  const before = new Database(path)
  const answers = before.prepare('SELECT scan_id, response FROM scans').raw().all() as [string | Buffer, string][]
  before.close()
  assert.ok(answers.length > 3)
  const db = openDb(path)
  const scans = new Scans(db)
  for (const [id, response] of answers) assert.equal(scans.find(unpackId(id))?.response, response)
  db.close()
})
