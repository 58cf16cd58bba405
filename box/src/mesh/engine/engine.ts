/**
 * A box's nats-server and its two connections to it, from the topology: a child of the box, configured anew whenever the boxes
 * change. Nobody's gates wait for it: what claims and tells copes with a server that is not there.
 */
import { hkdfSync, randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { Authority } from '../../ca/authority.ts'
import { replaceDurably } from '../../durable-file.ts'
import { thisMachine } from '../../http/machine.ts'
import type { Logger } from '../../log.ts'
import { boxOf, type Topology, votersOf } from '../topology.ts'
import { AUTHORITY, CERTIFICATE, keepMeshCertificate } from './certificate.ts'
import { ServerChild } from './child.ts'
import { configurationOf, DOMAIN, isVoter } from './configuration.ts'
import { findServer } from './server-binary.ts'

const RECONNECT_MS = 100
const LOOK_MS = 3_600_000

export interface EngineDeps {
  boxId: string
  /** The box's own data folder: the engine keeps its own in `nats/`. */
  dataDir: string
  authority: Authority
  /** What only the event's boxes know: the seed of the event's key, 32 bytes. */
  eventSeed: Uint8Array
  config: {
    /** Address to bind to. */
    host: string
    /** The address by which the other boxes reach this one, when it is not this machine's own. */
    meshHost: string | undefined
    /** The program; looked for when undefined. */
    natsServer: string | undefined
    /** A publicly trusted certificate, for a box that the others dial. */
    tlsCert: string | undefined
    tlsKey: string | undefined
  }
  logger: Logger
  /** Unix ms. */
  now: () => number
  /** Milliseconds that never jump. */
  monotonic: () => number
  /** Gives up waiting for the first connection. */
  signal?: AbortSignal
}

export interface Engine extends AsyncDisposable {
  /** Everything but emergencies. Comes back by itself, for ever. */
  readonly bulk: NatsConnection
  /** Emergencies: another account, with connections of its own as far as the other box. */
  readonly urgent: NatsConnection
  readonly epoch: number
  /** Whether this box has a vote on claims. */
  readonly isCore: boolean
  /** Copies of the stream of claims. */
  readonly replicas: 1 | 3
  /** The JetStream domain of the core. */
  readonly domain: string
  /** Number of the server's process; undefined while there is none. */
  readonly pid: number | undefined
  /** Whether the core's servers answer, and say that they acknowledge nothing that is not on disk. */
  syncAlways(): Promise<boolean>
  /** Calls `listener` when a connection to this box's own server went or came back. @returns what ends that */
  onLink(listener: () => void): () => void
  /** Goes by another list of boxes: nothing happens where it says of this box what it said before. */
  apply(topology: Topology): Promise<void>
}

/**
 * Starts the server and resolves when this box is connected to it; a server that does not start is tried again until then.
 * @param topology of two boxes or more
 * @throws NoServerError when there is no nats-server that will do; the signal's reason when it is aborted
 */
export async function openEngine(topology: Topology, deps: EngineDeps): Promise<Engine> {
  const { boxId, logger, now, monotonic } = deps
  const { file, version } = await findServer(deps.config.natsServer)
  const folder = join(deps.dataDir, 'nats')
  const portsFolder = join(folder, 'ports')
  const configPath = join(folder, 'nats.conf')
  await mkdir(portsFolder, { recursive: true, mode: 0o700 })
  const secrets = { local: randomBytes(24).toString('base64url'), mesh: meshSecret(deps.eventSeed, topology.event) }
  const listeners = new Set<() => void>()
  const connections: NatsConnection[] = []
  let current = topology
  let port = 0
  let heard = Promise.withResolvers<void>()

  const textOf = (of: Topology) =>
    configurationOf({
      ...{ topology: of, boxId, serverName: boxId, bind: deps.config.host, secrets, clientPort: 0 },
      files: {
        ...{ portsFolder, pid: join(folder, 'pid'), store: join(folder, `store-${of.epoch}`) },
        ...{
          certificate: join(folder, CERTIFICATE),
          key: join(folder, CERTIFICATE),
          authority: join(folder, AUTHORITY),
        },
      },
      publicCertificate:
        deps.config.tlsCert && deps.config.tlsKey
          ? { certificate: deps.config.tlsCert, key: deps.config.tlsKey }
          : undefined,
    })

  async function keepCertificate(): Promise<boolean> {
    const machine = thisMachine(deps.config.meshHost ?? boxOf(current, boxId).host)
    const { made, leftOut } = await keepMeshCertificate(folder, boxId, machine, { authority: deps.authority, now })
    if (made) logger.info({ event: 'mesh_certificate_made', left_out: leftOut })
    return made
  }

  await using opened = new AsyncDisposableStack()
  const child = opened.use(
    new ServerChild({
      ...{ file, configPath, portsFolder, pidPath: join(folder, 'pid'), logger, monotonic },
      onStart: async () => {
        await keepCertificate()
        await replaceDurably(configPath, textOf(current))
      },
      onListening: (at) => {
        port = at
        for (const connection of connections) connection.setServers([`127.0.0.1:${at}`])
        heard.resolve()
      },
    }),
  )
  const renewing = setInterval(() => {
    keepCertificate().then(
      (made) => made && child.reload(),
      (error) => logger.error({ event: 'mesh_certificate_not_renewed', err: error }),
    )
  }, LOOK_MS)
  renewing.unref()
  opened.defer(() => clearInterval(renewing))

  async function connection(user: string): Promise<NatsConnection> {
    for (;;) {
      await untilAborted(heard.promise, deps.signal)
      try {
        const made = await connect({
          ...{ servers: [`127.0.0.1:${port}`], user, pass: secrets.local, name: `gatehouse ${user}` },
          // For ever, and soon: it is a program on this machine.
          ...{ reconnect: true, maxReconnectAttempts: -1, reconnectTimeWait: RECONNECT_MS, reconnectJitter: 0 },
          ...{ ignoreClusterUpdates: true, ignoreAuthErrorAbort: true, noAsyncTraces: true },
          ...{ pingInterval: 5_000, maxPingOut: 2, timeout: 5_000 },
        })
        connections.push(made)
        opened.defer(() => made.close())
        return made
      } catch (error) {
        // It ended between saying its port and being asked.
        logger.debug({ event: 'nats_not_connected', user, err: error as Error })
        await sleep(RECONNECT_MS)
      }
    }
  }
  const bulk = await connection('mesh')
  const urgent = await connection('urgent')
  for (const each of [bulk, urgent]) {
    watch(each, () => {
      for (const listener of listeners) listener()
    })
  }
  logger.info({ event: 'nats_open', version, epoch: topology.epoch, voter: isVoter(topology, boxId) })

  const closing = opened.move()
  return {
    bulk,
    urgent,
    domain: DOMAIN,
    get epoch() {
      return current.epoch
    },
    get isCore() {
      return isVoter(current, boxId)
    },
    get replicas() {
      return votersOf(current).length > 1 ? 3 : 1
    },
    get pid() {
      return child.pid
    },
    syncAlways: async () => false,
    onLink(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async apply(next) {
      const isSame = textOf(next) === textOf(current)
      current = next
      if (isSame) return
      heard = Promise.withResolvers()
      logger.info({ event: 'nats_configured', epoch: next.epoch, voter: isVoter(next, boxId) })
      await child.restart()
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

/** What boxes show each other besides their certificates: scanners have certificates of the same authority. */
function meshSecret(eventSeed: Uint8Array, event: string): string {
  return Buffer.from(hkdfSync('sha256', eventSeed, event, 'gatehouse mesh connections', 24)).toString('base64url')
}

async function watch(connection: NatsConnection, tell: () => void): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === 'disconnect' || type === 'reconnect') tell()
  }
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  signal.throwIfAborted()
  const aborted = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  )
  return Promise.race([promise, aborted])
}
