/**
 * Decides when a voter's server has to start again because the core does not come together. Seen with nats-server 2.10.27 where a
 * core started while its machines were busy: a server followed a leader that did not count it, and three servers that reached each
 * other elected nobody. Neither ends by itself; a restart, which makes all routes of the server anew, ends both.
 *
 * What this box's own server says counts most. A voter that does not lead cannot make this one start again, whatever it claims.
 */
import type { CoreView, VoterStatus } from './core-status.ts'
import { isServerOf } from './voter-state.ts'

/** Looks in a row at which the leader does not count this voter: for a moment that happens while all is well, too. */
const MOST_UNCOUNTED = 4
/**
 * An election after the leader was lost takes up to 16 s. Each voter starts again in a turn of its own: once the first has, the others
 * usually have a leader.
 */
const TURN_MS = 30_000
/** Each restart after the first doubles the wait for the next one, up to 12 minutes without a leader. */
const MOST_DOUBLED = 4
/** A core that has been well for so long may fail again at once. */
const WELL_MS = 300_000
/** Looks in a row at which too few voters answer. One may happen on a busy machine; more are an outage, which no restart ends. */
const MOST_UNANSWERED = 5
/** Looks with a longer gap say nothing about the time in between. */
const GAP_MS = 15_000

export type CoreFault = 'voter_uncounted' | 'core_leaderless'

/** This box's voter, and the core that it belongs to. */
export interface OwnVoter {
  box: string
  /** By which the voters know its server. */
  name: string
  /** Ids of the boxes that vote, in the order of the topology. */
  voters: readonly string[]
  /** What its server says. */
  view: CoreView
}

/** For one epoch. */
export class CoreWatch {
  #uncounted = 0
  #unanswered = 0
  /** Of the first look without a leader. */
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
    if (now - this.#lookedAt > GAP_MS) this.#beginAnew()
    this.#lookedAt = now
    const fault = this.#faultOf(own, others, now)
    if (fault) {
      this.#restarts++
      this.#beginAnew()
    }
    return fault
  }

  #faultOf(own: OwnVoter, others: readonly VoterStatus[], now: number): CoreFault | undefined {
    const counted = membersOf(own.view, others)
    const isUncounted = counted !== undefined && !counted.includes(own.name)
    this.#uncounted = isUncounted ? this.#uncounted + 1 : 0
    this.#noteHealth(own.view.leader !== undefined && !isUncounted, now)
    if (this.#uncounted >= MOST_UNCOUNTED * this.#longer()) return 'voter_uncounted'
    return this.#isLeaderless(own, others, now) ? 'core_leaderless' : undefined
  }

  #isLeaderless({ box, voters, view }: OwnVoter, others: readonly VoterStatus[], now: number): boolean {
    const isMajority = others.length + 1 > voters.length / 2
    this.#unanswered = isMajority ? 0 : this.#unanswered + 1
    if (!view.takesPart || view.leader !== undefined || this.#unanswered > MOST_UNANSWERED) {
      this.#leaderlessAt = undefined
      return false
    }
    if (!isMajority) return false
    this.#leaderlessAt ??= now
    // The first waits differ by a turn, and all later ones are equally long, so that no two voters start again at the same time.
    const turns = this.#restarts === 0 ? voters.indexOf(box) + 1 : (voters.length * this.#longer()) / 2
    return now - this.#leaderlessAt >= turns * TURN_MS
  }

  #noteHealth(isWell: boolean, now: number): void {
    this.#wellAt = isWell ? (this.#wellAt ?? now) : undefined
    if (this.#wellAt !== undefined && now - this.#wellAt >= WELL_MS) this.#restarts = 0
  }

  /** How many times as long this voter waits as for the first restart. */
  #longer(): number {
    return 2 ** Math.min(this.#restarts, MOST_DOUBLED)
  }

  #beginAnew(): void {
    this.#uncounted = 0
    this.#unanswered = 0
    this.#leaderlessAt = undefined
    this.#wellAt = undefined
  }
}

/** The servers that the leader counts. @returns undefined while there is none, or while it does not answer */
export function membersOf(
  { leader, members }: CoreView,
  others: readonly VoterStatus[],
): readonly string[] | undefined {
  if (members || leader === undefined) return members
  return others.find(({ box }) => isServerOf(box, leader))?.members
}
