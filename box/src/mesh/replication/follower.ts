/**
 * Follows another box's journal. A pushed page is taken at once where it continues what is here. Everything else is pulled: after
 * a gap, when the connection is back, and every second. Scans go first: one short transaction at a time, and nothing is pulled
 * before what came is on disk.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { eq } from '../../drizzle/core.ts'
import { boxes } from '../../ledger/schema.ts'
import type { Logger } from '../../log.ts'
import { overwriteFreedPages } from '../../tickets/erasure.ts'
import { AtMostEvery } from './at-most-every.ts'
import { applyBatch, type BatchDeps } from './batch.ts'
import { decodePage, encodePullRequest, type PeerEntry, type PeerPage } from './envelope.ts'
import { FollowerHealth, type FollowerStatus } from './follower-health.ts'
import { checkRange } from './follower-problems.ts'
import type { Pace } from './pace.ts'
import { batchesOf, type PageBatch } from './page-batches.ts'
import { ForkError } from './peer-journal.ts'
import type { Transport } from './transport.ts'

/** A batch with fewer entries waits for its turn among other boxes (`pace.ts`). */
const FEW = 8
/** Pushed pages that wait. Further ones are pulled later. */
const MOST_WAITING = 16

/** The waits of a follower, milliseconds. */
export interface FollowerWaits {
  /** Between two pulls. */
  readonly pull: number
  /** After a page that was refused: asking again at once would bring the same. */
  readonly refused: number
  /** Between two pulls that pushed pages have caused. A box that pushes as fast as it can is not asked as often. */
  readonly pushed: number
}
const WAITS: FollowerWaits = { pull: 1_000, refused: 30_000, pushed: 100 }

export interface FollowerDeps extends BatchDeps {
  pace: Pick<Pace, 'turn'>
  transport: Transport
  logger: Logger
  /** Unix ms. */
  now: () => number
  /** Called after each transaction. */
  onReplicated: (box: string, entries: readonly PeerEntry[]) => void
  /** Boxes that may have what this one lacks. */
  others: () => readonly string[]
  /** True if a box was removed from the topology: nobody is there to answer any more. */
  isRemoved: (box: string) => boolean
  /** Called with each seal that comes along. */
  onSeal: (box: string, note: string) => void
  /** Other waits than usual, for a test. */
  waits?: FollowerWaits
}

export class Follower implements AsyncDisposable {
  readonly box: string
  readonly #deps: FollowerDeps
  readonly #waits: FollowerWaits
  readonly #waiting: PeerPage[] = []
  readonly #following: Promise<void>
  #stopped = false
  #wake: () => void = () => {}
  /** Something is to be pulled, without waiting. */
  #due = true
  /** Its journal is here up to, and not including, this index. */
  #replicated: number
  /** Its journal is known to have this many entries. */
  #size = 0
  readonly #health: FollowerHealth
  /** Ends the wait for the next pull. Pushed pages do not put it off: only an answer says that the box is there now. */
  #timer: NodeJS.Timeout | undefined
  readonly #pullForPush: AtMostEvery
  /** Goes round the boxes that are asked in its place. */
  #next = 0
  /** The entry at this index is incomplete: its tickets after this one are missing. */
  #partial: { index: number; ticket: number } | undefined

  constructor(box: string, deps: FollowerDeps) {
    this.box = box
    this.#deps = deps
    this.#health = new FollowerHealth(box, deps)
    this.#replicated = deps.ledger.db.drizzle.select().from(boxes).where(eq(boxes.id, box)).get()?.heard ?? 0
    this.#waits = deps.waits ?? WAITS
    this.#pullForPush = new AtMostEvery(this.#waits.pushed, () => this.pull())
    this.#following = this.#follow()
  }

  get status(): FollowerStatus {
    return this.#health.status(Math.max(0, this.#size - this.#replicated))
  }

  /** Takes a page that the box has pushed. */
  pushed(bytes: Uint8Array): void {
    const page = this.#read(bytes)
    // After a refusal pages are pulled now and then, and not with every push. A page of what is here already costs nothing more.
    if (!page || this.#health.isRefused || page.size <= this.#replicated) return
    const [first] = page.entries
    if (!first || first.index > this.#replicated || this.#waiting.length >= MOST_WAITING) this.#pullForPush.ask()
    else this.#waiting.push(page)
    this.#wake()
  }

  /** Takes an entry that cannot wait, ahead of those that were written before it. */
  async urgent(bytes: Uint8Array): Promise<void> {
    const page = this.#read(bytes)
    const { entries = [] } = page ?? {}
    if (entries.length === 1) await this.#refusing(() => this.#write({ entries, incomplete: false }))
  }

  /** Pulls what is missing, without waiting for the next time. */
  pull(): void {
    this.#due = true
    this.#wake()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    this.#pullForPush[Symbol.dispose]()
    this.#wake()
    await this.#following
  }

  async #follow(): Promise<void> {
    while (!this.#stopped) {
      await this.#takePushed()
      if (this.#due) {
        this.#due = false
        clearTimeout(this.#timer)
        await this.#pull()
        const isSlow = this.#health.isRefused || this.#deps.isRemoved(this.box)
        if (!this.#stopped) this.#timer = setTimeout(() => this.pull(), isSlow ? this.#waits.refused : this.#waits.pull)
        continue
      }
      await this.#sleep()
    }
  }

  async #pull(): Promise<void> {
    if (this.#deps.isRemoved(this.box)) {
      this.#health.removed()
      return this.#pullFromAnother()
    }
    const from = this.#replicated
    const answer = await this.#request(encodePullRequest({ from, after: this.#missingAfter() }))
    this.#health.answered(answer !== undefined)
    if (!answer || this.#stopped) {
      this.#health.fellBehind()
      return this.#pullFromAnother()
    }
    const page = this.#answeredPage(answer)
    if (!page) return
    await this.#refusing(async () => {
      checkRange(page, from)
      if (page.size < from) throw new ForkError(`${this.box} has a shorter journal than it had`)
      await this.#takePulled(page)
      const caughtUp = this.#replicated >= page.size
      this.#health.accepted(caughtUp)
      if (!caughtUp && page.entries.length > 0) this.#due = true
    })
  }

  /** The box does not answer: another one that may have its journal is asked, each time the next one. */
  async #pullFromAnother(): Promise<void> {
    const { transport, others } = this.#deps
    const all = others().filter((id) => id !== this.box)
    const other = all[this.#next++ % all.length]
    if (other === undefined || this.#stopped) return
    const from = this.#replicated
    const request = encodePullRequest({ from, after: this.#missingAfter(), of: this.box })
    const answer = await transport.request(other, request).catch(() => undefined)
    if (!answer || this.#stopped) return
    try {
      const page = decodePage(answer, this.box)
      checkRange(page, from)
      if (page.entries.length === 0) return
      this.#size = Math.max(this.#size, page.size)
      await this.#takePulled(page)
      this.#due = this.#replicated < page.size
      this.#health.acceptedCopy()
    } catch (error) {
      this.#partial = undefined
      this.#health.refusedCopy(error, other)
    }
  }

  /** Sends a request, and takes pushed pages while it waits for the answer, which may never come. */
  async #request(request: Uint8Array): Promise<Uint8Array | undefined> {
    let answer: Uint8Array | undefined
    let isWaiting = true
    const asking = this.#deps.transport
      .request(this.box, request)
      .then((bytes) => {
        answer = bytes
        this.#health.asked()
      })
      .catch((error) => this.#health.asked(error))
      .finally(() => {
        isWaiting = false
        this.#wake()
      })
    while (isWaiting && !this.#stopped) {
      const woken = this.#woken()
      await this.#takePushed()
      if (isWaiting) await woken
    }
    if (!this.#stopped) await asking
    return answer
  }

  /** Sleeps until it is time to pull, or something was pushed. */
  async #sleep(): Promise<void> {
    const woken = this.#woken()
    if (!this.#stopped && !this.#due && this.#waiting.length === 0) await woken
  }

  /** Resolves when there is something to do. */
  #woken(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wake = resolve
    return promise
  }

  #missingAfter(): number | undefined {
    return this.#partial?.index === this.#replicated ? this.#partial.ticket : undefined
  }

  async #takePushed(): Promise<void> {
    for (let page = this.#waiting.shift(); page && !this.#stopped; page = this.#waiting.shift()) {
      const pushed = page
      await this.#refusing(() => this.#take(pushed))
    }
  }

  async #takePulled(page: PeerPage): Promise<void> {
    await this.#take(page)
    const { more, seal } = page
    this.#partial = more === undefined ? undefined : { index: this.#replicated, ticket: more }
    if (seal !== undefined) this.#deps.onSeal(this.box, seal)
  }

  async #take(page: PeerPage): Promise<void> {
    const [first] = page.entries
    if (!first) return
    if (first.index > this.#replicated) return this.#pullForPush.ask()
    for (const batch of batchesOf(page)) {
      if (batch.entries.length < FEW) await this.#deps.pace.turn()
      await this.#write(batch)
      await turn()
      if (this.#stopped) return
    }
  }

  async #write({ entries, incomplete }: PageBatch): Promise<void> {
    const { ledger, onReplicated, logger } = this.#deps
    if (entries.some(({ kind }) => kind === 'erasure')) overwriteFreedPages(ledger.db)
    const batch = { box: this.box, entries, incomplete }
    const { replicated, aheadMs } = await ledger.commit(() => applyBatch(batch, this.#deps))
    this.#replicated = replicated
    if (aheadMs !== undefined) logger.warn({ event: 'mesh_clock_ahead', box: this.box, ahead_ms: aheadMs })
    onReplicated(this.box, entries)
  }

  /** A page that the box has just signed, as an answer to this box. */
  #answeredPage(bytes: Uint8Array): PeerPage | undefined {
    const page = this.#read(bytes)
    if (page) this.#health.heard(page.epoch)
    return page
  }

  /** A pushed page proves nothing else: it may have been kept for hours on its way. */
  #read(bytes: Uint8Array): PeerPage | undefined {
    try {
      const page = decodePage(bytes, this.box)
      this.#size = Math.max(this.#size, page.size)
      return page
    } catch (error) {
      this.#refuse(error)
      return undefined
    }
  }

  async #refusing(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#refuse(error)
    }
  }

  /** Nothing of a refused page is used. */
  #refuse(error: unknown): void {
    this.#partial = undefined
    this.#health.refused(error)
  }
}
