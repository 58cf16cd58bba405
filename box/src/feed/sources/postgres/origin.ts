/**
 * Describes the log that is read: where it is, what of it was delivered, and whether the server that answers still has
 * it. Remembered in the slot file; what the sinks have is told by the engine.
 */
import type { Lsn } from '../../lsn.ts'
import type { SinkLog } from '../../sink.ts'
import type { Delivered } from '../../source.ts'
import type { Situation } from './catalog.ts'
import {
  brokenBy,
  type EarlierLog,
  identityAfter,
  identityOf,
  type Place,
  Proof,
  placeOf,
  type Transaction,
} from './continuity.ts'
import type { Known as Planned } from './plan.ts'
import type { Session } from './session.ts'
import { type Known, readSlotFile, rememberSlot } from './slot-file.ts'

interface OriginOptions {
  readonly slot: string
  readonly slotFile?: string | undefined
  readonly log: SinkLog
}

export class Origin {
  readonly #options: OriginOptions
  #read = false
  #known: Omit<Known, 'acknowledged'> | undefined
  /** Undefined where only the sinks' positions are known. */
  #acknowledged: Lsn | undefined
  #delivered: readonly Transaction[] = []
  /** The last transaction that this process has begun to pass on. */
  #passed: Transaction | undefined
  #here: Place | undefined

  constructor(options: OriginOptions) {
    this.#options = options
  }

  /** The same for as long as positions mean the same; empty before the first session. */
  get identity(): string {
    return this.#known?.identity ?? ''
  }

  /** The acknowledged position and the publication of the run before; undefined at the very first start. */
  get known(): Planned | undefined {
    return this.#known && { acknowledged: this.#acknowledged, publication: this.#known.publication }
  }

  /** Reads what is remembered. @param delivered what the sinks have. @throws SourceError when the slot file says nothing */
  async recall(delivered: Delivered | undefined): Promise<void> {
    if (this.#read) return
    this.#read = true
    const { slotFile } = this.#options
    const known = slotFile === undefined ? undefined : await readSlotFile(slotFile)
    this.#acknowledged = known?.acknowledged
    this.#known = known
    if (!delivered?.identity) return
    const { identity, transactions } = delivered
    this.#known ??= { identity, place: placeOf(identity), publication: '' }
    // Positions in a log that was left before: a gap was told since then.
    if (identity === this.#known.identity) this.#delivered = transactions
  }

  /**
   * Identifies the server of a new session.
   * @returns why it does not have the log of which a part is delivered; undefined where nothing speaks against it
   */
  async recognise(session: Session, { database, end }: Situation): Promise<string | undefined> {
    const { system, timeline } = await session.identify()
    const here = { system, timeline, database: database.oid, slot: this.#options.slot }
    this.#here = here
    const known = this.#known
    if (!known) return undefined
    const from = known.place?.timeline
    const hasMoved = from !== timeline
    const history = hasMoved && timeline !== '1' ? await session.history(timeline) : ''
    const broken = brokenBy(this.#before(known), { place: here, history, end })
    if (broken === undefined && hasMoved) {
      this.#options.log.warn({ event: 'timeline_changed', from, to: timeline })
    }
    return broken
  }

  /** Of what was delivered, what has to come again from a slot that stands at `confirmed`. */
  proof(confirmed: Lsn): Proof {
    return new Proof(this.#passed ? [this.#passed] : this.#delivered, confirmed)
  }

  /** The server in front of us is the one to go on with. @param apart whether its log is another one than before */
  settle(apart: boolean): void {
    const here = this.#here as Place
    const { identity, publication = '' } = this.#known ?? {}
    if (apart) {
      this.#delivered = []
      this.#acknowledged = undefined
    }
    const next = identity === undefined ? identityOf(here) : apart ? identityAfter(identity, here) : identity
    this.#known = { identity: next, place: here, publication }
  }

  passOn(transaction: Transaction): void {
    this.#passed = transaction
  }

  /** Writes down how far the log is acknowledged, before the server learns of it. */
  async remember(acknowledged: Lsn, publication: string): Promise<void> {
    const { slotFile, log } = this.#options
    const place = this.#here
    if (!this.#known || !place) return
    this.#known = { ...this.#known, publication }
    this.#acknowledged = acknowledged
    if (slotFile !== undefined) await rememberSlot(slotFile, { ...this.#known, place, acknowledged }, log)
  }

  #before({ identity, place }: Pick<Known, 'identity' | 'place'>): EarlierLog {
    const acknowledged = this.#acknowledged ?? 0n
    const commits = [...this.#delivered, ...(this.#passed ? [this.#passed] : [])].map(({ commitLsn }) => commitLsn + 1n)
    // Without positions of the sinks, all that was acknowledged may have been changes.
    const delivered = commits.reduce((a, b) => (a > b ? a : b), commits.length > 0 ? 0n : acknowledged)
    return { identity, place, acknowledged, delivered }
  }
}
