/**
 * A box's part in the mesh as far as NATS goes: its server, and two connections to it that come back for ever. Nobody's gates
 * wait for it: what claims and what tells copes with a server that is not there.
 */
import { hkdfSync, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { Topology } from '../topology.ts'
import { votersOf } from '../topology.ts'
import { DOMAIN, isVoter } from './configuration.ts'
import { forgetServer, othersAreWell, ownWord, WORD, type Word, wordsOf } from './core.ts'
import { Server, type ServerConfig, type ServerDeps } from './server.ts'
import { findServer } from './server-binary.ts'

const RECONNECT_MS = 100
/** How long a voter whose machine went down asks the others before it goes by what it has. */
const ASK_MS = 10_000
const PAUSE_MS = 1_000
/** So often the core's leader may not count a voter that knows it: it takes a moment, when all is well. */
const MOST_UNCOUNTED = 4

export interface EngineDeps extends Pick<ServerDeps, 'boxId' | 'authority' | 'logger' | 'now' | 'monotonic'> {
  /** The box's own data folder: the engine keeps its own in `nats/`. */
  dataDir: string
  /** What only the event's boxes know: the seed of the event's key, 32 bytes; or what a voter was given, which follows from it. */
  eventSeed: Uint8Array | { meshSecret: string }
  /** `natsServer`: the program; looked for when undefined. */
  config: ServerConfig & { natsServer: string | undefined }
  /** Which boot of the machine this is; read from the system when left out. */
  boot?: string
  /** So often certificates are looked at, and renewed in time; an hour when left out. */
  lookMs?: number
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
  /** Whether more than half of the core's servers answer, and all who do say that they acknowledge nothing that is not on disk. */
  syncAlways(): Promise<boolean>
  /** When each other server of the core last said something of itself, unix ms, by box. */
  lastWords(): ReadonlyMap<string, number>
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
  const { boxId, authority, logger, now, monotonic, signal } = deps
  const { file, version } = await findServer(deps.config.natsServer)
  const secrets = { local: randomBytes(24).toString('base64url'), mesh: secretOf(deps.eventSeed, topology.event) }
  const connections: NatsConnection[] = []
  const listeners = new Set<() => void>()
  const heard = Promise.withResolvers<void>()
  const closed = new AbortController()
  let port = 0

  await using opened = new AsyncDisposableStack()
  const server = opened.use(
    await Server.open(topology, {
      ...{
        boxId,
        folder: join(deps.dataDir, 'nats'),
        file,
        secrets,
        config: deps.config,
        authority,
        logger,
        now,
        monotonic,
      },
      ...{ boot: deps.boot, lookMs: deps.lookMs },
      onListening: (at) => {
        port = at
        for (const connection of connections) connection.setServers([`127.0.0.1:${at}`])
        heard.resolve()
      },
    }),
  )

  async function connection(user: string): Promise<NatsConnection> {
    await untilAborted(heard.promise, signal)
    for (;;) {
      try {
        const made = await connect({
          ...{ servers: [`127.0.0.1:${port}`], user, pass: secrets.local, name: `gatehouse ${user}` },
          // For ever, and soon: it is a program on this machine.
          ...{ reconnect: true, maxReconnectAttempts: -1, reconnectTimeWait: RECONNECT_MS, reconnectJitter: 0 },
          ...{ ignoreClusterUpdates: true, ignoreAuthErrorAbort: true, noAsyncTraces: true },
          ...{ pingInterval: 5_000, maxPingOut: 2, timeout: 5_000 },
        })
        connections.push(made)
        return made
      } catch (error) {
        // It ended between saying its port and being asked.
        logger.debug({ event: 'nats_not_connected', user, err: error as Error })
        await untilAborted(sleep(RECONNECT_MS), signal)
      }
    }
  }
  opened.defer(async () => void (await Promise.all(connections.map((each) => each.close()))))
  const [bulk, urgent] = [await connection('mesh'), await connection('urgent')]
  for (const each of [bulk, urgent]) {
    watch(each, () => {
      for (const listener of listeners) listener()
    })
  }

  const lastWords = new Map<string, number>()
  const words = async () => {
    const { epoch } = server.topology
    const all = await wordsOf(bulk, epoch, votersOf(server.topology).length)
    for (const { box } of all) if (box !== undefined && box !== boxId) lastWords.set(box, now())
    return all
  }

  bulk.subscribe(WORD, {
    callback: (_, message) => {
      if (!isVoter(server.topology, boxId) || server.isAsking) return
      wordOf(server, boxId).then(
        (word) => message.respond(JSON.stringify(word)),
        (error) => logger.debug({ event: 'nats_not_asked', err: error }),
      )
    },
  })

  const settling = settle(server, bulk, { boxId, logger, monotonic, words, signal: closed.signal })
  opened.defer(async () => {
    closed.abort()
    await settling
  })
  logger.info({ event: 'nats_open', version, epoch: topology.epoch, voter: isVoter(topology, boxId) })

  const closing = opened.move()
  return {
    ...{ bulk, urgent, domain: DOMAIN },
    get epoch() {
      return server.topology.epoch
    },
    get isCore() {
      return isVoter(server.topology, boxId)
    },
    get replicas() {
      return votersOf(server.topology).length > 1 ? 3 : 1
    },
    get pid() {
      return server.pid
    },
    async syncAlways() {
      const voters = votersOf(server.topology).length
      const said = await words()
      return said.length > voters / 2 && said.every(({ kept }) => kept)
    },
    lastWords: () => lastWords,
    onLink(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async apply(next) {
      if (await server.apply(next))
        logger.info({ event: 'nats_configured', epoch: next.epoch, voter: isVoter(next, boxId) })
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

async function wordOf(server: Server, box: string): Promise<Word> {
  return ownWord(await server.system(), { epoch: server.topology.epoch, box, name: server.name })
}

/**
 * A voter whose machine went down comes back: as somebody new, when the others can do without what it had, and else as who it
 * was. And it sees to it that the others forget who it was, and count who it is.
 */
async function settle(server: Server, bulk: NatsConnection, deps: SettleDeps): Promise<void> {
  const { logger, monotonic, signal } = deps
  if (server.isAsking) {
    const isOwn = (name: string) => server.isOwn(name)
    const asNew = await othersAreWell(bulk, DOMAIN, isOwn, { patienceMs: ASK_MS, monotonic, signal })
    if (signal.aborted || !server.isAsking) return
    logger.warn({ event: 'voter_came_back', as_new: asNew })
    await server.comeBack(asNew)
  }
  let uncounted = 0
  while (!signal.aborted) {
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    const voters = votersOf(server.topology)
    // Asked again after every change: another core is another count.
    if (voters.length === 1 || !voters.includes(deps.boxId)) continue
    try {
      const counted = (await deps.words()).find(({ members }) => members !== undefined)?.members
      if (counted) await forgetRetired(server, logger)
      // Seen with 2.10.27 where a core began while the machines were busy: it follows the leader, who does not know of it. To
      // start anew helps, and nothing else does.
      uncounted = counted && !counted.includes(server.name) ? uncounted + 1 : 0
      if (uncounted < MOST_UNCOUNTED) continue
      uncounted = 0
      logger.warn({ event: 'voter_uncounted' })
      await server.restart()
    } catch (error) {
      // Without the others, or not up: asked again.
      logger.debug({ event: 'voter_not_settled', err: error as Error })
    }
  }
}

interface SettleDeps extends Pick<ServerDeps, 'boxId' | 'logger' | 'monotonic'> {
  words: () => Promise<Word[]>
  signal: AbortSignal
}

async function forgetRetired(server: Server, logger: ServerDeps['logger']): Promise<void> {
  if (server.retired.length === 0) return
  const sys = await server.system()
  for (const name of server.retired) await forgetServer(sys, name)
  await server.retire()
  logger.info({ event: 'voter_forgotten' })
}

function secretOf(from: EngineDeps['eventSeed'], event: string): string {
  return 'meshSecret' in from ? from.meshSecret : meshSecret(from, event)
}

/** What boxes show each other besides their certificates: scanners have certificates of the same authority. */
export function meshSecret(eventSeed: Uint8Array, event: string): string {
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
