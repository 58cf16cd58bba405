/** The other boxes of the event as this one sees them now. */
import type { Neighbour, RefusedMessages } from '@gatehouse/proto/wire/mesh.ts'
import type { UnreachablePeer } from '../rights/mode.ts'
import type { MeshConnection } from './connection.ts'
import { isEpochKnown } from './epoch.ts'
import type { Membership } from './membership/membership.ts'
import type { RefusedPeer } from './mode/reasons.ts'
import { type PeerState, peerStatuses, unreachablePeers } from './peer-status.ts'
import type { TopologyBox } from './topology.ts'

export interface PeersDeps {
  boxId: string
  membership: Pick<Membership, 'topology'>
  connection: Pick<MeshConnection, 'engine' | 'replication'>
  /** Called when a peer became unreachable or reachable, or its journal was refused or accepted again. */
  onChange: () => void
  /** Unix ms. */
  now: () => number
}

const LOOK_MS = 1_000

export class Peers implements Disposable {
  readonly #deps: PeersDeps
  readonly #timer: NodeJS.Timeout
  #seen = ''

  constructor(deps: PeersDeps) {
    this.#deps = deps
    this.#timer = setInterval(() => this.#look(), LOOK_MS)
    this.#timer.unref()
  }

  /** All boxes of the event, this one among them. */
  get boxes(): readonly TopologyBox[] {
    return this.#deps.membership.topology?.boxes ?? []
  }

  /** As it is reported: this box first, the others by name. */
  statuses(): Neighbour[] {
    return peerStatuses(this.boxes, this.#states(), this.#observer())
  }

  unreachable(): UnreachablePeer[] {
    return unreachablePeers(this.boxes, this.#states(), this.#observer())
  }

  /** Those that answer, but whose journal cannot be used. */
  refused(): RefusedPeer[] {
    const names = new Map(this.boxes.map(({ id, name }) => [id, name]))
    const refused = this.#deps.connection.replication?.refusedPeers() ?? []
    return [...refused].map(([box, problem]) => ({ name: names.get(box) ?? box, problem }))
  }

  /** Messages that no box on the list has signed. */
  refusedMessages(): RefusedMessages[] {
    const names = new Map(this.boxes.map(({ id, name }) => [id, name]))
    const all = this.#deps.connection.replication?.refusedMessages() ?? []
    return all.map(({ what, deliveredBy, why, count, last }) => ({
      what,
      delivered_by: deliveredBy,
      name: deliveredBy === null ? null : (names.get(deliveredBy) ?? null),
      why,
      count,
      last: new Date(last).toISOString(),
    }))
  }

  isEpochKnown(): boolean {
    const { boxId, membership, connection } = this.#deps
    if (!membership.topology || !connection.engine?.isCore) return true
    const statuses = [...(connection.replication?.peerStatuses() ?? [])]
    const reached = new Map(statuses.filter(([, { lastHeard }]) => lastHeard !== undefined))
    return isEpochKnown(membership.topology, boxId, reached)
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  #observer() {
    return { self: this.#deps.boxId, now: this.#deps.now() }
  }

  #states(): ReadonlyMap<string, PeerState> {
    const { engine, replication } = this.#deps.connection
    // A voter without gates has no journal: its answers as a voter are all that is known of it.
    const voters = [...(engine?.lastVoterStatus() ?? [])].map(([box, lastHeard]) => {
      return [box, { lastHeard, behind: 0 }] as const
    })
    const states = new Map<string, PeerState>(voters)
    for (const [box, status] of replication?.peerStatuses() ?? []) {
      states.set(box, { ...status, lastHeard: status.lastHeard ?? states.get(box)?.lastHeard })
    }
    return states
  }

  /** Peers go and come back without a change of the mode, too. */
  #look(): void {
    const seen = JSON.stringify([this.unreachable().map(({ name }) => name), this.refused()])
    if (seen === this.#seen) return
    this.#seen = seen
    this.#deps.onChange()
  }
}
