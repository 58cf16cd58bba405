/** The boxes of a run: made, joined, started, stopped, killed, cut off and asked for what they hold. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type GatehouseClient, gatehouseClient } from '@gatehouse/proto/client.ts'
import { MAX_SCANS_AT_ONCE } from '@gatehouse/proto/wire/scan.ts'
import { type PairedDevice, pair } from '../src/device/pair.ts'
import { type TlsFetch, tlsFetch } from '../src/device/tls-fetch.ts'
import { freePort } from '../src/mesh/join/address.ts'
import { environmentIn } from '../test/environment.ts'
import { scanOf } from '../test/scan-of.ts'
import type { MovedClock, Opened } from './box.ts'
import { type Network, openNetwork, type Place } from './network.ts'

const CLI = join(import.meta.dirname, '../src/cli.ts')
/** What is under way when a clock is set right is written by then. */
const SETTLED_MS = 1_000
/** A box joins with everything that the other one has. */
const COMMAND_MS = 120_000
const BOX = join(import.meta.dirname, 'box.ts')

export interface LabOptions {
  boxes: number
  cables: boolean
  /** Rows of the event's ticket list. */
  tickets: readonly string[]
  /** The nats-server to run. */
  natsServer: string
}

export class Lab implements AsyncDisposable {
  readonly network: Network
  readonly boxes: readonly LabBox[]
  readonly folder: string
  readonly #stack: AsyncDisposableStack

  private constructor(parts: {
    network: Network
    boxes: readonly LabBox[]
    folder: string
    stack: AsyncDisposableStack
  }) {
    this.network = parts.network
    this.boxes = parts.boxes
    this.folder = parts.folder
    this.#stack = parts.stack
  }

  /** Boxes that have joined one event and run. */
  static async open({ boxes: count, cables, tickets, natsServer }: LabOptions): Promise<Lab> {
    await using opened = new AsyncDisposableStack()
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-nemesis-'))
    // GATEHOUSE_NEMESIS_KEEP: for whoever looks for what a box said.
    if (process.env.GATEHOUSE_NEMESIS_KEEP === undefined)
      opened.defer(() => rmSync(folder, { recursive: true, force: true }))
    const network = opened.use(openNetwork(count, cables ? 'cables' : 'loopback'))
    const boxes: LabBox[] = []
    for (const [i, place] of network.places.entries()) {
      const ports = await Promise.all([1, 2, 3, 4, 5].map(() => freePort('127.0.0.1')))
      const box = opened.use(new LabBox(join(folder, `box-${i}`), { place, ports, tickets, natsServer }))
      boxes.push(box)
      if (i === 0) {
        await box.start()
        await box.command('mesh', 'init', '--name', 'box 0')
      } else {
        const invite = /gatehouse-mesh:[^\s']+/.exec(await (boxes[0] as LabBox).command('mesh', 'invite'))?.[0] ?? ''
        await box.command('mesh', 'join', invite, '--name', `box ${i}`)
        await box.start()
      }
    }
    return new Lab({ network, boxes, folder, stack: opened.move() })
  }

  /** No way between this box and the others, in either direction. */
  isolate(box: number): void {
    for (const other of this.boxes.keys()) if (other !== box) this.cutBoth(box, other)
  }

  cutBoth(a: number, b: number): void {
    this.network.cut(a, b)
    this.network.cut(b, a)
  }

  /** Every cable is whole again. */
  mendAll(): void {
    if (!this.network.hasCables) return
    for (const a of this.boxes.keys()) for (const b of this.boxes.keys()) if (a !== b) this.network.mend(a, b)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack[Symbol.asyncDispose]()
  }
}

export class LabBox implements AsyncDisposable {
  readonly place: Place
  readonly dataDir: string
  /** Stretches of its journal that it wrote while its clock was moved. */
  readonly misled: { from: number; to: number }[] = []
  isFrozen = false
  readonly #environment: Readonly<Record<string, string | undefined>>
  readonly #log
  #child: ChildProcess | undefined
  #opened: Opened | undefined
  #id = ''
  #fetch: TlsFetch | undefined

  constructor(
    folder: string,
    options: { place: Place; ports: readonly number[]; tickets: readonly string[]; natsServer: string },
  ) {
    const { place, ports, tickets, natsServer } = options
    const [http, https, device, route, leaf] = ports.map(String)
    mkdirSync(folder, { recursive: true })
    this.place = place
    this.dataDir = join(folder, 'data')
    this.#environment = environmentIn(folder, {
      tickets,
      environment: {
        GATEHOUSE_HOST: '::',
        GATEHOUSE_PUBLIC_HOST: place.gateHost,
        GATEHOUSE_MESH_HOST: place.meshHost,
        ...{ GATEHOUSE_HTTP_PORT: http, GATEHOUSE_HTTPS_PORT: https, GATEHOUSE_DEVICE_PORT: device },
        ...{ GATEHOUSE_MESH_ROUTE_PORT: route, GATEHOUSE_MESH_LEAF_PORT: leaf, GATEHOUSE_NATS_SERVER: natsServer },
        ...{ GATEHOUSE_SCANS_PER_SECOND: '1000000', GATEHOUSE_SCAN_BURST: '1000000', GATEHOUSE_FEED: '0' },
      },
    })
    this.#log = createWriteStream(join(folder, 'box.log'), { flags: 'a' })
  }

  /** The box's id: the same over all its lives. */
  get id(): string {
    return this.#id
  }

  get isUp(): boolean {
    return this.#opened !== undefined
  }

  /** Where its gate asks; undefined while it is down. */
  get deviceUrl(): string | undefined {
    return this.#opened && `https://${this.place.gateHost}:${this.#opened.ports.device}`
  }

  async start(): Promise<void> {
    const [file = '', ...args] = [...this.place.through, process.execPath, BOX]
    // A group of its own: power goes for everything that the box has started, too.
    const child = spawn(file, args, {
      ...{ env: { ...this.#environment }, detached: true, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
    })
    this.#child = child
    for (const stream of [child.stdout, child.stderr]) stream?.pipe(this.#log, { end: false })
    const exited = once(child, 'exit').then(([code]) => {
      throw new Error(`A box ended with ${code} before it was open: ${this.dataDir}`)
    })
    const [opened] = (await Promise.race([once(child, 'message'), exited])) as [Opened]
    exited.catch(() => {})
    this.#opened = opened
    this.#id = opened.box
  }

  /** Runs `gatehouse` with these arguments where the box stands. @returns what it printed @throws with what it said */
  async command(...args: string[]): Promise<string> {
    const [file = '', ...words] = [...this.place.through, process.execPath, CLI, ...args]
    const env = { ...this.#environment } as NodeJS.ProcessEnv
    const { stdout } = await promisify(execFile)(file, words, { env, timeout: COMMAND_MS })
    return stdout
  }

  /** The power goes: for the box and for everything that it has started. */
  async kill(): Promise<void> {
    const child = this.#child
    this.#opened = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    this.#signalAll('SIGKILL')
    await gone
  }

  /** Stands still, with everything that it has started, and knows nothing of it. */
  freeze(): void {
    this.isFrozen = true
    this.#signalAll('SIGSTOP')
  }

  thaw(): void {
    this.isFrozen = false
    this.#signalAll('SIGCONT')
  }

  /** For some time its clock is ahead by so much, or behind. */
  async mislead(aheadMs: number, forMs: number): Promise<void> {
    const from = await this.#entries()
    this.#setClock({ aheadMs })
    await sleep(forMs)
    this.#setClock({ aheadMs: 0 })
    await sleep(SETTLED_MS)
    this.misled.push({ from, to: await this.#entries() })
  }

  #setClock(message: MovedClock): void {
    this.#child?.send(message)
  }

  async #entries(): Promise<number> {
    const admin = await this.admin()
    const { data, error } = await admin.GET('/v1/admin/stats')
    if (!data) throw new Error(error.message)
    return data.entries
  }

  /** Ends it in good order. */
  async stop(): Promise<void> {
    const child = this.#child
    this.#opened = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    await gone
  }

  async admin(): Promise<GatehouseClient> {
    const { ports, adminToken: token } = this.#opened ?? { ports: undefined, adminToken: '' }
    const ca = await (await fetch(`http://${this.place.gateHost}:${ports?.http}/ca.crt`)).text()
    this.#fetch ??= tlsFetch({ ca })
    return gatehouseClient({ baseUrl: `https://${this.place.gateHost}:${ports?.https}`, token, fetch: this.#fetch })
  }

  async pair(name: string): Promise<PairedDevice> {
    const admin = await this.admin()
    const { data, error } = await admin.POST('/v1/admin/invite', { body: { checkpoints: ['a-in'], name } })
    if (!data) throw new Error(error.message)
    return pair(data.qr_payload, name)
  }

  /** A scanner that was alone tells its box whom it let in meanwhile: each of these tickets, once. */
  async letInAlone(tickets: readonly string[]): Promise<void> {
    const { certificate: cert, key, ca, token } = await this.pair('a scanner that was alone')
    await using fetch = tlsFetch({ cert, key, ca })
    const client = gatehouseClient({ baseUrl: this.deviceUrl ?? '', token, fetch })
    for (let from = 0; from < tickets.length; from += MAX_SCANS_AT_ONCE) {
      const scans = tickets
        .slice(from, from + MAX_SCANS_AT_ONCE)
        .map((ticket) => ({ ...scanOf(ticket), offline_admitted: true as const }))
      const { error } = await client.POST('/v1/scans', { body: { scans } })
      if (error) throw new Error(error.message)
    }
  }

  #signalAll(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid
    if (pid === undefined) return
    try {
      process.kill(-pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.thaw()
    await this.kill()
    await this.#fetch?.[Symbol.asyncDispose]()
    this.#log.end()
  }
}
