/** The boxes of the event as the control room of one of them sees them. Pure. */
import type { MeshStanding, Neighbour } from '@gatehouse/proto/wire/mesh.ts'
import type { Contradiction } from '@gatehouse/proto/wire/stats.ts'
import { actionWords as words } from '../../words/late.ts'
import { saidBy } from '../../words/said.ts'

export type Reachability = 'self' | 'heard' | 'behind' | 'unheard'

/** Fewer than this are on their way, as always: an entry a box and second. */
const BEHIND = 100

export function reachabilityOf({ self, heard, behind }: Pick<Neighbour, 'self' | 'heard' | 'behind'>): Reachability {
  if (self) return 'self'
  if (!heard) return 'unheard'
  return behind > BEHIND ? 'behind' : 'heard'
}

/** The boxes that decide about a ticket, and how many of them are heard, this one included. */
export function votesOf({ boxes }: Pick<MeshStanding, 'boxes'>): { heard: number; of: number; needed: number } {
  const voters = boxes.filter(({ role }) => role !== 'leaf')
  const heard = voters.filter(({ self, heard }) => self || heard).length
  return { heard, of: voters.length, needed: Math.floor(voters.length / 2) + 1 }
}

/** Boxes that could be given a vote: those at the venue without one. Unless three vote, this takes it from the one that has it. */
export function promotable({ boxes }: Pick<MeshStanding, 'boxes'>, outside: ReadonlySet<string>): Neighbour[] {
  return boxes.filter(({ role, box_id }) => role === 'leaf' && !outside.has(box_id))
}

/** Boxes that may lose their vote when another box gets one. */
export function replaced({ boxes }: Pick<MeshStanding, 'boxes'>): Neighbour[] {
  return boxes.filter(({ role }) => role !== 'leaf')
}

/** Warnings that somebody has to look at: first the records that were changed, also of a box that is no longer listed. */
export function warningsOf(
  { boxes, refused = [] }: Pick<MeshStanding, 'boxes' | 'refused'>,
  contradicted: readonly Contradiction[] = [],
): { box: string; text: string }[] {
  const changed = new Set(contradicted.map(({ box }) => box))
  return [
    ...contradicted.map(({ box, name, size, why }) => ({ box, text: words.boxes.contradicted[why](name, size) })),
    // The same in the box's own words would be said twice.
    ...boxes.flatMap(({ box_id: box, name, problem, problem_coded }) =>
      problem === undefined || changed.has(box)
        ? []
        : [{ box, text: words.boxes.problem(name, saidBy('peer', problem_coded, problem)) }],
    ),
    // One is enough: the others, which could encrypt, do not either.
    ...boxes.flatMap(({ box_id, name, unencrypted }) =>
      unencrypted ? [{ box: `unencrypted ${box_id}`, text: words.boxes.unencrypted(name) }] : [],
    ),
    ...refused.map(({ what, delivered_by, name, why, count, last }) => {
      const by = name ?? delivered_by
      const box = `refused ${what} ${delivered_by ?? ''} ${why}`
      if (what === 'reservation') return { box, text: words.boxes.refusedReservations(count, by, words.time.at(last)) }
      return { box, text: words.boxes.refused[why](count, by, words.time.at(last)) }
    }),
  ]
}
