/** Tickets, their credentials and their passages: the rows that a scan reads and writes. Reads of many are in `ticket-pages.ts`. */
import { createHmac, createSecretKey, type Hmac, type KeyObject } from 'node:crypto'
import { bareCode } from '@gatehouse/proto/payload.ts'
import { and, eq, max } from '../drizzle/core.ts'
import { GatehouseError } from '../errors.ts'
import { HmacKey } from '../hmac.ts'
import type { Db } from '../ledger/db.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type CredentialKind, credentials, type Movement, type Ticket, tickets } from '../ledger/schema.ts'
import { TicketAnswers } from './answers.ts'
import type { CodeReader, ShownCode } from './codes.ts'
import { type DetailFields, Details, NO_DETAILS } from './details.ts'
import { ManyPassages } from './many-passages.ts'
import { type SharedRefOf, sharedRefs } from './shared-ref.ts'
import { StagedImports } from './staging/staged.ts'
import { DETAIL_COLUMNS, prepareReads, prepareWrites, type SHOP_COLUMNS } from './statements.ts'
import { TicketPages } from './ticket-pages.ts'
import { TicketVersions } from './versions.ts'

/** The fields of a ticket that its shop decides. */
export type TicketFields = Pick<Ticket, (typeof SHOP_COLUMNS)[number]>

/** A key for a ticket's rotating code. */
export interface NewKey {
  /** Empty where only a phone has it. */
  seed: Buffer
  /** Ed25519, 32 bytes. */
  publicKey: Buffer
  /** Code hash of the public key. */
  keyHash: Buffer
}

/** A ticket before it has a row. */
export type NewTicket = Omit<TicketFields, keyof DetailFields> &
  Partial<DetailFields> &
  NewKey &
  Pick<Ticket, 'ref' | 'capability' | 'code'> & {
    /** Of the printed code. */
    codeHash: Buffer
  }

/** The dependencies of every operation on tickets. */
export interface TicketDeps {
  ledger: Ledger
  tickets: Tickets
  codes: CodeReader
  /** Unix ms. */
  now: () => number
}

/** Something that somebody does to a ticket. */
export interface TicketAction {
  reason: string
  /** Throws where the ticket is no longer what they have looked at. Called within the transaction. */
  expect?: (ticket: Ticket) => void
}

export function noSuchTicket(): GatehouseError {
  return new GatehouseError('not_found', 'There is no such ticket: check the link or the code, and try again.', {
    reason: 'ticket_unknown',
  })
}

export class Tickets {
  readonly #db: Db
  readonly #refKey: HmacKey
  /** The same key. */
  readonly #refSecret: KeyObject
  readonly #sharedRefOf: SharedRefOf
  readonly #versions: TicketVersions
  readonly #reads: ReturnType<typeof prepareReads>
  readonly #writes: ReturnType<typeof prepareWrites>
  readonly #passages: ManyPassages
  readonly pages: TicketPages
  /** Orders, products, and what the shop says of people. */
  readonly details: Details
  /** Answers that people gave at the gates. */
  readonly answers: TicketAnswers
  /** Imports whose rows are still moving in. */
  readonly staged: StagedImports

  /** @param refKey 32 bytes: the key of `refOf`, `capabilityOf` and `digestOf` */
  constructor(db: Db, refKey: Uint8Array) {
    this.#db = db
    this.#refKey = new HmacKey(refKey)
    this.#refSecret = createSecretKey(refKey)
    this.#sharedRefOf = sharedRefs(db)
    this.#versions = new TicketVersions(db)
    this.#reads = prepareReads(db)
    this.#writes = prepareWrites(db)
    this.#passages = new ManyPassages(db, (ticket) => this.#reads.movementsOf.all({ ticket }))
    this.pages = new TicketPages(db)
    this.details = new Details(db)
    this.answers = new TicketAnswers(db)
    this.staged = new StagedImports(db, (id, fields, entry) => this.update(id, fields, entry))
  }

  /**
   * The name of a ticket in journal, feed and control room: 128 bits as hex. Nobody can compute the capability from it, and
   * so nobody who sees a ref can open the ticket.
   */
  refOf(capability: string): string {
    return this.#refKey.digest(capability).toString('hex', 0, 16)
  }

  /**
   * The ticket id of a new ticket with this printed code: 128 bits, base64url, which nobody without the key can compute from
   * the code. Two boxes of one event that import the same file make the same tickets.
   */
  capabilityOf(code: string): string {
    return this.#refKey.digest(`capability\0${code}`).toString('base64url', 0, 16)
  }

  /** A keyed digest of what it is updated with: nobody can guess names or codes from it. */
  digest(): Hmac {
    return createHmac('sha256', this.#refSecret)
  }

  /** The same of texts one after the other, hex. */
  digestOf(texts: Iterable<string>): string {
    const digest = this.digest()
    for (const text of texts) digest.update(text)
    return digest.digest('hex')
  }

  /** The ref of a new ticket with this code at every box that has HQ's ticket key; null without one. */
  sharedRefOf(code: string): string | null {
    return this.#sharedRefOf(code)
  }

  /** The ticket that a shown code opens, or opened before another key replaced it. */
  openedBy(code: ShownCode): Ticket | undefined {
    if (!code) return undefined
    const credential = this.credential(code.codeHash)
    // A public key is no secret. Its bytes typed in as if they were a printed code must open nothing.
    if (!credential || isPrinted(credential.kind) !== (code.kind === 'static')) return undefined
    return this.byId(credential.ticket)
  }

  byRef(ref: string): Ticket | undefined {
    const known = this.#reads.byRef.get({ ref })
    if (!this.staged.visible()) return known
    // A new ticket's row has its ref as a name, and a change the number of its ticket.
    this.staged.settle(known ? { ticket: known.id } : { ref })
    this.staged.settle({ ref })
    return this.#reads.byRef.get({ ref })
  }

  /** The ticket with this ticket id. One that was issued again is found by its new id alone. */
  byTicketId(id: string): Ticket | undefined {
    const ticket = this.byRef(this.refOf(id))
    if (ticket) return ticket.deskLink === null ? ticket : undefined
    return this.#reads.byDeskLink.get({ deskLink: id })
  }

  /** The ticket with this ref, printed code or ticket id, whichever of them an organiser has typed. */
  lookUp(name: string, codes: CodeReader): Ticket | undefined {
    return (
      this.byRef(name) ??
      this.openedBy({ kind: 'static', codeHash: codes.hash(bareCode(name)) }) ??
      this.byTicketId(name)
    )
  }

  byId(id: number): Ticket | undefined {
    this.staged.settle({ ticket: id })
    return this.#reads.byId.get({ id })
  }

  /** Every passage of a ticket, oldest first: by the clock, which orders a journal and all boxes alike. */
  movementsOf(ticket: number): readonly Movement[] {
    return this.#passages.of(ticket)
  }

  /** Every code hash that opens a ticket. */
  codeHashesOf(ticket: number): Buffer[] {
    return this.#reads.codeHashesOf.all({ ticket }).map((row) => row.codeHash)
  }

  /** The highest id. Ids are never reused, so there are at most as many tickets. */
  count(): number {
    return (
      this.#db.drizzle
        .select({ last: max(tickets.id) })
        .from(tickets)
        .get()?.last ?? 0
    )
  }

  recordMovement(movement: Movement): void {
    this.#writes.insertMovement.run({ ...movement, provisional: movement.provisional ? 1 : 0 })
    this.#passages.add(movement)
  }

  /** Removes a passage that was undone. Within a transaction. */
  removeMovement({ ticket, slot, surplus }: Pick<Movement, 'ticket' | 'slot' | 'surplus'>): void {
    this.#writes.removeMovement.run({ ticket, slot, surplus })
    this.#passages.forget(ticket)
  }

  /**
   * Within a transaction.
   * @param options.credentials `false` if the caller inserts its codes
   * @returns its id
   */
  insert(ticket: NewTicket, entry: number, options = { credentials: true }): number {
    const { codeHash, keyHash, ...row } = ticket
    const { lastInsertRowid } = this.#writes.insertTicket.run({
      ...NO_DETAILS,
      ...row,
      sharedRef: this.#sharedRefOf(row.code),
      entry,
    })
    const id = Number(lastInsertRowid)
    if (!options.credentials) return id
    this.#writes.insertCredential.run({ codeHash, ticket: id, kind: 'static' })
    this.#writes.insertCredential.run({ codeHash: keyHash, ticket: id, kind: 'key' })
    return id
  }

  /** Within a transaction. */
  update(id: number, fields: TicketFields, entry: number): void {
    this.#versions.changedHere(id, 'shop', entry)
    const before = this.#reads.detailsOf.get({ id })
    if (before && DETAIL_COLUMNS.some((name) => before[name] !== fields[name])) {
      this.#versions.changedHere(id, 'details', entry)
    }
    this.#writes.updateTicket.run({ ...fields, id, entry })
  }

  /**
   * Replaces the ticket's key: codes of the old one open nothing from now on. Within a transaction.
   * @throws GatehouseError `conflict` when another ticket has this key
   */
  rekey(ticket: Ticket, key: NewKey, claimedAt: number | null, entry: number): void {
    const { drizzle } = this.#db
    const taken = this.credential(key.keyHash)
    if (taken && taken.ticket !== ticket.id) {
      throw new GatehouseError('conflict', 'Another ticket has this key: make a new key for each ticket.')
    }
    this.staged.settle({ ticket: ticket.id })
    const retired = and(eq(credentials.ticket, ticket.id), eq(credentials.kind, 'key'))
    drizzle.update(credentials).set({ kind: 'retired' }).where(retired).run()
    this.#setCredential({ codeHash: key.keyHash, ticket: ticket.id, kind: 'key' })
    const { seed, publicKey } = key
    this.#versions.changedHere(ticket.id, 'claim', entry)
    drizzle.update(tickets).set({ seed, publicKey, claimedAt, entry }).where(eq(tickets.id, ticket.id)).run()
  }

  /** The ticket that this code hash opens, or opened. */
  credential(codeHash: Buffer): { ticket: number; kind: CredentialKind } | undefined {
    const known = this.#reads.byCodeHash.get({ codeHash })
    if (known || !this.staged.visible()) return known
    this.staged.settle({ printed: codeHash })
    this.staged.settle({ key: codeHash })
    return this.#reads.byCodeHash.get({ codeHash })
  }

  /**
   * Replaces the ticket's printed code: the old one opens nothing from now on, and is still known as this ticket's.
   * Within a transaction; no other ticket may have the new code.
   */
  recode(
    ticket: Pick<Ticket, 'id' | 'code' | 'deskCode'>,
    code: { code: string; before: Buffer; codeHash: Buffer },
    entry: number,
  ): void {
    const { drizzle } = this.#db
    this.staged.settle({ ticket: ticket.id })
    drizzle.update(credentials).set({ kind: 'replaced' }).where(eq(credentials.codeHash, code.before)).run()
    // Once the desk has issued it again, the shop's codes open nothing any more.
    const kind = ticket.deskCode === null ? 'static' : 'replaced'
    this.#setCredential({ codeHash: code.codeHash, ticket: ticket.id, kind })
    const sharedRef = this.#sharedRefOf(code.code)
    this.#versions.changedHere(ticket.id, 'shop', entry)
    drizzle.update(tickets).set({ code: code.code, sharedRef, entry }).where(eq(tickets.id, ticket.id)).run()
  }

  /** Reverses this box's revocation. Within a transaction. */
  reinstate(id: number, entry: number): void {
    this.#setRevocation(id, { revokedAt: null, revokedReason: null, entry })
  }

  /** Revokes at this box. Within a transaction. */
  revoke(id: number, at: number, reason: string, entry: number): void {
    this.#setRevocation(id, { revokedAt: at, revokedReason: reason, entry })
  }

  #setRevocation(id: number, set: Pick<Ticket, 'revokedAt' | 'revokedReason' | 'entry'>): void {
    this.staged.settle({ ticket: id })
    this.#versions.changedHere(id, 'revoked', set.entry)
    this.#db.drizzle.update(tickets).set(set).where(eq(tickets.id, id)).run()
  }

  /** A credential of the same ticket may be there already, of another kind. */
  #setCredential(row: typeof credentials.$inferSelect): void {
    const { kind } = row
    const inserted = this.#db.drizzle.insert(credentials).values(row)
    inserted.onConflictDoUpdate({ target: credentials.codeHash, set: { kind } }).run()
  }
}

function isPrinted(kind: CredentialKind): boolean {
  return kind === 'static' || kind === 'replaced'
}
