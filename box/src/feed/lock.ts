/**
 * Keeps a second process away from what only one may have. The lock is one of the operating system, on a file: it ends with
 * the process, however that ends, and no number of a process that is long gone is left behind. Node has no call for it, but
 * SQLite takes such locks on its files.
 */
import Sqlite from 'better-sqlite3'

/**
 * @param path of a file for nothing else; made when it is not there, and left there, empty
 * @returns undefined when another process has it, or this one already
 * @throws when the file cannot be made or opened
 */
export function takeLock(path: string): Disposable | undefined {
  const file = new Sqlite(path, { timeout: 0 })
  try {
    // No second file beside this one.
    file.pragma('journal_mode = MEMORY')
    file.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    file.close()
    if (/^SQLITE_BUSY/.test((error as { code?: string }).code ?? '')) return undefined
    throw error
  }
  return { [Symbol.dispose]: () => void file.close() }
}
