/** Makes a staged import count: one short transaction with the journal's entry. From then on every reader sees all of it. */
import type { By } from '../../ca/actor.ts'
import { and, eq, gte, inArray, isNull } from '../../drizzle/core.ts'
import type { Db } from '../../ledger/db.ts'
import { readValue, writeValue } from '../../ledger/identity.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { journal, stagedImports, type Ticket, tickets as ticketTable } from '../../ledger/schema.ts'
import { CHANGE_MANY_TICKETS } from '../changed-by.ts'
import type { CodeReader } from '../codes.ts'
import { Products } from '../products.ts'
import { TicketSum } from '../ticket-sum.ts'
import type { Tickets } from '../tickets.ts'
import type { Staged } from './stage.ts'

/** Name of the sum over all tickets in the identity table. Every import and every change of the shop's updates it. */
export const TICKET_SUM = 'ticket_sum'

/** So many rows are moved in the same transaction: scans wait for them. */
const FEW = 100
/** Of more changed tickets than these it is not looked up whether the import has them: it is compared again. */
const MOST_CHANGED = 500

interface SumDeps {
  ledger: Ledger
  tickets: Tickets
  codes: CodeReader
}

/**
 * Within a transaction, for which every scan waits.
 * @returns false where tickets of the import were changed since it was compared, or its rows are gone: it is to be staged again
 */
export function publishImport(staged: Staged, by: By, deps: SumDeps): boolean {
  const { id, products } = staged
  if (id === undefined && products.length === 0) return true
  const { tickets } = deps
  if (id !== undefined && !isCurrent(id, staged.size, deps)) return false
  const entry = appendImport(staged, by, deps)
  new Products(deps.ledger.db).change(products, entry)
  if (id === undefined) return true
  const visible = { id, entry: entry.index, lastId: tickets.count(), done: null }
  const set = { entry: visible.entry, lastId: visible.lastId }
  deps.ledger.db.drizzle.update(stagedImports).set(set).where(eq(stagedImports.id, id)).run()
  if (staged.added + staged.changed <= FEW) tickets.staged.settleAll()
  else if (staged.lastNew !== undefined) tickets.staged.settleLast(visible, staged.lastNew)
  return true
}

function appendImport({ sum: own, added, changed, digest, format }: Staged, by: By, deps: SumDeps) {
  const sum = currentSum(deps)
  sum.merge(new TicketSum(Buffer.from(own)))
  const fields = { ...by, added, changed, digest, format, tickets_digest: sum.digest() }
  const entry = deps.ledger.append('import', fields)
  writeValue(deps.ledger.db, TICKET_SUM, sum.bytes())
  return entry
}

/** True if its rows are there, no other import is moving, and no ticket of it was changed since. */
function isCurrent(id: number, size: number, deps: SumDeps): boolean {
  const ofIt = and(eq(stagedImports.id, id), isNull(stagedImports.entry))
  const isThere = deps.ledger.db.drizzle.select().from(stagedImports).where(ofIt).get() !== undefined
  return isThere && !deps.tickets.staged.visible() && !isOutdated(id, size, deps)
}

/** True if the command line, the box, another box or the shop's feed has changed tickets of the import meanwhile. */
function isOutdated(id: number, size: number, { ledger, tickets, codes }: SumDeps): boolean {
  if (!changedManyTickets(ledger.db, size)) return false
  const changed = changedSince(ledger.db, size)
  return changed.length > MOST_CHANGED || changed.some(isOfImport)

  function isOfImport({ id: ticket, ref, code }: Ticket): boolean {
    return [{ ticket }, { ref }, { printed: codes.hash(code) }].some((name) => tickets.staged.has(id, name))
  }
}

/** Looks at the kinds alone: while people are scanned, an import takes as long as thousands of entries. */
function changedManyTickets({ drizzle }: Db, size: number): boolean {
  const entries = drizzle.select({ index: journal.index }).from(journal)
  const many = entries.where(and(gte(journal.index, size), inArray(journal.kind, [...CHANGE_MANY_TICKETS])))
  return many.limit(1).get() !== undefined
}

function changedSince({ drizzle }: Db, size: number): Ticket[] {
  const changed = drizzle.select().from(ticketTable).where(gte(ticketTable.entry, size))
  return changed.limit(MOST_CHANGED + 1).all()
}

/** The sum that the last import or the shop's feed has stored; computed from the rows where there was none. */
export function currentSum({ ledger, tickets, codes }: SumDeps): TicketSum {
  const stored = readValue(ledger.db, TICKET_SUM)
  if (stored) return new TicketSum(stored)
  const sum = new TicketSum()
  for (const page of tickets.pages.all())
    for (const ticket of page) sum.add({ ...ticket, codeHash: codes.hash(ticket.code) })
  return sum
}
