/**
 * "Stop admitting": gates through which nobody enters for now. Kept in memory because every scan asks, and in step with
 * the journal because another process may write there too.
 */

import type { Hold } from '@gatehouse/proto/wire/incidents.ts'
import { iso, isoOrNull } from '../clock/iso.ts'
import { asc, eq } from '../drizzle/core.ts'
import { GatehouseError } from '../errors.ts'
import type { By } from '../http/actor.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type HoldRow, holds } from '../ledger/schema.ts'
import { type Fact, factsIn } from '../mesh/facts.ts'
import type { HoldEntry, HoldReleasedEntry } from './entry.ts'

export class Holds {
  readonly #ledger: Ledger
  readonly #now: () => number
  /** Every hold there ever was, oldest first, by gate. */
  #byGate: ReadonlyMap<string, readonly HoldRow[]>

  /** @param now unix ms */
  constructor({ ledger, now }: { ledger: Ledger; now: () => number }) {
    this.#ledger = ledger
    this.#now = now
    this.#byGate = this.#read()
    ledger.subscribe((entries) => {
      const isAbout = ({ kind }: Fact) => kind === 'hold' || kind === 'hold_released'
      if (factsIn(ledger, entries).some(isAbout)) this.#byGate = this.#read()
    })
  }

  /** The hold that is in force at a gate now. When it was placed does not matter: a clock may have been set back since. */
  on(gate: string): HoldRow | undefined {
    return this.#byGate.get(gate)?.findLast((hold) => isStanding(hold) && !isOver(hold, this.#now()))
  }

  /** The hold that was in force at a gate then, for whoever stood there while the box could not hear. @param at unix ms */
  at(gate: string, at: number): HoldRow | undefined {
    return this.#byGate
      .get(gate)
      ?.findLast((hold) => hold.placedAt <= at && !isOver(hold, at) && at < (hold.releasedAt ?? Infinity))
  }

  /** Every hold in force, by gate. */
  current(): HoldRow[] {
    return [...this.#byGate.keys()].flatMap((gate) => this.on(gate) ?? [])
  }

  /**
   * Holds a gate. Where one is held already, the new reason and expiry replace the old.
   * @param hold.id made by the caller; `hold.expiresAt`: unix ms, null until it is released
   */
  place(hold: Pick<HoldRow, 'id' | 'gate' | 'reason' | 'expiresAt'>, by: By): Promise<HoldRow> {
    const { drizzle } = this.#ledger.db
    return this.#ledger.commit(() => {
      const placedAt = this.#now()
      const before = this.#standing(hold.gate)
      const last = before.at(-1)
      // Two boxes that did not hear each other have held it: this one takes the place of both.
      for (const other of before.slice(0, -1)) this.#release(other, placedAt, by, null)
      const fields: HoldEntry = {
        ...by,
        at: iso(placedAt),
        expires_at: isoOrNull(hold.expiresAt),
        gate: hold.gate,
        hold: hold.id,
        reason: hold.reason,
        replaces: last?.id ?? null,
      }
      const { index: entry } = this.#ledger.append('hold', { ...fields })
      if (last) this.#end(last.id, { releasedAt: placedAt, releasedBy: by.actor, entry })
      const { id, gate, reason, expiresAt } = hold
      const row = { id, gate, reason, actor: by.actor, placedAt, expiresAt, releasedAt: null, releasedBy: null, entry }
      drizzle.insert(holds).values(row).run()
      return row
    })
  }

  /** Lets people in again. @throws GatehouseError `conflict` where nothing is held */
  release(gate: string, by: By, reason: string | null): Promise<HoldRow> {
    return this.#ledger.commit(() => {
      const standing = this.#standing(gate)
      const releasedAt = this.#now()
      const held = standing.findLast((hold) => !isOver(hold, releasedAt))
      if (!held) throw new GatehouseError('conflict', 'This gate is not on hold: people enter already.')
      // All of them: two boxes that did not hear each other may have held it.
      for (const other of standing) if (other !== held) this.#release(other, releasedAt, by, reason)
      return this.#release(held, releasedAt, by, reason)
    })
  }

  #release(hold: HoldRow, releasedAt: number, by: By, reason: string | null): HoldRow {
    const { actor, address } = by
    const fields: HoldReleasedEntry = { actor, address, at: iso(releasedAt), gate: hold.gate, hold: hold.id, reason }
    const { index: entry } = this.#ledger.append('hold_released', { ...fields })
    const released = { releasedAt, releasedBy: actor, entry }
    this.#end(hold.id, released)
    return { ...hold, ...released }
  }

  /** As the table has it, oldest first: what is published may be behind what another process has just written. */
  #standing(gate: string): HoldRow[] {
    const rows = this.#ledger.db.drizzle.select().from(holds).where(eq(holds.gate, gate)).orderBy(asc(holds.placedAt))
    return rows.all().filter(isStanding)
  }

  #end(id: string, released: Pick<HoldRow, 'releasedAt' | 'releasedBy' | 'entry'>): void {
    this.#ledger.db.drizzle.update(holds).set(released).where(eq(holds.id, id)).run()
  }

  #read(): Map<string, HoldRow[]> {
    const rows = this.#ledger.db.drizzle.select().from(holds).orderBy(asc(holds.placedAt)).all()
    return Map.groupBy(rows, ({ gate }) => gate)
  }
}

/** Neither released nor replaced: over or not, as the clock says. One at each gate, unless several boxes have held it at once. */
function isStanding({ releasedAt }: HoldRow): boolean {
  return releasedAt === null
}

function isOver({ expiresAt }: HoldRow, at: number): boolean {
  return expiresAt !== null && at >= expiresAt
}

/** As devices get it. */
export function holdOf({ gate, reason, expiresAt }: HoldRow): Hold {
  return { gate, reason, expires_at: isoOrNull(expiresAt) }
}
