/** A gate in a rehearsal: everything that a scan needs, over tables in memory. What happens there is decided as at the real one. */
import { HybridLogicalClock } from '@gatehouse/proto/hlc.ts'
import { Flags } from '../cases/flags.ts'
import { Overrides } from '../cases/overrides.ts'
import { count } from '../drizzle/core.ts'
import { Ledger } from '../ledger/ledger.ts'
import { openRehearsalDb } from '../ledger/rehearsal-db.ts'
import { scans as table } from '../ledger/schema.ts'
import { singleBoxReservations } from '../rights/reservation.ts'
import { Scans } from '../rights/scans.ts'
import { PhoneClocks } from '../scan/phone-clocks.ts'
import type { RedeemDeps } from '../scan/redeem.ts'
import { Tickets } from '../tickets/tickets.ts'

/** As at the real gate: the event, its holds, and the box's clock. */
export type GateDeps = Pick<RedeemDeps, 'event' | 'codes' | 'holds' | 'timeQuality' | 'walkingSeconds'> & {
  /** The ledger's file. */
  path: string
  /** 32 bytes, see `Identity`. */
  refKey: Uint8Array
  /** Unix ms. */
  now: () => number
}

/** A scanner's clock that is further ahead does not move the rehearsal's. */
const MAX_CLOCK_OFFSET_MS = 60_000

export class RehearsedGate implements Disposable {
  readonly deps: RedeemDeps
  readonly #ledger: Ledger

  constructor({ path, refKey, now, ...real }: GateDeps) {
    const db = openRehearsalDb(path)
    // A clock of its own: a scanner that is wrong moves nothing of the real one.
    const clock = new HybridLogicalClock({ wallClock: now, maxOffsetMs: MAX_CLOCK_OFFSET_MS })
    const ledger = new Ledger(db, clock)
    this.#ledger = ledger
    this.deps = {
      ...real,
      clock,
      ledger,
      tickets: new Tickets(db, refKey),
      scans: new Scans(db),
      overrides: new Overrides(db),
      flags: new Flags({ db, ledger, clock }),
      // Other boxes are not asked, and learn nothing.
      reservations: singleBoxReservations(() => 'STRICT'),
      phoneClocks: new PhoneClocks(),
    }
  }

  /** Amount written, in journal entries: about as many kilobytes of memory. */
  get entries(): number {
    return this.#ledger.size
  }

  get scans(): number {
    return this.#ledger.db.drizzle.select({ scans: count() }).from(table).get()?.scans ?? 0
  }

  /** Everything is gone. */
  [Symbol.dispose](): void {
    this.#ledger[Symbol.dispose]()
  }
}
