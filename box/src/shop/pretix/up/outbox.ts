/**
 * Position up to which pretix was told, on disk. In the usual case this is one number for each box's journal; only what waits or was refused has a row
 * of its own. Every method runs within a transaction of its caller.
 */
import { createHash } from 'node:crypto'
import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, sql } from '../../../drizzle/core.ts'
import type { Db } from '../../../ledger/db.ts'
import { type ShopPushRow, shopPush, shopPushWaiting } from '../../../ledger/schema.ts'
import { excluded } from '../../../ledger/statements.ts'
import type { Places } from './journals.ts'
import type { Refusal, Step } from './next-step.ts'

export const FIRST_STEP: Step = { force: false, byPosition: false, asExit: false }

/** An entry that has not reached pretix, and how it goes on. */
export interface Waiting {
  readonly box: string
  readonly place: number
  /** The entry's time. */
  readonly hlc: string
  readonly ticket: string | null
  /** The form in which it is sent next. */
  readonly step: Step
  /** It may have been sent in this form before, without an answer. */
  readonly again: boolean
  readonly attempts: number
  /** Unix ms; null until a person has it tried again, or the ticket's code has changed. */
  readonly nextAt: number | null
  /** pretix's last one. */
  readonly refusal: Refusal | null
  /** Digest of the code that was sent last: where the ticket has another one by now, it is tried again. */
  readonly triedCode: string | null
}

/** State that a box needs when it takes over. */
export interface Progress {
  readonly places: Places
  readonly waiting: readonly Waiting[]
}

export class Outbox {
  readonly #db: Db
  readonly #target: string
  #looked = ''

  /** @param target names server, organizer and event: another one begins anew */
  constructor(db: Db, target: string) {
    this.#db = db
    this.#target = target
  }

  places(): Places {
    const rows = this.#db.drizzle.select().from(shopPush).where(eq(shopPush.target, this.#target)).all()
    return Object.fromEntries(rows.map(({ box, place }) => [box, place]))
  }

  moveTo(places: Places): void {
    const rows = Object.entries(places).map(([box, place]) => ({ target: this.#target, box, place }))
    if (rows.length === 0) return
    this.#db.drizzle
      .insert(shopPush)
      .values(rows)
      .onConflictDoUpdate({ target: [shopPush.target, shopPush.box], set: excluded(shopPush, 'place') })
      .run()
  }

  /** @param limit the first ones, by box and place */
  waiting(limit: number): Waiting[] {
    const { box, place } = shopPushWaiting
    return this.#rows(undefined).orderBy(asc(box), asc(place)).limit(limit).all().map(waitingOf)
  }

  /** The first entry of each ticket whose time has come. */
  due(now: number, limit: number): Waiting[] {
    const rows = this.#rows(lte(shopPushWaiting.nextAt, now))
      .orderBy(asc(shopPushWaiting.nextAt), asc(shopPushWaiting.hlc))
      .limit(limit)
      .all()
      .map(waitingOf)
    const tickets = new Set<string>()
    return rows.filter(({ ticket }) => {
      if (ticket === null) return true
      const isFirst = !tickets.has(ticket)
      tickets.add(ticket)
      return isFirst
    })
  }

  /** When the next one is due, unix ms; undefined where none is. */
  nextDue(): number | undefined {
    const at = sql<number | null>`min(${shopPushWaiting.nextAt})`
    const found = this.#db.drizzle
      .select({ at })
      .from(shopPushWaiting)
      .where(eq(shopPushWaiting.target, this.#target))
      .get()
    return found?.at ?? undefined
  }

  /** Time of the oldest entry that is tried again by itself. */
  oldest(): string | undefined {
    const { target, nextAt, hlc } = shopPushWaiting
    const found = this.#db.drizzle
      .select({ hlc })
      .from(shopPushWaiting)
      .where(and(eq(target, this.#target), isNotNull(nextAt)))
      .orderBy(asc(hlc))
      .limit(1)
      .get()
    return found?.hlc
  }

  find(box: string, place: number): Waiting | undefined {
    const row = this.#rows(and(eq(shopPushWaiting.box, box), eq(shopPushWaiting.place, place))).get()
    return row && waitingOf(row)
  }

  /** Tickets with an entry that waits: their later entries wait behind it. */
  ticketsWaiting(): Set<string> {
    const rows = this.#db.drizzle
      .selectDistinct({ ticket: shopPushWaiting.ticket })
      .from(shopPushWaiting)
      .where(eq(shopPushWaiting.target, this.#target))
      .all()
    return new Set(rows.flatMap(({ ticket }) => ticket ?? []))
  }

  /** Of one ticket all wait for as long as this one. */
  put(waiting: Waiting): void {
    const { step, refusal, ...rest } = waiting
    const row = {
      ...rest,
      target: this.#target,
      step: JSON.stringify(step),
      refusal: refusal && JSON.stringify(refusal),
    }
    const { target, box, place } = shopPushWaiting
    const set = excluded(shopPushWaiting, 'step', 'again', 'attempts', 'nextAt', 'refusal', 'triedCode')
    this.#db.drizzle
      .insert(shopPushWaiting)
      .values(row)
      .onConflictDoUpdate({ target: [target, box, place], set })
      .run()
    if (waiting.ticket === null) return
    this.#db.drizzle.update(shopPushWaiting).set({ nextAt: waiting.nextAt }).where(this.#ofTicket(waiting.ticket)).run()
  }

  /** An entry of a ticket that has one waiting goes after that one. */
  putBehind(waiting: Waiting & { readonly ticket: string }): void {
    const { nextAt } = shopPushWaiting
    const before = this.#db.drizzle
      .select({ nextAt })
      .from(shopPushWaiting)
      .where(this.#ofTicket(waiting.ticket))
      .limit(1)
      .get()
    this.put({ ...waiting, nextAt: before ? before.nextAt : waiting.nextAt })
  }

  remove({ box, place }: Pick<Waiting, 'box' | 'place'>): void {
    const { target } = shopPushWaiting
    const isIt = and(eq(target, this.#target), eq(shopPushWaiting.box, box), eq(shopPushWaiting.place, place))
    this.#db.drizzle.delete(shopPushWaiting).where(isIt).run()
  }

  /** The first entry of each ticket that waits for a person, or for another code. A few of them, others each time. */
  asleep(limit: number): Pick<Waiting, 'ticket' | 'triedCode'>[] {
    const { target, nextAt, ticket, triedCode } = shopPushWaiting
    const found = this.#db.drizzle
      .select({ ticket, triedCode })
      .from(shopPushWaiting)
      .where(and(eq(target, this.#target), isNull(nextAt), isNotNull(triedCode), gt(ticket, this.#looked)))
      .orderBy(asc(ticket))
      .limit(limit)
      .all()
    this.#looked = found.length < limit ? '' : (found.at(-1)?.ticket ?? '')
    return found
  }

  /** Has those tried again that wait for a person; or of these tickets alone. */
  wake(now: number, of?: readonly string[]): void {
    const { target, nextAt, ticket } = shopPushWaiting
    const isAsleep = and(eq(target, this.#target), isNull(nextAt), of && inArray(ticket, [...of]))
    this.#db.drizzle.update(shopPushWaiting).set({ nextAt: now }).where(isAsleep).run()
  }

  /** Number of entries that wait, and of those that wait for a person. */
  counts(): { waiting: number; asleep: number } {
    const asleep = sql<number>`sum(${shopPushWaiting.nextAt} IS NULL)`
    const counted = this.#db.drizzle
      .select({ waiting: sql<number>`count(*)`, asleep })
      .from(shopPushWaiting)
      .where(eq(shopPushWaiting.target, this.#target))
      .get()
    return { waiting: counted?.waiting ?? 0, asleep: counted?.asleep ?? 0 }
  }

  /** Goes on where another box is: what this box had noted itself is older. */
  adopt({ places, waiting }: Progress): void {
    const own = this.places()
    const newer = Object.entries(places).filter(([box, place]) => place >= (own[box] ?? 0))
    for (const [box, place] of newer) {
      const { target, box: of, place: at } = shopPushWaiting
      const before = and(eq(target, this.#target), eq(of, box), sql`${at} < ${place}`)
      this.#db.drizzle.delete(shopPushWaiting).where(before).run()
      for (const one of waiting) if (one.box === box) this.put(one)
    }
    this.moveTo(Object.fromEntries(newer))
  }

  #ofTicket(ticket: string) {
    return and(eq(shopPushWaiting.target, this.#target), eq(shopPushWaiting.ticket, ticket))
  }

  #rows(condition: ReturnType<typeof eq> | undefined) {
    return this.#db.drizzle
      .select()
      .from(shopPushWaiting)
      .where(and(eq(shopPushWaiting.target, this.#target), condition))
      .$dynamic()
  }
}

/** Names a code without showing it. */
export function codeDigest(code: string): string {
  return createHash('sha256').update(code).digest('hex').slice(0, 32)
}

function waitingOf({ target: _, step, refusal, ...row }: ShopPushRow): Waiting {
  return {
    ...row,
    step: JSON.parse(step) as Step,
    refusal: refusal === null ? null : (JSON.parse(refusal) as Refusal),
  }
}
