/** Runs nats-server as a child process. It is started again whenever it ends; the box goes on without it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { readIfThere } from '../../durable-file.ts'
import type { Logger } from '../../log.ts'
import { environmentWithout, Supervisor } from '../../supervisor.ts'

const LOOK_MS = 20
/** While a cable is out, the server logs the same line each second. */
const SAME_LINE_MS = 60_000
const MOST_LINES_KNOWN = 200
/** nats-server tries for five seconds after its start to write down its ports, and never again: a box that hung for that long would wait for ever. */
const HIDES_PORT = /^(Unable to resolve the ports|Error (writing|marshaling) ports file)/

export interface ChildOptions {
  file: string
  configPath: string
  pidPath: string
  portsFolder: string
  logger: Logger
  /** Milliseconds that never jump. */
  monotonic: () => number
  /** Called before each start. */
  onStart: () => Promise<void>
  /** Called after each start, with the port at which it listens for the box. */
  onListening: (port: number) => void
  /**
   * Called when it has ended by itself or by a signal from elsewhere, or was not started; the next start follows after a wait.
   * @param times how often in a row it has, without having run for long
   */
  onEnded?: (times: number) => void
}

/** One server process after the other. Dispose to end the last one for good. */
export class ServerChild implements AsyncDisposable {
  readonly #options: ChildOptions
  readonly #supervisor: Supervisor

  constructor(options: ChildOptions) {
    const { logger, monotonic, onEnded } = options
    this.#options = options
    this.#supervisor = new Supervisor({
      name: 'nats',
      prepare: () => this.#prepare(),
      start: () => this.#start(),
      ...(onEnded && { onEnded }),
      wait: { initialMs: 250, maxMs: 30_000 },
      steadyMs: 30_000,
      logger,
      monotonic,
    })
  }

  get pid(): number | undefined {
    return this.#supervisor.pid
  }

  /** Makes it read its certificates again. */
  reload(): void {
    this.#supervisor.signal('SIGHUP')
  }

  /** Ends it and starts it again at once, after `between`. */
  restart(between?: () => Promise<void>): Promise<void> {
    return this.#supervisor.restart(between)
  }

  /**
   * @returns whether it ended by itself and so has written everything. With `sync_interval: always` that is little. Its exit code
   *   after SIGTERM is 1 or 0, by version.
   */
  stop(): Promise<boolean> {
    return this.#supervisor.stop()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  async #prepare(): Promise<void> {
    const { configPath, pidPath, portsFolder, logger, onStart } = this.#options
    await endLeftOver(pidPath, configPath, logger)
    await Promise.all((await readdir(portsFolder)).map((name) => rm(join(portsFolder, name), { force: true })))
    await onStart()
  }

  #start(): ChildProcess {
    const { file, configPath, logger } = this.#options
    const [command, args] = underThisProcess(file, ['-c', configPath])
    const child = spawn(command, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: environmentWithout('GATEHOUSE_'),
    })
    let isAwaited = true
    // Later it knows the port: a line of the log, which may quote another box, ends no server that works.
    const endIfAwaited = () => isAwaited && child.kill('SIGKILL')
    if (child.stderr) this.#log(child.stderr, endIfAwaited)
    this.#awaitPort(child)
      .catch((error) => {
        logger.error({ event: 'nats_not_heard', err: error })
        endIfAwaited()
      })
      .finally(() => {
        isAwaited = false
      })
    return child
  }

  async #awaitPort(child: ChildProcess): Promise<void> {
    const { portsFolder, onListening } = this.#options
    while (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      // The server names the file after its own program, whatever that is called.
      const name = (await readdir(portsFolder)).find((each) => each.endsWith(`_${child.pid}.ports`))
      const port = name && portIn(await readIfThere(join(portsFolder, name)))
      if (port) {
        onListening(port)
        return
      }
      await sleep(LOOK_MS)
    }
  }

  /**
   * Copies its log into the box's. It names servers and addresses, and no ticket.
   * @param end ends it, to be started again, where it will not say at which port it listens
   */
  #log(stderr: NodeJS.ReadableStream, end: () => void): void {
    const { logger, monotonic } = this.#options
    const loggedAt = new Map<string, number>()
    createInterface({ input: stderr }).on('line', (line) => {
      const { level, text } = parseLogLine(line)
      if (HIDES_PORT.test(text)) end()
      if (level === 'debug') return logger.debug({ event: 'nats', text })
      const same = text.replace(/\d+/g, '#')
      const before = loggedAt.get(same)
      if (before !== undefined && monotonic() - before < SAME_LINE_MS) return
      if (loggedAt.size >= MOST_LINES_KNOWN) loggedAt.clear()
      loggedAt.set(same, monotonic())
      logger[level]({ event: 'nats', text })
    })
  }
}

/** Reads `[123] [ERR] text`. */
export function parseLogLine(line: string): { level: 'debug' | 'warn' | 'error'; text: string } {
  const [, tag = 'ERR', text = line] = /^\[\d+\] \[(\w{3})\] (.*)$/s.exec(line) ?? []
  const level = tag === 'WRN' ? 'warn' : tag === 'ERR' || tag === 'FTL' ? 'error' : 'debug'
  // The URL of another box contains a password.
  return { level, text: text.replace(/\/\/[^@/\s]*@/g, '//').slice(0, 500) }
}

function portIn(text: string | undefined): number | undefined {
  try {
    const { nats } = JSON.parse(text ?? '') as { nats?: string[] }
    return Number(new URL(nats?.[0] ?? '').port) || undefined
  } catch {
    // Missing, or only half written yet.
    return undefined
  }
}

/** A server that outlives its box would keep the ports, and vote for a box that is gone. */
function underThisProcess(file: string, args: string[]): [string, string[]] {
  // Linux kills it when its parent ends, in whatever way (prctl PR_SET_PDEATHSIG). Elsewhere the next start kills it.
  return existsSync(SETPRIV) ? [SETPRIV, ['--pdeathsig', 'KILL', '--', file, ...args]] : [file, args]
}
const SETPRIV = '/usr/bin/setpriv'

/** Ends a server that an earlier process of this box has left behind: by its process id, after checking that it is that server. */
async function endLeftOver(pidPath: string, configPath: string, logger: Logger): Promise<void> {
  const pid = Number((await readIfThere(pidPath))?.trim())
  if (!Number.isSafeInteger(pid) || pid <= 1) return
  const commandLine = await promisify(execFile)('ps', ['-o', 'args=', '-p', String(pid)]).then(
    ({ stdout }) => stdout,
    () => '',
  )
  if (commandLine.includes(configPath)) {
    logger.warn({ event: 'nats_left_over', pid })
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended by itself.
    }
    while (isThere(pid)) await sleep(LOOK_MS)
  }
  await rm(pidPath, { force: true })
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
