/**
 * The list of boxes in the ledger: read, changed here, or adopted from another box. A command beside a running box changes it in
 * the same way; the box sees the journal entry and follows.
 */
import type { KeyObject } from 'node:crypto'
import type { By } from '../../ca/actor.ts'
import { eq, isNull } from '../../drizzle/core.ts'
import { GatehouseError } from '../../errors.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { boxes } from '../../ledger/schema.ts'
import { Subscribers } from '../../subscribers.ts'
import { encodePublicKey } from '../encryption/box-key.ts'
import { haveAllKeys, isIncomplete, type KeyHolder, makeGroupKey } from '../encryption/group-key.ts'
import { wasRemoved } from '../removals.ts'
import { hasSignedKeys, withSignature } from '../signed-keys.ts'
import {
  openTopology,
  readTopology,
  requireAllKeys,
  signedTopology,
  signTopology,
  storeTopology,
  type Topology,
  type TopologyBox,
  TopologyError,
  withAddress,
  withGroupKey,
} from '../topology.ts'
import { merged } from '../topology-merge.ts'

/** A change of the mesh, as the fields of a journal entry of kind `mesh`. A type and not an interface, so that it fits an entry. */
export type MembershipChange = By & {
  readonly action:
    | 'began'
    | 'invited'
    | 'bundle'
    | 'joined'
    | 'left'
    | 'removed'
    | 'promoted'
    | 'moved'
    | 'keys'
    | 'heard'
  /** The box that it is about. */
  readonly box: string
  readonly reason?: string
}

export interface MembershipDeps {
  ledger: Ledger
  eventId: string
  /** Ed25519, private: the event's. */
  eventKey: KeyObject
  /** This box, which puts its key into every list that it changes or takes over, and makes a group key where one is missing. */
  keyHolder: KeyHolder
  /** Unix ms. */
  now: () => number
}

export type TopologyListener = (topology: Topology) => void

export class Membership implements Disposable {
  readonly #deps: MembershipDeps
  readonly #listeners = new Subscribers<[Topology]>()
  readonly #outdatedListeners = new Subscribers()
  readonly #unsubscribe: () => void
  #signed: string | undefined
  #topology: Topology | undefined
  /** The list that listeners were last notified of: a change may be read before its entry arrives. */
  #notified: string | undefined

  /** @throws TopologyError for a damaged list in the ledger */
  constructor(deps: MembershipDeps) {
    this.#deps = deps
    this.#read()
    this.#notified = this.#signed
    this.#unsubscribe = deps.ledger.subscribe('committed', (entries) => {
      if (entries.some(({ kind }) => kind === 'mesh')) this.#follow()
    })
  }

  /** Undefined for a box that was never in a mesh. */
  get topology(): Topology | undefined {
    return this.#topology
  }

  /** Its signed text; undefined with it. */
  get signed(): string | undefined {
    return this.#signed
  }

  /** Calls `listener` after every change, by this process or another, once it is on disk. */
  onChange(listener: TopologyListener): () => void {
    return this.#listeners.add(listener)
  }

  /** True if this box has its key to add to the list or to sign, or a group key to make: the next change of the list does all of it. */
  get isIncomplete(): boolean {
    const { keyHolder } = this.#deps
    if (this.#topology === undefined) return false
    return isIncomplete(this.#topology, keyHolder) || this.#withSignature(this.#topology) !== this.#topology
  }

  /** Says that this box or another one seems to have an old list. */
  seemsOutdated(): void {
    this.#outdatedListeners.notify()
  }

  /** Calls `listener` when lists should be exchanged soon. @returns what ends that */
  onOutdated(listener: () => void): () => void {
    return this.#outdatedListeners.add(listener)
  }

  /**
   * @param make returns the new list, or undefined to leave it as it is
   * @returns the topology after it
   * @throws GatehouseError `conflict` for a change that cannot be made; what `make` throws
   */
  change(make: (topology: Topology | undefined) => Topology | undefined, act: MembershipChange): Promise<Topology> {
    const { ledger, eventKey } = this.#deps
    return ledger.commit(() => {
      // Another process may have changed it since this one last looked.
      this.#read()
      const topology = possible(() => {
        const made = make(this.#topology)
        return made && this.#completed(made)
      })
      if (topology) {
        this.#keep(topology, signTopology(topology, eventKey))
        const { epoch, version } = topology
        ledger.append('mesh', { ...act, epoch, version })
      }
      const now = topology ?? this.#topology
      if (!now) throw new GatehouseError('conflict', 'This box is alone: run "gatehouse mesh init" first.')
      return now
    })
  }

  /**
   * Takes over another box's list, if it is newer, and its removals in any case.
   * @returns whether that changed this box's list
   * @throws TopologyError for anything but a list of this event, signed with its key
   */
  async adopt(signed: string, from: string): Promise<boolean> {
    const { ledger, eventKey, eventId } = this.#deps
    const received = openTopology(signed, eventKey, eventId)
    if (this.#merged(received) === undefined) return false
    return ledger.commit(() => {
      this.#read()
      const newer = this.#merged(received)
      if (!newer) return false
      const topology = this.#completed(newer)
      this.#keep(topology, topology === received ? signed : signTopology(topology, eventKey))
      const { epoch, version } = topology
      ledger.append('mesh', { actor: 'mesh', address: from, action: 'heard', box: from, epoch, version })
      return true
    })
  }

  /**
   * True if `box` is listed. Within a transaction.
   * @throws GatehouseError `conflict` for the id or key of a member that was removed, and for another box's id
   */
  isListed({ id, log_key }: { id: string; log_key: string }): boolean {
    this.#read()
    const { boxes: listed = [], gone = [] } = this.#topology ?? {}
    if (listed.some((box) => box.id === id && box.log_key === log_key)) return true
    if (listed.some((box) => box.id === id))
      throw new GatehouseError('conflict', `There is another box ${id}.`, {
        reason: 'box_name_taken',
        values: { name: id },
      })
    if (wasRemoved({ id, log_key }, gone) || this.#hadJournal(id)) {
      throw new GatehouseError(
        'conflict',
        `${id} was removed from this event, and its invite with it: make a new invite, and join with an empty data folder.`,
      )
    }
    return false
  }

  [Symbol.dispose](): void {
    this.#unsubscribe()
  }

  /** The list that there is to be after `received`; undefined when it has no news. */
  #merged(received: Topology): Topology | undefined {
    if (this.#topology === undefined) return received
    const topology = merged(this.#topology, received)
    return topology === this.#topology ? undefined : topology
  }

  /** With this box's key, and with a group key where every box has a key. @throws TopologyError for a box that would end encryption */
  #completed(topology: Topology): Topology {
    const { keyHolder } = this.#deps
    const ownKey = encodePublicKey(keyHolder.key)
    const listed = topology.boxes.find(({ id, role }) => id === keyHolder.id && role !== 'voter')
    const isAnnounced = !listed || listed.encryption_key === ownKey
    const keyed = this.#withSignature(
      isAnnounced ? topology : withAddress(topology, keyHolder.id, { encryption_key: ownKey }),
    )
    if (this.#topology && haveAllKeys(this.#topology)) requireAllKeys(keyed)
    return haveAllKeys(keyed) && isIncomplete(keyed, keyHolder)
      ? withGroupKey(keyed, makeGroupKey(keyed, keyHolder))
      : keyed
  }

  /** The same list, where this box has signed its keys in it, or cannot. */
  #withSignature(topology: Topology): Topology {
    const { id, logKey } = this.#deps.keyHolder
    const own = topology.boxes.find((box) => box.id === id && box.role !== 'voter')
    if (!own || !logKey || hasSignedKeys(own, topology.event)) return topology
    const key_signature = withSignature(own, topology.event, logKey)?.key_signature
    return key_signature === undefined ? topology : withAddress(topology, id, { key_signature })
  }

  /** Before version 2 the list of boxes did not say who was removed, but a box keeps the row of everybody with a journal. */
  #hadJournal(id: string): boolean {
    const { drizzle } = this.#deps.ledger.db
    return drizzle.select({ id: boxes.id }).from(boxes).where(eq(boxes.id, id)).get() !== undefined
  }

  /** Within a transaction. A box that is no longer listed keeps its row, because its entries stay. */
  #keep(topology: Topology, signed: string): void {
    const { ledger, now } = this.#deps
    const { drizzle } = ledger.db
    storeTopology(ledger.db, signed)
    drizzle.update(boxes).set({ leftAt: now() }).where(isNull(boxes.leftAt)).run()
    for (const { id, name, log_key: logKey } of boxesWithJournal(topology)) {
      drizzle
        .insert(boxes)
        .values({ id, name, logKey })
        .onConflictDoUpdate({ target: boxes.id, set: { name, logKey, leftAt: null } })
        .run()
    }
  }

  #follow(): void {
    this.#read()
    const topology = this.#topology
    if (this.#signed === this.#notified || !topology) return
    this.#notified = this.#signed
    this.#listeners.notify(topology)
  }

  #read(): void {
    const { ledger, eventKey, eventId } = this.#deps
    const signed = signedTopology(ledger.db)
    if (signed === this.#signed) return
    this.#topology = readTopology(ledger.db, eventKey, eventId)
    this.#signed = signed
  }
}

/** Boxes with a journal: voters have none. */
export function boxesWithJournal({ boxes: all }: Topology): TopologyBox[] {
  return all.filter(({ role }) => role !== 'voter')
}

/** Turns the error of an impossible change into one for the operator. */
function possible<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof TopologyError)) throw error
    throw new GatehouseError('conflict', error.message, {
      cause: error,
      ...(error.coded && { coded: [error.coded] }),
    })
  }
}
