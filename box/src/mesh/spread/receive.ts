/**
 * Follows another box's journal. What it pushes is taken at once where it goes on from what is here; everything else is asked for:
 * after a hole, when the way there is back, and every few seconds. Scans go first: one short transaction at a time, and nothing is
 * asked for before what came is on disk.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { eq } from '../../drizzle/core.ts'
import { GatehouseError } from '../../errors.ts'
import { boxes } from '../../ledger/schema.ts'
import type { Logger } from '../../log.ts'
import { overwriteFreed } from '../../tickets/forget.ts'
import { ForeignTicketError } from './apply/tickets.ts'
import { decodePage, EnvelopeError, encodeAsk, type PeerEntry, type PeerPage } from './envelope.ts'
import { type Batch, ForkError, type HearDeps, hear } from './hear.ts'
import type { Pace } from './pace.ts'
import type { Transport } from './transport.ts'

/** Entries, and tickets, in one transaction: what a scan may have to wait for. */
const MOST_AT_ONCE = 64
/** So few wait a moment for what other boxes tell, where there are many. */
const FEW = 8
const ASK_EVERY_MS = 1_000
/** After something that cannot be used: it will not be better in a moment. */
const REFUSED_MS = 30_000
/** Pushed pages that wait; more than these are asked for later. */
const MOST_WAITING = 16

/** How another box's journal is heard. */
export interface FollowerStanding {
  /** When it last said anything, unix ms. */
  lastHeard: number | undefined
  /** Entries that it is known to have, and that are not here. */
  behind: number
  /** Of the list of boxes that it goes by, as it last said; undefined where it has not. */
  epoch: number | undefined
  /** Its last answer went as far as what is here. */
  caughtUp: boolean
  /** It was asked, and did not answer. */
  isSilent: boolean
  /** Why nothing is taken from it; undefined while all is well. */
  problem: string | undefined
}

export interface FollowerDeps extends HearDeps {
  pace: Pick<Pace, 'turn'>
  transport: Transport
  logger: Logger
  /** Unix ms. */
  now: () => number
  /** Called after each transaction. */
  onHeard: (box: string, entries: readonly PeerEntry[]) => void
  /** Called when how it is heard has changed. */
  onChange: () => void
  /** Boxes that may have heard what this one has not. */
  others: () => readonly string[]
  /** Whether a box is off the list: it answers nobody any more. */
  isGone: (box: string) => boolean
  /** Called with each seal that comes along. */
  onSeal: (box: string, note: string) => void
}

export class Follower implements AsyncDisposable {
  readonly box: string
  readonly #deps: FollowerDeps
  readonly #waiting: PeerPage[] = []
  readonly #following: Promise<void>
  #stopped = false
  #wake: () => void = () => {}
  /** Something is to be asked for, without waiting. */
  #due = true
  #heard: number
  #size = 0
  #lastHeard: number | undefined
  #epoch: number | undefined
  #caughtUp = false
  #isSilent = false
  #told = ''
  #problem: string | undefined
  /** Counts who was asked in its place. */
  #turn = 0
  /** An entry of which not all tickets are here: those after this one are next. */
  #after: { index: number; ticket: number } | undefined

  constructor(box: string, deps: FollowerDeps) {
    this.box = box
    this.#deps = deps
    this.#heard = deps.ledger.db.drizzle.select().from(boxes).where(eq(boxes.id, box)).get()?.heard ?? 0
    this.#following = this.#follow()
  }

  get standing(): FollowerStanding {
    const behind = Math.max(0, this.#size - this.#heard)
    const [lastHeard, caughtUp, problem] = [this.#lastHeard, this.#caughtUp, this.#problem]
    return { lastHeard, behind, epoch: this.#epoch, caughtUp, isSilent: this.#isSilent, problem }
  }

  /** It has said something new. */
  pushed(bytes: Uint8Array): void {
    const page = this.#read(bytes)
    // What was refused is asked for again in its time, and not with every word.
    if (!page || this.#problem !== undefined) return
    const [first] = page.entries
    if (!first || first.index > this.#heard || this.#waiting.length >= MOST_WAITING) this.ask()
    else this.#waiting.push(page)
    this.#wake()
  }

  /** Something that must not wait: taken now, ahead of whatever was written before it. */
  async urgent(bytes: Uint8Array): Promise<void> {
    const page = this.#read(bytes)
    if (page?.entries.length === 1) await this.#refusing(() => this.#write(page.entries, false))
  }

  /** Asks for what is missing, now. */
  ask(): void {
    this.#due = true
    this.#wake()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true
    this.#wake()
    await this.#following
  }

  async #follow(): Promise<void> {
    while (!this.#stopped) {
      await this.#takePushed()
      if (this.#due) {
        this.#due = false
        await this.#pull()
        this.#tellChange()
        continue
      }
      const isSlow = this.#problem !== undefined || this.#deps.isGone(this.box)
      await this.#sleep(isSlow ? REFUSED_MS : ASK_EVERY_MS)
    }
  }

  #tellChange(): void {
    const now = JSON.stringify([this.#isSilent, this.#caughtUp, this.#problem])
    if (now === this.#told) return
    this.#told = now
    this.#deps.onChange()
  }

  async #pull(): Promise<void> {
    const { transport, isGone } = this.#deps
    if (isGone(this.box)) {
      this.#isSilent = true
      return this.#askAnother()
    }
    const asked = this.#heard
    const after = this.#after?.index === asked ? this.#after.ticket : undefined
    let answer: Uint8Array | undefined
    let isWaiting = true
    const asking = transport
      .request(this.box, encodeAsk({ from: asked, after }))
      .then((bytes) => {
        answer = bytes
      })
      .catch(() => {})
      .finally(() => {
        isWaiting = false
        this.#wake()
      })
    // What it tells meanwhile does not wait for an answer that may never come.
    while (isWaiting && !this.#stopped) {
      const woken = this.#woken()
      await this.#takePushed()
      if (isWaiting) await woken
    }
    if (!this.#stopped) await asking
    // Out of reach: whoever asks how it is heard sees for how long.
    this.#isSilent = !answer
    if (!answer || this.#stopped) {
      this.#caughtUp = false
      return this.#askAnother()
    }
    const page = this.#read(answer)
    if (!page) return
    await this.#refusing(async () => {
      if (page.size < asked) throw new ForkError(`${this.box} has a shorter journal than it had`)
      await this.#take(page)
      const ticket = page.more
      this.#after = ticket === undefined ? undefined : { index: this.#heard, ticket }
      if (page.seal !== undefined) this.#deps.onSeal(this.box, page.seal)
      this.#caughtUp = this.#heard >= page.size
      this.#problem = undefined
      if (!this.#caughtUp && page.entries.length > 0) this.#due = true
    })
  }

  /** It does not answer: one of those that may have heard it is asked, each time another one. */
  async #askAnother(): Promise<void> {
    const { transport, others, onSeal } = this.#deps
    const all = others().filter((id) => id !== this.box)
    const other = all[this.#turn++ % all.length]
    if (other === undefined || this.#stopped) return
    const after = this.#after?.index === this.#heard ? this.#after.ticket : undefined
    const answer = await transport
      .request(other, encodeAsk({ from: this.#heard, after, of: this.box }))
      .catch(() => undefined)
    if (!answer || this.#stopped) return
    await this.#refusing(async () => {
      const page = decodePage(answer, this.box)
      if (page.entries.length === 0) return
      this.#size = Math.max(this.#size, page.size)
      await this.#take(page)
      const ticket = page.more
      this.#after = ticket === undefined ? undefined : { index: this.#heard, ticket }
      if (page.seal !== undefined) onSeal(this.box, page.seal)
      this.#due = this.#heard < page.size
    })
  }

  /** Where it is asked again, or told of something new. */
  async #sleep(ms: number): Promise<void> {
    const woken = this.#woken()
    const timer = setTimeout(() => this.ask(), ms)
    if (!this.#stopped && !this.#due && this.#waiting.length === 0) await woken
    clearTimeout(timer)
  }

  /** Resolves when there is something to do. */
  #woken(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wake = resolve
    return promise
  }

  async #takePushed(): Promise<void> {
    for (let page = this.#waiting.shift(); page && !this.#stopped; page = this.#waiting.shift()) {
      const pushed = page
      await this.#refusing(() => this.#take(pushed))
    }
  }

  #read(bytes: Uint8Array): PeerPage | undefined {
    try {
      const page = decodePage(bytes, this.box)
      this.#lastHeard = this.#deps.now()
      this.#epoch = page.epoch
      this.#size = Math.max(this.#size, page.size)
      return page
    } catch (error) {
      this.#refuse(error)
      return undefined
    }
  }

  /** A page in parts that no scan waits long for. */
  async #take({ entries, more }: PeerPage): Promise<void> {
    const [first] = entries
    if (!first) return
    if (first.index > this.#heard) return this.ask()
    let part: PeerEntry[] = []
    let weight = 0
    for (const entry of entries) {
      const { tickets = [] } = entry.rows
      for (let from = 0; from + MOST_AT_ONCE < tickets.length; from += MOST_AT_ONCE) {
        const rows = { tickets: tickets.slice(from, from + MOST_AT_ONCE) }
        await this.#commit([...part, { ...entry, fields: entry.fields, rows }], true)
        part = []
        weight = 0
      }
      const left = Math.floor(Math.max(0, tickets.length - 1) / MOST_AT_ONCE) * MOST_AT_ONCE
      part.push(left === 0 ? entry : { ...entry, fields: entry.fields, rows: { tickets: tickets.slice(left) } })
      weight += 1 + tickets.length - left
      const isLast = entry === entries.at(-1)
      if (!isLast && weight < MOST_AT_ONCE) continue
      await this.#commit(part, isLast && more !== undefined)
      part = []
      weight = 0
      await turn()
      if (this.#stopped) return
    }
  }

  async #commit(entries: readonly PeerEntry[], incomplete: boolean): Promise<void> {
    if (entries.length < FEW) await this.#deps.pace.turn()
    await this.#write(entries, incomplete)
  }

  async #write(entries: readonly PeerEntry[], incomplete: boolean): Promise<void> {
    const { ledger, onHeard, logger } = this.#deps
    if (entries.some(({ kind }) => kind === 'erasure')) overwriteFreed(ledger.db)
    const batch: Batch = { box: this.box, entries, incomplete }
    const { heard, aheadMs } = await ledger.commit(() => hear(batch, this.#deps))
    this.#heard = heard
    if (aheadMs !== undefined) logger.warn({ event: 'mesh_clock_ahead', box: this.box, ahead_ms: aheadMs })
    onHeard(this.box, entries)
  }

  async #refusing(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#refuse(error)
    }
  }

  /** Nothing of it is used. It is said once, and until it says something better. */
  #refuse(error: unknown): void {
    const { logger } = this.#deps
    this.#caughtUp = false
    this.#after = undefined
    // The disk's matter, which scans report as well; it is asked again.
    if (error instanceof GatehouseError) return
    const isTheirs = [EnvelopeError, ForkError, ForeignTicketError].some((kind) => error instanceof kind)
    const problem = isTheirs ? (error as Error).message : 'what it wrote cannot be applied here'
    // Gates go on whatever is wrong with another box's journal, or with how it is read here.
    if (this.#problem !== problem)
      logger.error({ event: 'mesh_refused', box: this.box, problem, ...(!isTheirs && { err: error }) })
    this.#problem = problem
  }
}
