/** The machine of a run that only votes, as a process; and the settings of every machine of a run. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { environmentIn } from '../test/world/environment.ts'
import { cli } from '../test/world/programs.ts'
import type { Place } from './network.ts'

const STARTS_WITHIN_MS = 60_000

export interface LabPlace {
  readonly place: Place
  /** Of HTTP, HTTPS, devices, and of the mesh for routes and leaves. */
  readonly ports: readonly number[]
  readonly tickets: readonly string[]
  /** The nats-server to run. */
  readonly natsServer: string
}

/** Settings of a machine that keeps everything in `folder`. */
export function labEnvironment(folder: string, { place, ports, tickets, natsServer }: LabPlace) {
  const [http, https, device, route, leaf] = ports.map(String)
  return environmentIn(folder, {
    tickets,
    environment: {
      GATEHOUSE_HOST: '::',
      GATEHOUSE_PUBLIC_HOST: place.gateHost,
      GATEHOUSE_MESH_HOST: place.meshHost,
      GATEHOUSE_HTTP_PORT: http,
      GATEHOUSE_HTTPS_PORT: https,
      GATEHOUSE_DEVICE_PORT: device,
      GATEHOUSE_MESH_ROUTE_PORT: route,
      GATEHOUSE_MESH_LEAF_PORT: leaf,
      GATEHOUSE_NATS_SERVER: natsServer,
      GATEHOUSE_SCANS_PER_SECOND: '1000000',
      GATEHOUSE_SCAN_BURST: '1000000',
      GATEHOUSE_FEED: '0',
    },
  })
}

export class LabVoter implements AsyncDisposable {
  readonly dataDir: string
  readonly place: Place
  readonly #folder: string
  readonly #environment: Readonly<Record<string, string | undefined>>
  #child: ChildProcess | undefined

  constructor({ folder, ...options }: LabPlace & { folder: string }) {
    mkdirSync(folder, { recursive: true })
    this.#folder = folder
    this.place = options.place
    this.dataDir = join(folder, 'data')
    this.#environment = labEnvironment(folder, options)
  }

  /** Its id in the list of boxes. */
  get id(): string {
    return JSON.parse(readFileSync(join(this.dataDir, 'voter.json'), 'utf8')).box.id
  }

  /** Resolves when its nats-server is configured. */
  async start(invite: string): Promise<void> {
    const [file = '', ...args] = [...this.place.through, process.execPath, cli(), 'mesh', 'voter', invite]
    const child = spawn(file, args, { env: this.#environment as NodeJS.ProcessEnv, detached: true })
    this.#child = child
    const log = createWriteStream(join(this.#folder, 'voter.log'), { flags: 'a' })
    for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false })
    for (const end = performance.now() + STARTS_WITHIN_MS; performance.now() < end; await sleep(50)) {
      if (child.exitCode !== null) break
      if (['voter.json', 'nats/nats.conf'].every((name) => existsSync(join(this.dataDir, name)))) return
    }
    throw new Error(`A voter has not started: ${this.#folder}`)
  }

  /** Withholds its vote: its nats-server stands still. */
  freeze(): void {
    this.#signalAll('SIGSTOP')
  }

  thaw(): void {
    this.#signalAll('SIGCONT')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    this.#signalAll('SIGKILL')
    await gone
  }

  #signalAll(signal: NodeJS.Signals): void {
    if (this.#child?.pid !== undefined) process.kill(-this.#child.pid, signal)
  }
}
