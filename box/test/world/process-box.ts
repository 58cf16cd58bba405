/** Boxes in processes of their own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type GatehouseClient, gatehouseClient } from '@gatehouse/proto/client.ts'
import type { Environment } from '../../src/config.ts'
import { type PairedDevice, pair } from '../../src/device/pair.ts'
import { type TlsFetch, tlsFetch } from '../../src/device/tls-fetch.ts'
import { connectDevice, type TestDevice } from './device.ts'
import { type EnvironmentOptions, environmentIn } from './environment.ts'
import { freePorts } from './ports.ts'
import { cli, MAIN } from './programs.ts'

// A cancelled test run ends its tests by SIGTERM: they have to exit so that their boxes end too.
process.once('SIGTERM', () => process.exit(143))

export interface Ports {
  http: number
  https: number
  device: number
}

/** The folder of one box over several starts; it is removed with the object. */
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

  /** Starts a box in a process of its own, without a feed. @param through a command that it runs under, with its arguments */
  start(through: readonly string[] = []): BoxProcess {
    return new BoxProcess([...through, process.execPath, cli(), 'serve'], this.environment)
  }

  /** Starts a box in a process of its own, with its feed beside it. */
  startWithFeed(environment: Environment = {}): BoxProcess {
    return new BoxProcess([process.execPath, MAIN], { ...this.environment, ...environment })
  }

  /** Runs `gatehouse` with these arguments, beside the box. */
  command(...args: string[]): BoxProcess {
    return new BoxProcess([process.execPath, cli(), ...args], this.environment)
  }

  /** Of the box's authority, PEM. */
  get ca(): string {
    const pem = readFileSync(join(this.dataDir, 'ca/authority.pem'), 'utf8')
    return pem.slice(0, pem.indexOf('-----BEGIN PRIVATE KEY'))
  }

  get adminToken(): string {
    return readFileSync(join(this.dataDir, 'admin-token'), 'utf8').trim()
  }

  /** A device that is paired for every checkpoint of TEST_EVENT. */
  async pair(ports: Ports, name: string): Promise<PairedDevice> {
    await using secure = tlsFetch({ ca: this.ca })
    const checkpoints = ['a-in', 'a-out', 'b-in', 'v-in', 'v-out']
    const baseUrl = `https://127.0.0.1:${ports.https}`
    const admin = gatehouseClient({ baseUrl, token: this.adminToken, fetch: secure })
    const { data, error } = await admin.POST('/v1/admin/invite', { body: { checkpoints, expires_in_seconds: 600 } })
    if (!data) throw new Error(error.message)
    return pair(data.qr_payload, name)
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

/** One box over several starts, each a process of its own: its ports stay the same, and its clients go on. */
export class ProcessBox implements AsyncDisposable {
  readonly folder: BoxFolder
  readonly #begin: (folder: BoxFolder) => BoxProcess
  readonly #stack = new AsyncDisposableStack()
  #process: BoxProcess | undefined
  #fetch: TlsFetch | undefined

  /** @param begin starts the process: the box alone, by default */
  constructor(options: EnvironmentOptions = {}, begin = (folder: BoxFolder) => folder.start()) {
    this.folder = this.#stack.use(new BoxFolder(options))
    this.#begin = begin
  }

  get dataDir(): string {
    return this.folder.dataDir
  }

  /** Known from its first start, or from its settings. */
  get ports(): Ports {
    const {
      GATEHOUSE_HTTP_PORT: http,
      GATEHOUSE_HTTPS_PORT: https,
      GATEHOUSE_DEVICE_PORT: device,
    } = this.folder.environment
    return { http: Number(http), https: Number(https), device: Number(device) }
  }

  /** Of the HTTPS port. */
  get baseUrl(): string {
    return `https://127.0.0.1:${this.ports.https}`
  }

  /** The process that runs now. @throws while there is none */
  get process(): BoxProcess {
    if (!this.#process) throw new Error('the box is not running')
    return this.#process
  }

  /** Output of the present process, or of the last one. */
  get output(): string {
    return this.#process?.output ?? ''
  }

  /** Of its process, while it runs. */
  get pid(): number | undefined {
    return this.#process?.isRunning ? this.#process.pid : undefined
  }

  now(): number {
    return Date.now()
  }

  /** Resolves when its gates are open. */
  async start(): Promise<void> {
    const { environment } = this.folder
    if (environment.GATEHOUSE_HTTP_PORT === '0') {
      const [http, https, device] = (await freePorts(3)).map(String)
      const ports = { GATEHOUSE_HTTP_PORT: http, GATEHOUSE_HTTPS_PORT: https, GATEHOUSE_DEVICE_PORT: device }
      Object.assign(environment, ports)
    }
    this.#process = this.#begin(this.folder)
    await this.#process.opened()
  }

  /** Ends it as an operator does. */
  async stop(): Promise<void> {
    this.#process?.signal('SIGTERM')
    await this.#process?.exited()
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    await this.#process?.kill()
  }

  /** Runs `gatehouse` with these arguments beside it. */
  command(...args: string[]): BoxProcess {
    return this.folder.command(...args)
  }

  /** A client with the admin's token. */
  admin(): GatehouseClient {
    this.#fetch ??= this.#stack.use(tlsFetch({ ca: this.folder.ca }))
    return gatehouseClient({ baseUrl: this.baseUrl, token: this.folder.adminToken, fetch: this.#fetch })
  }

  /** A newly paired device. */
  async device(name = 'test device'): Promise<TestDevice> {
    return this.deviceOf(await this.folder.pair(this.ports, name))
  }

  /** A device that was paired before, here or at another box of the event. */
  deviceOf(paired: PairedDevice): TestDevice {
    return this.#stack.use(connectDevice(paired, this))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
    await this.#stack.disposeAsync()
  }
}

/** A process of a box or of a command. It never outlives the test's own process. */
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

  /** The ports of a box that has opened. @throws with its output when it ends before that */
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

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
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
