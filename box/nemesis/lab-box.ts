/** One box of a run, as a process: starts, stops, kills and freezes it, sets its clock wrong, and uploads to it. */

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type GatehouseClient, gatehouseClient } from '@gatehouse/proto/client.ts'
import { MAX_SCANS_AT_ONCE } from '@gatehouse/proto/wire/scan.ts'
import { type PairedDevice, pair } from '../src/device/pair.ts'
import { type TlsFetch, tlsFetch } from '../src/device/tls-fetch.ts'
import { cli } from '../test/world/programs.ts'
import { scanOf } from '../test/world/scan-of.ts'
import type { MovedClock, Opened } from './box.ts'
import { type LabPlace, labEnvironment } from './lab-voter.ts'
import type { Place } from './network.ts'

/** Entries that were begun before a clock was set right are written within this time. */
const SETTLED_MS = 1_000
/** A joining box copies everything that the inviting box has. */
const COMMAND_MS = 120_000
const BOX = join(import.meta.dirname, 'box.ts')

export class LabBox implements AsyncDisposable {
  readonly place: Place
  readonly dataDir: string
  /** Ranges of its journal that it wrote while its clock was wrong. */
  readonly skewed: { from: number; to: number }[] = []
  isFrozen = false
  readonly #environment: Readonly<Record<string, string | undefined>>
  readonly #log
  #child: ChildProcess | undefined
  #opened: Opened | undefined
  #id = ''
  #fetch: TlsFetch | undefined

  constructor(folder: string, options: LabPlace) {
    const { place } = options
    mkdirSync(folder, { recursive: true })
    this.place = place
    this.dataDir = join(folder, 'data')
    this.#environment = labEnvironment(folder, options)
    this.#log = createWriteStream(join(folder, 'box.log'), { flags: 'a' })
  }

  /** The box's id: the same over all restarts. */
  get id(): string {
    return this.#id
  }

  get isUp(): boolean {
    return this.#opened !== undefined
  }

  /** Address of its device port; undefined while the box is down. */
  get deviceUrl(): string | undefined {
    return this.#opened && `https://${this.place.gateHost}:${this.#opened.ports.device}`
  }

  async start(): Promise<void> {
    const [file = '', ...args] = [...this.place.through, process.execPath, BOX]
    // A process group of its own: a power cut also ends whatever the box has started.
    const child = spawn(file, args, {
      env: { ...this.#environment },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    this.#child = child
    const last = () => this.#signalAll('SIGKILL')
    process.once('exit', last)
    child.once('exit', () => process.off('exit', last))
    for (const stream of [child.stdout, child.stderr]) stream?.pipe(this.#log, { end: false })
    const exited = once(child, 'exit').then(([code]) => {
      throw new Error(`A box ended with ${code} before it was open: ${this.dataDir}`)
    })
    const [opened] = (await Promise.race([once(child, 'message'), exited])) as [Opened]
    exited.catch(() => {})
    this.#opened = opened
    this.#id = opened.box
  }

  /** Runs `gatehouse` with these arguments in the box's network. @returns its output @throws with its error output */
  async command(...args: string[]): Promise<string> {
    const [file = '', ...words] = [...this.place.through, process.execPath, cli(), ...args]
    const env = { ...this.#environment } as NodeJS.ProcessEnv
    const { stdout } = await promisify(execFile)(file, words, { env, timeout: COMMAND_MS })
    return stdout
  }

  /** Cuts the power: kills the box and everything that it has started. */
  async kill(): Promise<void> {
    const child = this.#child
    this.#opened = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    this.#signalAll('SIGKILL')
    await gone
  }

  /** Resolves when its nats-server runs. */
  async isConnected(): Promise<void> {
    const ports = join(this.dataDir, 'nats/ports')
    while (!existsSync(ports) || readdirSync(ports).length === 0) await sleep(50)
  }

  /** Suspends the box alone: its nats-server carries on, and with it whoever uses that. */
  withhold(): void {
    this.isFrozen = true
    this.#child?.kill('SIGSTOP')
  }

  /** Suspends the box and everything that it has started. */
  freeze(): void {
    this.isFrozen = true
    this.#signalAll('SIGSTOP')
  }

  thaw(): void {
    this.isFrozen = false
    this.#signalAll('SIGCONT')
  }

  /** Moves its clock ahead, or back by a negative offset, until `during` is over. */
  async skewClock(aheadMs: number, during: Promise<unknown>): Promise<void> {
    const from = await this.entries()
    this.#setClock({ aheadMs })
    await during
    this.#setClock({ aheadMs: 0 })
    await sleep(SETTLED_MS)
    this.skewed.push({ from, to: await this.entries() })
  }

  #setClock(message: MovedClock): void {
    this.#child?.send(message)
  }

  /** Length of its journal, in entries. */
  async entries(signal?: AbortSignal): Promise<number> {
    const admin = await this.admin(signal)
    const { data, error } = await admin.GET('/v1/admin/stats', { signal: signal ?? null })
    if (!data) throw new Error(error.message)
    return data.entries
  }

  /** Shuts it down in good order. */
  async stop(): Promise<void> {
    const child = this.#child
    this.#opened = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    await gone
  }

  async admin(signal?: AbortSignal): Promise<GatehouseClient> {
    const { ports, adminToken: token } = this.#opened ?? { ports: undefined, adminToken: '' }
    const ca = await (
      await fetch(`http://${this.place.gateHost}:${ports?.http}/ca.crt`, { signal: signal ?? null })
    ).text()
    this.#fetch ??= tlsFetch({ ca })
    return gatehouseClient({ baseUrl: `https://${this.place.gateHost}:${ports?.https}`, token, fetch: this.#fetch })
  }

  async pair(name: string): Promise<PairedDevice> {
    const admin = await this.admin()
    const { data, error } = await admin.POST('/v1/admin/invite', { body: { checkpoints: ['a-in'], name } })
    if (!data) throw new Error(error.message)
    return pair(data.qr_payload, name)
  }

  /** Imports tickets of this holder, as an admin does while the gates are open. @returns how many */
  async importTickets(name: string, holder: string, email: string): Promise<number> {
    const file = join(this.dataDir, `${name}.csv`)
    const rows = Array.from({ length: 20 }, (_, i) => `${name}-${i},once,,${holder},${email},,,valid`)
    writeFileSync(file, ['code,tier,seat,holder_name,email,valid_from,valid_until,status', ...rows].join('\n'))
    await this.command('import', file)
    return rows.length
  }

  /** Uploads admissions of a scanner that was offline: one of each ticket. */
  async uploadOffline(tickets: readonly string[]): Promise<void> {
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
