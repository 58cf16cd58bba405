/** Runs nats-server as a child of the box: whatever becomes of it, the box goes on, and it comes back. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { readIfThere } from '../../durable-file.ts'
import type { Logger } from '../../log.ts'

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 30_000
/** A server that has run for this long was well: the next wait is a short one again. */
const WELL_MS = 30_000
/** With `sync_interval: always` there is little left to write. */
const STOP_MS = 10_000
const LOOK_MS = 20
/** A cable that is out makes the server say the same each second. */
const SAME_LINE_MS = 60_000
const MOST_LINES_KNOWN = 200

export interface ChildOptions {
  file: string
  configPath: string
  pidPath: string
  portsFolder: string
  logger: Logger
  /** Milliseconds that never jump. */
  monotonic: () => number
  /** Before each start. */
  onStart: () => Promise<void>
  /** It listens, for the box alone, at this port. Called after each start. */
  onListening: (port: number) => void
  /** It has ended by itself or by a signal from elsewhere, and is not coming back for `waitMs`. */
  onEnded?: () => void
}

/** State with a lifetime: one server after the other. Dispose to end the last for good. */
export class ServerChild implements AsyncDisposable {
  readonly #options: ChildOptions
  #child: ChildProcess | undefined
  #closed: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #wait = FIRST_WAIT_MS
  #wanted = true
  #starting: Promise<void> = Promise.resolve()

  constructor(options: ChildOptions) {
    this.#options = options
    this.#start()
  }

  get pid(): number | undefined {
    return this.#isRunning() ? this.#child?.pid : undefined
  }

  /** Reads its certificates anew. */
  reload(): void {
    if (this.#isRunning()) this.#child?.kill('SIGHUP')
  }

  /** Ends it, and starts it again at once after `between`. */
  async restart(between: () => Promise<void> = async () => {}): Promise<void> {
    await this.stop()
    await between()
    this.#wanted = true
    this.#wait = FIRST_WAIT_MS
    this.#start()
  }

  /** @returns whether it ended as it should: what it had to write is written */
  async stop(): Promise<boolean> {
    this.#wanted = false
    clearTimeout(this.#timer)
    await this.#starting
    const child = this.#child
    if (!child || !this.#isRunning()) return child?.exitCode === 0
    child.kill('SIGTERM')
    const kill = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    await this.#closed
    clearTimeout(kill)
    // Its own answer to SIGTERM is 1 or 0, by version; by a signal it ends only when it could not.
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
    this.#starting = this.#startNow().catch((error) => {
      this.#options.logger.error({ event: 'nats_not_started', err: error })
      this.#again({})
    })
  }

  async #startNow(): Promise<void> {
    const { file, configPath, pidPath, portsFolder, logger, monotonic } = this.#options
    await endLeftOver(pidPath, configPath, logger)
    await Promise.all((await readdir(portsFolder)).map((name) => rm(join(portsFolder, name), { force: true })))
    await this.#options.onStart()
    if (!this.#wanted) return
    const startedAt = monotonic()
    const [command, args] = underThisProcess(file, ['-c', configPath])
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], env: ownEnvironment() })
    this.#child = child
    this.#closed = new Promise((resolve) => child.once('close', resolve).once('error', resolve))
    child.once('error', (error) => {
      if (child.pid !== undefined) return
      logger.error({ event: 'nats_not_started', err: error })
      this.#again({})
    })
    child.once('close', (code, signal) => {
      if (child.pid === undefined) return
      if (monotonic() - startedAt > WELL_MS) this.#wait = FIRST_WAIT_MS
      this.#again({ code, signal })
    })
    if (child.stderr) this.#log(child.stderr)
    this.#awaitPort(child).catch((error) => logger.error({ event: 'nats_not_heard', err: error }))
  }

  #again(how: object): void {
    if (!this.#wanted) return
    this.#options.logger.warn({ event: 'nats_ended', ...how, again_in_ms: this.#wait })
    this.#options.onEnded?.()
    this.#timer = setTimeout(() => this.#start(), this.#wait)
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS)
  }

  async #awaitPort(child: ChildProcess): Promise<void> {
    const { portsFolder, onListening } = this.#options
    while (child === this.#child && this.#isRunning()) {
      // It names the file after the program, whatever that is called.
      const name = (await readdir(portsFolder)).find((each) => each.endsWith(`_${child.pid}.ports`))
      const port = name && portIn(await readIfThere(join(portsFolder, name)))
      if (port) {
        onListening(port)
        return
      }
      await sleep(LOOK_MS)
    }
  }

  /** Its words go into the box's log: they name servers and addresses, and no ticket. */
  #log(stderr: NodeJS.ReadableStream): void {
    const { logger, monotonic } = this.#options
    const saidAt = new Map<string, number>()
    createInterface({ input: stderr }).on('line', (line) => {
      const { level, text } = wordsOf(line)
      if (level === 'debug') return logger.debug({ event: 'nats', text })
      const same = text.replace(/\d+/g, '#')
      const before = saidAt.get(same)
      if (before !== undefined && monotonic() - before < SAME_LINE_MS) return
      if (saidAt.size >= MOST_LINES_KNOWN) saidAt.clear()
      saidAt.set(same, monotonic())
      logger[level]({ event: 'nats', text })
    })
  }
}

/** `[123] [ERR] words` */
export function wordsOf(line: string): { level: 'debug' | 'warn' | 'error'; text: string } {
  const [, tag = 'ERR', text = line] = /^\[\d+\] \[(\w{3})\] (.*)$/s.exec(line) ?? []
  const level = tag === 'WRN' ? 'warn' : tag === 'ERR' || tag === 'FTL' ? 'error' : 'debug'
  // A URL of a neighbour has a password in it.
  return { level, text: text.replace(/\/\/[^@/\s]*@/g, '//').slice(0, 500) }
}

function portIn(text: string | undefined): number | undefined {
  try {
    const { nats } = JSON.parse(text ?? '') as { nats?: string[] }
    return Number(new URL(nats?.[0] ?? '').port) || undefined
  } catch {
    // Not there yet, or half written.
    return undefined
  }
}

/** A server that outlived its box would hold the ports, and vote for a box that is not there. */
function underThisProcess(file: string, args: string[]): [string, string[]] {
  // Linux ends it with its parent, however that went (prctl PR_SET_PDEATHSIG); elsewhere the next start does.
  return existsSync(SETPRIV) ? [SETPRIV, ['--pdeathsig', 'KILL', '--', file, ...args]] : [file, args]
}
const SETPRIV = '/usr/bin/setpriv'

/** The box's settings are not the server's. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GATEHOUSE_')))
}

/** Ends the server of an earlier life of this box: by its number, and only when it is that server indeed. */
async function endLeftOver(pidPath: string, configPath: string, logger: Logger): Promise<void> {
  const pid = Number((await readIfThere(pidPath))?.trim())
  if (!Number.isSafeInteger(pid) || pid <= 1) return
  const words = await promisify(execFile)('ps', ['-o', 'args=', '-p', String(pid)]).then(
    ({ stdout }) => stdout,
    () => '',
  )
  if (words.includes(configPath)) {
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
