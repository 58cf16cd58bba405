/** What a box asks of the core's servers about themselves: whether they can do without it, and whether they keep their word. */
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type NatsConnection } from '@nats-io/transport-node'

const ASK_MS = 5_000
const PAUSE_MS = 500
/** Two of three are enough to agree. */
const ENOUGH = 2

interface StreamReplica {
  name?: string
  current?: boolean
  offline?: boolean
}

interface StreamList {
  streams?: { cluster?: { leader?: string; replicas?: StreamReplica[] } }[] | null
}

/**
 * Whether two others of the core have everything that there is, and so need nothing of what this box once had.
 * @param isOwn whether a server's name is, or was, this box's
 * @returns false when they do not say so within `patienceMs`, and when there is nothing that they could have
 */
export async function othersAreWell(
  bulk: Pick<NatsConnection, 'request'>,
  domain: string,
  isOwn: (name: string) => boolean,
  { patienceMs, monotonic, signal }: { patienceMs: number; monotonic: () => number; signal: AbortSignal },
): Promise<boolean> {
  for (const end = monotonic() + patienceMs; monotonic() < end && !signal.aborted; await sleep(PAUSE_MS)) {
    try {
      const answer = await bulk.request(`$JS.${domain}.API.STREAM.LIST`, '{}', { timeout: ASK_MS })
      if (areWell(answer.json<StreamList>(), isOwn)) return true
    } catch {
      // Nobody there, or nobody whom the others have elected: asked again.
    }
  }
  return false
}

/** Pure: every stream has a leader, and with it two up-to-date copies that are not this box's. */
export function areWell({ streams }: StreamList, isOwn: (name: string) => boolean): boolean {
  if (!streams || streams.length === 0) return false
  return streams.every(({ cluster }) => {
    if (!cluster?.leader || isOwn(cluster.leader)) return false
    const current = (cluster.replicas ?? []).filter(
      ({ name = '', current, offline }) => current === true && offline !== true && !isOwn(name),
    )
    return 1 + current.length >= ENOUGH
  })
}

/** A connection to the account that servers are asked about themselves in. */
export function connectToSystem(port: number, password: string): Promise<NatsConnection> {
  return connect({
    ...{ servers: [`127.0.0.1:${port}`], user: 'sys', pass: password, name: 'gatehouse sys', reconnect: false },
    ...{ noAsyncTraces: true, timeout: ASK_MS },
  })
}

interface ServerJetStream {
  data?: {
    config?: { sync_always?: boolean }
    meta_cluster?: { name?: string; leader?: string; replicas?: { name?: string }[] }
  }
}

/** What a server of the core says of itself. */
export interface Word {
  epoch: number
  /** Whose server it is. Absent where it is of an older version. */
  box?: string
  /** It acknowledges nothing that is not on disk. */
  kept: boolean
  /** Who leads, as far as it knows. */
  leader?: string
  /** Of the one that leads: the names of all that it counts, itself among them. */
  members?: string[]
}

/** @param own `name` of this box's own server */
export async function ownWord(sys: NatsConnection, { epoch, box, name }: OwnWord): Promise<Word> {
  const id = sys.info?.server_id ?? ''
  const answer = await sys.request(`$SYS.REQ.SERVER.${id}.JSZ`, '{}', { timeout: ASK_MS })
  const { config, meta_cluster: core } = answer.json<ServerJetStream>().data ?? {}
  const leads = core?.leader === name
  return {
    ...{ epoch, box, kept: config?.sync_always === true },
    ...(core?.leader && { leader: core.leader }),
    ...(leads && { members: [name, ...(core.replicas ?? []).map((replica) => replica.name ?? '')] }),
  }
}

interface OwnWord {
  epoch: number
  box: string
  name: string
}

/** Where the servers of the core are asked. */
export const WORD = 'gh.core.word'
const ANSWER_MS = 1_000

/** What those of this epoch say who answer in time. */
export async function wordsOf(bulk: NatsConnection, epoch: number, voters: number): Promise<Word[]> {
  const words: Word[] = []
  try {
    const options = { strategy: 'count', maxMessages: voters, maxWait: ANSWER_MS } as const
    for await (const answer of await bulk.requestMany(WORD, '', options)) words.push(answer.json<Word>())
  } catch {
    // Nobody there.
  }
  return words.filter((word) => word.epoch === epoch)
}

interface RemoveAnswer {
  success?: boolean
  error?: { err_code?: number; description?: string }
}
/** JSClusterServerNotMemberErr */
const NOT_A_MEMBER = 10044

/**
 * Tells the core that a server will not come back: another takes over its copies.
 * @throws when nobody could be told
 */
export async function forgetServer(sys: NatsConnection, name: string): Promise<void> {
  const answer = await sys.request('$JS.API.SERVER.REMOVE', JSON.stringify({ peer: name }), { timeout: ASK_MS })
  const { success, error } = answer.json<RemoveAnswer>()
  if (success !== true && error?.err_code !== NOT_A_MEMBER)
    throw new Error(`The core does not forget a server: ${error?.description}`)
}
