/** Writes down how a batch has ended. */
import type { Batch, Planned } from './batch.ts'
import type { Delivered } from './delivery.ts'
import type { Outbox } from './outbox.ts'

/**
 * Moves each box's place on past what was settled. An entry that was not sent although a later one was gets a row, so that nothing is
 * sent again that pretix has. Within a transaction; may be run twice.
 */
export function settle(
  { planned, behind, dropped, taken, ended }: Batch & { ended: ReadonlyMap<Planned, Delivered> },
  outbox: Outbox,
): void {
  for (const one of dropped) outbox.remove(one)
  const places: Record<string, number> = { ...taken.places }
  const isUnsent = (one: Planned) => {
    const end = ended.get(one)?.end
    return (end === undefined || end === 'stop') && !outbox.find(one.fact.box, one.fact.place)
  }
  const unsent = planned.filter(isUnsent)
  const fresh = new Set(taken.facts)
  for (const box of new Set(unsent.map(({ fact }) => fact.box))) {
    const first = Math.min(
      ...unsent.filter(({ fact }) => fact.box === box && fresh.has(fact)).map((one) => one.fact.place),
    )
    if (!Number.isFinite(first)) continue
    const settled = planned.filter((one) => one.fact.box === box && fresh.has(one.fact) && !isUnsent(one))
    const behindHere = behind.filter((one) => one.box === box)
    const last = Math.max(first - 1, ...settled.map(({ fact }) => fact.place), ...behindHere.map(({ place }) => place))
    // Everything up to the last one that was settled has its end or gets a row; what follows is read again.
    places[box] = last < first ? first : last + 1
  }
  for (const one of planned) {
    const delivered = ended.get(one)
    const isPast = one.fact.place < (places[one.fact.box] ?? 0) || !fresh.has(one.fact)
    if (delivered?.end === 'done' || delivered?.end === 'not_of_shop') outbox.remove(one.fact)
    else if (delivered?.end === 'waits') outbox.put(delivered.waiting)
    else if (delivered?.end === 'stop' && (isPast || outbox.find(one.fact.box, one.fact.place)))
      outbox.put(delivered.waiting)
    else if (!delivered && isPast && fresh.has(one.fact)) putUnsent(one, outbox)
  }
  for (const one of behind) outbox.putBehind(one)
  outbox.moveTo(places)
}

function putUnsent({ waiting }: Planned, outbox: Outbox): void {
  const { ticket } = waiting
  if (ticket === null) outbox.put(waiting)
  else outbox.putBehind({ ...waiting, ticket })
}
