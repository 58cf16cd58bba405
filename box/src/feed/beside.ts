/** Runs a change feed as a process beside this one, which goes on when the feed ends, and starts it again. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Logger } from '../log.ts'
import { environmentWithout, Supervisor } from '../supervisor.ts'

const FEED = join(import.meta.dirname, '../feed-main.ts')
/** Without it, V8 gives itself a young generation by the size of the machine: 100 MB more under load. */
const MEMORY = ['--max-semi-space-size=16']

export interface BesideOptions {
  configPath: string
  logger: Logger
  /** Milliseconds that never jump. */
  monotonic: () => number
}

/** Starts it now and whenever it ends. Dispose to end it for good. */
export function runFeedBeside({ configPath, logger, monotonic }: BesideOptions): Supervisor {
  return new Supervisor({
    name: 'feed',
    start: () =>
      // The channel closes when this process ends, however it ends: a feed that outlived its box would hold the port.
      spawn(process.execPath, [...MEMORY, FEED, '--config', configPath], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        env: environmentWithout('GATEHOUSE_'),
      }),
    wait: { initialMs: 1000, maxMs: 60_000 },
    steadyMs: 60_000,
    logger,
    monotonic,
  })
}
