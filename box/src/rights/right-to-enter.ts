/**
 * Decides what a ticket has used up, and what an exit gives back, by its passages: the one rule that decisions, manifests and
 * streams share. Pure.
 */
import type { Checkpoint, EntryPolicy } from '../event/event.ts'
import type { Movement } from '../ledger/schema.ts'
import type { Right } from './reservation.ts'

/** Number of times that the ticket was admitted. */
export function admissions(movements: readonly Movement[]): number {
  return movements.reduce((n, movement) => n + (movement.direction === 'in' ? 1 : 0), 0)
}

/**
 * The right that an admission into `zone` would use up, and the admission that has used it already. Each zone has rights
 * of its own: a ticket that came in at the gate has not yet been to the terrace.
 * @param day the festival day
 */
export function rightToEnter(
  { zone, day, movements }: { zone: string; day: string; movements: readonly Movement[] },
  policy: EntryPolicy,
): { slot: string; usedUpBy: Movement | undefined } {
  // Counts this zone alone: two boxes that know different passages of other zones still name the same right.
  const next = () => `${zone}/${admissions(movements.filter(({ to }) => (to ?? '') === zone)) + 1}`
  const takenBy = (slot: string) => movements.findLast((m) => m.direction === 'in' && m.slot === slot)
  switch (policy) {
    case 'once':
      // Under whatever slot: a ticket that came in as another tier, before an import changed it, has been in.
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

/** The right that one passage uses up. */
export interface PassageUse {
  slot: string
  /** The place among those that used the slot: 0 for the first. */
  surplus: number
  /** Number of admissions that the ticket then has. */
  occurrence: number
  /** The right that no later admission may use: null for an exit, and for a tier that enters at will. */
  right: Right | null
}

/** @param scanId made up by the device */
export function passageUse(
  ticket: { ref: string; policy: EntryPolicy },
  { checkpoint, day, movements }: { checkpoint: Checkpoint; day: string; movements: readonly Movement[] },
  scanId: string,
): PassageUse {
  const before = admissions(movements)
  // No zone's id starts with a slash, so no scan id can name an admission's slot.
  if (checkpoint.direction === 'out') return { slot: `/exit/${scanId}`, surplus: 0, occurrence: before, right: null }
  const { slot } = rightToEnter({ zone: checkpoint.to ?? '', day, movements }, ticket.policy)
  // One past the highest. A count would be wrong: one of them may have been taken back.
  const surplus = movements.reduce((highest, m) => (m.slot === slot ? Math.max(highest, m.surplus) : highest), -1) + 1
  const right = ticket.policy === 'unlimited' ? null : { ticket: ticket.ref, slot }
  return { slot, surplus, occurrence: before + 1, right }
}

/** The row that a passage leaves among the ticket's movements. */
export function movementOf(
  { slot, surplus, occurrence }: PassageUse,
  {
    checkpoint,
    confidence,
    ...passage
  }: {
    /** The ticket's row. */
    ticket: number
    checkpoint: Pick<Checkpoint, 'id' | 'from' | 'to'>
    direction: 'in' | 'out'
    /** Unix ms. */
    at: number
    hlc: string
    scanId: string
    confidence: 'confirmed' | 'provisional'
    /** Index of the journal's entry. */
    entry: number
  },
): Movement {
  const { id, from, to } = checkpoint
  const provisional = confidence === 'provisional'
  return { ...passage, slot, surplus, occurrence, checkpoint: id, from, to, provisional }
}

/** The admission into `zone` that no exit from it has followed. Going on into an inner zone is not an exit. */
function stillInside(movements: readonly Movement[], zone: string): Movement | undefined {
  const exits = latestExits(movements, zone)
  return movements.findLast(
    (entry) => entry.direction === 'in' && entry.to === zone && !exits.some((exit) => isAfter(exit, entry)),
  )
}

/**
 * Of the exits from `zone` the few that can be after an entry when any exit is: the latest of all by time, the latest provisional
 * one by time, and the latest confirmed one by clock. Comparing a thousand entries with a thousand exits would take milliseconds.
 */
function latestExits(movements: readonly Movement[], zone: string): Movement[] {
  const exits = movements.filter((m) => m.direction === 'out' && m.from === zone)
  const latest = (some: readonly Movement[], isLater: typeof isLaterByTime) =>
    some.reduce((last: Movement | undefined, exit) => (last && !isLater(exit, last) ? last : exit), undefined)
  return [
    latest(exits, isLaterByTime),
    latest(
      exits.filter(({ provisional }) => provisional),
      isLaterByTime,
    ),
    latest(
      exits.filter(({ provisional }) => !provisional),
      isLaterByClock,
    ),
  ].filter((exit) => exit !== undefined)
}

/**
 * Orders passages that a box answered by its logical clock, which is the order in which it wrote them, whatever its wall
 * clock did meanwhile. A passage that a scanner reports late is ordered by the scanner's time: an exit of an hour ago must
 * not end a stay that began since.
 */
function isAfter(a: Movement, b: Movement): boolean {
  return a.provisional || b.provisional ? isLaterByTime(a, b) : isLaterByClock(a, b)
}

function isLaterByTime(a: Movement, b: Movement): boolean {
  return a.at === b.at ? isLaterByClock(a, b) : a.at > b.at
}

function isLaterByClock(a: Movement, b: Movement): boolean {
  return a.hlc === b.hlc ? a.entry > b.entry : a.hlc > b.hlc
}
