/** Tickets and their credentials: the one file that reads and writes those tables. */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import type { Db } from '../db.ts'
import { and, asc, count, eq, gt, inArray, isNull, max } from '../drizzle/core.ts'
import { GatehouseError } from '../errors.ts'
import { type CredentialKind, credentials, type Movement, movements, type Ticket, tickets } from '../ledger/schema.ts'
import type { CodeReader, ShownCode } from './codes.ts'
import { type SharedRefOf, sharedRefs } from './shared-ref.ts'
import { PAGE, prepareTickets } from './statements.ts'
import { TicketVersions } from './versions.ts'

/** What an import says of a ticket. */
export type TicketFields = Pick<
  Ticket,
  'tier' | 'seat' | 'holderName' | 'email' | 'validFrom' | 'validUntil' | 'status' | 'statusDetail'
>

/** A key for a ticket's rotating code. `seed` is empty where only a phone has it. */
export interface NewKey {
  seed: Buffer
  /** Ed25519, 32 bytes. */
  publicKey: Buffer
  /** Code hash of the public key. */
  keyHash: Buffer
}

/** A ticket before it has a row. */
export type NewTicket = TicketFields &
  NewKey &
  Pick<Ticket, 'ref' | 'capability' | 'code'> & {
    /** Of the printed code. */
    codeHash: Buffer
  }

/** Whether a ticket's printed code lets anybody in. */
export type PrintedOpens = (ticket: { tier: string; claimedAt: number | null }) => boolean

/** What a scanner that is alone goes by. */
export type KindFields = Pick<Ticket, 'tier' | 'validFrom' | 'validUntil'>

/** A code that a ticket has or had. */
export interface TicketCode extends KindFields {
  codeHash: Buffer
  /** It opens a gate. */
  valid: boolean
}

/** A ticket as far as its passages go. */
export interface MovedTicket {
  tier: string
  /** Oldest first. */
  movements: Movement[]
  codeHashes: Buffer[]
}

export function noSuchTicket(): GatehouseError {
  return new GatehouseError('not_found', 'There is no such ticket: check the link or the code, and try again.')
}

export class Tickets {
  readonly #db: Db
  readonly #refKey: KeyObject
  readonly #sharedRefOf: SharedRefOf
  readonly #versions: TicketVersions
  readonly #statements: ReturnType<typeof prepareTickets>

  /** @param refKey 32 bytes: what `ref` is keyed with */
  constructor(db: Db, refKey: Uint8Array) {
    this.#db = db
    this.#refKey = createSecretKey(refKey)
    this.#sharedRefOf = sharedRefs(db)
    this.#versions = new TicketVersions(db)
    this.#statements = prepareTickets(db)
  }

  /**
   * How journal, feed and control room name the ticket of this capability: 128 bits as hex. Whoever sees a ref
   * cannot find the capability, and so cannot open the ticket.
   */
  refOf(capability: string): string {
    return createHmac('sha256', this.#refKey).update(capability).digest('hex').slice(0, 32)
  }

  /**
   * The ticket id of a new ticket with this printed code, base64url: 128 bits that owe the code nothing that anybody without
   * the box's key could tell. Two boxes of one event that import the same file make the same tickets.
   */
  capabilityOf(code: string): string {
    const digest = createHmac('sha256', this.#refKey).update('capability\0').update(code).digest()
    return digest.subarray(0, 16).toString('base64url')
  }

  /** A digest of what must not be guessed from it: names, codes. */
  digestOf(texts: Iterable<string>): string {
    const digest = createHmac('sha256', this.#refKey)
    for (const text of texts) digest.update(text)
    return digest.digest('hex')
  }

  /** The ticket that a shown code opens, or opened before another key took its place. */
  openedBy(code: ShownCode): Ticket | undefined {
    if (!code) return undefined
    const credential = this.#statements.byCodeHash.get({ codeHash: code.codeHash })
    // A public key is no secret. Its bytes typed in as if they were a printed code must open nothing.
    if (!credential || isPrinted(credential.kind) !== (code.kind === 'static')) return undefined
    return this.byId(credential.ticket)
  }

  byRef(ref: string): Ticket | undefined {
    return this.#statements.byRef.get({ ref })
  }

  /** The ticket that an organiser means: by its ref, its printed code, or its ticket id. */
  named(name: string, codes: CodeReader): Ticket | undefined {
    return (
      this.byRef(name) ?? this.openedBy({ kind: 'static', codeHash: codes.hash(name) }) ?? this.byRef(this.refOf(name))
    )
  }

  byId(id: number): Ticket | undefined {
    return this.#statements.byId.get({ id })
  }

  /** Every passage of a ticket, oldest first: by the clock, which is the order of a journal, and the one that boxes share. */
  movementsOf(ticket: number): Movement[] {
    // Two boxes may read the same: the order is then everywhere the same, and says nothing.
    const place = ({ hlc, scanId }: Movement) => `${hlc} ${scanId}`
    return this.#statements.movementsOf.all({ ticket }).sort((a, b) => (place(a) < place(b) ? -1 : 1))
  }

  /** Every code hash that opens a ticket. */
  codeHashesOf(ticket: number): Buffer[] {
    return this.#statements.codeHashesOf.all({ ticket }).map((row) => row.codeHash)
  }

  /** Ids go up and are never given again: no fewer than the tickets there are. */
  count(): number {
    return (
      this.#db.drizzle
        .select({ last: max(tickets.id) })
        .from(tickets)
        .get()?.last ?? 0
    )
  }

  countCodes(): number {
    return this.#db.drizzle.select({ codes: count() }).from(credentials).get()?.codes ?? 0
  }

  /**
   * Every code of the tickets changed at journal index `since` or later, in pages: what opens a gate, and what must not.
   * @param printedOpens whether the printed code of such a ticket lets anybody in
   */
  *codesSince(since: number, printedOpens: PrintedOpens): Generator<TicketCode[]> {
    for (let [entry, id] = [since, 0]; ; ) {
      const page = this.#statements.changedAfter.all({ entry, id })
      const last = page.at(-1)
      if (!last) return
      const changed = new Map(page.map((row) => [row.id, row]))
      yield this.#credentialsOf([...changed.keys()]).flatMap((credential) => {
        const row = changed.get(credential.ticket)
        return row ? [codeOf(credential, row, printedOpens)] : []
      })
      entry = last.entry
      id = last.id
    }
  }

  /** Every code that a ticket has or had, and whether it opens a gate. */
  codesOf(ticket: Ticket, printedOpens: PrintedOpens): TicketCode[] {
    return this.#credentialsOf([ticket.id]).map((credential) => codeOf(credential, ticket, printedOpens))
  }

  /** The id, as the attendee tier knows it, of the first valid ticket of a tier. */
  anyOfTier(tier: string): string | undefined {
    const valid = and(eq(tickets.tier, tier), eq(tickets.status, 'valid'), isNull(tickets.revokedAt))
    return this.#db.drizzle.select({ id: tickets.capability }).from(tickets).where(valid).orderBy(tickets.id).get()?.id
  }

  /** Every ticket, in pages. */
  *all(): Generator<Ticket[]> {
    for (let after = 0; ; ) {
      const page = this.#db.drizzle
        .select()
        .from(tickets)
        .where(gt(tickets.id, after))
        .orderBy(asc(tickets.id))
        .limit(PAGE)
        .all()
      const last = page.at(-1)
      if (!last) return
      yield page
      after = last.id
    }
  }

  /** Tickets that have passed a checkpoint, with their passages and codes, in pages. */
  *moved(): Generator<MovedTicket[]> {
    const { drizzle } = this.#db
    for (let after = 0; ; ) {
      const ids = this.#statements.movedAfter.all({ after }).map((row) => row.ticket)
      const last = ids.at(-1)
      if (last === undefined) return
      const tiers = drizzle.select({ id: tickets.id, tier: tickets.tier }).from(tickets).where(inArray(tickets.id, ids))
      const page = new Map<number, MovedTicket>(
        tiers.all().map(({ id, tier }) => [id, { tier, movements: [], codeHashes: [] }]),
      )
      const passages = drizzle.select().from(movements).where(inArray(movements.ticket, ids)).orderBy(movements.hlc)
      for (const movement of passages.all()) page.get(movement.ticket)?.movements.push(movement)
      for (const { ticket, codeHash } of this.#credentialsOf(ids)) page.get(ticket)?.codeHashes.push(codeHash)
      yield [...page.values()]
      after = last
    }
  }

  /** Refs of tickets that have passed a checkpoint and were changed at journal index `since` or later, in pages. */
  *movedAndChanged(since: number): Generator<string[]> {
    for (let [entry, id] = [since, 0]; ; ) {
      const page = this.#statements.movedAndChangedAfter.all({ entry, id })
      const last = page.at(-1)
      if (!last) return
      yield page.map((row) => row.ref)
      entry = last.entry
      id = last.id
    }
  }

  #credentialsOf(ids: readonly number[]) {
    return this.#db.drizzle
      .select({ ticket: credentials.ticket, codeHash: credentials.codeHash, kind: credentials.kind })
      .from(credentials)
      .where(inArray(credentials.ticket, [...ids]))
      .all()
  }

  recordMovement(movement: Movement): void {
    this.#statements.insertMovement.run({ ...movement, provisional: movement.provisional ? 1 : 0 })
  }

  /** Takes a passage back. Within a transaction. */
  removeMovement({ ticket, slot, surplus }: Pick<Movement, 'ticket' | 'slot' | 'surplus'>): void {
    this.#statements.removeMovement.run({ ticket, slot, surplus })
  }

  /**
   * Within a transaction.
   * @param options.credentials `false` to leave its codes to the caller
   * @returns its id
   */
  insert(ticket: NewTicket, entry: number, options = { credentials: true }): number {
    const { codeHash, keyHash, ...row } = ticket
    const { lastInsertRowid } = this.#statements.insertTicket.run({
      ...row,
      sharedRef: this.#sharedRefOf(row.code),
      entry,
    })
    const id = Number(lastInsertRowid)
    if (!options.credentials) return id
    this.#statements.insertCredential.run({ codeHash, ticket: id, kind: 'static' })
    this.#statements.insertCredential.run({ codeHash: keyHash, ticket: id, kind: 'key' })
    return id
  }

  /** Within a transaction. */
  update(id: number, fields: TicketFields, entry: number): void {
    const { tier, seat, holderName, email, validFrom, validUntil, status, statusDetail } = fields
    const row = { tier, seat, holderName, email, validFrom, validUntil, status, statusDetail, entry }
    this.#versions.own(id, 'shop', entry)
    this.#statements.updateTicket.run({ id, ...row })
  }

  /**
   * Gives the ticket another key: the codes of the one before open nothing from now on. Within a transaction.
   * @param key its hash, and the seed where the box made it
   * @throws GatehouseError `conflict` when another ticket has this key
   */
  rekey(ticket: Ticket, key: NewKey, claimedAt: number | null, entry: number): void {
    const { drizzle } = this.#db
    const taken = this.#statements.byCodeHash.get({ codeHash: key.keyHash })
    if (taken && taken.ticket !== ticket.id) {
      throw new GatehouseError('conflict', 'Another ticket has this key: make a new key for each ticket.')
    }
    const retired = and(eq(credentials.ticket, ticket.id), eq(credentials.kind, 'key'))
    drizzle.update(credentials).set({ kind: 'retired' }).where(retired).run()
    drizzle
      .insert(credentials)
      .values({ codeHash: key.keyHash, ticket: ticket.id, kind: 'key' })
      .onConflictDoUpdate({ target: credentials.codeHash, set: { kind: 'key' } })
      .run()
    const { seed, publicKey } = key
    this.#versions.own(ticket.id, 'claim', entry)
    drizzle.update(tickets).set({ seed, publicKey, claimedAt, entry }).where(eq(tickets.id, ticket.id)).run()
  }

  /** What this code hash opens, or opened. */
  credential(codeHash: Buffer): { ticket: number; kind: CredentialKind } | undefined {
    return this.#statements.byCodeHash.get({ codeHash })
  }

  /**
   * Gives the ticket another printed code: the one before opens nothing from now on, and is still known as this ticket's.
   * Within a transaction; nothing else may have the code.
   */
  recode(
    ticket: Pick<Ticket, 'id' | 'code'>,
    code: { code: string; before: Buffer; codeHash: Buffer },
    entry: number,
  ): void {
    const { drizzle } = this.#db
    drizzle.update(credentials).set({ kind: 'replaced' }).where(eq(credentials.codeHash, code.before)).run()
    drizzle
      .insert(credentials)
      .values({ codeHash: code.codeHash, ticket: ticket.id, kind: 'static' })
      .onConflictDoUpdate({ target: credentials.codeHash, set: { kind: 'static' } })
      .run()
    const sharedRef = this.#sharedRefOf(code.code)
    this.#versions.own(ticket.id, 'shop', entry)
    drizzle.update(tickets).set({ code: code.code, sharedRef, entry }).where(eq(tickets.id, ticket.id)).run()
  }

  /** Takes the box's own revocation back. Within a transaction. */
  reinstate(id: number, entry: number): void {
    this.#versions.own(id, 'revoked', entry)
    this.#db.drizzle
      .update(tickets)
      .set({ revokedAt: null, revokedReason: null, entry })
      .where(eq(tickets.id, id))
      .run()
  }

  /** Revokes at this box. Within a transaction. */
  revoke(id: number, at: number, reason: string, entry: number): void {
    this.#versions.own(id, 'revoked', entry)
    this.#db.drizzle
      .update(tickets)
      .set({ revokedAt: at, revokedReason: reason, entry })
      .where(eq(tickets.id, id))
      .run()
  }
}

function codeOf(
  { codeHash, kind }: { codeHash: Buffer; kind: CredentialKind },
  ticket: KindFields & Pick<Ticket, 'status' | 'revokedAt' | 'claimedAt'>,
  printedOpens: PrintedOpens,
): TicketCode {
  const { tier, validFrom, validUntil } = ticket
  const good = ticket.status === 'valid' && ticket.revokedAt === null
  return {
    codeHash,
    tier,
    validFrom,
    validUntil,
    valid: good && (kind === 'static' ? printedOpens(ticket) : kind === 'key'),
  }
}

function isPrinted(kind: CredentialKind): boolean {
  return kind === 'static' || kind === 'replaced'
}
