import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import Database from 'better-sqlite3'
import { unpackId } from './packed-id.ts'

const MIGRATIONS = join(import.meta.dirname, '../../migrations')
const UUID = '00112233-4455-6677-8899-aabbccddeeff'

it('a ledger of the version before keeps every answer under its id, and every passage on its right', () => {
  const db = new Database(':memory:')
  const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'))
  const apply = (name: string) => db.exec(readFileSync(join(MIGRATIONS, name), 'utf8'))
  for (const name of files.filter((each) => each < '0013')) apply(name)
  const ids = [
    UUID,
    UUID.toUpperCase(),
    UUID.replaceAll('-', ''),
    `${UUID}0`,
    UUID.replace('-', '_'),
    'a',
    '\u00e4',
    '',
  ]
  const scan = db.prepare('INSERT INTO scans VALUES (?, ?, ?, ?, ?)')
  const movement = db.prepare(
    `INSERT INTO movements VALUES (?, 'arena', ?, 'in', 'a-in', NULL, 'arena', 1, 5, '1', ?, 0, ?)`,
  )
  ids.forEach((id, n) => {
    scan.run(id, Buffer.alloc(32, n), n % 2, `{"n":${n}}`, 100 - n)
    movement.run(7 - n, n % 2, id, 100 - n)
  })
  const answers = () => db.prepare('SELECT * FROM scans ORDER BY entry').all() as { scan_id: string | Buffer }[]
  const passages = () => db.prepare('SELECT * FROM movements ORDER BY ticket').all()
  const [answersBefore, passagesBefore] = [answers(), passages()]

  apply('0013_rows_in_order.sql')
  assert.deepEqual(
    answers().map((row) => ({ ...row, scan_id: unpackId(row.scan_id) })),
    answersBefore,
  )
  assert.ok(Buffer.isBuffer(answers().at(-1)?.scan_id))
  assert.deepEqual(passages(), passagesBefore)
  assert.throws(() => movement.run(7, 0, 'another', 200), { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' })
  // In the order in which they were written, however their tickets come.
  assert.deepEqual(
    db.prepare('SELECT entry FROM movements ORDER BY rowid').pluck().all(),
    ids.map((_, n) => 100 - n).toReversed(),
  )
})
