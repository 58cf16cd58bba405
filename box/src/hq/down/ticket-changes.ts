/**
 * What one transaction makes of the tickets, and the journal entry that explains it: how many, a keyed digest of what was
 * done, and the digest of all tickets as they are then.
 */
import { writeValue } from '../../ledger/identity.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Ticket } from '../../ledger/schema.ts'
import type { CodeReader } from '../../tickets/codes.ts'
import { sumBefore, TICKET_SUM } from '../../tickets/import-tickets.ts'
import type { TicketSum } from '../../tickets/ticket-sum.ts'
import type { TicketFields, Tickets } from '../../tickets/tickets.ts'
import type { KeyStock } from './key-stock.ts'
import type { ShopStatus } from './mapping.ts'

export interface TicketChangesDeps {
  ledger: Ledger
  tickets: Tickets
  codes: CodeReader
  keys: KeyStock
}

export class TicketChanges {
  readonly #deps: TicketChangesDeps
  /** Read when the first ticket changes: most of what a shop writes is about none. */
  #sum: TicketSum | undefined
  readonly #contents: string[] = []
  /** The entry that will explain all this: nothing else is appended in between. */
  readonly #entry: number
  added = 0
  changed = 0

  /** Within the transaction. */
  constructor(deps: TicketChangesDeps) {
    this.#deps = deps
    this.#entry = deps.ledger.size
  }

  /** @returns its id */
  add(code: string, codeHash: Buffer, fields: TicketFields): number {
    const { tickets, keys } = this.#deps
    const capability = tickets.capabilityOf(code)
    const ticket = { ...fields, code, codeHash, capability, ref: tickets.refOf(capability), ...keys.take() }
    this.#sumNow().add(ticket)
    this.#contents.push(JSON.stringify([code, ticket.ref]))
    this.added++
    return tickets.insert(ticket, this.#entry)
  }

  /** @param code another one than before, which nothing else has */
  change(ticket: Ticket, fields: TicketFields, code?: { code: string; codeHash: Buffer }): void {
    const { tickets, codes } = this.#deps
    const same = (Object.keys(fields) as (keyof TicketFields)[]).every((name) => ticket[name] === fields[name])
    if (same && !code) return
    const before = codes.hash(ticket.code)
    const sum = this.#sumNow()
    sum.remove({ ...ticket, codeHash: before })
    sum.add({ ...ticket, ...fields, codeHash: code?.codeHash ?? before })
    this.#contents.push(JSON.stringify({ id: ticket.id, fields, code: code?.code ?? null }))
    this.changed++
    tickets.update(ticket.id, fields, this.#entry)
    if (code) tickets.recode(ticket, { ...code, before }, this.#entry)
  }

  /** The ticket, if there is one, lets nobody in any more; everything else of it stays. */
  refuse(id: number | null, { status, detail }: ShopStatus): void {
    const ticket = id === null ? undefined : this.#deps.tickets.byId(id)
    if (!ticket) return
    const { tier, seat, holderName, email, validFrom, validUntil } = ticket
    this.change(ticket, { tier, seat, holderName, email, validFrom, validUntil, status, statusDetail: detail })
  }

  /** Appends the entry, where any ticket was changed. @param position null where the changes have none */
  explain(source: string, position: string | null): void {
    if (!this.#sum) return
    const { ledger, tickets } = this.#deps
    ledger.append('shop', {
      ...{ source, position, added: this.added, changed: this.changed },
      digest: tickets.digestOf(this.#contents),
      tickets_digest: this.#sum.digest(),
    })
    writeValue(ledger.db, TICKET_SUM, this.#sum.bytes())
  }

  #sumNow(): TicketSum {
    this.#sum ??= sumBefore(this.#deps)
    return this.#sum
  }
}
