/**
 * Keeps a second process away from what only one may use. It is a file lock of the operating system: it ends with the process,
 * however that ends, and leaves no stale process id behind. Node has no call for it, but SQLite takes such locks on its files.
 */
import { closeSync, existsSync, openSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

/**
 * @param path of a file that is used for nothing else; created when missing, and left there, empty. Nothing else in this process may open
 *   it: the lock would end when that closes it
 * @returns undefined when another process has it, or this one already
 * @throws when the file cannot be made or opened
 */
export function takeLock(path: string): Disposable | undefined {
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
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
