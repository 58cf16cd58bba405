/** Prepared statements that move the rows of an import, for `staged.ts`. */
import { and, count, eq, getTableColumns, gte, isNotNull, lt, lte, max, type SQL, sql } from '../../drizzle/core.ts'
import type { Db } from '../../ledger/db.ts'
import { credentials, stagedTickets, tickets } from '../../ledger/schema.ts'
import { allColumns, matching } from '../../ledger/statements.ts'

export function prepareMoves({ drizzle }: Pick<Db, 'drizzle'>) {
  const isNew = isNotNull(stagedTickets.ref)
  const newRows = drizzle
    .select({ key: stagedTickets.key })
    .from(stagedTickets)
    .where(and(gte(stagedTickets.key, sql.placeholder('from')), lt(stagedTickets.key, sql.placeholder('end')), isNew))
    .orderBy(stagedTickets.key)
    .limit(sql.placeholder('most'))
    .as('new_rows')
  return {
    row: drizzle.select().from(stagedTickets).where(matching(stagedTickets, 'key')).prepare(),
    ticketOf: drizzle
      .select({ id: tickets.id })
      .from(tickets)
      .where(eq(tickets.id, sql.placeholder('ticket')))
      .prepare(),
    codesOf: drizzle
      .select({ kind: credentials.kind })
      .from(credentials)
      .where(matching(credentials, 'ticket'))
      .prepare(),
    insertTicket: drizzle
      .insert(tickets)
      .select(
        drizzle
          .select(ticketColumns(sql`${sql.placeholder('ticket')}`))
          .from(stagedTickets)
          .where(matching(stagedTickets, 'key')),
      )
      .onConflictDoNothing()
      .prepare(),
    /** The last of the next new tickets, and how many these are. */
    newRows: drizzle
      .select({ last: max(newRows.key).mapWith(Number), count: count() })
      .from(newRows)
      .prepare(),
    insertTickets: drizzle
      .insert(tickets)
      .select(
        drizzle
          .select(ticketColumns(sql`${sql.placeholder('before')} + row_number() OVER (ORDER BY ${stagedTickets.key})`))
          .from(stagedTickets)
          .where(
            and(
              gte(stagedTickets.key, sql.placeholder('from')),
              lte(stagedTickets.key, sql.placeholder('last')),
              isNew,
            ),
          ),
      )
      .onConflictDoNothing()
      .prepare(),
    insertCode: drizzle.insert(credentials).values(allColumns(credentials)).onConflictDoNothing().prepare(),
  }
}

/** Every column of `tickets`: from the staged row, where that has it. @param id of the ticket */
function ticketColumns(id: SQL) {
  const staged: Record<string, unknown> = getTableColumns(stagedTickets)
  const others: Record<string, unknown> = {
    id: id.as('id'),
    entry: sql`${sql.placeholder('entry')}`.as('entry'),
  }
  const names = Object.keys(getTableColumns(tickets)) as (keyof typeof tickets.$inferSelect)[]
  const columns = names.map((name) => [name, others[name] ?? staged[name] ?? sql`NULL`.as(name)])
  return Object.fromEntries(columns) as ReturnType<typeof getTableColumns<typeof tickets>>
}
