import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import Database from 'better-sqlite3'

const MIGRATIONS = join(import.meta.dirname, '../../migrations')

it('a ledger of the version before keeps every record of its cases', () => {
  const db = new Database(':memory:')
  const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'))
  const apply = (name: string) => db.exec(readFileSync(join(MIGRATIONS, name), 'utf8'))
  for (const name of files.filter((each) => each < '0011')) apply(name)
  const insert = db.prepare(
    `INSERT INTO flags (id, kind, detected_at, scan_ids, entry) VALUES (?, 'double_use', 1, ?, 1)`,
  )
  const long = Array.from({ length: 100 }, (_, n) => `scan-${99 - n}`)
  insert.run('long', JSON.stringify(long))
  insert.run('short', JSON.stringify(['b', 'a']))
  apply('0011_flag_scans.sql')
  const scansOf = db.prepare('SELECT scan_id FROM flag_scans WHERE flag = ? ORDER BY id').pluck()
  assert.deepEqual([scansOf.all('long'), scansOf.all('short')], [long, ['b', 'a']])
  const rows = db.prepare('SELECT scan_ids FROM flags ORDER BY id').pluck().all() as string[]
  assert.deepEqual(
    rows.map((text) => JSON.parse(text)),
    [long.slice(0, 32), ['b', 'a']],
  )
})
