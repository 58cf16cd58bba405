/**
 * Answers that people gave at the gates to the questions of their ticket's shop. They are personal: a table beside the journal has
 * them, the other boxes get them encrypted, and an erasure takes them away; the journal says that some were given.
 */
import type { HybridLogicalClock } from '@gatehouse/proto/hlc.ts'
import type { Answers } from '@gatehouse/proto/questions.ts'
import { type SignedOnBy, signedOn } from '../ca/actor.ts'
import { eq, lt } from '../drizzle/core.ts'
import type { Db } from '../ledger/db.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type AnswersRow, answers, type Ticket } from '../ledger/schema.ts'
import { excluded, matching } from '../ledger/statements.ts'
import { namesErased } from './erasure.ts'

export class TicketAnswers {
  readonly #ofTicket

  constructor({ drizzle }: Pick<Db, 'drizzle'>) {
    // Without ORDER BY: see `fixedLimit`.
    const rows = drizzle.select({ answers: answers.answers, hlc: answers.hlc }).from(answers)
    this.#ofTicket = rows.where(matching(answers, 'ticketRef')).prepare()
  }

  /** By question id: what was answered at any gate; of two answers to one question the later one. */
  of(ticketRef: string): Answers {
    const rows = this.#ofTicket.all({ ticketRef })
    if (rows.length === 1 && rows[0]) return rows[0].answers
    rows.sort((a, b) => (a.hlc < b.hlc ? -1 : Number(a.hlc > b.hlc)))
    return Object.assign({}, ...rows.map((row) => row.answers))
  }
}

/** The answers that came with this scan, or after it. */
export function answersOfScan({ drizzle }: Pick<Db, 'drizzle'>, scanId: string): AnswersRow | undefined {
  return drizzle.select().from(answers).where(eq(answers.scanId, scanId)).get()
}

/**
 * Stores answers, with the entry that says so. Within a transaction.
 * @param given in the form in which they are stored
 * @returns how many there are
 */
export function recordAnswers(
  given: Answers,
  { scanId, ticket, device }: { scanId: string; ticket: Pick<Ticket, 'ref'>; device: { id: string; by?: SignedOnBy } },
  { ledger, clock }: { ledger: Ledger; clock: Pick<HybridLogicalClock, 'wall'> },
): number {
  const count = Object.keys(given).length
  if (count === 0) return 0
  const at = clock.wall()
  const of = { device: device.id, ...signedOn(device), scan_id: scanId, ticket: ticket.ref }
  const said = { at: new Date(at).toISOString(), count, ...of }
  const { index: entry, hlc } = ledger.append('answers', said)
  putAnswers(ledger.db, { scanId, ticketRef: ticket.ref, device: device.id, answers: { ...given }, at, hlc, entry })
  return count
}

/** Within a transaction. After an erasure nothing is stored: another box may not have learned of it yet. */
export function putAnswers(db: Db, row: AnswersRow): void {
  if (namesErased(db)) return
  const set = excluded(answers, 'ticketRef', 'device', 'answers', 'at', 'hlc', 'entry')
  db.drizzle
    .insert(answers)
    .values(row)
    .onConflictDoUpdate({ target: answers.scanId, set, setWhere: lt(answers.hlc, row.hlc) })
    .run()
}
