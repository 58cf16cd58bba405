/** Reads of many tickets, in pages, so that a scan waits no longer than one page takes. */
import { and, asc, count, eq, exists, gt, gte, inArray, isNull, lte, sql } from '../drizzle/core.ts'
import type { Db } from '../ledger/db.ts'
import { type CredentialKind, credentials, type Movement, movements, type Ticket, tickets } from '../ledger/schema.ts'

/** Rows of a page. */
const PAGE = 500

/** True if a ticket's printed code is accepted. */
export type PrintedOpens = (ticket: { tier: string; claimedAt: number | null }) => boolean

/** The part of a ticket by which an offline scanner decides, beside its code. */
export type KindFields = Pick<Ticket, 'tier' | 'validFrom' | 'validUntil'>

/** A code that a ticket has or had. */
export interface TicketCode extends KindFields {
  codeHash: Buffer
  /** It opens a gate. */
  valid: boolean
}

/** A ticket with what decides how often it may still enter. */
export interface MovedTicket {
  tier: string
  /** Oldest first. */
  movements: Movement[]
  codeHashes: Buffer[]
}

interface Credential {
  ticket: number
  codeHash: Buffer
  kind: CredentialKind
}

export class TicketPages {
  readonly #db: Pick<Db, 'drizzle'>
  readonly #statements: ReturnType<typeof prepare>

  constructor(db: Pick<Db, 'drizzle'>) {
    this.#db = db
    this.#statements = prepare(db)
  }

  countCodes(): number {
    return this.#db.drizzle.select({ codes: count() }).from(credentials).get()?.codes ?? 0
  }

  /** The ticket id of the first valid ticket of a tier. */
  anyOfTier(tier: string): string | undefined {
    const valid = and(eq(tickets.tier, tier), eq(tickets.status, 'valid'), isNull(tickets.revokedAt))
    const id = sql<string>`coalesce(${tickets.deskLink}, ${tickets.capability})`
    return this.#db.drizzle.select({ id }).from(tickets).where(valid).orderBy(tickets.id).get()?.id
  }

  /** Every ticket. */
  *all(): Generator<Ticket[]> {
    for (let after = 0; ; ) {
      const page = this.#statements.allAfter.all({ after })
      const last = page.at(-1)
      if (!last) return
      yield page
      after = last.id
    }
  }

  /**
   * Every code of the tickets changed at journal index `since` or later: those that open a gate, and those that must not.
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

  /** The number of tickets that were changed at journal index `since` or later, at most `most`. */
  countSince(since: number, most: number): number {
    return this.#statements.countSince.get({ entry: since, most })?.tickets ?? 0
  }

  /** Every code that one ticket has or had. */
  codesOf(ticket: Ticket, printedOpens: PrintedOpens): TicketCode[] {
    return this.#credentialsOf([ticket.id]).map((credential) => codeOf(credential, ticket, printedOpens))
  }

  /** Tickets that have passed a checkpoint, with their passages and codes. */
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

  /** Refs of tickets that have passed a checkpoint and were changed at journal index `since` or later. */
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

  #credentialsOf(ids: readonly number[]): Credential[] {
    const [first = 0, last = 0] = [ids[0], ids.at(-1)]
    // As one import has made them.
    if (ids.every((id, i) => id === first + i)) return this.#statements.credentialsFrom.all({ first, last })
    return this.#db.drizzle
      .select({ ticket: credentials.ticket, codeHash: credentials.codeHash, kind: credentials.kind })
      .from(credentials)
      .where(inArray(credentials.ticket, [...ids]))
      .all()
  }
}

function codeOf(
  { codeHash, kind }: Credential,
  ticket: KindFields & Pick<Ticket, 'status' | 'revokedAt' | 'claimedAt'>,
  printedOpens: PrintedOpens,
): TicketCode {
  const { tier, validFrom, validUntil } = ticket
  const isValid = ticket.status === 'valid' && ticket.revokedAt === null
  const opens = kind === 'static' ? printedOpens(ticket) : kind === 'key'
  return { codeHash, tier, validFrom, validUntil, valid: isValid && opens }
}

function prepare({ drizzle }: Pick<Db, 'drizzle'>) {
  const { placeholder } = sql
  const changedAfter = sql`(${tickets.entry}, ${tickets.id}) > (${placeholder('entry')}, ${placeholder('id')})`
  const movementOfTicket = drizzle.select({ one: sql`1` }).from(movements).where(eq(movements.ticket, tickets.id))
  return {
    allAfter: drizzle
      .select()
      .from(tickets)
      .where(gt(tickets.id, placeholder('after')))
      .orderBy(asc(tickets.id))
      .limit(PAGE)
      .prepare(),
    changedAfter: drizzle
      .select({
        id: tickets.id,
        entry: tickets.entry,
        tier: tickets.tier,
        status: tickets.status,
        revokedAt: tickets.revokedAt,
        claimedAt: tickets.claimedAt,
        validFrom: tickets.validFrom,
        validUntil: tickets.validUntil,
      })
      .from(tickets)
      .where(changedAfter)
      .orderBy(asc(tickets.entry), asc(tickets.id))
      .limit(PAGE)
      .prepare(),
    countSince: drizzle
      .select({ tickets: count() })
      .from(
        drizzle
          .select({ id: tickets.id })
          .from(tickets)
          .where(gte(tickets.entry, placeholder('entry')))
          .limit(placeholder('most'))
          .as('changed'),
      )
      .prepare(),
    movedAndChangedAfter: drizzle
      .select({ id: tickets.id, entry: tickets.entry, ref: tickets.ref })
      .from(tickets)
      .where(and(changedAfter, exists(movementOfTicket)))
      .orderBy(asc(tickets.entry), asc(tickets.id))
      .limit(PAGE)
      .prepare(),
    credentialsFrom: drizzle
      .select({ ticket: credentials.ticket, codeHash: credentials.codeHash, kind: credentials.kind })
      .from(credentials)
      .where(and(gte(credentials.ticket, placeholder('first')), lte(credentials.ticket, placeholder('last'))))
      .prepare(),
    movedAfter: drizzle
      .selectDistinct({ ticket: movements.ticket })
      .from(movements)
      .where(gt(movements.ticket, placeholder('after')))
      .orderBy(asc(movements.ticket))
      .limit(PAGE)
      .prepare(),
  }
}
