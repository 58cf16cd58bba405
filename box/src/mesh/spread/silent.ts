/**
 * Entries that change nothing at another box. Nobody is told of them at once, and nothing is written down about them until something
 * else is: two boxes that do nothing would otherwise tell each other for ever that they have heard each other.
 */
import type { Entry, EntryKind } from '../../ledger/ledger.ts'

const SILENT: ReadonlySet<EntryKind> = new Set(['heard', 'cosign'])

export function isSilent({ kind }: Pick<Entry, 'kind'>): boolean {
  return SILENT.has(kind)
}
