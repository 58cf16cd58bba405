/**
 * Keeps the list of boxes the same at all boxes, and this box's own address in it current: each box sends its list to every other
 * and gets theirs. Over HTTPS and not over the connections that follow from the list: a box that was away while these changed
 * would never learn of it. A box that does not answer at its listed address is looked for on the network, because all boxes may
 * have been given other addresses.
 */
import type { KeyObject } from 'node:crypto'
import type { Ledger } from '../../ledger/ledger.ts'
import { boxes } from '../../ledger/schema.ts'
import type { Logger } from '../../log.ts'
import { type FoundBox, urlsOf } from '../discovery/announcement.ts'
import { type Topology, TopologyError } from '../topology.ts'
import { type Address, completeKeys, MESH_ACTOR, updateOwnAddress } from './address.ts'
import { MEMBER_HEADER, memberHeader } from './member-header.ts'
import type { Membership } from './membership.ts'
import { pinnedClient } from './pinned-client.ts'
import { clearPendingReplacement, pendingReplacement, withReplacement } from './replace.ts'

const EVERY_MS = 20_000
const PATIENCE_MS = 5_000
const AGAIN_MS = 1_000
/** Rounds between two searches on the network: a box may be away all night, and each of fifty boxes answers every search. */
const ROUNDS_TO_FIND = 6
/** Longer than any list of boxes. */
const LONGEST = 1024 * 1024

export interface TopologyExchangeDeps {
  boxId: string
  event: { readonly id: string }
  /** `logKey`: Ed25519, private. */
  keys: { readonly logKey: KeyObject }
  /** Unix ms. */
  now: () => number
  ledger: Ledger
  membership: Membership
  /** This box's present address. */
  self: () => Promise<Address>
  /** PEM: the event's authority. */
  ca: string
  /** `sha256:<64 hex>` of it. */
  caFingerprint: string
  /** Searches the network for boxes; undefined where that is turned off. Its results are not trusted. */
  find?: (() => Promise<readonly FoundBox[]>) | undefined
  logger: Logger
}

/** A box's answer to a list of boxes. */
export interface PeerTopology {
  /** The id of the box that answers. Absent where it is of an older version. */
  box?: string
  /** Its own, signed. */
  topology: string
  /** Number of entries that it has of each box's journal, its own among them. */
  heard: { [box: string]: number }
}

export class TopologyExchange implements AsyncDisposable {
  readonly #deps: TopologyExchangeDeps
  readonly #stopping = new AbortController()
  #timer: NodeJS.Timeout | undefined
  /** Lists were exchanged a moment ago because one seemed to be old. */
  #waiting: NodeJS.Timeout | undefined
  #unsubscribe = () => {}
  #last: Topology | undefined
  #round = 0
  #asked = -ROUNDS_TO_FIND
  #under: Promise<unknown> = Promise.resolve()

  constructor(deps: TopologyExchangeDeps) {
    this.#deps = deps
    this.#last = deps.membership.topology
  }

  /** Begins to exchange lists: at once, every 20 seconds, and when the list has changed. */
  start(): void {
    this.#timer = setInterval(() => this.#soon(), EVERY_MS)
    this.#timer.unref()
    const { membership } = this.#deps
    const unsubscribe = [membership.onChange(() => this.#soon()), membership.onOutdated(() => this.#soonAgain())]
    this.#unsubscribe = () => {
      for (const each of unsubscribe) each()
    }
    this.#soon()
  }

  /**
   * Sends this box's list to every other box, and to boxes that were just removed, so that these learn of it.
   * @returns what each of them answered; undefined for one that did not
   */
  async exchangeWithAll(): Promise<Map<string, PeerTopology | undefined>> {
    const { boxId, membership } = this.#deps
    const now = membership.topology
    const known = new Map([...(this.#last?.boxes ?? []), ...(now?.boxes ?? [])].map((box) => [box.id, box]))
    this.#last = now
    const others = [...known.values()].filter(({ id, role }) => id !== boxId && role !== 'voter')
    const elsewhere = this.#elsewhere()
    const asked = others.map(async ({ id, https }) => [id, await this.#with(id, https, elsewhere)] as const)
    return new Map(await Promise.all(asked))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    clearTimeout(this.#waiting)
    this.#unsubscribe()
    this.#stopping.abort()
    await this.#under
  }

  /** A box that has an old list may send many messages. */
  #soonAgain(): void {
    if (this.#waiting !== undefined) return
    this.#waiting = setTimeout(() => {
      this.#waiting = undefined
    }, AGAIN_MS)
    this.#waiting.unref()
    this.#soon()
  }

  #soon(): void {
    if (this.#deps.membership.topology === undefined) return
    this.#under = this.#under.then(() => this.#look())
  }

  async #look(): Promise<void> {
    const { boxId, membership, self, logger } = this.#deps
    if (this.#stopping.signal.aborted) return
    try {
      await updateOwnAddress(membership, boxId, await self())
      await completeKeys(membership, boxId)
      const answers = await this.exchangeWithAll()
      await this.#addRestored(answers)
    } catch (error) {
      // A disk that cannot be written, for example: the next round tries again.
      logger.warn({ event: 'mesh_list_not_kept', err: error })
    }
  }

  /** Adds this box to the others' list where it was restored from a backup and their list is newer than the backup's. */
  async #addRestored(answers: Awaited<ReturnType<TopologyExchange['exchangeWithAll']>>): Promise<void> {
    const { boxId, ledger, membership } = this.#deps
    const back = pendingReplacement(ledger.db)
    if (!back || ![...answers.values()].some((answer) => answer !== undefined)) return
    if (membership.topology?.boxes.some(({ id }) => id === boxId)) {
      await ledger.commit(() => clearPendingReplacement(ledger.db))
      return
    }
    const act = { ...MESH_ACTOR, action: 'joined', box: boxId, reason: `in the place of ${back.instead}` } as const
    await membership.change((topology) => topology && withReplacement(topology, back), act)
  }

  /** Finds other addresses of a box. The network is searched at most once a round, however many boxes do not answer. */
  #elsewhere(): (id: string) => Promise<string[]> {
    const { caFingerprint } = this.#deps
    const round = this.#round++
    let finding: Promise<readonly FoundBox[]> | undefined
    return async (id) => {
      finding ??= this.#found(round)
      const found = (await finding).filter((box) => box.boxId === id && box.caFingerprint === caFingerprint)
      return [...new Set(found.flatMap(urlsOf))]
    }
  }

  async #found(round: number): Promise<readonly FoundBox[]> {
    const { find } = this.#deps
    if (!find || round - this.#asked < ROUNDS_TO_FIND) return []
    this.#asked = round
    // Without a network there is nothing to find.
    return find().catch(() => [])
  }

  async #with(
    id: string,
    url: string,
    elsewhere: (id: string) => Promise<string[]>,
  ): Promise<PeerTopology | undefined> {
    const answer = await this.#at(url, id)
    if (answer || this.#stopping.signal.aborted) return answer
    const urls = (await elsewhere(id)).filter((other) => other !== url)
    const answers = await Promise.all(urls.map((other) => this.#at(other, id)))
    return answers.find((each) => each !== undefined)
  }

  #headerTo(to: string): Record<string, string> {
    const { boxId: by, event, keys, now } = this.#deps
    return { [MEMBER_HEADER]: memberHeader({ event: event.id, to, by, at: now() }, keys.logKey) }
  }

  /** Exchanges lists with the box at an address. TLS proves that it is a box of the event; the answer says which one. */
  async #at(url: string, id: string): Promise<PeerTopology | undefined> {
    const { membership, ca, logger } = this.#deps
    try {
      await using other = pinnedClient(url, ca)
      const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(PATIENCE_MS)])
      const answer = await other.post('/v1/mesh/topology', { topology: membership.signed }, signal, this.#headerTo(id))
      if (!answer.ok) return undefined
      const text = await answer.text()
      if (text.length > LONGEST) return undefined
      const { box, topology, heard } = JSON.parse(text) as Partial<PeerTopology>
      if (typeof topology !== 'string' || typeof heard !== 'object' || heard === null) return undefined
      // Another box has this address now. A box of an older version does not say its id.
      if (box !== undefined && box !== id) return undefined
      await membership.adopt(topology, id)
      return { ...(box !== undefined && { box }), topology, heard }
    } catch (error) {
      // It is away, or its list is invalid: the next round asks again.
      if (error instanceof TopologyError) logger.warn({ event: 'mesh_list_refused', box: id })
      return undefined
    }
  }
}

/** Number of entries that this box has of each journal, its own among them. */
export function replicatedCounts({ db, size }: Ledger, boxId: string): { [box: string]: number } {
  const rows = db.drizzle.select({ id: boxes.id, heard: boxes.heard }).from(boxes).all()
  return { ...Object.fromEntries(rows.map(({ id, heard }) => [id, heard])), [boxId]: size }
}
