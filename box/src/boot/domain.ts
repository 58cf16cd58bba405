/** The second stage: the state of the event, all derived from the ledger and the event's folder. */
import { join } from 'node:path'
import { eventTag } from '@gatehouse/proto/code.ts'
import { Roster } from '../ca/roster.ts'
import { Flags } from '../cases/flags.ts'
import { Overrides } from '../cases/overrides.ts'
import { Counts } from '../control/counts.ts'
import { Presence } from '../control/presence.ts'
import { Sold } from '../control/sold.ts'
import type { Checkpoint } from '../event/event.ts'
import { Holds } from '../gates/holds.ts'
import { Lanes } from '../gates/lanes.ts'
import { ModeSwitch } from '../rights/mode.ts'
import { Scans } from '../rights/scans.ts'
import { keysOf } from '../seal/verifier-key.ts'
import { CodeReader } from '../tickets/codes.ts'
import { Details } from '../tickets/details.ts'
import { importFolder } from '../tickets/import-folder.ts'
import { LateTickets } from '../tickets/late-tickets.ts'
import { assignSharedRefs } from '../tickets/shared-ref.ts'
import { OrphanedImports, recoverImports } from '../tickets/staging/recover.ts'
import { StagingThreads } from '../tickets/staging/thread.ts'
import { Tickets } from '../tickets/tickets.ts'
import { formatProblems } from '../venue/problems.ts'
import { openVenue, walkingSeconds } from '../venue/venue.ts'
import { openStaff } from './staff.ts'
import type { Start, Storage } from './storage.ts'

export type Domain = Awaited<ReturnType<typeof openDomain>>

export async function openDomain(given: Start & Storage) {
  const { config, logger, now, lifetime, event, ledger, clock, identity } = given
  const roster = new Roster(ledger)
  const modeSwitch = new ModeSwitch(ledger)
  recoverImports(ledger.db, identity.refKey)
  await assignSharedRefs(config.hqTicketKey, ledger)
  const tickets = new Tickets(ledger.db, identity.refKey)
  const tag = await eventTag(event.id)
  const codes = new CodeReader(identity.manifestSalt, tag)
  await importFolder(config.eventDir, { event, ledger, tickets, codes, logger })
  const staging = new StagingThreads({ path: join(config.dataDir, 'ledger.db'), event, eventTag: tag })
  lifetime.use(new OrphanedImports({ ledger, tickets, staging }))

  const flags = new Flags({ db: ledger.db, ledger, clock })
  const scans = new Scans(ledger.db)
  const overrides = new Overrides(ledger.db)
  const lanes = new Lanes({ ledger, now })
  const lateTickets = new LateTickets()
  const holds = new Holds({ ledger, now })
  const counts = lifetime.use(new Counts(ledger))
  const presence = new Presence(now)
  const sold = new Sold(ledger.db)
  const venue = await openVenue(event, config.eventDir)
  for (const problem of venue.warnings) logger.warn({ event: 'venue_file', problem: formatProblems([problem]) })
  const keys = keysOf(event.id, identity)
  return {
    staff: openStaff(given),
    roster,
    modeSwitch,
    tickets,
    lateTickets,
    details: new Details(ledger.db),
    staging,
    tag,
    codes,
    flags,
    scans,
    overrides,
    lanes,
    holds,
    counts,
    presence,
    sold,
    venue,
    /** Seconds on foot between two checkpoints; null if the map has no way. */
    walkingSeconds: (from: Checkpoint, to: Checkpoint) => walkingSeconds(venue, from, to.id),
    keys,
  }
}
