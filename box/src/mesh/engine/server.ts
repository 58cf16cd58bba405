/** This box's nats-server, as the list of boxes wants it: configured, certified, started, and started anew when the list changes. */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { NatsConnection } from '@nats-io/transport-node'
import { readIfThere, replaceDurably } from '../../durable-file.ts'
import { thisMachine } from '../../http/machine.ts'
import type { Logger } from '../../log.ts'
import { boxOf, type Topology, votersOf } from '../topology.ts'
import { AUTHORITY, CERTIFICATE, keepMeshCertificate, type MeshIssuer } from './certificate.ts'
import { ServerChild } from './child.ts'
import { configurationOf, isVoter } from './configuration.ts'
import { connectToSystem } from './core.ts'
import { ended, readState, reborn, serverName, started, storeName, type VoterState, wentDown } from './voter-state.ts'

/** So often it is looked whether a certificate has to be renewed, or was. */
const LOOK_MS = 3_600_000
const STATE = 'voter.json'

export interface ServerConfig {
  /** Address to bind to. */
  host: string
  /** Where the other boxes come in: what the list of boxes says, unless something in between forwards to other ports. */
  meshHost: string | undefined
  /** A publicly trusted certificate, for a box that the others dial: PEM files. */
  tlsCert: string | undefined
  tlsKey: string | undefined
}

export interface ServerDeps {
  boxId: string
  /** For nobody else. */
  folder: string
  /** The program. */
  file: string
  secrets: { local: string; mesh: string }
  config: ServerConfig
  authority: MeshIssuer
  logger: Logger
  /** Unix ms. */
  now: () => number
  /** Milliseconds that never jump. */
  monotonic: () => number
  /** Which boot of the machine this is; read from the system when undefined. */
  boot: string | undefined
  /** So often certificates are looked at; an hour when undefined. */
  lookMs: number | undefined
  /** It listens for this box at this port of loopback. */
  onListening: (port: number) => void
}

export class Server implements AsyncDisposable {
  readonly #deps: ServerDeps
  readonly #boot: string
  readonly #renewing: NodeJS.Timeout
  #child: ServerChild | undefined
  #topology: Topology
  #state: VoterState
  /** The machine went down under it: it takes part as a leaf until it knows how to come back. */
  #asking = false
  #port = 0
  #system: Promise<NatsConnection> | undefined
  /** One change at a time. */
  #turn: Promise<unknown> = Promise.resolve()

  private constructor(topology: Topology, state: VoterState, boot: string, deps: ServerDeps) {
    this.#deps = deps
    this.#topology = topology
    this.#state = state
    this.#boot = boot
    this.#asking = this.#hasToAsk()
    this.#renewing = setInterval(() => this.#renew(), deps.lookMs ?? LOOK_MS)
    this.#renewing.unref()
  }

  static async open(topology: Topology, deps: ServerDeps): Promise<Server> {
    await mkdir(join(deps.folder, 'ports'), { recursive: true, mode: 0o700 })
    const state = readState(await readIfThere(join(deps.folder, STATE)), topology.epoch)
    const server = new Server(topology, state, deps.boot ?? (await bootOfMachine()), deps)
    await server.#clean()
    server.#start()
    return server
  }

  get topology(): Topology {
    return this.#topology
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** It takes part as a leaf, and the others are to be asked whether they can do without what it had. */
  get isAsking(): boolean {
    return this.#asking
  }

  /** Whether a server's name is this box's, in this life or an earlier one. */
  isOwn(name: string): boolean {
    return name === this.#deps.boxId || name.startsWith(`${this.#deps.boxId}_`)
  }

  /** Names that the others may still count, of lives that are over. */
  get retired(): string[] {
    return this.#state.retired.map((life) => serverName(this.#deps.boxId, life))
  }

  /** What the voters know it by. */
  get name(): string {
    return serverName(this.#deps.boxId, this.#state.life)
  }

  /** A connection to it that may ask it about itself, for all who ask. */
  async system(): Promise<NatsConnection> {
    const before = await this.#system?.catch(() => undefined)
    if (!before || before.isClosed()) this.#system = connectToSystem(this.#port, this.#deps.secrets.local)
    return this.#system as Promise<NatsConnection>
  }

  /** Starts it anew, as it is. */
  restart(): Promise<void> {
    return this.#inTurn(async () => this.#child?.restart())
  }

  /** Another list of boxes. @returns whether it had to be started anew */
  apply(topology: Topology): Promise<boolean> {
    return this.#inTurn(async () => {
      const before = this.#text()
      if (topology.epoch !== this.#topology.epoch) {
        // Another core, which begins with nothing: there is nobody to ask what this box once knew.
        this.#state = readState(undefined, topology.epoch)
        this.#asking = false
      }
      this.#topology = topology
      if (this.#text() === before) return false
      await this.#child?.restart(() => this.#clean())
      return true
    })
  }

  /** It has asked: it comes back as somebody new, or as who it was. */
  comeBack(asNew: boolean): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.#asking) return
      this.#asking = false
      this.#state = asNew ? reborn(this.#state) : { ...this.#state, running: null }
      await this.#child?.restart()
    })
  }

  /** The others count it no more. */
  async retire(): Promise<void> {
    this.#state = { ...this.#state, retired: [] }
    await this.#keepState()
    await this.#clean()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#renewing)
    await this.#turn.catch(() => {})
    await (await this.#system?.catch(() => undefined))?.close()
    const child = this.#child
    if (!child || !(await child.stop()) || this.#asking) return
    this.#state = ended(this.#state)
    await this.#keepState()
  }

  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const done = this.#turn.catch(() => {}).then(change)
    this.#turn = done
    return done
  }

  #start(): void {
    const { file, folder, logger, monotonic, onListening } = this.#deps
    this.#child = new ServerChild({
      ...{ file, logger, monotonic, configPath: join(folder, 'nats.conf') },
      ...{ portsFolder: join(folder, 'ports'), pidPath: join(folder, 'pid') },
      onStart: async () => {
        await this.#keepCertificate()
        if (!this.#asking) {
          this.#state = started(this.#state, this.#boot)
          await this.#keepState()
        }
        await replaceDurably(join(folder, 'nats.conf'), this.#text())
      },
      onListening: (port) => {
        this.#port = port
        onListening(port)
      },
    })
  }

  #text(): string {
    const { boxId, folder, secrets, config } = this.#deps
    const { tlsCert, tlsKey } = config
    const identity = join(folder, CERTIFICATE)
    return configurationOf({
      ...{ topology: this.#topology, boxId, serverName: this.name, asLeaf: this.#asking },
      ...{ bind: config.host, secrets, clientPort: 0 },
      files: {
        ...{ certificate: identity, key: identity, authority: join(folder, AUTHORITY) },
        ...{
          portsFolder: join(folder, 'ports'),
          pid: join(folder, 'pid'),
          store: join(folder, storeName(this.#state)),
        },
      },
      publicCertificate: tlsCert && tlsKey ? { certificate: tlsCert, key: tlsKey } : undefined,
    })
  }

  #hasToAsk(): boolean {
    const { boxId } = this.#deps
    const isOneOfSeveral = isVoter(this.#topology, boxId) && votersOf(this.#topology).length > 1
    return isOneOfSeveral && wentDown(this.#state, this.#boot)
  }

  #keepState(): Promise<void> {
    return replaceDurably(join(this.#deps.folder, STATE), JSON.stringify(this.#state))
  }

  /** What lives and epochs that are over have left behind; all can be told again from journals. */
  async #clean(): Promise<void> {
    const { folder } = this.#deps
    const kept = [this.#state.life, ...this.#state.retired].map((life) => storeName({ ...this.#state, life }))
    for (const name of await readdir(folder)) {
      if (name.startsWith('store-') && !kept.includes(name)) await rm(join(folder, name), { recursive: true })
    }
  }

  async #keepCertificate(): Promise<boolean> {
    const { boxId, folder, config, authority, logger, now } = this.#deps
    const machine = thisMachine(config.meshHost ?? boxOf(this.#topology, boxId).host)
    const { made, leftOut } = await keepMeshCertificate(folder, boxId, machine, { authority, now })
    if (made) logger.info({ event: 'mesh_certificate_made', left_out: leftOut })
    return made
  }

  #renew(): void {
    // One that the organiser brought is renewed by somebody else, in its place: the server reads it again, whether or not it was.
    const isBrought = this.#deps.config.tlsCert !== undefined
    this.#keepCertificate().then(
      (made) => (made || isBrought) && this.#child?.reload(),
      (error) => this.#deps.logger.error({ event: 'mesh_certificate_not_renewed', err: error }),
    )
  }
}

/** Linux has a name for each; elsewhere a machine is taken never to go down. */
async function bootOfMachine(): Promise<string> {
  return readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
    (text) => text.trim(),
    () => 'unknown',
  )
}
