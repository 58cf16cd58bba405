/** Prepared statements on tickets, credentials and passages, for `tickets.ts`. */
import { type SQL, sql } from '../drizzle/core.ts'
import type { Db } from '../ledger/db.ts'
import { credentials, movements, tickets } from '../ledger/schema.ts'
import { allColumns, matching, placeholders } from '../ledger/statements.ts'

export function prepareReads({ drizzle }: Db) {
  const { product, orderCode, position, addonTo, price, attention, personal, extras } = tickets
  const details = { product, orderCode, position, addonTo, price, attention, personal, extras }
  return {
    // Not joined with its ticket: SQLite compiles a join again at each run (`fixedLimit`), and that takes longer than both reads.
    byCodeHash: drizzle
      .select({ kind: credentials.kind, ticket: credentials.ticket })
      .from(credentials)
      .where(matching(credentials, 'codeHash'))
      .prepare(),
    byRef: drizzle.select().from(tickets).where(matching(tickets, 'ref')).prepare(),
    byDeskLink: drizzle.select().from(tickets).where(matching(tickets, 'deskLink')).prepare(),
    byId: drizzle.select().from(tickets).where(matching(tickets, 'id')).prepare(),
    detailsOf: drizzle.select(details).from(tickets).where(matching(tickets, 'id')).prepare(),
    movementsOf: drizzle.select().from(movements).where(matching(movements, 'ticket')).prepare(),
    codeHashesOf: drizzle
      .select({ codeHash: credentials.codeHash })
      .from(credentials)
      .where(matching(credentials, 'ticket'))
      .prepare(),
  }
}

/** The columns of `details.ts`. */
export const DETAIL_COLUMNS = [
  'product',
  'orderCode',
  'position',
  'addonTo',
  'price',
  'attention',
  'personal',
  'extras',
] as const

/** The columns that a shop may change. */
export const SHOP_COLUMNS = [
  'tier',
  'seat',
  'holderName',
  'email',
  'validFrom',
  'validUntil',
  'status',
  'statusDetail',
  ...DETAIL_COLUMNS,
] as const

const NEW_TICKET = [...SHOP_COLUMNS, 'ref', 'sharedRef', 'capability', 'code', 'seed', 'publicKey', 'entry'] as const

export function prepareWrites({ drizzle }: Db) {
  return {
    insertTicket: drizzle.insert(tickets).values(placeholders(NEW_TICKET)).prepare(),
    updateTicket: drizzle
      .update(tickets)
      .set(Object.fromEntries([...SHOP_COLUMNS, 'entry'].map((name) => [name, shopValue(name)])))
      .where(matching(tickets, 'id'))
      .prepare(),
    insertCredential: drizzle
      .insert(credentials)
      .values(placeholders(['codeHash', 'ticket', 'kind']))
      .prepare(),
    insertMovement: drizzle.insert(movements).values(allColumns(movements)).prepare(),
    removeMovement: drizzle
      .delete(movements)
      .where(matching(movements, 'ticket', 'slot', 'surplus'))
      .prepare(),
  }
}

/** Columns that stay empty once the ticket's holder was erased, whoever writes them: an import may have been staged before. */
const NAMES: readonly string[] = ['holderName', 'email', 'personal'] satisfies (typeof SHOP_COLUMNS)[number][]

function shopValue(name: string): SQL {
  const value = sql.placeholder(name)
  return NAMES.includes(name) ? sql`CASE WHEN ${tickets.forgottenAt} IS NULL THEN ${value} END` : sql`${value}`
}

/** In a query of many: `holderOf` of `current.ts`. */
export const HOLDER = sql<string | null>`coalesce(json_extract(${tickets.deskHolder}, '$.text'), ${tickets.holderName})`
