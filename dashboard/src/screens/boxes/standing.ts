/** The boxes of the event as the control room of one of them sees them. Pure. */
import type { MeshStanding, Neighbour } from '@gatehouse/proto/wire/mesh.ts'
import type { Contradiction } from '@gatehouse/proto/wire/stats.ts'
import { words } from '../../words/en-actions.ts'

export type Hearing = 'self' | 'heard' | 'behind' | 'unheard'

/** Fewer than this are on their way, as always: an entry a box and second. */
const BEHIND = 100

export function hearingOf({ self, heard, behind }: Pick<Neighbour, 'self' | 'heard' | 'behind'>): Hearing {
  if (self) return 'self'
  if (!heard) return 'unheard'
  return behind > BEHIND ? 'behind' : 'heard'
}

/** How many boxes of those that decide about a ticket are heard, this one among them. */
export function votesOf({ boxes }: Pick<MeshStanding, 'boxes'>): { heard: number; of: number; needed: number } {
  const voters = boxes.filter(({ role }) => role !== 'leaf')
  const heard = voters.filter(({ self, heard }) => self || heard).length
  return { heard, of: voters.length, needed: Math.floor(voters.length / 2) + 1 }
}

/** Who could be given a vote: boxes at the venue that have none. Unless three vote, this takes it from the one that has it. */
export function promotable({ boxes }: Pick<MeshStanding, 'boxes'>, outside: ReadonlySet<string>): Neighbour[] {
  return boxes.filter(({ role, box_id }) => role === 'leaf' && !outside.has(box_id))
}

/** Whose vote goes when another box gets one. */
export function replaced({ boxes }: Pick<MeshStanding, 'boxes'>): Neighbour[] {
  return boxes.filter(({ role }) => role !== 'leaf')
}

/** What somebody has to look at: a record that was changed before everything else, also of a box that is no longer listed. */
export function warningsOf(
  { boxes }: Pick<MeshStanding, 'boxes'>,
  contradicted: readonly Contradiction[] = [],
): { box: string; text: string }[] {
  const changed = new Set(contradicted.map(({ box }) => box))
  return [
    ...contradicted.map(({ box, name, size, why }) => ({ box, text: words.boxes.contradicted[why](name, size) })),
    // The same in the box's own words would be said twice.
    ...boxes.flatMap(({ box_id: box, name, problem }) =>
      problem === undefined || changed.has(box) ? [] : [{ box, text: words.boxes.problem(name, problem) }],
    ),
  ]
}
