/** Tickets and their credentials: the one file that reads and writes those tables. */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { and, asc, eq, exists, gt, inArray, max, sql } from 'drizzle-orm'
import type { Db } from '../db.ts'
import { credentials, type Movement, movements, type Ticket, tickets } from '../ledger/schema.ts'
import type { ShownCode } from './codes.ts'

/** What an import says of a ticket. */
export type TicketFields = Pick<
  Ticket,
  'tier' | 'seat' | 'holderName' | 'email' | 'validFrom' | 'validUntil' | 'status' | 'statusDetail'
>

/** A ticket before it has a row. */
export type NewTicket = TicketFields &
  Pick<Ticket, 'ref' | 'capability' | 'code' | 'seed' | 'publicKey'> & {
    /** Of the printed code, and of the public key. */
    codeHash: Buffer
    keyHash: Buffer
  }

/** Rows read at a time where all of them are: a scan waits no longer than one page. */
const PAGE = 500

/** A ticket as far as its passages go. */
export interface MovedTicket {
  tier: string
  /** Oldest first. */
  movements: Movement[]
  codeHashes: Buffer[]
}

export class Tickets {
  readonly #db: Db
  readonly #refKey: KeyObject
  readonly #statements: ReturnType<typeof prepare>

  /** @param refKey 32 bytes: what `ref` is keyed with */
  constructor(db: Db, refKey: Uint8Array) {
    this.#db = db
    this.#refKey = createSecretKey(refKey)
    this.#statements = prepare(db)
  }

  /**
   * How journal, feed and control room name the ticket of this capability: 128 bits as hex. Whoever sees a ref
   * cannot find the capability, and so cannot open the ticket.
   */
  refOf(capability: string): string {
    return createHmac('sha256', this.#refKey).update(capability).digest('hex').slice(0, 32)
  }

  /** A digest of what must not be guessed from it: names, codes. */
  digestOf(texts: Iterable<string>): string {
    const digest = createHmac('sha256', this.#refKey)
    for (const text of texts) digest.update(text)
    return digest.digest('hex')
  }

  /** The ticket that a shown code opens. */
  openedBy(code: ShownCode): Ticket | undefined {
    if (!code) return undefined
    const credential = this.#statements.byCodeHash.get({ codeHash: code.codeHash })
    // A public key is no secret. Its bytes typed in as if they were a printed code must open nothing.
    if (!credential || credential.kind !== (code.kind === 'static' ? 'static' : 'key')) return undefined
    return this.byId(credential.ticket)
  }

  byRef(ref: string): Ticket | undefined {
    return this.#statements.byRef.get({ ref })
  }

  byId(id: number): Ticket | undefined {
    return this.#statements.byId.get({ id })
  }

  /** Every passage of a ticket, oldest first. */
  movementsOf(ticket: number): Movement[] {
    return this.#statements.movementsOf.all({ ticket }).sort((a, b) => a.entry - b.entry)
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

  /**
   * Every code of the tickets changed at journal index `since` or later, in pages: what opens a gate, and what must not.
   * @param phoneOnly tiers whose printed codes open nothing
   */
  *codesSince(since: number, phoneOnly: ReadonlySet<string>): Generator<{ codeHash: Buffer; valid: boolean }[]> {
    for (let [entry, id] = [since, 0]; ; ) {
      const page = this.#statements.changedAfter.all({ entry, id })
      const last = page.at(-1)
      if (!last) return
      const changed = new Map(page.map((row) => [row.id, row]))
      yield this.#credentialsOf([...changed.keys()]).map(({ ticket, codeHash, kind }) => {
        const row = changed.get(ticket)
        const printedOnly = kind === 'static' && phoneOnly.has(row?.tier ?? '')
        return { codeHash, valid: row?.status === 'valid' && row.revokedAt === null && !printedOnly }
      })
      entry = last.entry
      id = last.id
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
      const passages = drizzle.select().from(movements).where(inArray(movements.ticket, ids)).orderBy(movements.entry)
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

  /** Within a transaction. */
  insert(ticket: NewTicket, entry: number): void {
    const { codeHash, keyHash, ...row } = ticket
    const { lastInsertRowid } = this.#statements.insertTicket.run({ ...row, entry })
    const id = Number(lastInsertRowid)
    this.#statements.insertCredential.run({ codeHash, ticket: id, kind: 'static' })
    this.#statements.insertCredential.run({ codeHash: keyHash, ticket: id, kind: 'key' })
  }

  /** Within a transaction. */
  update(id: number, fields: TicketFields, entry: number): void {
    const { tier, seat, holderName, email, validFrom, validUntil, status, statusDetail } = fields
    this.#db.drizzle
      .update(tickets)
      .set({ tier, seat, holderName, email, validFrom, validUntil, status, statusDetail, entry })
      .where(eq(tickets.id, id))
      .run()
  }

  /** Revokes at this box. Within a transaction. */
  revoke(id: number, at: number, reason: string, entry: number): void {
    this.#db.drizzle
      .update(tickets)
      .set({ revokedAt: at, revokedReason: reason, entry })
      .where(eq(tickets.id, id))
      .run()
  }
}

function prepare({ drizzle }: Db) {
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
    insertTicket: drizzle
      .insert(tickets)
      .values({
        ref: placeholder('ref'),
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
