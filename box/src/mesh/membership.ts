/**
 * Which boxes the event has, as the ledger knows it: read, changed here, or heard from another box. A command beside a running
 * box changes it in the same way; the box sees the entry, and follows.
 */
import type { KeyObject } from 'node:crypto'
import { isNull } from '../drizzle/core.ts'
import { GatehouseError } from '../errors.ts'
import type { By } from '../http/actor.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { boxes } from '../ledger/schema.ts'
import {
  isNewer,
  openTopology,
  readTopology,
  signedTopology,
  signTopology,
  storeTopology,
  type Topology,
  type TopologyBox,
  TopologyError,
} from './topology.ts'

/** What somebody did about the mesh: in the journal entry of kind `mesh`. A type: it goes into entries as it is. */
export type MeshAct = By & {
  readonly action: 'began' | 'invited' | 'bundle' | 'joined' | 'left' | 'removed' | 'promoted' | 'moved' | 'heard'
  /** Whom it is about. */
  readonly box: string
  readonly reason?: string
}

export interface MembershipDeps {
  ledger: Ledger
  eventId: string
  /** Ed25519, private: the event's. */
  eventKey: KeyObject
  /** Unix ms. */
  now: () => number
}

export type TopologyListener = (topology: Topology) => void

export class Membership implements Disposable {
  readonly #deps: MembershipDeps
  readonly #listeners = new Set<TopologyListener>()
  readonly #unsubscribe: () => void
  #signed: string | undefined
  #topology: Topology | undefined
  /** What listeners were last told: a change may be read here before its entry is heard of. */
  #told: string | undefined

  /** @throws TopologyError when what the ledger has is damaged */
  constructor(deps: MembershipDeps) {
    this.#deps = deps
    this.#read()
    this.#told = this.#signed
    this.#unsubscribe = deps.ledger.subscribe((entries) => {
      if (entries.some(({ kind }) => kind === 'mesh')) this.#follow()
    })
  }

  /** Undefined for a box that never met another. */
  get topology(): Topology | undefined {
    return this.#topology
  }

  /** The same as it is handed on; undefined with it. */
  get signed(): string | undefined {
    return this.#signed
  }

  /** Calls `listener` after every change, whoever made it, when it is on disk. */
  onChange(listener: TopologyListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * @param make the boxes that there are to be, from those that there are; undefined for those that are good as they are
   * @returns the topology after it
   * @throws GatehouseError `conflict` for a change that cannot be made; what `make` throws
   */
  change(make: (topology: Topology | undefined) => Topology | undefined, act: MeshAct): Promise<Topology> {
    const { ledger, eventKey } = this.#deps
    return ledger.commit(() => {
      // Another process may have changed it since this one last looked.
      this.#read()
      const topology = possible(() => make(this.#topology))
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
   * What another box says that the boxes are.
   * @returns whether it was newer than what was known, and is kept
   * @throws TopologyError for anything but a list of this event, signed with its key
   */
  async hear(signed: string, from: string): Promise<boolean> {
    const { ledger, eventKey, eventId } = this.#deps
    const heard = openTopology(signed, eventKey, eventId)
    if (!this.#counts(heard)) return false
    return ledger.commit(() => {
      this.#read()
      if (!this.#counts(heard)) return false
      this.#keep(heard, signed)
      const { epoch, version } = heard
      ledger.append('mesh', { actor: 'mesh', address: from, action: 'heard', box: from, epoch, version })
      return true
    })
  }

  [Symbol.dispose](): void {
    this.#unsubscribe()
  }

  #counts(heard: Topology): boolean {
    return this.#topology === undefined || isNewer(heard, this.#topology)
  }

  /** Within a transaction. A box that is not in the list any more keeps its row: what it did stays. */
  #keep(topology: Topology, signed: string): void {
    const { ledger, now } = this.#deps
    const { drizzle } = ledger.db
    storeTopology(ledger.db, signed)
    drizzle.update(boxes).set({ leftAt: now() }).where(isNull(boxes.leftAt)).run()
    for (const { id, name, log_key: logKey } of withGates(topology)) {
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
    if (this.#signed === this.#told || !topology) return
    this.#told = this.#signed
    for (const listener of this.#listeners) listener(topology)
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
export function withGates({ boxes: all }: Topology): TopologyBox[] {
  return all.filter(({ role }) => role !== 'voter')
}

/** A change that cannot be made is for the operator to read. */
function possible<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof TopologyError)) throw error
    throw new GatehouseError('conflict', error.message, { cause: error })
  }
}
