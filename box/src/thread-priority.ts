/** Priority of threads that work beside the gates. */
import { readdirSync, readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { setFlagsFromString } from 'node:v8'

/** The name that V8 gives to the threads of its pool, which mark and sweep while the program runs. */
const COLLECTOR = 'V8Worker'
const TASKS = '/proc/self/task'

/**
 * Makes the thread that calls it run when scans leave a processor. On Linux each thread has a priority of its own; elsewhere it
 * would be the whole process's, and nothing changes. Not for a thread that holds the ledger's write lock: scans would wait for it.
 */
export function yieldToScans(): void {
  if (process.platform === 'linux') lower(0)
}

/**
 * Makes this process's garbage collectors run when scans leave a processor. Four of them mark at once, and on a core that they
 * share with the scanning thread they leave it a fifth: its p99 was 80 ms under a flood of large bodies. Only on Linux.
 */
export function collectBesideScans(): void {
  if (process.platform !== 'linux') return
  let isAnyLowered = false
  for (const thread of readdirSync(TASKS)) {
    if (nameOf(thread) === COLLECTOR && lower(Number(thread))) isAnyLowered = true
  }
  // These threads also help to collect the young generation, and the scanning thread waits for each that has begun a part. At the lowest
  // priority that may take long, so every thread of this process, workers included, collects its own young generation without help.
  if (isAnyLowered) setFlagsFromString('--no-parallel-scavenge')
}

/**
 * @param thread 0 for the one that calls
 * @returns false for a thread that has ended, and where a sandbox forbids it. The appliance's does; it has four processors, so scans rarely
 *   compete with these threads
 */
function lower(thread: number): boolean {
  try {
    setPriority(thread, constants.priority.PRIORITY_LOW)
    return true
  } catch {
    return false
  }
}

/** @returns nothing for a thread that has ended meanwhile */
function nameOf(thread: string): string | undefined {
  try {
    return readFileSync(`${TASKS}/${thread}/comm`, 'utf8').trim()
  } catch {
    return undefined
  }
}
