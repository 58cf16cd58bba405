/** The first stage: everything on disk. The event's folder, the ledger with its clock, the authority's keys, the admin token. */
import { randomUUID } from 'node:crypto'
import { Appliance } from '../appliance/appliance.ts'
import { openEventAuthority } from '../ca/authority.ts'
import { openMeshAuthority } from '../ca/mesh-authority.ts'
import { ClockFence } from '../clock/fence.ts'
import type { Config } from '../config.ts'
import { readEvent } from '../event/event.ts'
import { recordEvent } from '../event/recorded.ts'
import { prepareBoxFeed } from '../feed/of-the-box.ts'
import { shareWithFeed } from '../feed/shared-ledger.ts'
import { nextIncarnation } from '../feed/sources/sqlite/incarnation.ts'
import type { Changelog } from '../ledger/db.ts'
import { lockForBox, openLedger } from '../ledger/open.ts'
import type { Logger } from '../log.ts'
import { openAdminToken } from '../staff/admin-token.ts'

/** Interval at which the box checks for entries that the command line has written. */
const WATCH_MS = 100

/** The arguments of every stage. */
export interface Start {
  config: Config
  logger: Logger
  /** Unix milliseconds. */
  now: () => number
  /** Monotonic clock, in milliseconds. */
  monotonic: () => number
  /** Disposes everything that was opened, in reverse order. */
  lifetime: AsyncDisposableStack
}

export type Storage = Awaited<ReturnType<typeof openStorage>>

export async function openStorage({ config, logger, now, monotonic, lifetime }: Start) {
  const { dataDir, dataRoot, eventDir } = config
  const event = await readEvent(eventDir)
  for (const { path, message } of event.warnings) logger.warn({ event: 'event_file', path, message })

  lifetime.use(lockForBox(dataDir))
  const { ledger, clock, identity } = openLedger({
    dataDir,
    eventId: event.id,
    wallClock: now,
    changelog: await changelogFor(config, { logger, now }),
  })
  lifetime.use(ledger)
  if (config.feed) shareWithFeed(dataDir, config.feedGroup, dataRoot)
  await recordEvent(event, identity.boxId, ledger)
  const fence = lifetime.use(new ClockFence(ledger, clock))
  const appliance =
    config.appliance === undefined
      ? undefined
      : await Appliance.open({ folder: config.appliance, dataDir, eventDir, logger, now, monotonic })
  lifetime.use(appliance)
  // The appliance has no battery-backed clock: its time is right once it was synchronised. Elsewhere the owner sets the clock.
  const timeQuality = () => (appliance && !appliance.clock.synced ? 'unsynced' : fence.timeQuality())
  ledger.watch(WATCH_MS)

  const authority = await openEventAuthority(event, { dataDir, certificate: config.certificate, now })
  const meshAuthority = await openMeshAuthority(authority, { seed: identity.signingSeed, eventId: event.id, now })
  const { token: adminToken, isNew: adminTokenIsNew } = await openAdminToken(dataDir, ledger)
  const { boxId } = identity
  return {
    ...{ event, ledger, clock, identity, boxId, appliance, timeQuality, authority, meshAuthority },
    ...{ adminToken, adminTokenIsNew },
  }
}

/** The tables that the change feed follows. A mistake in the operator's configuration must not keep gates closed. */
async function changelogFor(
  config: Config,
  { logger, now }: Pick<Start, 'logger' | 'now'>,
): Promise<Changelog | 'none' | undefined> {
  if (!config.feed) return 'none'
  try {
    const { publication } = await prepareBoxFeed(config)
    return publication && { publication, incarnation: nextIncarnation(now()), token: randomUUID() }
  } catch (error) {
    logger.error({ event: 'feed_config', problem: (error as Error).message })
    return undefined
  }
}
