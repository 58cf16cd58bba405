/**
 * Brings a voter back into the core. After its machine went down it asks whether the others have everything: then it comes back
 * as a new server, and otherwise as the one that it was. Afterwards it makes sure that the others forget its former servers and
 * count its present one, and that the core has a leader.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { NatsConnection } from '@nats-io/transport-node'
import { votersOf } from '../topology.ts'
import { DOMAIN } from './accounts.ts'
import { forgetServer, othersHaveAllStreams, type VoterStatus } from './core-status.ts'
import { CoreWatch, membersOf } from './core-watch.ts'
import type { Server, ServerDeps } from './server.ts'

/** The others are asked for this long before the voter goes by what it has on disk. */
const ASK_MS = 10_000
const PAUSE_MS = 1_000

export interface VoterRecoveryDeps extends Pick<ServerDeps, 'boxId' | 'logger' | 'monotonic'> {
  server: Server
  bulk: Pick<NatsConnection, 'request'>
  /** The states that the servers of the core report. */
  statuses: () => Promise<VoterStatus[]>
  /** Of this box's own server, asked directly. */
  ownStatus: () => Promise<VoterStatus>
  /** Ends it. */
  signal: AbortSignal
  /** Between two looks at the core; a second when absent. */
  pauseMs?: number
}

export async function recoverVoter(deps: VoterRecoveryDeps): Promise<void> {
  const { server, bulk, logger, monotonic, signal } = deps
  if (server.isRecovering) {
    const isOwn = (name: string) => server.isOwn(name)
    const asNew = await othersHaveAllStreams(bulk, DOMAIN, isOwn, { patienceMs: ASK_MS, monotonic, signal })
    // Another epoch, with empty stores, may have begun meanwhile.
    if (!signal.aborted && server.isRecovering) {
      logger.warn({ event: 'voter_came_back', as_new: asNew })
      await server.comeBack(asNew)
    }
  }
  await staySettled(deps)
}

async function staySettled(deps: VoterRecoveryDeps): Promise<void> {
  const { server, boxId, statuses, ownStatus, logger, monotonic, signal, pauseMs = PAUSE_MS } = deps
  let [epoch, watch] = [server.topology.epoch, new CoreWatch()]
  while (!signal.aborted) {
    await sleep(pauseMs, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    // Read anew each time: the topology may have changed.
    const { topology } = server
    if (topology.epoch !== epoch) [epoch, watch] = [topology.epoch, new CoreWatch()]
    const voters = votersOf(topology)
    if (voters.length === 1 || !voters.includes(boxId)) continue
    try {
      const [all, own] = await Promise.all([statuses(), ownStatus()])
      const others = all.filter(({ box }) => box !== boxId)
      const fault = watch.look({ box: boxId, name: server.name, voters, status: own }, others, monotonic())
      if (fault !== undefined) {
        logger.warn({ event: fault })
        await server.restart()
      } else if (membersOf(own, others)) await forgetRetired(server, logger)
    } catch (error) {
      // The others or the own server are out of reach: the next look tries again.
      logger.debug({ event: 'voter_not_settled', err: error as Error })
    }
  }
}

async function forgetRetired(server: Server, logger: ServerDeps['logger']): Promise<void> {
  if (server.retired.length === 0) return
  const sys = await server.system()
  for (const name of server.retired) await forgetServer(sys, name)
  await server.clearRetired()
  logger.info({ event: 'voter_forgotten' })
}
