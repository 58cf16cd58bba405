/** Composes the push of a connected pretix. */
import type { Flags } from '../../../cases/flags.ts'
import type { Overrides } from '../../../cases/overrides.ts'
import type { Event } from '../../../event/event.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import type { Logger } from '../../../log.ts'
import type { Scans } from '../../../rights/scans.ts'
import { readState } from '../state.ts'
import { admittedAt, ownTimesOf, passageOfScan } from './ledger-side.ts'
import { type PretixSideDeps, pretixSide } from './pretix-side.ts'
import { Push } from './push.ts'
import { type Lease, speakerOf } from './speaker.ts'

export interface PushPartDeps extends PretixSideDeps {
  event: Event
  ledger: Ledger
  flags: Flags
  scans: Scans
  overrides: Overrides
  boxId: string
  lease: Lease
  logger: Logger
  /** Unix ms. */
  now: () => number
}

/** Begins to send when every order was read once: before, a ticket of the shop could look like one of nobody's. */
export function openPush(deps: PushPartDeps): Push {
  const { event, ledger, flags, boxId, lease, logger, now } = deps
  const shop = pretixSide(deps)
  const { target } = shop
  const speaker = speakerOf({
    lease,
    target,
    now,
    find: (box, place) => push.find(box, place),
    adopt: (progress) => push.adopt(progress),
  })
  const push: Push = new Push({
    ...{ ledger, flags, boxId, shop, logger, now },
    event: event.id,
    random: Math.random,
    speaker: {
      maySpeak: async (progress) => {
        return readState(ledger.db, target).comparedAt !== null && (await speaker.maySpeak(progress))
      },
    },
    passageOf: (scan) => passageOfScan(scan, deps),
    admittedAt: (scan, decided) => admittedAt(scan, decided, deps),
    ownTimes: (ticket) => ownTimesOf(ticket, deps),
  })
  push.start()
  return push
}
