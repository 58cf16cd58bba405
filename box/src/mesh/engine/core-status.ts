/** Asks the servers of the core about themselves: who they are, whether they write to disk, and whether they can do without one. */
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type NatsConnection } from '@nats-io/transport-node'

const ASK_MS = 5_000
const PAUSE_MS = 500
/** A majority of three. */
const MAJORITY = 2

interface StreamReplica {
  name?: string
  current?: boolean
  offline?: boolean
}

interface StreamList {
  streams?: { cluster?: { leader?: string; replicas?: StreamReplica[] } }[] | null
}

/**
 * True if two other servers of the core have every stream, so that they need nothing from this box's store.
 * @param isOwn whether a server's name belongs to this box, in any incarnation
 * @returns false when they do not say so within `patienceMs`, and when there is no stream
 */
export async function othersHaveAllStreams(
  bulk: Pick<NatsConnection, 'request'>,
  domain: string,
  isOwn: (name: string) => boolean,
  { patienceMs, monotonic, signal }: { patienceMs: number; monotonic: () => number; signal: AbortSignal },
): Promise<boolean> {
  for (const end = monotonic() + patienceMs; monotonic() < end && !signal.aborted; await sleep(PAUSE_MS)) {
    try {
      const answer = await bulk.request(`$JS.${domain}.API.STREAM.LIST`, '{}', { timeout: ASK_MS })
      if (areReplicasCurrent(answer.json<StreamList>(), isOwn)) return true
    } catch {
      // Nobody is there, or no leader is elected: asked again.
    }
  }
  return false
}

/** True if every stream has a leader and a second up-to-date replica, neither of them this box's. Pure. */
export function areReplicasCurrent({ streams }: StreamList, isOwn: (name: string) => boolean): boolean {
  if (!streams || streams.length === 0) return false
  return streams.every(({ cluster }) => {
    if (!cluster?.leader || isOwn(cluster.leader)) return false
    const current = (cluster.replicas ?? []).filter(
      ({ name = '', current, offline }) => current === true && offline !== true && !isOwn(name),
    )
    return 1 + current.length >= MAJORITY
  })
}

/** Connects to the system account, in which a server answers questions about itself. */
export function connectToSystem(port: number, password: string): Promise<NatsConnection> {
  return connect({
    servers: [`127.0.0.1:${port}`],
    user: 'sys',
    pass: password,
    name: 'gatehouse sys',
    reconnect: false,
    noAsyncTraces: true,
    timeout: ASK_MS,
  })
}

interface ServerJetStream {
  data?: {
    config?: { sync_always?: boolean }
    meta_cluster?: { name?: string; leader?: string; replicas?: { name?: string }[] }
  }
}

/** The state that a server of the core reports. */
export interface VoterStatus {
  epoch: number
  /** The box whose server it is. */
  box: string
  /** It acknowledges a write only when it is on disk. False also while it has given up its store, for example because the disk was full. */
  kept: boolean
  /** Name of the leader, as far as it knows. */
  leader?: string
  /** Only from the leader: the names of all servers that it counts, its own among them. */
  members?: string[]
}

/** Asks this box's own server for its status. */
export async function ownVoterStatus(sys: NatsConnection, { epoch, box, name }: OwnServer): Promise<VoterStatus> {
  const id = sys.info?.server_id ?? ''
  const answer = await sys.request(`$SYS.REQ.SERVER.${id}.JSZ`, '{}', { timeout: ASK_MS })
  const { config, meta_cluster: core } = answer.json<ServerJetStream>().data ?? {}
  const leads = core?.leader === name
  return {
    epoch,
    box,
    kept: config?.sync_always === true,
    ...(core?.leader && { leader: core.leader }),
    ...(leads && { members: [name, ...(core.replicas ?? []).map((replica) => replica.name ?? '')] }),
  }
}

interface OwnServer {
  epoch: number
  box: string
  name: string
}

interface RemoveAnswer {
  success?: boolean
  error?: { err_code?: number; description?: string }
}
/** JSClusterServerNotMemberErr */
const NOT_A_MEMBER = 10044

/**
 * Removes a server that will not come back from the core: another one takes over its replicas.
 * @throws where the core cannot be reached
 */
export async function forgetServer(sys: NatsConnection, name: string): Promise<void> {
  const answer = await sys.request('$JS.API.SERVER.REMOVE', JSON.stringify({ peer: name }), { timeout: ASK_MS })
  const { success, error } = answer.json<RemoveAnswer>()
  if (success !== true && error?.err_code !== NOT_A_MEMBER)
    throw new Error(`The core does not forget a server: ${error?.description}`)
}
