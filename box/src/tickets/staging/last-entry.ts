import { desc } from '../../drizzle/core.ts'
import type { Db } from '../../ledger/db.ts'
import { journal } from '../../ledger/schema.ts'

/** The index of the journal's last entry; -1 for none. */
export function lastEntry({ drizzle }: Pick<Db, 'drizzle'>): number {
  return drizzle.select({ index: journal.index }).from(journal).orderBy(desc(journal.index)).limit(1).get()?.index ?? -1
}
