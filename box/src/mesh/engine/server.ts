/** This box's nats-server as the topology requires it: configured, with a certificate, and restarted when the topology changes. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { NatsConnection } from '@nats-io/transport-node'
import { replaceDurably } from '../../durable-file.ts'
import type { Logger } from '../../log.ts'
import { boxOf, type Topology, votersOf } from '../topology.ts'
import { bootOfMachine } from './boot-of-machine.ts'
import { AUTHORITY, CERTIFICATE, keepMeshCertificate, type MeshIssuer } from './certificate.ts'
import { ServerChild } from './child.ts'
import { type ConfigurationOptions, configurationOf, isVoter, nkeysOf, skeletonOf } from './configuration.ts'
import { connectToSystem } from './core-status.ts'
import type { OwnLinkKeys } from './link-keys.ts'
import { endLinks, reload } from './links.ts'
import { isServerOf, serverName } from './voter-state.ts'
import { VoterStore } from './voter-store.ts'

/** Interval of checks whether the certificate has to be renewed, or was. */
const LOOK_MS = 3_600_000
/** The interval of the check that only listed members are connected: another may slip in while a list is being changed. */
const SWEEP_MS = 15_000
/** Ends in a row, within seconds, after which a server counts as one that does not start: one end may be an accident. */
const MOST_ENDS = 3
const USER_KEY = /^U[A-Z2-7]{55}$/

export interface ServerConfig {
  /** Address to bind to. */
  host: string
  /** A publicly trusted certificate and its key, for a box in a data centre: PEM files. */
  tlsCert: string | undefined
  tlsKey: string | undefined
}

export interface ServerDeps {
  boxId: string
  /** Of the server alone. */
  folder: string
  /** The program. */
  file: string
  /** Of its own connections, random. */
  password: string
  /** The password of the voters of an epoch. */
  routeSecret: (epoch: number) => string
  linkKeys: OwnLinkKeys
  config: ServerConfig
  authority: MeshIssuer
  logger: Logger
  /** Unix ms. */
  now: () => number
  /** Milliseconds that never jump. */
  monotonic: () => number
  /** Identity of the machine's present boot; read from the system when undefined. */
  boot: string | undefined
  /** Interval of checks of the certificate, milliseconds; an hour when undefined. */
  lookMs: number | undefined
  /** Called after each start, with the port of loopback at which the server listens for this box. */
  onListening: (port: number) => void
  /** Called when it has ended again and again: most likely another program has one of its ports. */
  onFailing: () => void
}

export class Server implements AsyncDisposable {
  readonly #deps: ServerDeps
  readonly #boot: string
  readonly #renewing: NodeJS.Timeout
  readonly #sweeping: NodeJS.Timeout
  #child: ServerChild | undefined
  #topology: Topology
  readonly #store: VoterStore
  /** The machine went down under it: it takes part as a leaf until it knows how to come back. */
  #recovering = false
  #port = 0
  #system: Promise<NatsConnection> | undefined
  /** One change at a time. */
  #turn: Promise<unknown> = Promise.resolve()

  private constructor(topology: Topology, store: VoterStore, boot: string, deps: ServerDeps) {
    this.#deps = deps
    this.#topology = topology
    this.#store = store
    this.#boot = boot
    this.#recovering = this.#hasToRecover()
    this.#renewing = setInterval(() => this.#renew(), deps.lookMs ?? LOOK_MS)
    this.#renewing.unref()
    this.#sweeping = setInterval(() => void this.#inTurn(() => this.#endUnlisted()).catch(() => {}), SWEEP_MS)
    this.#sweeping.unref()
  }

  static async open(topology: Topology, deps: ServerDeps): Promise<Server> {
    await mkdir(join(deps.folder, 'ports'), { recursive: true, mode: 0o700 })
    const store = await VoterStore.open(deps.folder, topology.epoch)
    const server = new Server(topology, store, deps.boot ?? (await bootOfMachine()), deps)
    await store.clean()
    server.#start()
    return server
  }

  get topology(): Topology {
    return this.#topology
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** It takes part as a leaf until it is known whether the others can do without what it had. */
  get isRecovering(): boolean {
    return this.#recovering
  }

  /** True if a server's name belongs to this box, in its present incarnation or a former one. */
  isOwn(name: string): boolean {
    return isServerOf(this.#deps.boxId, name)
  }

  /** Names of former incarnations that the others may still count. */
  get retired(): string[] {
    return this.#store.retired.map((incarnation) => serverName(this.#deps.boxId, incarnation))
  }

  /** The name by which the voters know it. */
  get name(): string {
    return serverName(this.#deps.boxId, this.#store.incarnation)
  }

  /** A connection that may ask the server about itself, shared by all who ask. */
  system(): Promise<NatsConnection> {
    const connect = () => connectToSystem(this.#port, this.#deps.password)
    const usable = (before: NatsConnection) => (before.isClosed() ? connect() : before)
    // At once, so that those who ask at the same time do not make one each, of which only the last would be closed.
    this.#system = this.#system ? this.#system.then(usable, connect) : connect()
    return this.#system
  }

  /** Restarts it without a change. */
  restart(): Promise<void> {
    return this.#inTurn(async () => this.#child?.restart())
  }

  /** Goes by another topology. Who was taken off it is disconnected before this resolves. @returns whether that restarted it */
  apply(topology: Topology): Promise<boolean> {
    return this.#inTurn(async () => {
      const [before, skeleton] = [this.#configuration(), this.#configuration(skeletonOf)]
      if (topology.epoch !== this.#topology.epoch) {
        // Another core, which starts with empty stores: there is nothing to recover.
        this.#store.beginEpoch(topology.epoch)
        this.#recovering = false
      }
      this.#topology = topology
      if (this.#configuration() === before) return false
      if (this.#configuration(skeletonOf) === skeleton && (await this.#reload())) return false
      await this.#child?.restart(() => this.#store.clean())
      return true
    })
  }

  /** Ends the recovery. @param asNew as a new server with an empty store, or else as the one that it was */
  comeBack(asNew: boolean): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.#recovering) return
      this.#recovering = false
      this.#store.comeBack(asNew)
      await this.#child?.restart()
    })
  }

  /** Ends every connection that is no route: whoever has made it makes it anew. */
  renewLinks(): Promise<void> {
    return this.#inTurn(async () => {
      const ended = await endLinks(await this.system(), () => true)
      this.#deps.logger.warn({ event: 'mesh_links_renewed', count: ended })
    }).catch(() => {})
  }

  /** The others have forgotten the former incarnations. */
  clearRetired(): Promise<void> {
    return this.#store.clearRetired()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#renewing)
    clearInterval(this.#sweeping)
    await this.#turn.catch(() => {})
    await (await this.#system?.catch(() => undefined))?.close()
    const child = this.#child
    if (!child || !(await child.stop()) || this.#recovering) return
    await this.#store.ended()
  }

  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const done = this.#turn.catch(() => {}).then(change)
    this.#turn = done
    return done
  }

  #start(): void {
    const { file, folder, logger, monotonic, onListening, onFailing } = this.#deps
    this.#child = new ServerChild({
      file,
      logger,
      monotonic,
      configPath: join(folder, 'nats.conf'),
      portsFolder: join(folder, 'ports'),
      pidPath: join(folder, 'pid'),
      onStart: async () => {
        await this.#keepCertificate()
        if (!this.#recovering) await this.#store.started(this.#boot)
        await replaceDurably(join(folder, 'nats.conf'), this.#configuration())
      },
      onListening: (port) => {
        this.#port = port
        onListening(port)
      },
      onEnded: (times) => {
        if (times >= MOST_ENDS) onFailing()
      },
    })
  }

  /** @returns false where the server did not take the new configuration: then it has to be restarted */
  async #reload(): Promise<boolean> {
    const { folder, logger } = this.#deps
    try {
      await replaceDurably(join(folder, 'nats.conf'), this.#configuration())
      await reload(await this.system())
      await this.#endUnlisted()
      return true
    } catch (error) {
      logger.debug({ event: 'nats_not_reloaded', err: error as Error })
      return false
    }
  }

  /** A server that reloads lets whoever is connected to it stay. */
  async #endUnlisted(): Promise<void> {
    const { boxId, logger } = this.#deps
    if (this.#recovering || this.pid === undefined) return
    const listed = new Set(nkeysOf(this.#topology, boxId))
    // This box's own connections, and those that its server has made, have another name or none.
    const ended = await endLinks(await this.system(), (key) => USER_KEY.test(key) && !listed.has(key))
    if (ended > 0) logger.warn({ event: 'mesh_link_ended', count: ended })
  }

  #configuration(make: (options: ConfigurationOptions) => string = configurationOf): string {
    const { boxId, folder, password, routeSecret, linkKeys, config } = this.#deps
    const { tlsCert, tlsKey } = config
    const identity = join(folder, CERTIFICATE)
    return make({
      topology: this.#topology,
      boxId,
      serverName: this.name,
      asLeaf: this.#recovering,
      bind: config.host,
      secrets: { local: password, route: routeSecret(this.#topology.epoch) },
      seeds: linkKeys.seeds,
      clientPort: 0,
      files: {
        certificate: identity,
        key: identity,
        authority: join(folder, AUTHORITY),
        portsFolder: join(folder, 'ports'),
        pid: join(folder, 'pid'),
        store: this.#store.path,
      },
      publicCertificate: tlsCert && tlsKey ? { certificate: tlsCert, key: tlsKey } : undefined,
    })
  }

  #hasToRecover(): boolean {
    const { boxId } = this.#deps
    const isOneOfSeveral = isVoter(this.#topology, boxId) && votersOf(this.#topology).length > 1
    return isOneOfSeveral && this.#store.wentDown(this.#boot)
  }

  async #keepCertificate(): Promise<boolean> {
    const { boxId, folder, authority, linkKeys, logger, now } = this.#deps
    const member = { boxId, host: boxOf(this.#topology, boxId).host, key: linkKeys.tls }
    const made = await keepMeshCertificate(folder, member, { authority, now })
    if (made) logger.info({ event: 'mesh_certificate_made' })
    return made
  }

  #renew(): void {
    // The organiser's own certificate is renewed in place by somebody else: the server reads it again, renewed or not.
    const isBrought = this.#deps.config.tlsCert !== undefined
    this.#keepCertificate().then(
      (made) => (made || isBrought) && this.#child?.reload(),
      (error) => this.#deps.logger.error({ event: 'mesh_certificate_not_renewed', err: error }),
    )
  }
}
