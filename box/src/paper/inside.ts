/** Lists the tickets whose holders may be inside, by zone: those whose last passage led into it. */
import { asc, inArray, sql } from '../drizzle/core.ts'
import type { Db } from '../ledger/db.ts'
import { movements, tickets } from '../ledger/schema.ts'
import { HOLDER } from '../tickets/statements.ts'

/** Passages read at a time. */
const PAGE = 2_000

export interface PersonInside {
  zone: string
  /** Null where the box holds none. */
  name: string | null
  tier: string
  seat: string | null
  /** Time of the last passage, unix ms, and its checkpoint. */
  since: number
  checkpoint: string
  /** People who came in on this ticket at its last admission; more than one after a double use. */
  people: number
}

type Passage = Pick<
  typeof movements.$inferSelect,
  'ticket' | 'slot' | 'surplus' | 'direction' | 'to' | 'at' | 'hlc' | 'checkpoint'
>

/** Everybody who may be inside, in the order of the tickets' numbers. A person whose zone has left the event file is listed too. */
export function* peopleInside({ drizzle }: Pick<Db, 'drizzle'>): Generator<PersonInside[]> {
  let [ticket, slot, surplus] = [0, '', -1]
  let open: Passage[] = []
  for (;;) {
    const page: Passage[] = drizzle
      .select({
        ticket: movements.ticket,
        slot: movements.slot,
        surplus: movements.surplus,
        direction: movements.direction,
        to: movements.to,
        at: movements.at,
        hlc: movements.hlc,
        checkpoint: movements.checkpoint,
      })
      .from(movements)
      .where(sql`(${movements.ticket}, ${movements.slot}, ${movements.surplus}) > (${ticket}, ${slot}, ${surplus})`)
      .orderBy(asc(movements.ticket), asc(movements.slot), asc(movements.surplus))
      .limit(PAGE)
      .all()
    const last = page.at(-1)
    const read = [...open, ...page]
    // The passages of the last ticket may go on in the next page.
    const whole = last ? read.filter((passage) => passage.ticket !== last.ticket) : read
    open = last ? read.filter((passage) => passage.ticket === last.ticket) : []
    yield withHolders(lastPassages(whole), drizzle)
    if (!last) return
    ;({ ticket, slot, surplus } = last)
  }
}

interface Last {
  passage: Passage
  people: number
}

/** By ticket, the latest passage of those that have ended inside. */
function lastPassages(passages: readonly Passage[]): Map<number, Last> {
  const latest = new Map<number, Last>()
  for (const passage of passages) {
    const known = latest.get(passage.ticket)
    if (!known || known.passage.hlc < passage.hlc) latest.set(passage.ticket, { passage, people: 1 })
  }
  for (const [ticket, { passage }] of latest) {
    if (passage.to === null) latest.delete(ticket)
  }
  for (const { ticket, slot, direction, hlc } of passages) {
    const last = latest.get(ticket)
    if (last && direction === 'in' && last.passage.slot === slot && last.passage.hlc !== hlc) last.people++
  }
  return latest
}

function withHolders(latest: ReadonlyMap<number, Last>, drizzle: Db['drizzle']) {
  const found: PersonInside[] = []
  const ids = [...latest.keys()]
  for (let from = 0; from < ids.length; from += 500) {
    const holders = drizzle
      .select({ id: tickets.id, name: HOLDER, tier: tickets.tier, seat: tickets.seat })
      .from(tickets)
      .where(inArray(tickets.id, ids.slice(from, from + 500)))
      .all()
    for (const { id, name, tier, seat } of holders) {
      const last = latest.get(id)
      if (!last) continue
      const { to, at, checkpoint } = last.passage
      found.push({ zone: to ?? '', name, tier, seat, since: at, checkpoint, people: last.people })
    }
  }
  return found
}
