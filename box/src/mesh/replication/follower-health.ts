/** Health of following another box's journal: whether the box answers, and why something that came is refused. */
import { GatehouseError } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import { LockedMessageError } from '../encryption/keyring.ts'
import { isTheirs, LOCKED, NEVER_ANSWERED, type PeerProblem, problemOf } from './follower-problems.ts'
import { type RefusalReason, RefusedMessageError } from './signed-message.ts'

/** State of the replication of another box's journal. */
export interface FollowerStatus {
  /** When the box last answered, unix ms; undefined where it has not since this box started. */
  lastHeard: number | undefined
  /** Entries that are known to exist, but are not here yet. */
  behind: number
  /** Of the topology that the box has, as it last said; undefined where it has not. */
  epoch: number | undefined
  /** Its last answer brought everything that it has. */
  caughtUp: boolean
  /** It was asked, and did not answer. */
  isSilent: boolean
  /** Reason why its journal is refused; undefined while all is well. */
  problem: PeerProblem | undefined
}

export interface FollowerHealthDeps {
  logger: Logger
  /** Unix ms. */
  now: () => number
}

export class FollowerHealth {
  readonly #box: string
  readonly #deps: FollowerHealthDeps
  #lastHeard: number | undefined
  #epoch: number | undefined
  #caughtUp = false
  #isSilent = false
  /** Reason why its last answer was refused, where it was not signed by the box. */
  #unsigned: RefusalReason | undefined
  /** Its last answer is signed by it, and encrypted for another list of boxes. */
  #isLocked = false
  #problem: PeerProblem | undefined
  /** Reason why the last copy of its journal that another box relayed is refused: that is not the fault of this one. */
  #relayProblem: PeerProblem | undefined

  constructor(box: string, deps: FollowerHealthDeps) {
    this.#box = box
    this.#deps = deps
  }

  /** @param behind entries that are known to exist, but are not here yet */
  status(behind: number): FollowerStatus {
    const problem = this.#problem ?? (this.#isLocked ? LOCKED : this.#neverAnswered) ?? this.#relayProblem
    const [lastHeard, epoch, caughtUp, isSilent] = [this.#lastHeard, this.#epoch, this.#caughtUp, this.#isSilent]
    return { lastHeard, behind, epoch, caughtUp, isSilent, problem }
  }

  /** A box that has answered has signed its answer, so that it is not of an older version. */
  get #neverAnswered(): PeerProblem | undefined {
    return this.#unsigned && this.#lastHeard === undefined ? NEVER_ANSWERED[this.#unsigned] : undefined
  }

  /** True if a page of its journal was refused, and none accepted since. */
  get isRefused(): boolean {
    return this.#problem !== undefined
  }

  /** A request has ended. @param error undefined where it brought an answer */
  asked(error?: unknown): void {
    this.#unsigned = error instanceof RefusedMessageError ? error.why : undefined
    this.#isLocked = error instanceof LockedMessageError
  }

  /** True if the box has answered the last request. An answer that only cannot be read is one. */
  answered(hasAnswer: boolean): void {
    this.#isSilent = !hasAnswer && !this.#isLocked
  }

  /** The box was removed: it is not asked any more. */
  removed(): void {
    this.#isSilent = true
  }

  /** The answer to this box was read. @param epoch of the topology that the other box has */
  heard(epoch: number | undefined): void {
    this.#lastHeard = this.#deps.now()
    this.#epoch = epoch
  }

  /** Something may be missing here. */
  fellBehind(): void {
    this.#caughtUp = false
  }

  /** The answer was accepted. @param caughtUp whether it brought everything that the box has */
  accepted(caughtUp: boolean): void {
    this.#caughtUp = caughtUp
    this.#problem = undefined
    this.#relayProblem = undefined
  }

  /** A copy of its journal was accepted. */
  acceptedCopy(): void {
    this.#relayProblem = undefined
  }

  /** Nothing of a refused page is used. The reason is logged once, until a page is accepted again. */
  refused(error: unknown): void {
    const { logger } = this.#deps
    this.#caughtUp = false
    // The disk cannot be written, which scans report as well. The page is pulled again.
    if (error instanceof GatehouseError) return
    const problem = problemOf(error)
    // The gates of this box go on in spite of any error in another box's journal, or in how it is read here.
    if (this.#problem?.text !== problem.text)
      logger.error({
        event: 'mesh_refused',
        box: this.#box,
        problem: problem.text,
        ...(!isTheirs(error) && { err: error }),
      })
    this.#problem = problem
  }

  /** @param other the box that relayed the copy: the problem names it, and not the box whose journal it is */
  refusedCopy(error: unknown, other: string): void {
    if (error instanceof GatehouseError) return
    const text = `the copy of its journal that ${other} has is refused: ${problemOf(error).text}`
    if (this.#relayProblem === undefined) {
      const line = { event: 'mesh_copy_refused', box: this.#box, from: other, problem: text, err: error as Error }
      this.#deps.logger.error(line)
    }
    this.#relayProblem = { text, coded: { code: 'copy_refused', values: { name: other } } }
  }
}
