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
  /** Ends it. */
  signal: AbortSignal
}

export async function recoverVoter(deps: VoterRecoveryDeps): Promise<void> {
  const { server, bulk, logger, monotonic, signal } = deps
  if (server.isRecovering) {
    const isOwn = (name: string) => server.isOwn(name)
    const asNew = await othersHaveAllStreams(bulk, DOMAIN, isOwn, { patienceMs: ASK_MS, monotonic, signal })
    if (signal.aborted || !server.isRecovering) return
    logger.warn({ event: 'voter_came_back', as_new: asNew })
    await server.comeBack(asNew)
  }
  await staySettled(deps)
}

async function staySettled({ server, boxId, statuses, logger, monotonic, signal }: VoterRecoveryDeps): Promise<void> {
  const watch = new CoreWatch()
  while (!signal.aborted) {
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    // Read anew each time: the topology may have changed.
    const voters = votersOf(server.topology)
    if (voters.length === 1 || !voters.includes(boxId)) continue
    try {
      const all = await statuses()
      if (membersOf(all, boxId)) await forgetRetired(server, logger)
      const fault = watch.look(all, { box: boxId, name: server.name, voters }, monotonic())
      if (fault === undefined) continue
      logger.warn({ event: fault })
      await server.restart()
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
