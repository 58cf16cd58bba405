/** Keeps a program running as a child of this process: when it ends, it is started again, and this process is not affected. */
import type { ChildProcess } from 'node:child_process'
import { backoffMs } from '@gatehouse/proto/backoff.ts'
import type { Logger } from './log.ts'

export interface SupervisorOptions {
  /** Prefix of its log events: `nats` logs `nats_ended` and `nats_not_started`. */
  name: string
  /** Starts the program. An error is logged, and the start is tried again. */
  start: () => ChildProcess
  /** Before each start; the start waits for it. */
  prepare?: () => Promise<void>
  /**
   * Called when it has ended without `stop`, or was not started; it is started again after a wait.
   * @param times how often in a row it has, without having run for long
   */
  onEnded?: (times: number) => void
  /** Waits between starts: the first one, doubled each time, and the longest. */
  wait: { initialMs: number; maxMs: number }
  /** When it has run for this long, the next wait is the first one again. */
  steadyMs: number
  logger: Logger
  /** Monotonic clock, in milliseconds. */
  monotonic: () => number
}

/** A program has this long to end before it is killed. */
const STOP_MS = 10_000

/** State with a lifetime: one process after the other. Dispose to end the last for good. */
export class Supervisor implements AsyncDisposable {
  readonly #options: SupervisorOptions
  #child: ChildProcess | undefined
  #closed: Promise<unknown> = Promise.resolve()
  #starting: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #failures = 0
  #wanted = true

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#start()
  }

  /** Undefined while it does not run. */
  get pid(): number | undefined {
    return this.#isRunning() ? this.#child?.pid : undefined
  }

  signal(signal: NodeJS.Signals): void {
    if (this.#isRunning()) this.#child?.kill(signal)
  }

  /** Ends it, and starts it again at once after `between`, also where that fails. */
  async restart(between: () => Promise<void> = async () => {}): Promise<void> {
    await this.stop()
    try {
      await between()
    } finally {
      this.#wanted = true
      this.#failures = 0
      this.#start()
    }
  }

  /** @returns true if it ended without being killed, and so has written its state */
  async stop(): Promise<boolean> {
    this.#wanted = false
    clearTimeout(this.#timer)
    await this.#starting
    const child = this.#child
    if (!child || !this.#isRunning()) {
      // It may have ended a moment ago: what follows from that comes before the next start, and not after it.
      await this.#closed
      return child?.exitCode === 0
    }
    child.kill('SIGTERM')
    const kill = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    await this.#closed
    clearTimeout(kill)
    return child.signalCode === null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  #isRunning(): boolean {
    const child = this.#child
    return child?.pid !== undefined && child.exitCode === null && child.signalCode === null
  }

  #start(): void {
    this.#starting = this.#startNow().catch((error) => this.#notStarted(error))
  }

  async #startNow(): Promise<void> {
    const { prepare, start, monotonic, steadyMs } = this.#options
    if (prepare) await prepare()
    if (!this.#wanted) return
    const startedAt = monotonic()
    const child = start()
    this.#child = child
    this.#closed = new Promise((resolve) => child.once('close', resolve).once('error', resolve))
    // If no process can be created, Node either throws or emits an error.
    child.on('error', (error) => {
      if (child.pid === undefined) this.#notStarted(error)
    })
    child.once('close', (code, signal) => {
      if (child.pid === undefined) return
      if (monotonic() - startedAt > steadyMs) this.#failures = 0
      this.#again({ code, signal })
    })
  }

  #notStarted(error: unknown): void {
    const { logger, name } = this.#options
    logger.error({ event: `${name}_not_started`, err: error })
    this.#again({})
  }

  #again(how: object): void {
    if (!this.#wanted) return
    const { logger, name, wait, onEnded } = this.#options
    const waitMs = backoffMs(this.#failures++, { ...wait, jitter: [1, 1] }, 0)
    logger.warn({ event: `${name}_ended`, ...how, again_in_ms: waitMs })
    onEnded?.(this.#failures)
    this.#timer = setTimeout(() => this.#start(), waitMs)
  }
}

/** The environment of a child, without the settings of this process. */
export function environmentWithout(prefix: string): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith(prefix)))
}
