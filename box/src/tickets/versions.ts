/**
 * The versions of a ticket that several boxes may change. A ticket has three groups of fields: what the shop says, whether it is
 * revoked, and whose key opens it. Each group is a last-writer-wins register, ordered by clock and then by box (Shapiro,
 * Preguiça, Baquero, Zawirski, "Conflict-free Replicated Data Types", 2011).
 */
import { format, parse, tick } from '@gatehouse/proto/hlc.ts'
import { and, eq, gte, isNotNull, isNull, ne, or, sql } from '../drizzle/core.ts'
import type { Db } from '../ledger/db.ts'
import { journal, tickets, ticketVersions } from '../ledger/schema.ts'
import { allColumns, excluded, matching } from '../ledger/statements.ts'
import { DETAIL_COLUMNS } from './statements.ts'

type Row = typeof ticketVersions.$inferSelect
export type TicketGroup = Exclude<Row['group'], 'codes'>

/** The place of a change among all changes of its group. */
export interface Version {
  readonly hlc: string
  readonly box: string
}

/** The version of a group that nobody has changed since the ticket was made. */
export const NEVER_CHANGED: Version = { hlc: '', box: '' }

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
   * This box is about to change a group. The new version is later than every one that this box knew, even than one by a box whose
   * clock runs ahead. Within a transaction.
   * @param entry the entry that explains the change; may be the one that is appended next
   */
  changedHere(ticket: number, group: TicketGroup, entry: number): void {
    this.remember(ticket)
    const before = this.#statements.one.get({ ticket, group })
    // One entry explains both changes.
    if (before?.box === null && before.entry === entry) return
    this.#statements.put.run({ ticket, group, entry, box: null, hlc: before ? this.#placeOf(before) : null })
  }

  /**
   * Keeps the version by which this box made a ticket that nobody has changed yet. It is called before the ticket's row, which
   * names the entry that made it, is to name another. Within a transaction.
   */
  remember(ticket: number): void {
    if (this.#statements.all.all({ ticket }).length > 0) return
    for (const row of this.#made(ticket)) this.#statements.put.run(row)
  }

  /** The versions of a ticket that this box has made and nobody has changed: they follow from its row, and are not stored. */
  #made(ticket: number): Row[] {
    const made = this.#statements.madeBy.get({ ticket })
    if (!made || this.#statements.at.get(made)?.kind === 'heard') return []
    const { entry, detailed } = made
    const groups = detailed ? (['shop', 'claim', 'details'] as const) : (['shop', 'claim'] as const)
    return groups.map((group) => ({ ticket, group, entry, box: null, hlc: null }))
  }

  /**
   * The ledger becomes another box's: changes that were its own until now are those of `box`. Within a transaction, while the
   * journal that explains them is still there.
   */
  handOver(box: string): void {
    for (const row of this.#statements.ownRows.all()) this.#statements.put.run({ ...row, box, hlc: this.#placeOf(row) })
    for (const group of ['shop', 'claim']) this.#statements.madeBefore.run({ box, group, least: 0 })
    this.#statements.madeBefore.run({ box, group: 'details', least: 1 })
  }

  /** This box knows codes of the ticket that another box does not know: its row is to be replicated with them. Within a transaction. */
  keepOwnCodes(ticket: number, entry: number): void {
    this.#statements.put.run({ ticket, group: 'codes', entry, box: null, hlc: null })
  }

  /** The version of this group is now another box's change. Within a transaction. */
  changedElsewhere(ticket: number, group: TicketGroup, { hlc, box }: Version, entry: number): void {
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

  #placeOf({ hlc, box, entry }: Row): string {
    if (box !== null) return hlc ?? ''
    const at = this.#statements.at.get({ entry })?.hlc ?? ''
    const before = hlc === null ? undefined : parse(hlc)
    if (!before) return at
    const after = format(tick(before, 0))
    return at > after ? at : after
  }
}

/** 1 where the shop says more of a ticket than a gate needs. */
const DETAILED = sql<number>`${or(...DETAIL_COLUMNS.map((name) => isNotNull(tickets[name])))}`

function prepare({ drizzle }: Pick<Db, 'drizzle'>) {
  const { placeholder } = sql
  return {
    all: drizzle.select().from(ticketVersions).where(matching(ticketVersions, 'ticket')).prepare(),
    one: drizzle
      .select()
      .from(ticketVersions)
      .where(matching(ticketVersions, 'ticket', 'group'))
      .prepare(),
    put: drizzle
      .insert(ticketVersions)
      .values(allColumns(ticketVersions))
      .onConflictDoUpdate({
        target: [ticketVersions.ticket, ticketVersions.group],
        set: excluded(ticketVersions, 'hlc', 'box', 'entry'),
      })
      .prepare(),
    madeBy: drizzle
      .select({ entry: tickets.entry, detailed: DETAILED })
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
          .where(and(ne(journal.kind, 'heard'), gte(DETAILED, placeholder('least')))),
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
