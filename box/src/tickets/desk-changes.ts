/** Writes what the desk changes of a ticket. The shop's fields stay as they are, so that no import undoes it. */
import { and, eq } from '../drizzle/core.ts'
import type { Db } from '../ledger/db.ts'
import { credentials, type SaltedText, type Ticket, tickets } from '../ledger/schema.ts'
import type { NewKey, Tickets } from './tickets.ts'
import { TicketVersions } from './versions.ts'

/** A code, a link and a key in place of those that the ticket had. */
export interface Reissue extends NewKey {
  deskCode: string
  /** Of the printed code. */
  codeHash: Buffer
  /** 128 random bits, base64url. */
  deskLink: string
}

export class DeskChanges {
  readonly #db: Db
  readonly #tickets: Tickets
  readonly #versions: TicketVersions

  constructor(db: Db, tickets: Tickets) {
    this.#db = db
    this.#tickets = tickets
    this.#versions = new TicketVersions(db)
  }

  /** Every code and link that the ticket had opens nothing from now on. Within a transaction. */
  reissue({ id }: Pick<Ticket, 'id'>, issue: Reissue, entry: number): void {
    const { drizzle } = this.#db
    const { deskCode, deskLink, codeHash, keyHash, seed, publicKey } = issue
    this.#tickets.staged.settle({ ticket: id })
    for (const [kind, former] of [
      ['static', 'replaced'],
      ['key', 'retired'],
    ] as const) {
      const ofTicket = and(eq(credentials.ticket, id), eq(credentials.kind, kind))
      drizzle.update(credentials).set({ kind: former }).where(ofTicket).run()
    }
    drizzle.insert(credentials).values({ codeHash, ticket: id, kind: 'static' }).run()
    drizzle.insert(credentials).values({ codeHash: keyHash, ticket: id, kind: 'key' }).run()
    // Both with this entry: whoever has replicated the one has the other.
    this.#versions.changedHere(id, 'reissue', entry)
    this.#versions.changedHere(id, 'claim', entry)
    const set = { deskCode, deskLink, seed, publicKey, claimedAt: null, entry }
    drizzle.update(tickets).set(set).where(eq(tickets.id, id)).run()
  }

  /** Within a transaction. @param text null to go by the shop's name again, or to have no note */
  write({ id }: Pick<Ticket, 'id'>, what: 'holder' | 'note', text: SaltedText | null, entry: number): void {
    this.#tickets.staged.settle({ ticket: id })
    this.#versions.changedHere(id, what, entry)
    const set = what === 'holder' ? { deskHolder: text, entry } : { deskNote: text, entry }
    this.#db.drizzle.update(tickets).set(set).where(eq(tickets.id, id)).run()
  }
}
