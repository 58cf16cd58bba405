/**
 * Erasure: after the event, the box forgets who held its tickets and what was noted about people. The journal never knew,
 * so that it verifies as before, and so does every export. Nothing that an import says brings a name back.
 */

import type { Db } from '../db.ts'
import { isNotNull, or, sql } from '../drizzle/core.ts'
import { GatehouseError } from '../errors.ts'
import type { By } from '../http/actor.ts'
import { readValue, writeValue } from '../ledger/identity.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { flags, incidents, shopRows, tickets } from '../ledger/schema.ts'

/** What there is to forget, and in `erasure` entries, what was forgotten. A type: it goes into entries as it is. */
export type Personal = {
  /** Tickets with a holder's name, with an e-mail address. */
  readonly names: number
  readonly emails: number
  readonly incident_notes: number
  readonly flag_notes: number
}

const FORGOTTEN = 'names_forgotten'

/** Whether names were forgotten here: then none is taken in again. */
export function namesForgotten({ drizzle }: Pick<Db, 'drizzle'>): boolean {
  return readValue({ drizzle }, FORGOTTEN) !== undefined
}

export function countPersonal({ drizzle }: Db): Personal {
  const count = sql<number>`count(*)`
  const named = drizzle
    .select({ names: sql<number>`count(${tickets.holderName})`, emails: sql<number>`count(${tickets.email})` })
    .from(tickets)
    .get()
  const noted = drizzle.select({ count }).from(incidents).where(isNotNull(incidents.note)).get()
  const resolved = drizzle.select({ count }).from(flags).where(isNotNull(flags.resolutionNote)).get()
  return {
    ...{ names: named?.names ?? 0, emails: named?.emails ?? 0 },
    ...{ incident_notes: noted?.count ?? 0, flag_notes: resolved?.count ?? 0 },
  }
}

/**
 * Forgets every name, address and note, in one transaction with the entry that says so; then makes the file itself forget.
 * Asked again, it does what is left to do.
 * @returns what was forgotten
 * @throws GatehouseError `ledger_unavailable`, also when the file is in use for so long that it cannot be cleaned
 */
export function forgetNames(ledger: Ledger, by: By, now: () => number): Personal {
  const { db } = ledger
  overwriteFreed(db)
  const forgotten = ledger.transact(() => {
    const personal = countPersonal(db)
    if (namesForgotten(db) && Object.values(personal).every((n) => n === 0)) return personal
    ledger.append('erasure', { ...by, ...personal, at: new Date(now()).toISOString() })
    forgetRows(db)
    return personal
  })
  cleanFile(db)
  return forgotten
}

/** What is freed from now on is overwritten with zeros; without it, a name would stand in the page where it was. */
export function overwriteFreed({ drizzle }: Db): void {
  drizzle.run(sql`PRAGMA secure_delete = ON`)
}

/** Within a transaction, with the entry that says so: an erasure here, or at another box. */
export function forgetRows(db: Db): void {
  const { drizzle } = db
  writeValue(db, FORGOTTEN, Buffer.from('1'))
  drizzle
    .update(tickets)
    .set({ holderName: null, email: null })
    .where(or(isNotNull(tickets.holderName), isNotNull(tickets.email)))
    .run()
  // The shop's own words of them, which its changes are read against.
  drizzle.update(shopRows).set({ personal: null }).where(isNotNull(shopRows.personal)).run()
  // With the salt goes the last way to find a note by trying.
  drizzle.update(incidents).set({ note: null, noteSalt: null }).where(isNotNull(incidents.note)).run()
  const resolved = isNotNull(flags.resolutionNote)
  drizzle.update(flags).set({ resolutionNote: null, resolutionSalt: null }).where(resolved).run()
}

/**
 * Writes the file anew and empties the log beside it: pages that were freed before now may still hold what was in them.
 * The copy is made on the disk, where a large ledger has room.
 * @throws GatehouseError `ledger_unavailable` when the file is in use for too long, or the disk is full
 */
export function cleanFile({ drizzle }: Db): void {
  try {
    drizzle.run(sql`PRAGMA temp_store = FILE`)
    drizzle.run(sql`VACUUM`)
    const left = drizzle.get<{ busy: number }>(sql`PRAGMA wal_checkpoint(TRUNCATE)`)
    if (left.busy !== 0) throw new Error('Somebody reads the file for longer than we wait.')
  } catch (cause) {
    throw new GatehouseError(
      'ledger_unavailable',
      'The names are forgotten, but traces may be left in the file: stop the box, make as much room on the disk as the ledger takes, and do this again.',
      { cause },
    )
  }
}
