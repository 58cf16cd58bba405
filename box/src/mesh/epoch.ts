/** Whether the list of boxes that one goes by is the latest there is, as far as its one voter has to know. Pure. */
import { type Topology, votersOf } from './topology.ts'

/**
 * Three voters answer only where most of them are of this epoch. One voter is always of one mind with itself: one that comes back
 * may have been replaced meanwhile. Whoever can have taken its place is asked by which list it goes, and nobody answers for
 * another: a box in a data centre is heard also by those who do not hear each other, and may have the old list still.
 * @param heard what the others have said since this box started, by box; an epoch is undefined where one is of an older version
 */
export function isEpochKnown(
  topology: Topology,
  self: string,
  heard: ReadonlyMap<string, { epoch?: number | undefined }>,
): boolean {
  const voters = votersOf(topology)
  if (voters.length > 1 || voters[0] !== self) return true
  // A list is made where somebody works at a box: one that only votes takes what it is given.
  const others = topology.boxes.filter(({ id, role }) => id !== self && role !== 'voter')
  const words = others.flatMap(({ id }) => heard.get(id) ?? [])
  if (words.some(({ epoch = 0 }) => epoch > topology.epoch)) return false
  const atVenue = others.filter(({ dial }) => dial === undefined)
  if (atVenue.length > 0) return atVenue.every(({ id }) => heard.has(id))
  return others.length === 0 || words.length > 0
}
