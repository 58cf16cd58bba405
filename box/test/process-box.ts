/** Boxes in processes of their own, for tests that end them in ways a box does not choose. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gatehouseClient } from '@gatehouse/proto/client.ts'
import type { Environment } from '../src/config.ts'
import { type PairedDevice, pair } from '../src/device/pair.ts'
import { tlsFetch } from '../src/device/tls-fetch.ts'
import { type EnvironmentOptions, environmentIn } from './environment.ts'

const CLI = join(import.meta.dirname, '../src/cli.ts')

// A test run that is called off tells its tests to end: they have to go in a way that takes their boxes along.
process.once('SIGTERM', () => process.exit(143))

export interface Ports {
  http: number
  https: number
  device: number
}

/** A folder for one box over several lives; it goes away with the object. */
export class BoxFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'gatehouse-process-'))
  readonly environment: Environment

  constructor(options: EnvironmentOptions = {}) {
    const fast = { GATEHOUSE_SCANS_PER_SECOND: '1000000', GATEHOUSE_SCAN_BURST: '1000000' }
    this.environment = environmentIn(this.path, { ...options, environment: { ...fast, ...options.environment } })
  }

  get dataDir(): string {
    return this.environment.GATEHOUSE_DATA_DIR ?? ''
  }

  /** Starts a box in a process of its own, and no feed beside it. @param through a command that it runs under, with its arguments */
  start(through: readonly string[] = []): BoxProcess {
    return new BoxProcess([...through, process.execPath, CLI, 'serve'], this.environment)
  }

  /** Runs `gatehouse` with these arguments, beside the box. */
  command(...args: string[]): BoxProcess {
    return new BoxProcess([process.execPath, CLI, ...args], this.environment)
  }

  async pair(ports: Ports, name: string): Promise<PairedDevice> {
    const baseUrl = `https://127.0.0.1:${ports.https}`
    const token = readFileSync(join(this.dataDir, 'admin-token'), 'utf8').trim()
    const ca = await (await fetch(`http://127.0.0.1:${ports.http}/ca.crt`)).text()
    await using secure = tlsFetch({ ca })
    const checkpoints = ['a-in', 'a-out', 'b-in', 'v-in', 'v-out']
    const admin = gatehouseClient({ baseUrl, token, fetch: secure })
    const { data, error } = await admin.POST('/v1/admin/invite', { body: { checkpoints, expires_in_seconds: 600 } })
    if (!data) throw new Error(error.message)
    return pair(data.qr_payload, name)
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

/** One life of a box, or of a command. Whatever the test does, the process does not outlive it. */
export class BoxProcess implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly #exited: Promise<Exit>
  output = ''

  constructor([file = '', ...args]: readonly string[], environment: Readonly<Record<string, string | undefined>>) {
    // Nothing else of this process's environment: the box refuses a setting that it does not know.
    const { NODE_COMPILE_CACHE } = process.env
    const env = { NODE_COMPILE_CACHE, ...environment }
    this.#child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text
      })
    }
    this.#exited = once(this.#child, 'close').then(([code, signal]) => ({ code, signal }))
    const last = () => this.#child.kill('SIGKILL')
    process.once('exit', last)
    this.#exited.finally(() => process.off('exit', last))
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** The ports of a box that has opened. @throws with what it said when it ends before that */
  async opened(): Promise<Ports> {
    const line = await this.said(/^\{.*"event":"box_open".*\}$/m)
    return JSON.parse(line).ports
  }

  /** The first text of its output that matches. @throws with all of it when it ends before */
  async said(wanted: RegExp): Promise<string> {
    let exit: Exit | undefined
    this.#exited.then((how) => {
      exit = how
    })
    for (;;) {
      const [match] = wanted.exec(this.output) ?? []
      if (match !== undefined) return match
      if (exit) throw new Error(`It ended with ${JSON.stringify(exit)}:\n${this.output}`)
      await Promise.race([this.#exited, once(this.#child.stdout ?? this.#child, 'data')])
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  exited(): Promise<Exit> {
    return this.#exited
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL')
    await this.#exited
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
  }
}

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}
