/** Programs in a network of their own, in which there is nothing but loopback: whatever they start reaches nobody outside of this machine. */
import { execFile, execFileSync } from 'node:child_process'

/** Runs its arguments there. */
const CUT_OFF = ['--map-root-user', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']

/** The reason why there can be no such network here. */
export function whyNotCutOff(): string | false {
  try {
    execFileSync('unshare', [...CUT_OFF, 'true'], { stdio: 'ignore' })
    return false
  } catch {
    return 'needs unshare and ip of Linux, and the right to make a network'
  }
}

/** Runs node there. @returns what it printed, however it ended */
export function nodeCutOff(...args: string[]): Promise<string> {
  // A test's runner would take the output of another one in there for its own.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  // Playwright ends its browsers at this signal.
  const options = { env, maxBuffer: 2 ** 26, timeout: 170_000, killSignal: 'SIGINT' } as const
  return new Promise((resolve) => {
    execFile('unshare', [...CUT_OFF, process.execPath, ...args], options, (_error, printed) => resolve(printed))
  })
}
