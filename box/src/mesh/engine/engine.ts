/**
 * The NATS side of a box in the mesh: its nats-server, and two connections to it. No gate waits for it: reservations and
 * replication cope with a server that is gone.
 */
import { type KeyObject, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { NatsConnection } from '@nats-io/transport-node'
import type { RefusalReason } from '../replication/signed-message.ts'
import { type Topology, votersOf } from '../topology.ts'
import { DOMAIN } from './accounts.ts'
import { isVoter } from './configuration.ts'
import { LocalConnections } from './connections.ts'
import { ownVoterStatus } from './core-status.ts'
import { inboxPrefix } from './permissions.ts'
import { Server, type ServerConfig, type ServerDeps } from './server.ts'
import { findServer } from './server-binary.ts'
import { recoverVoter } from './voter-recovery.ts'
import { answerStatus, VOTER_STATUS_SUBJECT, VoterStatuses } from './voter-status.ts'

export interface EngineDeps
  extends Pick<ServerDeps, 'boxId' | 'authority' | 'routeSecret' | 'linkKeys' | 'logger' | 'now' | 'monotonic'> {
  /** The box's own data folder: the engine keeps its files in `nats/`. */
  dataDir: string
  /** Ed25519, private: the key of this machine's log, which signs its status. */
  logKey: KeyObject
  /** Called for each status of a voter that the voter has not signed. @param by in whose name it came */
  onRefused?: (by: string | null, why: RefusalReason) => void
  /** `natsServer`: the program; looked for in the path when undefined. */
  config: ServerConfig & { natsServer: string | undefined }
  /** Identity of the machine's present boot; read from the system when absent. */
  boot?: string
  /** Interval at which certificates are checked and renewed, milliseconds; an hour when absent. */
  lookMs?: number
  /** Called when the server listens, also before `openEngine` resolves, and when it has ended again and again. */
  onServer?: (state: 'listens' | 'fails') => void
  /** Gives up waiting for the first connection. */
  signal?: AbortSignal
}

export interface Engine extends AsyncDisposable {
  /** Everything but emergencies. Reconnects for ever. */
  readonly bulk: NatsConnection
  /** Emergencies: another account, whose connections to the other boxes carry nothing else. */
  readonly urgent: NatsConnection
  readonly epoch: number
  /** True if this box has a vote on reservations. */
  readonly isCore: boolean
  /** Ids of the boxes that vote. */
  readonly voters: readonly string[]
  /** Replicas of the reservation stream. */
  readonly replicas: 1 | 3
  /** The JetStream domain of the core. */
  readonly domain: string
  /** Process id of the server; undefined while it does not run. */
  readonly pid: number | undefined
  /** True if a majority of the voters answers, and each that does says that it acknowledges a write only when it is on disk. */
  syncAlways(): Promise<boolean>
  /** When each other voter last answered, unix ms, by box. */
  lastVoterStatus(): ReadonlyMap<string, number>
  /** Calls `listener` when a connection to this box's own server was lost or came back. @returns what ends that */
  onLink(listener: () => void): () => void
  /** Ends the connections to servers that are not voters of the same core; each is made anew within a second. */
  renewLinks(): Promise<void>
  /** Goes by another topology. The server restarts only where that changes its configuration. */
  apply(topology: Topology): Promise<void>
}

/**
 * Starts the server and resolves when this box is connected to it. A server that does not start is tried again until then.
 * @param topology of two boxes or more
 * @throws NoServerError when there is no suitable nats-server; the signal's reason when it is aborted
 */
export async function openEngine(topology: Topology, deps: EngineDeps): Promise<Engine> {
  const { boxId, authority, routeSecret, linkKeys, logger, now, monotonic, onServer = () => {}, signal } = deps
  const { file, version } = await findServer(deps.config.natsServer)
  const password = randomBytes(24).toString('base64url')

  await using opened = new AsyncDisposableStack()
  const connections = new LocalConnections({ password, inboxPrefix: inboxPrefix(boxId), logger, signal })
  const server = opened.use(
    await Server.open(topology, {
      boxId,
      folder: join(deps.dataDir, 'nats'),
      file,
      password,
      routeSecret,
      linkKeys,
      config: deps.config,
      authority,
      logger,
      now,
      monotonic,
      boot: deps.boot,
      lookMs: deps.lookMs,
      onListening: (port) => {
        connections.listeningAt(port)
        onServer('listens')
      },
      onFailing: () => onServer('fails'),
    }),
  )
  opened.use(connections)
  const bulk = await connections.open('mesh')
  const urgent = await connections.open('urgent')

  const { lastAnswers, statuses } = exchangeStatus({ ...deps, server, bulk })

  const closing = new AbortController()
  const recovering = recoverVoter({
    ...{ server, bulk, boxId, logger, monotonic, statuses },
    ownStatus: () => statusOf(server, boxId),
    signal: closing.signal,
  })
  opened.defer(async () => {
    closing.abort()
    await recovering
  })
  logger.info({ event: 'nats_open', version, epoch: topology.epoch, voter: isVoter(topology, boxId) })

  const stack = opened.move()
  return {
    bulk,
    urgent,
    domain: DOMAIN,
    get epoch() {
      return server.topology.epoch
    },
    get isCore() {
      return isVoter(server.topology, boxId)
    },
    get voters() {
      return votersOf(server.topology)
    },
    get replicas() {
      return votersOf(server.topology).length > 1 ? 3 : 1
    },
    get pid() {
      return server.pid
    },
    async syncAlways() {
      const voters = votersOf(server.topology).length
      const answers = await statuses()
      return answers.length > voters / 2 && answers.every(({ kept }) => kept)
    },
    lastVoterStatus: () => lastAnswers,
    onLink: (listener) => connections.onLink(listener),
    renewLinks: () => server.renewLinks(),
    async apply(next) {
      if (await server.apply(next))
        logger.info({ event: 'nats_configured', epoch: next.epoch, voter: isVoter(next, boxId) })
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Answers the boxes that ask for this voter's status, and asks all voters for theirs. */
function exchangeStatus({
  server,
  bulk,
  boxId,
  logKey,
  logger,
  now,
  onRefused = () => {},
}: Pick<EngineDeps, 'boxId' | 'logKey' | 'logger' | 'now' | 'onRefused'> & { server: Server; bulk: NatsConnection }) {
  bulk.subscribe(VOTER_STATUS_SUBJECT, {
    callback: (_, message) => {
      if (!isVoter(server.topology, boxId) || server.isRecovering) return
      const signer = { event: server.topology.event, by: boxId, key: logKey }
      statusOf(server, boxId).then(
        (status) => answerStatus(message, status, signer),
        (error) => logger.debug({ event: 'nats_not_asked', err: error }),
      )
    },
  })
  const asking = new VoterStatuses(bulk, () => server.topology, onRefused)
  /** When each other voter last answered, unix ms, by box. */
  const lastAnswers = new Map<string, number>()
  const statuses = async () => {
    const all = await asking.ask()
    for (const { box } of all) if (box !== boxId) lastAnswers.set(box, now())
    return all
  }
  return { lastAnswers, statuses }
}

async function statusOf(server: Server, box: string) {
  return ownVoterStatus(await server.system(), { epoch: server.topology.epoch, box, name: server.name })
}
