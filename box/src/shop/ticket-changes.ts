/**
 * The changes of tickets in one transaction, and the journal entry that explains them: how many, a keyed digest of the changes,
 * and the digest of all tickets afterwards.
 */
import { writeValue } from '../ledger/identity.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Ticket } from '../ledger/schema.ts'
import type { CodeReader } from '../tickets/codes.ts'
import { NOBODY } from '../tickets/erasure.ts'
import { type NewProduct, Products } from '../tickets/products.ts'
import { currentSum, TICKET_SUM } from '../tickets/staging/publish.ts'
import { SHOP_COLUMNS } from '../tickets/statements.ts'
import type { TicketSum } from '../tickets/ticket-sum.ts'
import type { TicketFields, Tickets } from '../tickets/tickets.ts'
import type { KeyStock } from './key-stock.ts'
import type { MappedStatus } from './mapping.ts'
import type { ShopFields } from './row-reader.ts'

export interface TicketChangesDeps {
  ledger: Ledger
  tickets: Tickets
  codes: CodeReader
  keys: KeyStock
}

export class TicketChanges {
  readonly #deps: TicketChangesDeps
  /** Read when the first ticket changes: most changes of a shop concern none. */
  #sum: TicketSum | undefined
  readonly #contents: string[] = []
  /** As JSON, by key: of one that several rows describe, the last counts. */
  readonly #products = new Map<string, string>()
  /** Index of the entry that will explain the changes: nothing else is appended in between. */
  readonly #entry: number
  added = 0
  changed = 0

  /** To be made within the transaction. */
  constructor(deps: TicketChangesDeps) {
    this.#deps = deps
    this.#entry = deps.ledger.size
  }

  /** @returns its id */
  add(code: string, codeHash: Buffer, fields: ShopFields): number {
    const { tickets, keys } = this.#deps
    const capability = tickets.capabilityOf(code)
    const ticket = { ...fields, code, codeHash, capability, ref: tickets.refOf(capability), ...keys.take() }
    this.#sumNow().add(ticket)
    this.#contents.push(JSON.stringify([code, ticket.ref]))
    this.added++
    return tickets.insert(ticket, this.#entry)
  }

  /** @param code a new one, which no other ticket has */
  change(ticket: Ticket, said: ShopFields, code?: { code: string; codeHash: Buffer }): void {
    const { tickets, codes } = this.#deps
    const whole = { ...shopFieldsOf(ticket), ...said }
    // Once its holder was erased, the shop's names are no change.
    const fields = ticket.forgottenAt === null ? whole : { ...whole, ...NOBODY }
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

  sell({ key, product }: NewProduct): void {
    this.#products.set(key, product)
  }

  /** Makes the ticket, if there is one, admit nobody; everything else of it stays. */
  refuse(id: number | null, { status, detail }: MappedStatus): void {
    const ticket = id === null ? undefined : this.#deps.tickets.byId(id)
    if (!ticket) return
    this.change(ticket, { ...shopFieldsOf(ticket), status, statusDetail: detail })
  }

  /** Appends the entry, if any ticket or product was changed. @param position null for a load, whose rows have none */
  explain(source: string, position: string | null): void {
    const { ledger, tickets } = this.#deps
    const products = new Products(ledger.db)
    const sold = this.#products.size === 0 ? [] : products.changed(this.#products)
    if (!this.#sum && sold.length === 0) return
    this.#contents.push(...sold.map((product) => JSON.stringify(product)))
    const sum = this.#sumNow()
    const entry = ledger.append('shop', {
      source,
      position,
      added: this.added,
      changed: this.changed,
      digest: tickets.digestOf(this.#contents),
      tickets_digest: sum.digest(),
    })
    products.change(sold, entry)
    writeValue(ledger.db, TICKET_SUM, sum.bytes())
  }

  #sumNow(): TicketSum {
    this.#sum ??= currentSum(this.#deps)
    return this.#sum
  }
}

function shopFieldsOf(ticket: Ticket): TicketFields {
  return Object.fromEntries(SHOP_COLUMNS.map((name) => [name, ticket[name]])) as TicketFields
}
