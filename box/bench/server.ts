/** Runs servers under load, each in its own process and, where possible, pinned to its own core. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { cli, MAIN } from '../test/world/programs.ts'

const SERVER_CORE = '0'
const LOAD_CORE = '1'
const PINO_ERROR = 50
/** As `npm start` and the image's service start it. */
const BOX_ARGS = ['--max-semi-space-size=4']

/** Pins this process, the load, away from the servers. False where there is no `taskset` or a single core. */
export function pinLoad(): boolean {
  if (availableParallelism() < 2) return false
  try {
    execFileSync('taskset', ['-acp', LOAD_CORE, String(process.pid)], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A command that runs where the servers do, and leaves the load alone. */
export function besideServer(command: readonly string[], { pinned }: { pinned: boolean }): string[] {
  return [...(pinned ? ['taskset', '-c', SERVER_CORE] : []), ...command]
}

/** Lets this process, and what it starts from here on, run on every core again. */
export function unpinLoad(): void {
  const all = `0-${cpus().length - 1}`
  spawnSync('taskset', ['-acp', all, String(process.pid)], { stdio: 'ignore' })
}

export interface Ports {
  http: number
  https: number
  device: number
}

export interface BoxOptions {
  pinned: boolean
  nodeArgs?: readonly string[]
  /** Off: no change log. When absent, the ledger logs changes. */
  feed?: 'off'
  /** The program of `npm start`, from the sources, which runs the feed beside the box; otherwise the box alone, and nobody takes its changes. */
  asStarted?: boolean
  /** The rate limit of a device's scans: as a box is delivered, or as often as it can, because a few devices do the work of all gates. */
  limits?: 'usual' | 'none'
  /** Further environment of its process. */
  env?: Record<string, string>
}

export class Server implements AsyncDisposable {
  readonly ports: Ports
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, ports: Ports) {
    this.#child = child
    this.ports = ports
  }

  /** @param args of node @returns when the server has said which ports it has */
  static async start(args: readonly string[], options: { pinned: boolean; env?: NodeJS.ProcessEnv }): Promise<Server> {
    const command = besideServer([process.execPath, ...args], options)
    const child = spawn(command[0] ?? '', command.slice(1), {
      env: { ...withoutSettings(process.env), ...options.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    running.add(child)
    child.once('exit', (code, signal) => {
      running.delete(child)
      if (!child.killed) console.error(`${args.at(-1)} ended by itself: ${signal ?? `exit status ${code}`}`)
    })
    const lines = createInterface({ input: child.stdout })
    return new Promise((resolve, reject) => {
      lines.on('line', (line) => {
        const said = line.startsWith('{') ? (JSON.parse(line) as { ports?: Ports; level?: number }) : {}
        if (said.ports) resolve(new Server(child, said.ports))
        if ((said.level ?? 0) >= PINO_ERROR) console.error(line)
      })
      lines.once('close', () => reject(new Error(`${args.join(' ')} ended before it served.`)))
    })
  }

  static box(folder: string, options: BoxOptions): Promise<Server> {
    const main = options.asStarted ? [MAIN] : [cli(), 'serve']
    const args = [...BOX_ARGS, ...(options.nodeArgs ?? []), ...main]
    return Server.start(args, {
      pinned: options.pinned,
      env: {
        // As the image starts it.
        MALLOC_ARENA_MAX: '1',
        MALLOC_MMAP_THRESHOLD_: '30000',
        GATEHOUSE_DATA_DIR: join(folder, 'data'),
        GATEHOUSE_EVENT_DIR: join(folder, 'event'),
        GATEHOUSE_HOST: '127.0.0.1',
        GATEHOUSE_PUBLIC_HOST: '127.0.0.1',
        GATEHOUSE_HTTP_PORT: '0',
        GATEHOUSE_HTTPS_PORT: '0',
        GATEHOUSE_DEVICE_PORT: '0',
        GATEHOUSE_MDNS: '0',
        GATEHOUSE_FEED: options.feed === 'off' ? '0' : '1',
        GATEHOUSE_FEED_PORT: '0',
        ...(options.limits !== 'usual' && {
          GATEHOUSE_SCANS_PER_SECOND: '1000000',
          GATEHOUSE_SCAN_BURST: '1000000',
        }),
        ...options.env,
      },
    })
  }

  /** The bare echo, with the TLS identity of the box in `folder`. */
  static echo(folder: string, options: { pinned: boolean }): Promise<Server> {
    const ca = join(folder, 'data/ca')
    return Server.start(
      [fileURLToPath(new URL('./echo.ts', import.meta.url)), join(ca, 'server.pem'), join(ca, 'authority.pem')],
      options,
    )
  }

  get pid(): number {
    return this.#child.pid ?? Number.NaN
  }

  /** Resident memory in bytes, now and at its highest; undefined where there is no /proc. */
  memory(): { now: number; highest: number } | undefined {
    const status = this.#proc('status')
    const kilobytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status ?? '')?.[1]) * 1024
    return status === undefined ? undefined : { now: kilobytes('VmRSS'), highest: kilobytes('VmHWM') }
  }

  /** Seconds of processor time so far, of all threads; undefined where there is no /proc. */
  processorSeconds(): number | undefined {
    const fields = this.#proc('stat')?.split(') ')[1]?.split(' ')
    // utime and stime of proc(5), in hundredths of a second, counted from the field behind the command's name.
    return fields && (Number(fields[11]) + Number(fields[12])) / 100
  }

  #proc(file: string): string | undefined {
    try {
      return readFileSync(`/proc/${this.#child.pid}/${file}`, 'utf8')
    } catch {
      return undefined
    }
  }

  /** Ends the process. @param signal SIGTERM lets a box close in good order, SIGKILL is a power cut */
  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.kill(signal)
    await once(this.#child, 'exit')
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop('SIGTERM')
  }
}

const running = new Set<ChildProcess>()
// Ends the servers of an interrupted bench.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Without GATEHOUSE_ variables: the bench measures the box with its defaults, whatever is set in the shell. */
function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('GATEHOUSE_')))
}
