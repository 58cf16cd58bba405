/** Priority of threads that work beside the gates. */
import { constants, setPriority } from 'node:os'

/**
 * Makes the thread that calls it run when scans leave a processor. On Linux each thread has a priority of its own; elsewhere it
 * would be the whole process's, and nothing changes. Not for a thread that holds the ledger's write lock: scans would wait for it.
 */
export function yieldToScans(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, constants.priority.PRIORITY_LOW)
  } catch {
    // A sandbox may forbid it, as the appliance does, which has four processors: the work is done all the same.
  }
}
