/** Decides whether a single voter can be sure that no other one has replaced it. Pure. */
import { type Topology, votersOf } from './topology.ts'

/**
 * Three voters answer only while a majority of them is in the same epoch. A single voter always agrees with itself, so one that
 * comes back after an absence may have been replaced without knowing. It asks every box that can have taken its place for the
 * epoch of its topology, and no box answers for another: one in a data centre may be reached by boxes that do not reach each
 * other, and may itself still have the old topology.
 * @param peers what the others have said since this box started; a box of an older version sends no epoch
 */
export function isEpochKnown(
  topology: Topology,
  self: string,
  peers: ReadonlyMap<string, { epoch?: number | undefined }>,
): boolean {
  const voters = votersOf(topology)
  if (voters.length > 1 || voters[0] !== self) return true
  // Only a box with gates changes the topology: a machine that only votes takes what it is given.
  const others = topology.boxes.filter(({ id, role }) => id !== self && role !== 'voter')
  const reached = others.flatMap(({ id }) => peers.get(id) ?? [])
  if (reached.some(({ epoch = 0 }) => epoch > topology.epoch)) return false
  const atVenue = others.filter(({ dial }) => dial === undefined)
  if (atVenue.length > 0) return atVenue.every(({ id }) => peers.has(id))
  return others.length === 0 || reached.length > 0
}
