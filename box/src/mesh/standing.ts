/** The boxes of the event as this one sees them, for the wire and for words. Pure. */
import type { MeshStanding, Neighbour, OtherBox } from '@gatehouse/proto/wire/mesh.ts'
import type { Unheard } from './mode/words.ts'
import type { TopologyBox } from './topology.ts'
import { votersOf } from './topology.ts'

/** How another box's journal stands here. */
export interface NeighbourHeard {
  /** Unix ms. */
  lastHeard: number
  /** Entries that it is known to have, and that are not here. */
  behind: number
  /** What is wrong with what it tells; undefined where nothing is. */
  problem?: string | undefined
}

/** A box says something every second; so long without a word, and it is not there. */
const HEARD_MS = 5_000
/** One that only votes is asked every half minute, where this one does not vote itself. */
const VOTER_HEARD_MS = 40_000

interface From {
  self: string
  /** Unix ms. */
  now: number
}

/** This one first, the others by name. */
export function standingOf(
  boxes: readonly TopologyBox[],
  heardFrom: ReadonlyMap<string, NeighbourHeard>,
  { self, now }: From,
): Neighbour[] {
  const voters = new Set(votersOf({ boxes: [...boxes] }))
  const all = boxes.map(({ id, name, role, https, device }): Neighbour => {
    const heard = heardFrom.get(id)
    const hasGates = role !== 'voter'
    return {
      ...{ box_id: id, name, self: id === self },
      role: role === 'voter' ? 'voter' : voters.has(id) ? 'core' : 'leaf',
      url: hasGates ? https : null,
      device_url: hasGates ? device : null,
      heard: id === self || isHeard(heard, now, role === 'voter' ? VOTER_HEARD_MS : HEARD_MS),
      last_heard: heard ? new Date(heard.lastHeard).toISOString() : null,
      behind: heard?.behind ?? 0,
      ...(heard?.problem !== undefined && { problem: heard.problem }),
    }
  })
  return all.sort((a, b) => Number(b.self) - Number(a.self) || a.name.localeCompare(b.name, 'en'))
}

/** Boxes with gates that are not heard now. One that only votes admits nobody: its silence makes nothing uncertain. */
export function unheardOf(
  boxes: readonly TopologyBox[],
  heardFrom: ReadonlyMap<string, NeighbourHeard>,
  { self, now }: From,
): Unheard[] {
  return boxes
    .filter(({ id, role }) => id !== self && role !== 'voter' && !isHeard(heardFrom.get(id), now))
    .map(({ id, name }) => {
      const heard = heardFrom.get(id)
      return { name, ms: heard ? Math.max(0, now - heard.lastHeard) : null }
    })
}

/** What a scanner needs to go on at another box; undefined for a box alone. */
export function othersOf(
  standing: Pick<MeshStanding, 'boxes'> | undefined,
  now: number,
): { boxId: string; others: OtherBox[] } | undefined {
  const self = standing?.boxes.find((box) => box.self)
  if (!standing || !self) return undefined
  const others = standing.boxes.flatMap(({ box_id, name, url, device_url, heard, last_heard, ...box }): OtherBox[] => {
    if (box.self || url === null || device_url === null) return []
    const silence = last_heard === null ? null : Math.max(0, Math.floor((now - Date.parse(last_heard)) / 1000))
    return [{ box_id, name, url, device_url, unheard_seconds: heard ? 0 : silence }]
  })
  return { boxId: self.box_id, others }
}

function isHeard(heard: NeighbourHeard | undefined, now: number, withinMs = HEARD_MS): boolean {
  return heard !== undefined && now - heard.lastHeard < withinMs
}
