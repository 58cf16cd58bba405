/**
 * Tells pretix what happened at the gates, as long as the box runs: batch by batch from the journals, in order for each ticket, a few
 * tickets at a time. A batch is settled in one transaction at its end, which no scan waits for.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { format, parse } from '@gatehouse/proto/hlc.ts'
import type { Flags } from '../../../cases/flags.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import type { Logger } from '../../../log.ts'
import type { PretixCode } from '../errors.ts'
import { type CallOfDeps, callsOf, type Planned } from './batch.ts'
import type { NotPushed, PushedFact } from './call.ts'
import { openConflict } from './conflict.ts'
import { type Delivered, deliver } from './delivery.ts'
import { hasPeers, mostTaken, readFact, readFacts } from './journals.ts'
import type { Next } from './next-step.ts'
import { codeDigest, Outbox, type Progress, type Waiting } from './outbox.ts'
import { Pace } from './pace.ts'
import { SentAs, type SentOtherwise } from './sent-as.ts'
import { settle } from './settle.ts'
import type { ShopSide, Speaker } from './shop-side.ts'

export interface PushDeps extends CallOfDeps {
  ledger: Ledger
  flags: Flags
  boxId: string
  shop: ShopSide
  speaker: Speaker
  logger: Logger
  /** Unix ms. */
  now: () => number
  /** In [0, 1). */
  random: () => number
  /** When somebody went in by a scan, or by a supervisor's decision about it, unix ms. */
  admittedAt: (scan: string, decided: boolean) => number | undefined
  /** When this ticket went through, by the ledger, unix ms. */
  ownTimes: (ticket: string) => readonly number[]
}

/** For the Shop screen. */
export interface PushStatus {
  /** `other_box`: another box of the event tells pretix. */
  readonly state: 'sending' | 'waiting' | 'paused' | 'other_box'
  /** Reason why it waits or is paused. */
  readonly words: string | undefined
  /** The same as codes. */
  readonly coded: readonly PretixCode[] | undefined
  /** Entries that pretix did not take yet, and those of them that wait for a person. */
  readonly waiting: number
  readonly asleep: number
  /** Time of the oldest entry that is on its way, unix ms; undefined where none is. */
  readonly oldestAt: number | undefined
  /** Since the box started. */
  readonly sent: number
  readonly notPushed: Readonly<Partial<Record<NotPushed, number>>>
  /** Time of the last entry that pretix has taken, and when it did, unix ms. */
  readonly lastEntryAt: number | undefined
  readonly lastSentAt: number | undefined
}

/** Entries read at once; a few milliseconds' work. Fewer, and with a pause, while people are being scanned. */
const BATCH = 128
const BATCH_WHILE_SCANNED = 32
const PAUSE_WHILE_SCANNED_MS = 250
const MOST_DUE = 32
/** Tickets at a time: the API locks rows, and other tills ask it, too. */
const AT_ONCE = 4
const IDLE_MS = 5_000
/** Clocks of two boxes differ by less. */
const CLOCKS_DIFFER_MS = 60_000

export class Push implements AsyncDisposable {
  readonly #deps: PushDeps
  readonly #outbox: Outbox
  readonly #sentAs: SentAs
  readonly #pace: Pace
  readonly #closing = new AbortController()
  readonly #notPushed: Partial<Record<NotPushed, number>> = {}
  #running: Promise<void> = Promise.resolve()
  /** Ends the wait for news of the journal. */
  #news: (() => void) | undefined
  #speaks = true
  /** True once the words left by the box that spoke before are known, or where this box was it. */
  #isInformed = false
  /** Clock reading up to which the box that spoke before may have sent entries; empty where there was none. */
  #sentUntil = ''
  #sent = 0
  #lastEntryAt: number | undefined
  #lastSentAt: number | undefined

  constructor(deps: PushDeps) {
    this.#deps = deps
    this.#outbox = new Outbox(deps.ledger.db, deps.shop.target)
    this.#sentAs = new SentAs(deps.ledger.db, deps.shop.target)
    this.#pace = new Pace(deps)
  }

  /** Sends from now on, until it is disposed. */
  start(): void {
    const unsubscribe = this.#deps.ledger.subscribe('later', () => this.#news?.())
    this.#closing.signal.addEventListener('abort', unsubscribe)
    this.#running = this.#run()
  }

  status(): PushStatus {
    const { problem } = this.#pace
    return {
      state: this.#speaks ? (problem?.state ?? 'sending') : 'other_box',
      words: problem?.words,
      coded: problem?.coded,
      ...this.#outbox.counts(),
      oldestAt: this.#oldestAt(),
      sent: this.#sent,
      notPushed: { ...this.#notPushed },
      lastEntryAt: this.#lastEntryAt,
      lastSentAt: this.#lastSentAt,
    }
  }

  /** The first entries that wait. */
  queue(limit: number): readonly Waiting[] {
    return this.#outbox.waiting(limit)
  }

  find(box: string, place: number): { hlc: string; ticket: string | null } | undefined {
    const fact = readFact(this.#deps.ledger.db, this.#deps.boxId, box, place)
    if (!fact) return undefined
    const { fields } = fact.entry
    return { hlc: fact.hlc, ticket: 'ticket' in fields ? (fields.ticket ?? null) : null }
  }

  /** A person has looked: everything that waits for one is tried again. */
  retry(): Promise<void> {
    this.#pace.forgive()
    return this.#commit(() => this.#outbox.wake(this.#deps.now())).finally(() => this.#news?.())
  }

  /** Of this box, for one that takes over. */
  progress(limit = Number.MAX_SAFE_INTEGER): Progress & Partial<SentOtherwise> {
    const { as } = this.#deps.shop
    return { places: this.#outbox.places(), waiting: this.#outbox.waiting(limit), as, ...this.#sentAs.kept }
  }

  /** Of the box that spoke until now. It may have sent more than it could say. */
  adopt(progress: Progress & Partial<SentOtherwise>): Promise<void> {
    this.#sentUntil = format({ ms: this.#deps.now(), count: 0 })
    this.#isInformed = true
    return this.#commit(() => {
      this.#outbox.adopt(progress)
      this.#sentAs.adopt(progress, this.#deps.shop.as, this.#latest())
    })
  }

  /** One batch. @returns ms until it is worth to look again: 0 where there may be more, null until there is news */
  async round(): Promise<number | null> {
    const { now, speaker, ledger, boxId } = this.#deps
    const pause = this.#pace.pause(now())
    if (pause > 0) return pause
    this.#speaks = await speaker.maySpeak(() => this.progress())
    if (!this.#speaks) {
      this.#isInformed = false
      return IDLE_MS
    }
    await this.#suspectOthers()
    await this.#sendAsNow()
    await this.#wakeChanged()
    const due = this.#outbox.due(now(), MOST_DUE)
    const taken = readFacts(ledger.db, boxId, this.#outbox.places(), this.#isBusy ? BATCH_WHILE_SCANNED : BATCH)
    const hasRow = ({ box, place }: PushedFact) => this.#outbox.find(box, place) !== undefined
    const blocked = this.#outbox.ticketsWaiting()
    const batch = callsOf({ due, taken, blocked, hasRow, sentUntil: this.#sentUntil }, this.#deps)
    const ended = await this.#deliverAll(batch.planned)
    await this.#commit(() => settle({ ...batch, ended }, this.#outbox))
    this.#count(batch.skipped)
    if (batch.planned.length > 0 || batch.isCut || taken.facts.length > 0) return this.#pace.pause(now())
    const next = this.#outbox.nextDue()
    return next === undefined ? null : Math.max(next - now(), 0)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    this.#news?.()
    await this.#running
  }

  /** Of those that pretix has failed to take, and of the journals' next. What waits for a person is on no way. */
  #oldestAt(): number | undefined {
    const { ledger, boxId } = this.#deps
    const next = readFacts(ledger.db, boxId, this.#outbox.places(), 1).facts[0]?.hlc
    const [oldest] = [next, this.#outbox.oldest()].filter((hlc) => hlc !== undefined).sort()
    return oldest === undefined ? undefined : parse(oldest)?.ms
  }

  get #isBusy(): boolean {
    return this.#deps.ledger.liveScans.areRecent
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      const news = new Promise<void>((resolve) => {
        this.#news = resolve
      })
      const wait = await this.round().catch((error: unknown) => {
        this.#deps.logger.error({ event: 'shop_push', err: error })
        return IDLE_MS
      })
      if (signal.aborted) return
      const rest = async (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => {})
      if (this.#isBusy) await rest(PAUSE_WHILE_SCANNED_MS)
      if (wait === 0) continue
      const slept = rest(Math.min(wait ?? IDLE_MS, IDLE_MS))
      // News end only the wait for news, and not a pause that pretix has asked for.
      await (wait === null ? Promise.race([slept, news]) : slept)
    }
  }

  /** @returns how each has ended; those that are missing were not sent */
  async #deliverAll(planned: readonly Planned[]): Promise<Map<Planned, Delivered>> {
    const ended = new Map<Planned, Delivered>()
    const groups = [...Map.groupBy(planned, (one) => one.call.ticket ?? one).values()]
    let stopped = false
    const worker = async () => {
      for (let group = groups.shift(); group && !stopped; group = groups.shift()) {
        for (const one of group) {
          if (stopped || this.#closing.signal.aborted) return
          const delivered = this.#paced(one, await this.#deliver(one))
          ended.set(one, delivered)
          if (delivered.end === 'stop') stopped = true
          // The ticket's other entries wait behind this one.
          if (delivered.end === 'waits' || delivered.end === 'stop') break
        }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    return ended
  }

  #deliver({ call, waiting, fact }: Planned): Promise<Delivered> {
    const { shop, event, flags, admittedAt, ownTimes, now } = this.#deps
    return deliver(call, waiting, now(), {
      event,
      shop,
      admittedAt,
      isDoubtful: this.#sentAs.isDoubtful(fact),
      hasChanged: this.#sentAs.hasChanged,
      signal: this.#closing.signal,
      keep: (kept, conflict) =>
        this.#commit(() => {
          this.#outbox.put(kept)
          const times = call.ticket === null ? [] : ownTimes(call.ticket)
          if (conflict) openConflict(conflict, { call, fact, ownTimes: times }, flags)
        }),
    })
  }

  /** Sets the pace by how one has ended. One call that pretix stumbles over does not hold up all others. */
  #paced(one: Planned, delivered: Delivered): Delivered {
    const { now, logger } = this.#deps
    if (delivered.end === 'stop') {
      const { why, waiting } = delivered
      if (this.#pace.isPoison(one.fact, why)) {
        return { end: 'waits', waiting: { ...waiting, nextAt: now() + this.#pace.later(waiting.attempts) } }
      }
      this.#pace.stopped(why, now())
      logger.warn({ event: 'shop_push_waits', problem: wordsOf(why) })
    }
    if (delivered.end === 'done') {
      this.#pace.answered(one.fact)
      this.#sent += 1
      this.#lastSentAt = now()
      this.#lastEntryAt = parse(one.fact.hlc)?.ms
    }
    return delivered
  }

  /** On disk before anything is sent as another device or to other lists. */
  async #sendAsNow(): Promise<void> {
    const { as } = this.#deps.shop
    const { kept } = this.#sentAs
    if (kept?.as === as) return
    const places = this.#outbox.places()
    const isFirst = kept === undefined && Object.keys(places).length === 0
    // The entries that wait, and a batch that was not settled.
    const mayBeSent = isFirst ? {} : mostTaken(this.#deps.ledger.db, this.#deps.boxId, places, BATCH)
    await this.#commit(() => this.#sentAs.change(as, mayBeSent))
  }

  /**
   * No box has left word of how far it has come: it is the first time, or the voters are others since, whose stream is new. Another box may
   * have spoken as another device.
   */
  async #suspectOthers(): Promise<void> {
    if (this.#isInformed) return
    const { ledger, boxId, shop } = this.#deps
    if (hasPeers(ledger.db, boxId)) await this.#commit(() => this.#sentAs.adopt({}, shop.as, this.#latest()))
    this.#isInformed = true
  }

  /** No entry that another box has sent until now is later. */
  #latest(): string {
    return format({ ms: this.#deps.now() + CLOCKS_DIFFER_MS, count: 0 })
  }

  /** A call that pretix did not know by an old code is tried by the new one. */
  async #wakeChanged(): Promise<void> {
    const { shop, now } = this.#deps
    const changed = this.#outbox.asleep(MOST_DUE).flatMap(({ ticket, triedCode }) => {
      const position = ticket === null ? 'unknown' : shop.positionOf(ticket)
      return ticket !== null && typeof position !== 'string' && triedCode !== codeDigest(position.secret)
        ? [ticket]
        : []
    })
    if (changed.length > 0) await this.#commit(() => this.#outbox.wake(now(), changed))
  }

  #count(skipped: readonly NotPushed[]): void {
    for (const reason of skipped) this.#notPushed[reason] = (this.#notPushed[reason] ?? 0) + 1
  }

  /** Nobody waits for it at a gate. */
  #commit(work: () => void): Promise<void> {
    return this.#deps.ledger.commit(work, { patient: true })
  }
}

function wordsOf(why: Extract<Next, { next: 'wait' | 'pause' }>): string {
  return why.next === 'pause' ? why.words : why.why
}
