/**
 * Change logs in the form of an earlier Gatehouse. Its numbers were in a table of SQLite's own, and the marks of transactions in one of
 * theirs: a scan wrote a page of each.
 */
import type { Database } from 'better-sqlite3'
import { LOG, quoted, SLOT, TABLES } from './triggers.ts'

/** The table that marked transactions; today's logs have none. */
export const COMMITS = 'changefeed_commits'
const EARLIER = `${LOG}_earlier`

/** Brings a log that is there into today's form. What is not delivered yet keeps its numbers, times and transactions. */
export function bringChangelogUpToDate(db: Database): void {
  if (!isEarlier(db)) return
  db.transaction(() => {
    // Another process may have done it meanwhile.
    if (!isEarlier(db)) return
    const triggers = db
      .prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'changefeed\\_%' ESCAPE '\\'`)
      .all() as { name: string; sql: string }[]
    // A trigger that names the log would follow it to its new name.
    for (const { name } of triggers) db.exec(`DROP TRIGGER ${quoted(name)}`)
    db.exec(`ALTER TABLE ${LOG} RENAME TO ${EARLIER}`)
    db.exec(TABLES)
    db.exec(`
      INSERT INTO ${LOG} (seq, tbl, op, at, key, before, after, last)
        SELECT seq, tbl, op, coalesce(c.at, l.at), key, before, after, iif(c.last_seq > c.first_seq, c.last_seq, NULL)
        FROM ${EARLIER} l LEFT JOIN ${COMMITS} c ON c.first_seq = l.seq ORDER BY seq;
      -- Everything was delivered and deleted: one row has the number that the next one follows.
      INSERT INTO ${LOG} (seq, tbl, op, at)
        SELECT seq, '', '', 0 FROM sqlite_sequence
        WHERE name = '${EARLIER}' AND seq > coalesce((SELECT max(seq) FROM ${LOG}), 0);
      UPDATE ${SLOT} SET confirmed = max(confirmed, coalesce((SELECT max(seq) FROM ${LOG} WHERE tbl = ''), 0));
      DROP TABLE ${EARLIER};
      DROP TABLE ${COMMITS}`)
    for (const { sql } of triggers) db.exec(sql)
  }).immediate()
}

function isEarlier(db: Database): boolean {
  return db.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`).get(COMMITS) !== undefined
}
