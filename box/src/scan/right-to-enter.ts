/** What a ticket has used up, by its passages: the one rule that decisions, manifests and streams share. Pure. */
import type { EntryPolicy } from '../event/event.ts'
import type { Movement } from '../ledger/schema.ts'

/** How often the ticket was admitted. */
export function admissions(movements: readonly Movement[]): number {
  return movements.reduce((n, movement) => n + (movement.direction === 'in' ? 1 : 0), 0)
}

/**
 * The right that an admission here would use up, and the admission that has used it already. Each zone is a right of
 * its own: a ticket that came in at the gate has not yet been to the terrace.
 */
export function rightToEnter(
  { zone, day, movements }: { zone: string; day: string; movements: readonly Movement[] },
  policy: EntryPolicy,
): { slot: string; usedUpBy: Movement | undefined } {
  // Of this zone alone: two boxes that have not heard the same of other zones still name the same right.
  const next = () => `${zone}/${admissions(movements.filter(({ to }) => (to ?? '') === zone)) + 1}`
  const takenBy = (slot: string) => movements.findLast((m) => m.direction === 'in' && m.slot === slot)
  switch (policy) {
    case 'once':
      // Whatever right it used: a ticket that came in as another tier, before an import changed it, has been in.
      return { slot: zone, usedUpBy: movements.findLast((m) => m.direction === 'in' && (m.to ?? '') === zone) }
    case 'once_per_day': {
      const slot = `${zone}/${day}`
      return { slot, usedUpBy: takenBy(slot) }
    }
    case 'reentry': {
      const inside = stillInside(movements, zone)
      return { slot: inside?.slot ?? next(), usedUpBy: inside }
    }
    case 'unlimited':
      return { slot: next(), usedUpBy: undefined }
  }
}

/** The admission into `zone` that no exit from it has followed. Going further in is not leaving. */
function stillInside(movements: readonly Movement[], zone: string): Movement | undefined {
  const exits = movements.filter((m) => m.direction === 'out' && m.from === zone)
  return movements.findLast(
    (entry) => entry.direction === 'in' && entry.to === zone && !exits.some((exit) => isAfter(exit, entry)),
  )
}

/**
 * Passages that boxes saw happened in the order of their clocks, which is the order in which each wrote them, whatever its wall
 * clock did meanwhile. One that a scanner reports late happened when the scanner says: an exit of an hour ago must not let out
 * who came in since.
 */
function isAfter(a: Movement, b: Movement): boolean {
  if ((a.provisional || b.provisional) && a.at !== b.at) return a.at > b.at
  return a.hlc === b.hlc ? a.entry > b.entry : a.hlc > b.hlc
}
