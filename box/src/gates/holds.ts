/**
 * Holds: gates through which nobody enters for now. Kept in memory, because every scan asks, and read again when the
 * journal has an entry about one, because another process may write it too.
 */

import type { Hold } from '@gatehouse/proto/wire/incidents.ts'
import { type By, whoOf } from '../ca/actor.ts'
import { iso, isoOrNull } from '../clock/iso.ts'
import { asc, eq } from '../drizzle/core.ts'
import { GatehouseError } from '../errors.ts'
import type { NewEntry } from '../ledger/entries.ts'
import { type Fact, factsIn } from '../ledger/facts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type HoldRow, holds } from '../ledger/schema.ts'

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
    ledger.subscribe('committed', (entries) => {
      const isAbout = ({ kind }: Fact) => kind === 'hold' || kind === 'hold_released'
      if (factsIn(ledger, entries).some(isAbout)) this.#byGate = this.#read()
    })
  }

  /** The hold that is in force at a gate now, whenever it was placed: the clock may have been set back since. */
  on(gate: string): HoldRow | undefined {
    return this.#byGate.get(gate)?.findLast((hold) => isUnreleased(hold) && !isExpired(hold, this.#now()))
  }

  /** The hold that was in force at a gate at a time in the past: for admissions that are uploaded late. @param at unix ms */
  at(gate: string, at: number): HoldRow | undefined {
    return this.#byGate
      .get(gate)
      ?.findLast((hold) => hold.placedAt <= at && !isExpired(hold, at) && at < (hold.releasedAt ?? Infinity))
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
      const before = this.#unreleased(hold.gate)
      const last = before.at(-1)
      // Several where boxes that could not reach each other have held the gate: the new hold replaces all of them.
      for (const other of before.slice(0, -1)) this.#release(other, placedAt, by, null)
      const fields: NewEntry<'hold'> = {
        ...by,
        at: iso(placedAt),
        expires_at: isoOrNull(hold.expiresAt),
        gate: hold.gate,
        hold: hold.id,
        reason: hold.reason,
        replaces: last?.id ?? null,
      }
      const { index: entry } = this.#ledger.append('hold', fields)
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
      const unreleased = this.#unreleased(gate)
      const releasedAt = this.#now()
      const held = unreleased.findLast((hold) => !isExpired(hold, releasedAt))
      if (!held)
        throw new GatehouseError('conflict', 'This gate is not on hold: people enter already.', {
          reason: 'gate_not_held',
        })
      // All of them: boxes that could not reach each other may each have held the gate.
      for (const other of unreleased) if (other !== held) this.#release(other, releasedAt, by, reason)
      return this.#release(held, releasedAt, by, reason)
    })
  }

  #release(hold: HoldRow, releasedAt: number, by: By, reason: string | null): HoldRow {
    const fields: NewEntry<'hold_released'> = {
      ...whoOf(by),
      at: iso(releasedAt),
      gate: hold.gate,
      hold: hold.id,
      reason,
    }
    const { index: entry } = this.#ledger.append('hold_released', fields)
    const released = { releasedAt, releasedBy: by.actor, entry }
    this.#end(hold.id, released)
    return { ...hold, ...released }
  }

  /** Read from the table, oldest first: what is in memory may be older than what another process has just written. */
  #unreleased(gate: string): HoldRow[] {
    const rows = this.#ledger.db.drizzle.select().from(holds).where(eq(holds.gate, gate)).orderBy(asc(holds.placedAt))
    return rows.all().filter(isUnreleased)
  }

  #end(id: string, released: Pick<HoldRow, 'releasedAt' | 'releasedBy' | 'entry'>): void {
    this.#ledger.db.drizzle.update(holds).set(released).where(eq(holds.id, id)).run()
  }

  #read(): Map<string, HoldRow[]> {
    const rows = this.#ledger.db.drizzle.select().from(holds).orderBy(asc(holds.placedAt)).all()
    return Map.groupBy(rows, ({ gate }) => gate)
  }
}

/** Neither released nor replaced, expired or not. One at each gate, unless several boxes have held it at once. */
function isUnreleased({ releasedAt }: HoldRow): boolean {
  return releasedAt === null
}

function isExpired({ expiresAt }: HoldRow, at: number): boolean {
  return expiresAt !== null && at >= expiresAt
}

/** As devices get it. */
export function holdOf({ gate, reason, expiresAt }: HoldRow): Hold {
  return { gate, reason, expires_at: isoOrNull(expiresAt) }
}
