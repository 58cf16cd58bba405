/**
 * Keeps the boxes' lists of boxes the same, and this box's own address in it: each sends its own to every other, and gets theirs. Over HTTPS and not over the
 * connections that the list itself arranges: a box that was away while they were arranged anew would never hear of it. One that is
 * not where the list has it is looked for on the network: where every box has got another address, no list says where any of them is.
 */
import type { Ledger } from '../../ledger/ledger.ts'
import { boxes } from '../../ledger/schema.ts'
import type { Logger } from '../../log.ts'
import { type FoundBox, urlsOf } from '../discovery.ts'
import type { Membership } from '../membership.ts'
import { type Topology, TopologyError } from '../topology.ts'
import { type Address, BY, keepAddress } from './address.ts'
import { pinned } from './pinned.ts'
import { hasReturned, replaced, returning } from './replace.ts'

const EVERY_MS = 20_000
const PATIENCE_MS = 5_000
/** From one question on the network to the next: a box may be away all night, and each of fifty answers everybody who asks. */
const ROUNDS_TO_FIND = 6
/** Longer than any list of boxes. */
const LONGEST = 1024 * 1024

export interface ExchangeDeps {
  boxId: string
  ledger: Ledger
  membership: Membership
  /** Where this box is reached now. */
  self: () => Promise<Address>
  /** PEM: the event's authority. */
  ca: string
  /** `sha256:<64 hex>` of it. */
  caFingerprint: string
  /** Asks the network for boxes; undefined where this box is not to. Nothing of what it finds is believed. */
  find?: (() => Promise<readonly FoundBox[]>) | undefined
  logger: Logger
}

/** What a box answers to a list of boxes. */
export interface Exchanged {
  /** Who answers. Absent where it is of an older version. */
  box?: string
  /** Its own, signed. */
  topology: string
  /** How many entries it has of each box's journal, its own among them. */
  heard: { [box: string]: number }
}

export class Exchange implements AsyncDisposable {
  readonly #deps: ExchangeDeps
  readonly #stopping = new AbortController()
  readonly #timer: NodeJS.Timeout
  readonly #unsubscribe: () => void
  #last: Topology | undefined
  #round = 0
  #asked = -ROUNDS_TO_FIND
  #under: Promise<unknown> = Promise.resolve()

  constructor(deps: ExchangeDeps) {
    this.#deps = deps
    this.#last = deps.membership.topology
    this.#timer = setInterval(() => this.#soon(), EVERY_MS)
    this.#timer.unref()
    this.#unsubscribe = deps.membership.onChange(() => this.#soon())
    this.#soon()
  }

  /**
   * Sends this box's list to every other box, and to those that it has just left out: they are to know, too.
   * @returns what each of them answered; undefined for one that did not
   */
  async withAll(): Promise<Map<string, Exchanged | undefined>> {
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
    this.#unsubscribe()
    this.#stopping.abort()
    await this.#under
  }

  #soon(): void {
    if (this.#deps.membership.topology === undefined) return
    this.#under = this.#under.then(() => this.#look())
  }

  async #look(): Promise<void> {
    const { boxId, membership, self, logger } = this.#deps
    if (this.#stopping.signal.aborted) return
    try {
      await keepAddress(membership, boxId, await self())
      const answers = await this.withAll()
      await this.#comeBack(answers)
    } catch (error) {
      // A disk that cannot be written, say: the next look tries again.
      logger.warn({ event: 'mesh_list_not_kept', err: error })
    }
  }

  /** A box that was put back from its backup is listed by the others in the end, however much they have changed since. */
  async #comeBack(answers: Awaited<ReturnType<Exchange['withAll']>>): Promise<void> {
    const { boxId, ledger, membership } = this.#deps
    const back = returning(ledger.db)
    if (!back || ![...answers.values()].some((answer) => answer !== undefined)) return
    if (membership.topology?.boxes.some(({ id }) => id === boxId)) {
      await ledger.commit(() => hasReturned(ledger.db))
      return
    }
    const act = { ...BY, action: 'joined', box: boxId, reason: `in the place of ${back.instead}` } as const
    await membership.change((topology) => topology && replaced(topology, back), act)
  }

  /** Where else a box may be. In one round the network is asked once at most, however many are not where they were. */
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
    // No network that can be asked is no news here: this box hears nobody.
    return find().catch(() => [])
  }

  async #with(id: string, url: string, elsewhere: (id: string) => Promise<string[]>): Promise<Exchanged | undefined> {
    const answer = await this.#at(url, id)
    if (answer || this.#stopping.signal.aborted) return answer
    const urls = (await elsewhere(id)).filter((other) => other !== url)
    const answers = await Promise.all(urls.map((other) => this.#at(other, id)))
    return answers.find((each) => each !== undefined)
  }

  /** Whoever answers at an address may be anybody: TLS says that it is a box of the event, and the answer which one. */
  async #at(url: string, id: string): Promise<Exchanged | undefined> {
    const { membership, ca, logger } = this.#deps
    try {
      await using other = pinned(url, ca)
      const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(PATIENCE_MS)])
      const answer = await other.post('/v1/mesh/topology', { topology: membership.signed }, signal)
      if (!answer.ok) return undefined
      const text = await answer.text()
      if (text.length > LONGEST) return undefined
      const { box, topology, heard } = JSON.parse(text) as Partial<Exchanged>
      if (typeof topology !== 'string' || typeof heard !== 'object' || heard === null) return undefined
      // Another one has its address now; one of an older version does not say who it is.
      if (box !== undefined && box !== id) return undefined
      await membership.hear(topology, id)
      return { ...(box !== undefined && { box }), topology, heard }
    } catch (error) {
      // It is away, or says what is none of our list's: the next look asks again.
      if (error instanceof TopologyError) logger.warn({ event: 'mesh_list_refused', box: id })
      return undefined
    }
  }
}

/** How much this box has of each journal, and of its own. */
export function heardHere({ db, size }: Ledger, boxId: string): { [box: string]: number } {
  const rows = db.drizzle.select({ id: boxes.id, heard: boxes.heard }).from(boxes).all()
  return { ...Object.fromEntries(rows.map(({ id, heard }) => [id, heard])), [boxId]: size }
}
