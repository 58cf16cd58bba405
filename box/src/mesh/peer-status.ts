/** Derives what this box reports about its peers from the topology and from what it knows of each. Pure. */
import type { MeshStanding, Neighbour, OtherBox } from '@gatehouse/proto/wire/mesh.ts'
import type { UnreachablePeer } from '../rights/mode.ts'
import type { PeerProblem } from './replication/follower-problems.ts'
import { type TopologyBox, votersOf } from './topology.ts'

/** This box's knowledge of a peer. */
export interface PeerState {
  /** Unix ms; undefined where it has not answered since this box started. */
  lastHeard: number | undefined
  /** Entries of its journal that are known to exist, but are not replicated here yet. */
  behind: number
  /** Reason why its journal is refused or not believed, for a person; undefined while all is well. */
  problem?: PeerProblem | undefined
}

/** A box sends something every second. After this long in silence it counts as unreachable. */
const REACHABLE_MS = 5_000
/** A voter without gates is asked only every half minute by a box that does not vote itself. */
const VOTER_REACHABLE_MS = 40_000

interface Observer {
  /** The id of this box. */
  self: string
  /** Unix ms. */
  now: number
}

/** @returns this box first, the others by name */
export function peerStatuses(
  boxes: readonly TopologyBox[],
  states: ReadonlyMap<string, PeerState>,
  { self, now }: Observer,
): Neighbour[] {
  const voters = new Set(votersOf({ boxes: [...boxes] }))
  const all = boxes.map(({ id, name, role, https, device, encryption_key }): Neighbour => {
    const state = states.get(id)
    const hasGates = role !== 'voter'
    return {
      box_id: id,
      name,
      self: id === self,
      role: role === 'voter' ? 'voter' : voters.has(id) ? 'core' : 'leaf',
      url: hasGates ? https : null,
      device_url: hasGates ? device : null,
      heard: id === self || isReachable(state, now, role === 'voter' ? VOTER_REACHABLE_MS : REACHABLE_MS),
      last_heard: state?.lastHeard === undefined ? null : new Date(state.lastHeard).toISOString(),
      behind: state?.behind ?? 0,
      ...(state?.problem && { problem: state.problem.text, problem_coded: state.problem.coded }),
      ...(hasGates && id !== self && encryption_key === undefined && { unencrypted: true }),
    }
  })
  return all.sort((a, b) => Number(b.self) - Number(a.self) || a.name.localeCompare(b.name, 'en'))
}

/** The unreachable boxes with gates. A voter without gates admits nobody, so its silence makes no admission uncertain. */
export function unreachablePeers(
  boxes: readonly TopologyBox[],
  states: ReadonlyMap<string, PeerState>,
  { self, now }: Observer,
): UnreachablePeer[] {
  return boxes
    .filter(({ id, role }) => id !== self && role !== 'voter' && !isReachable(states.get(id), now))
    .map(({ id, name }) => {
      const lastHeard = states.get(id)?.lastHeard
      return { name, ms: lastHeard === undefined ? null : Math.max(0, now - lastHeard) }
    })
}

/** The boxes that a scanner may go to when its own is gone; undefined for a single box. @param now unix ms */
export function otherBoxes(
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

function isReachable(state: PeerState | undefined, now: number, withinMs = REACHABLE_MS): boolean {
  return state?.lastHeard !== undefined && now - state.lastHeard < withinMs
}
