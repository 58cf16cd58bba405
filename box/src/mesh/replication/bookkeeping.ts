/**
 * Entries that change nothing at another box. They are not pushed, and a box does not record that it has replicated them before
 * it has something else to record: two idle boxes would otherwise record each other's records for ever.
 */
import type { Entry, EntryKind } from '../../ledger/entries.ts'

const BOOKKEEPING: ReadonlySet<EntryKind> = new Set(['heard', 'cosign'])

export function isBookkeeping({ kind }: Pick<Entry, 'kind'>): boolean {
  return BOOKKEEPING.has(kind)
}
