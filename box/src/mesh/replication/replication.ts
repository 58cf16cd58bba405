/** Replicates journals between the boxes: publishes this box's own, and follows those of the others. */

import type { KeyObject } from 'node:crypto'
import { boxes } from '../../ledger/schema.ts'
import type { Logger } from '../../log.ts'
import { rewriteFile } from '../../tickets/erasure.ts'
import { TicketVersions } from '../../tickets/versions.ts'
import { encryptedTransport } from '../encryption/encrypted-transport.ts'
import type { KeyHolder } from '../encryption/group-key.ts'
import { Keyring } from '../encryption/keyring.ts'
import { boxesWithJournal, type Membership } from '../membership/membership.ts'
import type { BatchDeps } from './batch.ts'
import type { PeerEntry } from './envelope.ts'
import { Follower, type FollowerDeps } from './follower.ts'
import type { PeerProblem } from './follower-problems.ts'
import { Pace } from './pace.ts'
import { PeerSeals, type PeerSealsDeps } from './peer-seals.ts'
import { JournalPublisher, type PublisherDeps } from './publisher.ts'
import { RefusalCounts, type RefusedMessages } from './refused-messages.ts'
import { hasSameEvent } from './same-event.ts'
import { SignedTransport } from './signed-transport.ts'
import type { Carrier } from './transport.ts'

export interface ReplicationDeps
  extends Omit<BatchDeps, 'versions'>,
    Pick<FollowerDeps, 'logger' | 'now' | 'waits'>,
    Pick<PublisherDeps, 'newestSeal'> {
  transport: Carrier
  /** Counts what is refused; one of its own when absent. */
  refusals?: RefusalCounts
  membership: Pick<Membership, 'topology' | 'onChange' | 'seemsOutdated'>
  /** Ed25519, private: the key of this box's log, which signs what it sends. */
  logKey: KeyObject
  /** Of `tagSecret`: proves that a message is from a machine with the event's key. */
  tagSecret: Uint8Array
  /** Milliseconds that never jump. */
  monotonic: () => number
  /** This box, for which the group key in the list of boxes is encrypted. */
  keyHolder: KeyHolder
  /** Signs the seals that hold against the copy here. */
  witness?: PeerSealsDeps['witness']
}

/** State of the replication of a box's journal. */
export interface PeerReplicationStatus {
  /** When it last answered, unix ms; undefined where it has not, and `problem` says why. */
  lastHeard: number | undefined
  /** Entries that are known to exist, but are not here yet. */
  behind: number
  /** Of the topology that it has, as it last said; undefined where it is of an older version. */
  epoch: number | undefined
  /** Reason why its journal is refused, or what somebody should look at; undefined while all is well. */
  problem: PeerProblem | undefined
}

export class Replication implements AsyncDisposable {
  readonly #deps: ReplicationDeps
  readonly #seals: PeerSeals
  readonly #refusals: RefusalCounts
  readonly #followerDeps: FollowerDeps
  readonly #followers = new Map<string, Follower>()
  /** Boxes with another event file, and what is reported about each. */
  readonly #otherEvent = new Map<string, PeerProblem>()
  readonly #stack = new AsyncDisposableStack()
  #ending: Promise<unknown> = Promise.resolve()

  constructor(deps: ReplicationDeps) {
    const { ledger, logger, self, now, membership, witness, event, keyHolder } = deps
    this.#deps = deps
    this.#seals = new PeerSeals({ ledger, logger, now, witness })
    const topology = () => membership.topology
    const isListed = (box: string) => topology()?.boxes.some(({ id }) => id === box) ?? false
    this.#refusals = deps.refusals ?? new RefusalCounts({ logger, now, isListed })
    const signed = new SignedTransport({
      ...deps,
      carrier: deps.transport,
      event: event.id,
      topology,
      refusals: this.#refusals,
    })
    const transport = encryptedTransport(signed, {
      keyring: new Keyring(keyHolder, topology),
      onLocked: () => membership.seemsOutdated(),
    })
    this.#followerDeps = {
      ...deps,
      transport,
      versions: new TicketVersions(ledger.db),
      pace: new Pace({ now, boxes: () => this.#followers.size }),
      others: () => this.#listed().filter((id) => id !== self),
      isRemoved: (box) => !this.#listed().includes(box),
      onReplicated: (box, entries) => this.#replicated(box, entries),
      onSeal: (box, note) => {
        this.#seals.take(box, note)
        void this.#seals.check(box)
      },
    }
    this.#stack.defer(async () => {
      await Promise.all([...this.#followers.values()].map((follower) => follower[Symbol.asyncDispose]()))
    })
    transport.onPush((box, page) => this.#followers.get(box)?.pushed(page))
    transport.onUrgent((box, page) => void this.#followers.get(box)?.urgent(page))
    this.#stack.defer(
      transport.onLink(() => {
        for (const follower of this.#followers.values()) follower.pull()
      }),
    )
    this.#stack.use(new JournalPublisher({ ...deps, transport, epoch: () => membership.topology?.epoch }))
    this.#stack.defer(membership.onChange(() => this.#followAll()))
    this.#followAll()
  }

  /** By box: those that were reached since this one started, and those of which something is to be said. */
  peerStatuses(): ReadonlyMap<string, PeerReplicationStatus> {
    const statuses = new Map<string, PeerReplicationStatus>()
    for (const { box, status } of this.#followers.values()) {
      const { lastHeard, behind, epoch } = status
      const problem = status.problem ?? this.#seals.problemOf(box) ?? this.#otherEvent.get(box)
      if (lastHeard === undefined && problem === undefined) continue
      statuses.set(box, { lastHeard, behind, epoch, problem })
    }
    return statuses
  }

  /** Messages that were refused in the last day: the newest first. */
  refusedMessages(): RefusedMessages[] {
    return this.#refusals.all()
  }

  /** True if everything is here that the boxes have which answer. */
  caughtUp(): boolean {
    return [...this.#followers.values()].every(({ status }) => status.caughtUp || status.isSilent)
  }

  /** The boxes that answer, but whose journal is refused: why, by box. */
  refusedPeers(): ReadonlyMap<string, PeerProblem> {
    const refused = new Map<string, PeerProblem>()
    for (const { box, status } of this.#followers.values()) {
      const { problem, caughtUp, isSilent } = status
      if (problem !== undefined && !caughtUp && !isSilent) refused.set(box, problem)
    }
    return refused
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync()
    await this.#ending
  }

  #listed(): string[] {
    const { topology } = this.#deps.membership
    return (topology ? boxesWithJournal(topology) : []).map(({ id }) => id)
  }

  /** Follows every box, also one that was removed: what it sent to somebody before it went is pulled from there. */
  #followAll(): void {
    const { ledger, membership, self } = this.#deps
    const known = ledger.db.drizzle.select({ id: boxes.id }).from(boxes).all()
    const all = [...this.#listed(), ...(membership.topology ? known.map(({ id }) => id) : [])]
    const others = new Set(all.filter((id) => id !== self))
    for (const [id, follower] of this.#followers) {
      if (others.has(id)) continue
      this.#followers.delete(id)
      this.#ending = this.#ending.then(() => follower[Symbol.asyncDispose]())
    }
    for (const id of others) {
      if (this.#followers.has(id)) continue
      this.#followers.set(id, new Follower(id, this.#followerDeps))
      this.#compareEvent(id)
    }
  }

  #replicated(box: string, entries: readonly PeerEntry[]): void {
    if (entries.some(({ kind }) => kind === 'event')) this.#compareEvent(box)
    if (entries.some(({ kind }) => kind === 'erasure')) rewrite(this.#deps)
    void this.#seals.check(box)
  }

  #compareEvent(box: string): void {
    const { ledger, logger } = this.#deps
    if (hasSameEvent(box, ledger) !== false) {
      this.#otherEvent.delete(box)
      return
    }
    if (this.#otherEvent.has(box)) return
    this.#otherEvent.set(box, {
      text: 'it goes by another event file: give both the same, and start the one that has the older',
      coded: { code: 'other_event' },
    })
    logger.warn({ event: 'mesh_event_file', box })
  }
}

/** Personal data was erased at another box, after the event: this box stands still for as long as the rewriting takes. */
function rewrite({ ledger, logger }: { ledger: ReplicationDeps['ledger']; logger: Logger }): void {
  try {
    rewriteFile(ledger.db)
  } catch (error) {
    logger.error({ event: 'mesh_erasure', err: error })
  }
}
