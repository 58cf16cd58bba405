/**
 * Where a transaction begins and ends in the change log. Triggers cannot know; the writer's own transaction wrapper does, and
 * says so in one row. Changes of a writer that says nothing are told as transactions of one change each.
 */
import type { Database } from 'better-sqlite3'
import { hasChangelog, LAST_SEQ } from './changelog.ts'
import { COMMITS, NOW } from './triggers.ts'

export interface CommitMark {
  /** After the transaction has begun, before its first change. */
  begin(): void
  /** Before the transaction commits. */
  end(): void
}

/** @returns undefined when this database has no change log */
export function openCommitMark(db: Database): CommitMark | undefined {
  if (!hasChangelog(db)) return undefined
  const lastSeq = db.prepare(LAST_SEQ).pluck()
  const insert = db.prepare(`INSERT INTO ${COMMITS} (first_seq, last_seq, at) VALUES (?, ?, ${NOW})`)
  let before = 0
  return {
    begin() {
      before = (lastSeq.get() as number | undefined) ?? 0
    },
    end() {
      const last = (lastSeq.get() as number | undefined) ?? 0
      if (last > before) insert.run(before + 1, last)
    },
  }
}
