/**
 * Erasure: after the event, the box erases who held its tickets and what was noted about people. None of that is in the journal,
 * so the journal and every export verify as before. No later import brings a name back.
 */
import { rmSync } from 'node:fs'
import type { By } from '../ca/actor.ts'
import { and, gte, inArray, isNotNull, or, type SQL, sql } from '../drizzle/core.ts'
import { GatehouseError } from '../errors.ts'
import type { Db } from '../ledger/db.ts'
import { readValue, writeValue } from '../ledger/identity.ts'
import type { Ledger } from '../ledger/ledger.ts'
import {
  answers,
  flags,
  incidentNotes,
  incidents,
  journal,
  shopRows,
  stagedTickets,
  tickets,
} from '../ledger/schema.ts'
import { indexFilesOf } from './index-file-name.ts'

/** Amount of personal data; in `erasure` entries, of what was erased. A type, because entries contain it as it is. */
export type PersonalData = {
  /** Tickets with a holder's name, with an e-mail address. */
  readonly names: number
  readonly emails: number
  readonly incident_notes: number
  readonly flag_notes: number
}

const ERASED = 'names_forgotten'

/** The columns of a ticket that say who holds it, without what they said. */
export const NOBODY = { holderName: null, email: null, personal: null }
/** The same with what the desk has written. */
export const NOBODY_NOR_NOTES = { ...NOBODY, deskHolder: null, deskNote: null }

/** True once personal data was erased here: then none is stored again. */
export function namesErased({ drizzle }: Pick<Db, 'drizzle'>): boolean {
  return readValue({ drizzle }, ERASED) !== undefined
}

/** True where this box's journal has an erasure, of one holder or of all, at `index` or later. Other boxes' are not asked for. */
export function erasedSince({ drizzle }: Pick<Db, 'drizzle'>, index: number): boolean {
  const isErasure = inArray(journal.kind, ['erasure', 'ticket_forgotten'])
  const found = drizzle
    .select({ index: journal.index })
    .from(journal)
    .where(and(gte(journal.index, index), isErasure))
    .limit(1)
    .get()
  return found !== undefined
}

export function countPersonalData({ drizzle }: Db): PersonalData {
  const count = sql<number>`count(*)`
  const named = drizzle
    .select({
      names: sql<number>`count(coalesce(${tickets.holderName}, ${tickets.deskHolder}, ${tickets.deskNote}, ${tickets.personal}))`,
      emails: sql<number>`count(${tickets.email})`,
    })
    .from(tickets)
    .get()
  const noted = drizzle.select({ count }).from(incidents).where(isNotNull(incidents.note)).get()
  const added = drizzle.select({ count }).from(incidentNotes).where(isNotNull(incidentNotes.note)).get()
  const resolved = drizzle.select({ count }).from(flags).where(isNotNull(flags.resolutionNote)).get()
  const staged = countStaged({ drizzle })
  return {
    names: (named?.names ?? 0) + staged.names,
    emails: (named?.emails ?? 0) + staged.emails,
    incident_notes: (noted?.count ?? 0) + (added?.count ?? 0),
    flag_notes: resolved?.count ?? 0,
  }
}

/** The tickets of an import that is under way, without those whose rows have moved and those that are named already. */
function countStaged({ drizzle }: Pick<Db, 'drizzle'>): Pick<PersonalData, 'names' | 'emails'> {
  // Columns by name: within the inner query drizzle leaves out whose they are.
  const count = (staged: SQL, there: SQL) => sql<number>`count(DISTINCT CASE WHEN ${staged} IS NOT NULL AND NOT EXISTS
    (SELECT 1 FROM tickets t WHERE t.ref = s.ref AND ${there} IS NOT NULL) AND NOT EXISTS
    (SELECT 1 FROM tickets t WHERE t.id = s.ticket AND ${there} IS NOT NULL) THEN coalesce(s.ref, s.ticket) END)`
  const names = count(
    sql`coalesce(s.holder_name, s.personal)`,
    sql`coalesce(t.holder_name, t.desk_holder, t.desk_note, t.personal)`,
  )
  const emails = count(sql`s.email`, sql`t.email`)
  const counts = drizzle.get<Pick<PersonalData, 'names' | 'emails'>>(
    sql`SELECT ${names} AS names, ${emails} AS emails FROM staged_tickets s`,
  )
  return counts ?? { names: 0, emails: 0 }
}

/**
 * Erases every name, address and note, in one transaction with the entry that says so; then rewrites the file, so that no
 * trace is left in it. Called again, it does what is left to do.
 * @returns what was erased
 * @throws GatehouseError `ledger_unavailable`, also when the file stays in use for so long that it cannot be rewritten
 */
export function erasePersonalData(ledger: Ledger, by: By, now: () => number): PersonalData {
  const { db } = ledger
  overwriteFreedPages(db)
  const forgotten = ledger.transact(() => {
    const personal = countPersonalData(db)
    if (namesErased(db) && Object.values(personal).every((n) => n === 0)) return personal
    ledger.append('erasure', { ...by, ...personal, at: new Date(now()).toISOString() })
    eraseRows(db)
    return personal
  })
  rewriteFile(db)
  return forgotten
}

/** From now on SQLite overwrites what it frees with zeros; otherwise a name would stay in the page where it was. */
export function overwriteFreedPages({ drizzle }: Db): void {
  drizzle.run(sql`PRAGMA secure_delete = ON`)
}

const PERSONAL_COLUMNS = [tickets.holderName, tickets.email, tickets.personal, tickets.deskHolder, tickets.deskNote]
const STAGED_COLUMNS = [stagedTickets.holderName, stagedTickets.email, stagedTickets.personal]

/** Within a transaction, with the entry of an erasure here or at another box. */
export function eraseRows(db: Db): void {
  const { drizzle } = db
  writeValue(db, ERASED, Buffer.from('1'))
  drizzle
    .update(tickets)
    .set(NOBODY_NOR_NOTES)
    .where(or(...PERSONAL_COLUMNS.map((column) => isNotNull(column))))
    .run()
  const named = or(...STAGED_COLUMNS.map((column) => isNotNull(column)))
  drizzle.update(stagedTickets).set(NOBODY).where(named).run()
  drizzle.delete(answers).run()
  // The shop's own record of them, with which its next changes are compared.
  drizzle.update(shopRows).set({ personal: null }).where(isNotNull(shopRows.personal)).run()
  // Without the salt, nobody can confirm a guess of a note by its hash.
  drizzle.update(incidents).set({ note: null, noteSalt: null }).where(isNotNull(incidents.note)).run()
  drizzle.update(incidentNotes).set({ note: null, noteSalt: null }).where(isNotNull(incidentNotes.note)).run()
  const resolved = isNotNull(flags.resolutionNote)
  drizzle.update(flags).set({ resolutionNote: null, resolutionSalt: null }).where(resolved).run()
}

/**
 * Rewrites the file and empties the write-ahead log, because pages that were freed before may still hold what was in them.
 * SQLite makes the copy on the disk, which has room for a large ledger, and memory may not.
 * @throws GatehouseError `ledger_unavailable` when the file is in use for too long, or the disk is full
 */
export function rewriteFile({ drizzle }: Db): void {
  removeIndexBeside({ drizzle })
  try {
    drizzle.run(sql`PRAGMA temp_store = FILE`)
    drizzle.run(sql`VACUUM`)
    const left = drizzle.get<{ busy: number }>(sql`PRAGMA wal_checkpoint(TRUNCATE)`)
    if (left.busy !== 0) throw new Error('Another process reads the file for longer than this waits.')
  } catch (cause) {
    throw new GatehouseError(
      'ledger_unavailable',
      'The names are forgotten, but traces may be left in the file: stop the box, make as much room on the disk as the ledger takes, and do this again.',
      { cause },
    )
  }
}

/** The search index has the names too. The box makes another one of what is left. */
function removeIndexBeside({ drizzle }: Pick<Db, 'drizzle'>): void {
  const { file } = drizzle.get<{ file: string }>(sql`SELECT file FROM pragma_database_list WHERE name = 'main'`)
  for (const path of indexFilesOf(file)) rmSync(path, { force: true })
}
