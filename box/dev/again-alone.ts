/**
 * Runs a test file or group that failed beside others once more, alone. It tells a fault of the code, which fails again, from one that needs
 * a busy machine: that one does not stop a release, and is reported by name until somebody has found it.
 */
import type { TestCounts } from './counts.ts'
import type { Ended } from './test-process.ts'

/** More files than this have one cause, and it is not the machine. */
const AT_MOST = 4

export interface Ran {
  /** The file, or the folders of a group. */
  name: string
  ended: Ended
  /** Runs it once more. */
  again: () => Promise<Ended>
}

/** @returns the counts of each, of the second run where there was one; and for each that failed, the end of its output */
export async function againAlone(ran: readonly Ran[]): Promise<{ counts: TestCounts[]; reports: string[] }> {
  const isRepeated = ran.filter(({ ended }) => ended.counts.failed > 0).length <= AT_MOST
  const counts: TestCounts[] = []
  const reports: string[] = []
  for (const { name, ended, again } of ran) {
    if (ended.counts.failed === 0) {
      counts.push(ended.counts)
      continue
    }
    const second = isRepeated ? await again() : ended
    counts.push(second.counts)
    const what = second.counts.failed === 0 ? 'failed beside others, and passed alone: look for its cause' : 'failed'
    reports.push(`${name} ${what}. It said:\n${ended.printed}`)
  }
  return { counts, reports }
}
