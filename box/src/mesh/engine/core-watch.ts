/**
 * Decides when a voter's server has to start again because the core does not come together. Seen with nats-server 2.10.27 where a
 * core started while its machines were busy: a server followed a leader that did not count it, and three servers that reached each
 * other elected nobody. Neither ends by itself; a restart, which makes all routes of the server anew, ends both.
 */
import type { VoterStatus } from './core-status.ts'
import { isServerOf } from './voter-state.ts'

/** Looks in a row at which the core's leader does not count this voter: for a moment that happens while all is well, too. */
const MOST_UNCOUNTED = 4
/** An election after the leader was lost takes up to 16 s. The voters wait one after the other: once the first has started again, the others have a leader. */
const LEADERLESS_MS = 30_000
/** Waits at most so many times as long: a store on a slow card may take minutes until it takes part, and each restart delays it. */
const MOST_PATIENCE = 32

export type CoreFault = 'voter_uncounted' | 'core_leaderless'

/** This box's voter, and the core that it belongs to. */
export interface OwnVoter {
  box: string
  /** By which the voters know its server. */
  name: string
  /** Ids of the boxes that vote, in the order of the topology. */
  voters: readonly string[]
}

export class CoreWatch {
  #uncounted = 0
  /** Of the first look without a leader. */
  #leaderlessAt: number | undefined
  #patience = 1

  /**
   * Call it about each second. A voter's word about itself may be a lie, so the leader is the one that this box's own server follows.
   *
   * @param statuses of the voters that answer, this box's among them
   * @param now milliseconds, monotonic
   * @returns the reason why this box's server has to start again, if it has to
   */
  look(statuses: readonly VoterStatus[], own: OwnVoter, now: number): CoreFault | undefined {
    const counted = membersOf(statuses, own.box)
    this.#uncounted = counted && !counted.includes(own.name) ? this.#uncounted + 1 : 0
    if (this.#uncounted >= MOST_UNCOUNTED) {
      this.#uncounted = 0
      return 'voter_uncounted'
    }
    return this.#isLeaderless(statuses, own, now) ? 'core_leaderless' : undefined
  }

  #isLeaderless(statuses: readonly VoterStatus[], { box, voters }: OwnVoter, now: number): boolean {
    const own = statuses.find((status) => status.box === box)
    if (own?.leader !== undefined) this.#patience = 1
    // Without a majority nobody can be elected: that is an outage, and no restart ends it.
    if (!own || own.leader !== undefined || statuses.length <= voters.length / 2) {
      this.#leaderlessAt = undefined
      return false
    }
    this.#leaderlessAt ??= now
    const turn = voters.indexOf(box) + 1
    if (now - this.#leaderlessAt < LEADERLESS_MS * turn * this.#patience) return false
    this.#leaderlessAt = undefined
    this.#patience = Math.min(this.#patience * 2, MOST_PATIENCE)
    return true
  }
}

/**
 * The servers that the leader counts.
 * @param box whose server says who the leader is
 * @returns undefined while there is none, or it does not answer
 */
export function membersOf(statuses: readonly VoterStatus[], box: string): readonly string[] | undefined {
  const leader = statuses.find((status) => status.box === box)?.leader
  return leader === undefined ? undefined : statuses.find((status) => isServerOf(status.box, leader))?.members
}
