/** The boxes of the event as the control room of one of them sees them. Pure. */
import type { MeshStanding, Neighbour } from '@gatehouse/proto/wire/mesh.ts'

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
