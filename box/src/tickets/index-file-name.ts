/** The files of the search index (`desk/`). They name people, so an erasure removes them; the desk makes new ones. */
import { dirname, join } from 'node:path'

/** @param ledger path of the ledger's file */
export function indexFilesOf(ledger: string): [string, ...string[]] {
  const path = join(dirname(ledger), 'search.db')
  return [path, `${path}-wal`, `${path}-shm`, `${path}-journal`]
}
