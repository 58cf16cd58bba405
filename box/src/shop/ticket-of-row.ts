/** Makes the ticket of a shop's row what the row says, whichever shop it is of. */
import type { Ticket } from '../ledger/schema.ts'
import type { CodeReader } from '../tickets/codes.ts'
import type { Tickets } from '../tickets/tickets.ts'
import type { Problem, ShopFields } from './row-reader.ts'
import type { NewRow, RowStore } from './rows.ts'
import type { TicketChanges } from './ticket-changes.ts'

export interface SaidTicket {
  code: string
  fields: ShopFields
}

export interface FollowDeps {
  tickets: Tickets
  codes: CodeReader
  rows: RowStore
  changes: TicketChanges
  /** The ticket of a row that has none yet, and whose code is not known: it gets the row's code. */
  otherwise?: (said: SaidTicket) => Ticket | undefined
}

/**
 * Within a transaction. Notes in the row which ticket it has.
 * @returns why it could not be done
 */
export function followTicket(row: NewRow, said: SaidTicket, deps: FollowDeps): Problem | undefined {
  const { tickets, codes, rows, changes, otherwise } = deps
  const { code, fields } = said
  const codeHash = codes.hash(code)
  const taken = tickets.credential(codeHash)
  const known = row.ticket === null ? undefined : tickets.byId(row.ticket)
  const own = known ?? (taken ? undefined : otherwise?.(said))
  if (own) {
    if (taken && (taken.ticket !== own.id || !isPrintedKind(taken.kind))) {
      if (fields.status !== 'valid') {
        changes.refuse(row.ticket, { status: fields.status, detail: fields.statusDetail })
      }
      return duplicate(taken.kind)
    }
    row.ticket = own.id
    changes.change(own, fields, code === own.code ? undefined : { code, codeHash })
    return undefined
  }
  if (taken) {
    if (taken.kind !== 'static') return duplicate(taken.kind)
    const other = rows.ofTicket(taken.ticket)
    // The ticket is of another import, or of a row that is gone: a table that was truncated and filled again has the same tickets.
    if (other && other.gone === 0) return duplicate(taken.kind)
    if (other) rows.save({ ...other, ticket: null })
    row.ticket = taken.ticket
    const ticket = tickets.byId(taken.ticket)
    if (ticket) changes.change(ticket, fields)
    return undefined
  }
  row.ticket = changes.add(code, codeHash, fields)
  return undefined
}

function duplicate(kind: string): Problem {
  return {
    kind: 'duplicate',
    reason:
      kind === 'static'
        ? 'another ticket has the same code: correct one of the two in the shop.'
        : "its code was another ticket's before: give it one that was never used.",
  }
}

function isPrintedKind(kind: string): boolean {
  return kind === 'static' || kind === 'replaced'
}
