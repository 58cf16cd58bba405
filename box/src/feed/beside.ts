/** Runs a change feed as a process beside this one: whatever becomes of it, this one goes on, and it comes back. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Logger } from '../log.ts'

const FEED = join(import.meta.dirname, '../feed-main.ts')
/** Without it, V8 gives itself a young generation by the size of the machine: 100 MB more under load. */
const MEMORY = ['--max-semi-space-size=16']
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 60_000
/** A feed that has run for this long was well: the next wait is a short one again. */
const WELL_MS = 60_000
const STOP_MS = 10_000

export interface BesideOptions {
  configPath: string
  logger: Logger
  /** Milliseconds that never jump. */
  monotonic: () => number
}

/** Starts it, and starts it again when it ends. Dispose to end it for good. */
export function runFeedBeside({
  configPath,
  logger,
  monotonic,
}: BesideOptions): AsyncDisposable & { pid(): number | undefined } {
  let child: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined
  let wait = FIRST_WAIT_MS
  let stopping = false

  function start(): void {
    const startedAt = monotonic()
    function again(how: object): void {
      if (stopping) return
      if (monotonic() - startedAt > WELL_MS) wait = FIRST_WAIT_MS
      logger.warn({ event: 'feed_ended', ...how, again_in_ms: wait })
      timer = setTimeout(start, wait)
      wait = Math.min(wait * 2, LONGEST_WAIT_MS)
    }
    // No memory and no process left are Node's to throw or to tell, as it sees fit; a gate is kept open either way.
    function notStarted(error: unknown): void {
      logger.error({ event: 'feed_not_started', err: error })
      again({})
    }
    try {
      // The channel says when this process is gone, however it went: a feed without its box would hold the port.
      child = spawn(process.execPath, [...MEMORY, FEED, '--config', configPath], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        env: ownEnvironment(),
      })
    } catch (error) {
      child = undefined
      notStarted(error)
      return
    }
    const started = child.pid !== undefined
    child.on('error', (error) => {
      if (!started) notStarted(error)
    })
    child.once('close', (code, signal) => {
      if (started) again({ code, signal })
    })
  }

  start()
  return {
    pid: () => child?.pid,
    async [Symbol.asyncDispose]() {
      stopping = true
      clearTimeout(timer)
      if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
      const closed = once(child, 'close')
      child.kill('SIGTERM')
      const kill = setTimeout(() => child?.kill('SIGKILL'), STOP_MS)
      await closed
      clearTimeout(kill)
    },
  }
}

/** The box's settings are not the feed's. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GATEHOUSE_')))
}
