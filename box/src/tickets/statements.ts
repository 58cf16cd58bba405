/** The prepared statements of tickets, credentials and passages: those that a scan waits for, and those read in pages. */

import type { Db } from '../db.ts'
import { and, asc, eq, exists, gt, sql } from '../drizzle/core.ts'
import { credentials, movements, tickets } from '../ledger/schema.ts'

/** Rows read at a time where all of them are: a scan waits no longer than one page. */
export const PAGE = 500

export function prepareTickets({ drizzle }: Db) {
  const { placeholder } = sql
  const changedAfter = sql`(${tickets.entry}, ${tickets.id}) > (${placeholder('entry')}, ${placeholder('id')})`
  const movementOfTicket = drizzle.select({ one: sql`1` }).from(movements).where(eq(movements.ticket, tickets.id))
  return {
    // Not joined with its ticket: SQLite with STAT4 plans a join anew for each value, and that takes longer than both reads.
    byCodeHash: drizzle
      .select({ kind: credentials.kind, ticket: credentials.ticket })
      .from(credentials)
      .where(eq(credentials.codeHash, placeholder('codeHash')))
      .prepare(),
    byRef: drizzle
      .select()
      .from(tickets)
      .where(eq(tickets.ref, placeholder('ref')))
      .prepare(),
    byId: drizzle
      .select()
      .from(tickets)
      .where(eq(tickets.id, placeholder('id')))
      .prepare(),
    movementsOf: drizzle
      .select()
      .from(movements)
      .where(eq(movements.ticket, placeholder('ticket')))
      .prepare(),
    codeHashesOf: drizzle
      .select({ codeHash: credentials.codeHash })
      .from(credentials)
      .where(eq(credentials.ticket, placeholder('ticket')))
      .prepare(),
    changedAfter: drizzle
      .select({
        id: tickets.id,
        entry: tickets.entry,
        tier: tickets.tier,
        status: tickets.status,
        revokedAt: tickets.revokedAt,
        claimedAt: tickets.claimedAt,
        validFrom: tickets.validFrom,
        validUntil: tickets.validUntil,
      })
      .from(tickets)
      .where(changedAfter)
      .orderBy(asc(tickets.entry), asc(tickets.id))
      .limit(PAGE)
      .prepare(),
    movedAndChangedAfter: drizzle
      .select({ id: tickets.id, entry: tickets.entry, ref: tickets.ref })
      .from(tickets)
      .where(and(changedAfter, exists(movementOfTicket)))
      .orderBy(asc(tickets.entry), asc(tickets.id))
      .limit(PAGE)
      .prepare(),
    movedAfter: drizzle
      .selectDistinct({ ticket: movements.ticket })
      .from(movements)
      .where(gt(movements.ticket, placeholder('after')))
      .orderBy(asc(movements.ticket))
      .limit(PAGE)
      .prepare(),
    removeMovement: drizzle
      .delete(movements)
      .where(
        and(
          eq(movements.ticket, placeholder('ticket')),
          eq(movements.slot, placeholder('slot')),
          eq(movements.surplus, placeholder('surplus')),
        ),
      )
      .prepare(),
    insertTicket: drizzle
      .insert(tickets)
      .values({
        ref: placeholder('ref'),
        sharedRef: placeholder('sharedRef'),
        capability: placeholder('capability'),
        code: placeholder('code'),
        tier: placeholder('tier'),
        seat: placeholder('seat'),
        holderName: placeholder('holderName'),
        email: placeholder('email'),
        validFrom: placeholder('validFrom'),
        validUntil: placeholder('validUntil'),
        status: placeholder('status'),
        statusDetail: placeholder('statusDetail'),
        seed: placeholder('seed'),
        publicKey: placeholder('publicKey'),
        entry: placeholder('entry'),
      })
      .prepare(),
    updateTicket: drizzle
      .update(tickets)
      .set({
        tier: sql`${placeholder('tier')}`,
        seat: sql`${placeholder('seat')}`,
        holderName: sql`${placeholder('holderName')}`,
        email: sql`${placeholder('email')}`,
        validFrom: sql`${placeholder('validFrom')}`,
        validUntil: sql`${placeholder('validUntil')}`,
        status: sql`${placeholder('status')}`,
        statusDetail: sql`${placeholder('statusDetail')}`,
        entry: sql`${placeholder('entry')}`,
      })
      .where(eq(tickets.id, placeholder('id')))
      .prepare(),
    insertCredential: drizzle
      .insert(credentials)
      .values({
        codeHash: placeholder('codeHash'),
        ticket: placeholder('ticket'),
        kind: placeholder('kind'),
      })
      .prepare(),
    insertMovement: drizzle
      .insert(movements)
      .values({
        ticket: placeholder('ticket'),
        slot: placeholder('slot'),
        surplus: placeholder('surplus'),
        direction: placeholder('direction'),
        checkpoint: placeholder('checkpoint'),
        from: placeholder('from'),
        to: placeholder('to'),
        occurrence: placeholder('occurrence'),
        at: placeholder('at'),
        hlc: placeholder('hlc'),
        scanId: placeholder('scanId'),
        provisional: placeholder('provisional'),
        entry: placeholder('entry'),
      })
      .prepare(),
  }
}
