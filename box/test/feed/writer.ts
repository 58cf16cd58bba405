/**
 * Writes to a SQLite database until it is killed: transactions of one to many rows, some rolled back. Every committed row has
 * the next number, so that a reader knows what is missing. `node writer.ts FILE LAST PAUSE_MS`.
 */
import Sqlite from 'better-sqlite3'
import { openCommitMark } from '../../src/ledger/changelog.ts'

const [path = '', last = '0', pauseMs = '0'] = process.argv.slice(2)
const db = new Sqlite(path, { timeout: 60_000 })
db.pragma('journal_mode = WAL')
db.pragma('synchronous = NORMAL')
db.exec('CREATE TABLE IF NOT EXISTS numbers (n INTEGER PRIMARY KEY, pad TEXT)')
console.log('writing')

const insert = db.prepare('INSERT INTO numbers VALUES (?, ?)')
const newest = db.prepare('SELECT max(n) FROM numbers').pluck()
let mark: ReturnType<typeof openCommitMark>

while (write()) await new Promise((resolve) => setTimeout(resolve, Number(pauseMs)))
console.log('written')

function write(): boolean {
  const done = (newest.get() as number | null) ?? 0
  if (done >= Number(last)) return false
  const rows = Math.min(Number(last) - done, Math.ceil(Math.random() ** 4 * 2000))
  db.exec('BEGIN IMMEDIATE')
  mark ??= openCommitMark(db)
  mark?.begin()
  for (let n = done + 1; n <= done + rows; n++) insert.run(n, `${n} `.repeat(20))
  mark?.end()
  db.exec(Math.random() < 0.1 ? 'ROLLBACK' : 'COMMIT')
  return true
}
