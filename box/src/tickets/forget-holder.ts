/**
 * Erasure of one person: what names the holder of one ticket. The ticket, its passages and its entries stay, and so does every proof.
 * From then on nothing that names anybody is stored with this ticket, whichever import, box or person writes it.
 */
import { type By, whoOf } from '../ca/actor.ts'
import { and, eq, isNotNull, isNull, type SQL, sql } from '../drizzle/core.ts'
import type { Db } from '../ledger/db.ts'
import { answers, shopLookups, shopRows, stagedTickets, tickets } from '../ledger/schema.ts'
import { NOBODY, NOBODY_NOR_NOTES, overwriteFreedPages } from './erasure.ts'
import { noSuchTicket, type TicketAction, type TicketDeps } from './tickets.ts'

export interface Forgotten {
  /** The ticket's name in the journal. */
  ref: string
  /** False where it was erased before: then there is no second entry. */
  isNew: boolean
}

/**
 * From beside the box, or while it does not run.
 * @param id the ticket's ref, its printed code, or its ticket id
 * @throws GatehouseError `not_found`, `ledger_unavailable`
 */
export function forgetHolder(id: string, by: By, deps: TicketDeps): Forgotten {
  const { db } = deps.ledger
  overwriteFreedPages(db)
  const forgotten = deps.ledger.transact(() => forgetWithin(id, by, deps))
  // The write-ahead log still has the pages from before. While somebody reads it, the box empties it later.
  db.drizzle.get(sql`PRAGMA wal_checkpoint(TRUNCATE)`)
  return forgotten
}

/**
 * In the running box: no scan waits for it. The write-ahead log keeps pages from before until it is copied back.
 * @param ref the ticket's
 * @throws GatehouseError as `forgetHolder`, and what `expect` throws
 */
export async function forgetAtDesk(
  ref: string,
  { expect, ...by }: By & Pick<TicketAction, 'expect'>,
  deps: TicketDeps,
): Promise<void> {
  const { ledger, tickets: all } = deps
  overwriteFreedPages(ledger.db)
  await ledger.commit(() => {
    const ticket = all.byRef(ref)
    if (ticket && ticket.forgottenAt === null) expect?.(ticket)
    return forgetWithin(ref, by, deps)
  })
}

function forgetWithin(id: string, who: By, { ledger, tickets: all, codes, now }: TicketDeps): Forgotten {
  const ticket = all.lookUp(id, codes)
  if (!ticket) throw noSuchTicket()
  if (ticket.forgottenAt !== null) return { ref: ticket.ref, isNew: false }
  const at = now()
  const entry = { ...whoOf(who), at: new Date(at).toISOString(), ticket: ticket.ref }
  const { index } = ledger.append('ticket_forgotten', entry)
  eraseHolder(ledger.db, ticket.id, at, index)
  return { ref: ticket.ref, isNew: true }
}

/** Within a transaction. @param at unix ms @param entry the entry that explains it here */
export function eraseHolder({ drizzle }: Pick<Db, 'drizzle'>, ticket: number, at: number, entry: number): void {
  const set = { ...NOBODY_NOR_NOTES, forgottenAt: at, entry }
  drizzle.update(tickets).set(set).where(eq(tickets.id, ticket)).run()
  const ref = drizzle.select({ ref: tickets.ref }).from(tickets).where(eq(tickets.id, ticket))
  drizzle.delete(answers).where(eq(answers.ticketRef, ref)).run()
  // An import that is being written: `Tickets.update` takes no name from it either.
  drizzle.update(stagedTickets).set(NOBODY).where(eq(stagedTickets.ticket, ticket)).run()
  eraseShopRows({ drizzle }, ticket)
}

/** The shop's own record of the ticket: its rows, and those that they look up, such as its order. Within a transaction. */
export function eraseShopRows({ drizzle }: Pick<Db, 'drizzle'>, ticket: number): void {
  for (const { id } of drizzle.select().from(shopRows).where(eq(shopRows.ticket, ticket)).all()) {
    drizzle.update(shopRows).set({ personal: null }).where(eq(shopRows.id, id)).run()
    for (const looked of drizzle.select().from(shopLookups).where(eq(shopLookups.row, id)).all()) {
      if (!isOfForgotten({ drizzle }, looked)) continue
      const { source, table, key } = looked
      const order = and(eq(shopRows.source, source), eq(shopRows.table, table), eq(shopRows.key, key))
      drizzle
        .update(shopRows)
        .set({ personal: null })
        .where(and(order, isNotNull(shopRows.personal)))
        .run()
    }
  }
}

/** True for a row of the shop, such as an order, that belongs to tickets whose holders were all erased, and to no other. */
export function isOfForgotten(
  { drizzle }: Pick<Db, 'drizzle'>,
  { source, table, key }: Pick<typeof shopLookups.$inferSelect, 'source' | 'table' | 'key'>,
): boolean {
  const those = and(eq(shopLookups.source, source), eq(shopLookups.table, table), eq(shopLookups.key, key))
  const any = (where: SQL | undefined) =>
    drizzle
      .select({ id: shopRows.id })
      .from(shopLookups)
      .innerJoin(shopRows, eq(shopRows.id, shopLookups.row))
      .leftJoin(tickets, eq(tickets.id, shopRows.ticket))
      .where(and(those, where))
      .limit(1)
      .get() !== undefined
  return !any(isNull(tickets.forgottenAt)) && any(undefined)
}
