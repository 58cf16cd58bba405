/**
 * Decides when a voter's server has to start again because the core does not come together. Seen with nats-server 2.10.27 where a
 * core started while its machines were busy: a server followed a leader that did not count it, and three servers that reached each
 * other elected nobody. Neither ends by itself; a restart, which makes all routes of the server anew, ends both.
 *
 * This box's own server is believed before the others: while it follows a leader that counts it, no other voter can make it start
 * again, whatever that one claims.
 */
import type { VoterStatus } from './core-status.ts'
import { isServerOf } from './voter-state.ts'

/** Looks in a row at which the leader does not count this voter, before the first restart: for a moment that happens while all is well, too. */
const UNCOUNTED_LOOKS = 4
/**
 * An election after the leader was lost takes up to 16 s. Each voter starts again in a turn of its own: once the first has, the others
 * usually have a leader.
 */
const TURN_MS = 30_000
/** A restart that did not help doubles the wait for the next one, up to 12 minutes without a leader. */
const MOST_DOUBLINGS = 3
/** After so long with a leader the waits are as for the first restart again. */
const WELL_MS = 300_000
/** More looks in a row than this without a majority are an outage, which no restart ends. */
const MOST_UNANSWERED = 2
/** Looks with a longer gap say nothing about the time in between. */
const GAP_MS = 15_000

export type CoreFault = 'voter_uncounted' | 'voter_leaderless'

/** This box's voter, and the core that it belongs to. */
export interface OwnVoter {
  box: string
  /** By which the voters know its server. */
  name: string
  /** Ids of the boxes that vote, in the order of the topology. */
  voters: readonly string[]
  status: VoterStatus
}

/** For one epoch. */
export class CoreWatch {
  /** Looks in a row. */
  #uncounted = 0
  #unanswered = 0
  /** When the wait without a leader began. */
  #leaderlessAt: number | undefined
  #wellAt: number | undefined
  #lookedAt = Number.NEGATIVE_INFINITY
  #restarts = 0

  /**
   * Call it about each second.
   *
   * @param others statuses of the other voters that answer
   * @param now milliseconds, monotonic
   * @returns the reason why this box's server has to start again, if it has to
   */
  look(own: OwnVoter, others: readonly VoterStatus[], now: number): CoreFault | undefined {
    const passed = now - this.#lookedAt
    if (passed > GAP_MS) this.#beginAnew()
    this.#lookedAt = now
    const fault = this.#faultOf(own, others, { now, passed })
    if (fault) {
      this.#restarts++
      this.#beginAnew()
    }
    return fault
  }

  #faultOf(own: OwnVoter, others: readonly VoterStatus[], at: Moment): CoreFault | undefined {
    const counted = membersOf(own.status, others)
    const isUncounted = counted !== undefined && !counted.includes(own.name)
    // A leader that has not answered in time says nothing.
    if (counted || own.status.leader === undefined) this.#uncounted = isUncounted ? this.#uncounted + 1 : 0
    this.#noteHealth(own.status.leader !== undefined && this.#uncounted === 0, at.now)
    if (this.#uncounted >= UNCOUNTED_LOOKS * this.#longer()) return 'voter_uncounted'
    return this.#isLeaderless(own, others, at) ? 'voter_leaderless' : undefined
  }

  #isLeaderless({ box, voters, status }: OwnVoter, others: readonly VoterStatus[], { now, passed }: Moment): boolean {
    // A server that has given up its store can elect nobody, and a restart gives it no room.
    const able = [status, ...others].filter(({ kept }) => kept)
    const isMajority = able.length > voters.length / 2
    this.#unanswered = isMajority ? 0 : this.#unanswered + 1
    if (!status.kept || status.leader !== undefined || this.#unanswered > MOST_UNANSWERED) {
      this.#leaderlessAt = undefined
      return false
    }
    if (!isMajority) {
      if (this.#leaderlessAt !== undefined) this.#leaderlessAt += passed
      return false
    }
    this.#leaderlessAt ??= now
    // No two voters wait for the same number of turns, however often each has started again.
    const turns = voters.length * (this.#longer() - 1) + voters.indexOf(box) + 1
    return now - this.#leaderlessAt >= turns * TURN_MS
  }

  #noteHealth(isWell: boolean, now: number): void {
    this.#wellAt = isWell ? (this.#wellAt ?? now) : undefined
    if (this.#wellAt !== undefined && now - this.#wellAt >= WELL_MS) this.#restarts = 0
  }

  #longer(): number {
    return 2 ** Math.min(this.#restarts, MOST_DOUBLINGS)
  }

  #beginAnew(): void {
    this.#uncounted = 0
    this.#unanswered = 0
    this.#leaderlessAt = undefined
    this.#wellAt = undefined
  }
}

interface Moment {
  now: number
  /** Since the look before, ms. */
  passed: number
}

/**
 * The servers that the leader counts.
 * @param own of this box's voter: its server says who leads, and where it knows nobody, whoever claims to is believed
 * @returns undefined while nobody leads, or while the leader does not answer
 */
export function membersOf(
  own: Pick<VoterStatus, 'leader' | 'members'>,
  others: readonly VoterStatus[],
): readonly string[] | undefined {
  const { leader, members } = own
  if (members) return members
  return others.find((other) => (leader === undefined ? other.members !== undefined : isServerOf(other.box, leader)))
    ?.members
}
