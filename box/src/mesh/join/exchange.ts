/**
 * Keeps the boxes' lists of boxes the same, and this box's own address in it: each sends its own to every other, and gets theirs. Over HTTPS and not over the
 * connections that the list itself arranges: a box that was away while they were arranged anew would never hear of it.
 */
import type { Ledger } from '../../ledger/ledger.ts'
import { boxes } from '../../ledger/schema.ts'
import type { Logger } from '../../log.ts'
import type { Membership } from '../membership.ts'
import { type Topology, TopologyError } from '../topology.ts'
import { type Address, BY, keepAddress } from './address.ts'
import { pinned } from './pinned.ts'
import { hasReturned, replaced, returning } from './replace.ts'

const EVERY_MS = 20_000
const PATIENCE_MS = 5_000
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
  logger: Logger
}

/** What a box answers to a list of boxes. */
export interface Exchanged {
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
    return new Map(await Promise.all(others.map(async ({ id, https }) => [id, await this.#with(id, https)] as const)))
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

  async #with(id: string, url: string): Promise<Exchanged | undefined> {
    const { membership, ca, logger } = this.#deps
    try {
      await using other = pinned(url, ca)
      const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(PATIENCE_MS)])
      const answer = await other.post('/v1/mesh/topology', { topology: membership.signed }, signal)
      if (!answer.ok) return undefined
      const text = await answer.text()
      if (text.length > LONGEST) return undefined
      const { topology, heard } = JSON.parse(text) as Partial<Exchanged>
      if (typeof topology !== 'string' || typeof heard !== 'object' || heard === null) return undefined
      await membership.hear(topology, id)
      return { topology, heard }
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
