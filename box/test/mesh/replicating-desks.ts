import { createLogger } from '../../src/log.ts'
import { encryptedTransport } from '../../src/mesh/encryption/encrypted-transport.ts'
import type { KeyHolder } from '../../src/mesh/encryption/group-key.ts'
import { Keyring } from '../../src/mesh/encryption/keyring.ts'
import { tagSecret } from '../../src/mesh/replication/member-tag.ts'
import { Replication } from '../../src/mesh/replication/replication.ts'
import { SignedTransport } from '../../src/mesh/replication/signed-transport.ts'
import type { Carrier, Transport } from '../../src/mesh/replication/transport.ts'
import type { Topology } from '../../src/mesh/topology.ts'
import { Sealer } from '../../src/seal/sealer.ts'
import type { Desk } from '../world/desk.ts'
import { Desks, type DesksOptions } from './desks.ts'
import { keyHolder, withKeys } from './keys.ts'
import { Wires } from './wires.ts'

/** Short, so that no test waits for a second to pass. */
const WAITS = { pull: 20, refused: 250, pushed: 5 }
type CarrierOf = (id: string, place: number) => Carrier

const NOON = Date.parse('2026-07-04T12:00:00Z')

/** Desks that replicate by themselves, over wires in this process or what `carrierOf` returns for a box. */
export class ReplicatingDesks implements AsyncDisposable {
  readonly desks: Desks
  readonly wires = new Wires()
  readonly log: Record<string, unknown>[] = []
  readonly replications: Replication[] = []
  readonly sealers: Sealer[] = []
  readonly #changed = new Set<(topology: Topology) => void>()
  readonly #holders: readonly KeyHolder[]
  #topology: Topology
  readonly #outdated = new Map<string, Topology>()

  private constructor(desks: Desks, carrierOf: CarrierOf = (id) => this.wires.end(id)) {
    this.desks = desks
    this.#holders = desks.all.map(({ id }) => keyHolder(id))
    this.#topology = this.#listOf(
      desks.all.map(({ id, deps }) => ({ id, role: 'leaf', log_key: deps.keys.logVerifierKey })),
    )
    const topologyOf = (id: string) => this.topologyOf(id)
    const logger = createLogger('info', { write: (line) => void this.log.push(JSON.parse(line)) })
    for (const [i, { id, deps }] of desks.all.entries()) {
      const { ledger, keys } = deps
      const signing = { origin: keys.origin, signingKey: keys.logKey }
      const sealer = new Sealer({ ledger, logger, now: () => NOON, ...signing })
      this.sealers.push(sealer)
      this.replications.push(
        new Replication({
          ...deps,
          self: id,
          logger,
          now: () => Date.now(),
          monotonic: () => performance.now(),
          waits: WAITS,
          tagSecret: this.tagSecret,
          transport: carrierOf(id, i),
          logKey: keys.logKey,
          keyHolder: this.#holders[i] ?? keyHolder(id),
          newestSeal: () => sealer.lastSeal()?.note,
          membership: {
            get topology() {
              return topologyOf(id)
            },
            onChange: (listener) => {
              this.#changed.add(listener)
              return () => this.#changed.delete(listener)
            },
            seemsOutdated: () => {},
          },
        }),
      )
    }
  }

  static async open(
    boxes: number,
    { carrierOf, ...options }: Partial<DesksOptions> & { carrierOf?: CarrierOf } = {},
  ): Promise<ReplicatingDesks> {
    return new ReplicatingDesks(await Desks.open({ boxes, now: NOON, ...options }), carrierOf)
  }

  get boxes(): [Desk, Desk, Desk] {
    return this.desks.all as [Desk, Desk, Desk]
  }

  /** Transport that signs with the key of `desk`, and sends under the name `box`: its own, or a forged one. */
  sender({ event, deps: { keys, clock } }: Desk, box: string): Transport {
    const signed = new SignedTransport({
      tagSecret: this.tagSecret,
      clock,
      monotonic: () => performance.now(),
      carrier: this.wires.end(box),
      event: event.id,
      self: box,
      logKey: keys.logKey,
      topology: () => this.topology,
      refusals: { count: () => {} },
    })
    return encryptedTransport(signed, { keyring: this.keyring, onLocked: () => {} })
  }

  /** Secret of every box that has the event's key. */
  get tagSecret(): Uint8Array {
    const { event, deps } = this.desks.desk(0)
    return tagSecret(deps.identity.signingSeed, event.id)
  }

  /** The keys of the first box. */
  get keyring(): Keyring {
    return new Keyring(this.#holders[0] ?? keyHolder('box-0'), () => this.#topology)
  }

  /** Encrypted as the first box does it. */
  encrypted(page: Uint8Array): Uint8Array {
    return this.keyring.encrypt(page)
  }

  /** The list that a box has: one that does not know that it was removed has the old one. */
  topologyOf(box: string): Topology {
    return this.#outdated.get(box) ?? this.#topology
  }

  /** The list of boxes. */
  get topology(): Topology {
    return this.#topology
  }

  /** A box is listed as one of an older version is: it has no key, and so there is no group key. */
  listOlder(index: number): void {
    const { group_key: _, ...list } = this.#topology
    const boxes = list.boxes.map(({ encryption_key, ...box }, i) =>
      i === index || encryption_key === undefined ? box : { ...box, encryption_key },
    )
    this.#topology = { ...list, boxes }
    for (const listener of this.#changed) listener(this.#topology)
  }

  /** Other boxes are on the list, which has a new group key. */
  list(boxes: readonly { id: string; role: string; log_key: string }[]): void {
    this.#topology = this.#listOf(boxes)
    for (const listener of this.#changed) listener(this.#topology)
  }

  #listOf(boxes: readonly { id: string; role: string; log_key: string }[]): Topology {
    return { epoch: 3, ...withKeys(boxes, this.#holders) } as unknown as Topology
  }

  /** A box dies, and is taken off the list. */
  async remove(index: number): Promise<void> {
    await this.replications[index]?.[Symbol.asyncDispose]()
    this.strike(index)
  }

  /** A box is taken off the list, and does not know. */
  strike(index: number): void {
    const gone = this.desks.all[index]?.id ?? ''
    this.#outdated.set(gone, this.#topology)
    this.list(this.#topology.boxes.filter(({ id }) => id !== gone))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const replication of this.replications) await replication[Symbol.asyncDispose]()
    for (const sealer of this.sealers) await sealer[Symbol.asyncDispose]()
    this.desks[Symbol.dispose]()
  }
}
