/**
 * Which change of a ticket came last, where several boxes may change it: what the shop says of it, whether it is revoked, and
 * whose key opens it are three things, and each is as the last change left it, by clock and then box. (Shapiro, Preguiça,
 * Baquero, Zawirski, "Conflict-free Replicated Data Types", 2011: a last-writer-wins register each.)
 */
import { format, parse, tick } from '@gatehouse/proto/hlc.ts'
import type { Db } from '../db.ts'
import { and, eq, isNull, ne, sql } from '../drizzle/core.ts'
import { journal, tickets, ticketVersions } from '../ledger/schema.ts'

type Row = typeof ticketVersions.$inferSelect
export type TicketGroup = Exclude<Row['group'], 'codes'>

/** A change's place among all changes of the same. */
export interface Version {
  readonly hlc: string
  readonly box: string
}

/** Of what was never changed since the ticket came. */
export const NEVER: Version = { hlc: '', box: '' }

/** Negative, zero or positive, as `a` came before `b`, is `b`, or came after it. */
export function compareVersions(a: Version, b: Version): number {
  if (a.hlc !== b.hlc) return a.hlc < b.hlc ? -1 : 1
  return a.box < b.box ? -1 : a.box > b.box ? 1 : 0
}

export class TicketVersions {
  readonly #statements: ReturnType<typeof prepare>

  constructor(db: Pick<Db, 'drizzle'>) {
    this.#statements = prepare(db)
  }

  /**
   * This box is about to change a ticket. Whatever it knew of is before that, also a change by a box whose clock runs ahead.
   * Within a transaction.
   * @param entry that explains it; may be the one that is appended next
   */
  own(ticket: number, group: TicketGroup, entry: number): void {
    this.remember(ticket)
    const before = this.#statements.one.get({ ticket, group })
    // Changed twice by what one entry explains.
    if (before?.box === null && before.entry === entry) return
    this.#statements.put.run({ ticket, group, entry, box: null, hlc: before ? this.#placeOf(before) : null })
  }

  /**
   * A ticket that this box has made, and nobody has changed: its row names the entry that made it, and is about to name another.
   * Within a transaction.
   */
  remember(ticket: number): void {
    if (this.#statements.all.all({ ticket }).length > 0) return
    for (const row of this.#made(ticket)) this.#statements.put.run(row)
  }

  /** As this box has made it, where it has: nothing is written down of a ticket that nobody changes. */
  #made(ticket: number): Row[] {
    const made = this.#statements.madeBy.get({ ticket })
    if (!made || this.#statements.at.get(made)?.kind === 'heard') return []
    return (['shop', 'claim'] as const).map((group) => ({ ticket, group, ...made, box: null, hlc: null }))
  }

  /**
   * The ledger becomes another box's: what was its own until now is that of `box`. Within a transaction, while the journal that
   * explains it is there.
   */
  handOver(box: string): void {
    for (const row of this.#statements.ownRows.all()) this.#statements.put.run({ ...row, box, hlc: this.#placeOf(row) })
    for (const group of ['shop', 'claim']) this.#statements.madeBefore.run({ box, group })
  }

  /** This box knows codes of the ticket that another does not: they go with its row. Within a transaction. */
  knowsMore(ticket: number, entry: number): void {
    this.#statements.put.run({ ticket, group: 'codes', entry, box: null, hlc: null })
  }

  /** Another box's change stands here. Within a transaction. */
  heard(ticket: number, group: TicketGroup, { hlc, box }: Version, entry: number): void {
    this.#statements.put.run({ ticket, group, entry, box, hlc })
  }

  /** @param self the id of this box */
  of(ticket: number, self: string): Map<TicketGroup, Version> {
    const known = this.#statements.all.all({ ticket })
    const rows = known.length > 0 ? known : this.#made(ticket)
    const versions = new Map<TicketGroup, Version>()
    for (const row of rows) {
      if (row.group !== 'codes') versions.set(row.group, { hlc: this.#placeOf(row), box: row.box ?? self })
    }
    return versions
  }

  /** Whether any of it stands as this box has left it. */
  hasOwn(ticket: number): boolean {
    return this.#statements.all.all({ ticket }).some(({ box }) => box === null)
  }

  #placeOf({ hlc, box, entry }: Row): string {
    if (box !== null) return hlc ?? ''
    const at = this.#statements.at.get({ entry })?.hlc ?? ''
    const before = hlc === null ? undefined : parse(hlc)
    if (!before) return at
    const after = format(tick(before, 0))
    return at > after ? at : after
  }
}

function prepare({ drizzle }: Pick<Db, 'drizzle'>) {
  const { placeholder } = sql
  const ofTicket = eq(ticketVersions.ticket, placeholder('ticket'))
  return {
    all: drizzle.select().from(ticketVersions).where(ofTicket).prepare(),
    one: drizzle
      .select()
      .from(ticketVersions)
      .where(and(ofTicket, eq(ticketVersions.group, placeholder('group'))))
      .prepare(),
    put: drizzle
      .insert(ticketVersions)
      .values({
        ticket: placeholder('ticket'),
        group: placeholder('group'),
        hlc: placeholder('hlc'),
        box: placeholder('box'),
        entry: placeholder('entry'),
      })
      .onConflictDoUpdate({
        target: [ticketVersions.ticket, ticketVersions.group],
        set: { hlc: sql`excluded.hlc`, box: sql`excluded.box`, entry: sql`excluded.entry` },
      })
      .prepare(),
    madeBy: drizzle
      .select({ entry: tickets.entry })
      .from(tickets)
      .where(eq(tickets.id, placeholder('ticket')))
      .prepare(),
    ownRows: drizzle.select().from(ticketVersions).where(isNull(ticketVersions.box)).prepare(),
    madeBefore: drizzle
      .insert(ticketVersions)
      .select(
        drizzle
          .select({
            ticket: tickets.id,
            group: sql<TicketGroup>`${placeholder('group')}`.as('grp'),
            hlc: journal.hlc,
            box: sql<string>`${placeholder('box')}`.as('box'),
            entry: tickets.entry,
          })
          .from(tickets)
          .innerJoin(journal, eq(journal.index, tickets.entry))
          .where(ne(journal.kind, 'heard')),
      )
      .onConflictDoNothing()
      .prepare(),
    at: drizzle
      .select({ hlc: journal.hlc, kind: journal.kind })
      .from(journal)
      .where(eq(journal.index, placeholder('entry')))
      .prepare(),
  }
}
