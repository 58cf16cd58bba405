/** Cuts the power of a box that was killed: its disk has what was synced, and of the write-ahead log any number of the writes since. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const SOURCE = join(import.meta.dirname, 'synced-copies.c')

/**
 * @param folder for the compiled library
 * @returns the command under which a box has to run; undefined without a C compiler
 */
export function keepingSyncedCopies(folder: string): string[] | undefined {
  const library = join(folder, 'synced-copies.so')
  try {
    execFileSync('cc', ['-O2', '-shared', '-fPIC', '-o', library, SOURCE, '-ldl'], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  return ['env', `LD_PRELOAD=${library}`]
}

/**
 * The redo log is left as it is: each of its records is synced before anybody relies on it.
 * @param random below the number; of the log that was not synced, so many thousandths have reached the disk
 */
export function cutPower(dataDir: string, random: (below: number) => number): void {
  const [ledger, log] = ['ledger.db', 'ledger.db-wal'].map((name) => join(dataDir, name)) as [string, string]
  if (existsSync(log)) {
    const synced = existsSync(`${log}.synced`) ? readFileSync(`${log}.synced`) : Buffer.alloc(0)
    const written = readFileSync(log)
    const reached = random(3) === 0 ? 0 : Math.floor((written.length * random(1_001)) / 1_000)
    writeFileSync(log, Buffer.concat([written.subarray(0, reached), synced.subarray(reached)]))
  }
  if (existsSync(`${ledger}.synced`)) writeFileSync(ledger, readFileSync(`${ledger}.synced`))
  // The index of the log in memory.
  rmSync(`${ledger}-shm`, { force: true })
}
