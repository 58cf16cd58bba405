/**
 * Claims of one box on the rights of tickets, against all the others: asked while somebody waits at a gate, and told later
 * where nobody could be asked. The journal is the truth; the stream of claims is made to say what the journal says.
 */
import type { Mode } from '../../control/mode.ts'
import type { Event } from '../../event/event.ts'
import type { Entry, Ledger } from '../../ledger/ledger.ts'
import type { Claim, Elsewhere, Right, Secured, Wanted } from '../../scan/claim.ts'
import type { UndoEntry } from '../../scan/entry.ts'
import type { Tickets } from '../../tickets/tickets.ts'
import type { Engine } from '../engine/engine.ts'
import { factsIn } from '../facts.ts'
import { type Contest, contest } from './contest.ts'
import { Filling } from './fill.ts'
import { claimNames } from './names.ts'
import { Probe } from './probe.ts'
import { ClaimQueue } from './queue.ts'
import type { ClaimRecord } from './record.ts'
import { isVoid, replay } from './replay.ts'
import { AT_THE_GATE, ClaimStream } from './stream.ts'
import { Unwritten } from './unwritten.ts'

/** How well the others are heard, as claims and probes find out. */
export interface Hearing {
  /** A compare-and-set was answered. */
  answered(): void
  /** A wait ended without an answer. */
  silence(): void
  /** A claim has had no answer in all the time that it is given. */
  gaveUp(): void
}

export interface ClaimsDeps {
  boxId: string
  event: Event
  /** Hex. */
  eventTag: string
  ledger: Ledger
  tickets: Tickets
  /** Undefined until the box's own server has started. */
  engine: () => Pick<Engine, 'bulk' | 'domain' | 'epoch' | 'isCore' | 'replicas'> | undefined
  mode: () => Mode
  /** Whether it is worth asking at all: a gate does not wait 800 ms for each ticket while a cable is cut. */
  isHeard: () => boolean
  /** Why the others may not have been heard, as a clause. */
  why: () => string
  hearing: Hearing
  /** Milliseconds that never jump. */
  monotonic: () => number
}

export class Claims implements Claim {
  readonly #deps: ClaimsDeps
  readonly #queue: ClaimQueue
  /** Rights that somebody is asking about at this moment, or has asked about and not yet written down. */
  readonly #held = new Map<string, Promise<void>>()
  readonly #fill: Filling
  readonly #unwritten = new Unwritten()
  #stream: { epoch: number; is: ClaimStream; probe: Probe } | undefined
  /** What is going on beside the gates: one thing at a time. */
  #catchingUp: Promise<void> | undefined

  constructor(deps: ClaimsDeps) {
    this.#deps = deps
    this.#queue = new ClaimQueue(deps.ledger)
    this.#fill = new Filling(deps)
  }

  /** Rights that the others are still to be told about. */
  queueLength(): number {
    return this.#queue.length
  }

  /** Whether the stream knows everything that this box knew when the stream was made. */
  isFilled(): boolean {
    return this.#stream !== undefined && this.#fill.isDone(this.#stream.probe.identity)
  }

  /**
   * Asks the voters for something that nobody else asks for: whether they answer, and whether the stream is still the one
   * that it was.
   */
  async probe(): Promise<void> {
    const stream = this.#current()
    if (stream) await stream.probe.ask(this.#deps.hearing, () => this.#fill.forget())
    else this.#deps.hearing.silence()
  }

  /** Tells the stream what it does not know yet, when it can be told and there is anything. Returns at once. */
  catchUp(): void {
    const stream = this.#current()
    const identity = stream?.probe.identity
    if (this.#catchingUp || !stream || identity === undefined) return
    const isFilled = () => this.#fill.isDone(identity)
    if (isFilled() && this.#unwritten.isDone(identity) && this.#queue.length === 0) return
    const context = {
      ...this.#deps,
      stream: stream.is,
      queue: this.#queue,
      hold: (right: Right) => this.#holdIfFree(keyOf(right)),
    }
    const work = async () => {
      if (!isFilled()) await this.#fill.run(context, identity)
      await replay(context)
      if (!isFilled() || this.#unwritten.isDone(identity)) return
      await this.#unwritten.run(context, identity)
      await replay(context)
    }
    this.#catchingUp = work()
      // What went wrong is tried again at the next look; a disk that cannot be written is the next scan's to report.
      .catch(() => {})
      .finally(() => {
        this.#catchingUp = undefined
      })
  }

  /** Resolves when nothing is going on any more. */
  async settled(): Promise<void> {
    await this.#catchingUp
  }

  async secure(wanted: () => Wanted): Promise<Secured> {
    for (;;) {
      const what = wanted()
      const { right } = what
      if (!right) return this.#nothingToAsk()
      const key = keyOf(right)
      const busy = this.#held.get(key)
      // The same ticket at another gate of this box: what that gate writes down is looked at first.
      if (busy) await busy
      else return await this.#ask(what, right, key)
    }
  }

  unasked(scanId: string): Secured {
    return this.#secured(scanId, { confidence: 'provisional' })
  }

  giveBack(scanId: string, right: Right, entry: number): void {
    this.#queue.put({ scanId, ticketRef: right.ticket, slot: right.slot, entry })
  }

  /**
   * What was heard from other boxes. An admission that was taken back there may have been told to a new stream by this box, before
   * it heard of that; then the right is given back by this box as well.
   */
  heard(entries: readonly Entry[]): void {
    const told = entries.filter(({ kind }) => kind === 'heard')
    if (told.length === 0) return
    const undone = [...factsIn(this.#deps.ledger, told)].filter(({ kind }) => kind === 'undo')
    if (undone.length === 0) return
    // What cannot be written now is not owed to anybody: the other box gives the right back by itself.
    this.#deps.ledger
      .commit(() => {
        for (const { fields, index } of undone) {
          const { scan_id: scanId, ticket, slot } = fields as UndoEntry
          this.giveBack(scanId, { ticket, slot }, index)
        }
      })
      .catch(() => {})
  }

  async #ask(wanted: Wanted, right: Right, key: string): Promise<Secured> {
    const { isHeard, why, boxId, hearing, monotonic } = this.#deps
    const { scanId } = wanted
    const stream = this.#current()
    if (!stream || !isHeard()) return this.#secured(scanId, { confidence: 'provisional', why: why() })

    const free = this.#hold(key)
    try {
      const answer = await contest(
        stream.is,
        stream.is.names.claimOf(right.ticket, right.slot),
        recordOf(wanted, right, boxId),
        {
          ...{ patience: AT_THE_GATE, monotonic, deadline: monotonic() + AT_THE_GATE.firstMs + AT_THE_GATE.againMs },
          isVoid: (claim) => isVoid(claim, right, this.#deps),
          onSilence: () => hearing.silence(),
        },
      )
      if (answer.outcome === 'unheard') hearing.gaveUp()
      else hearing.answered()
      return this.#secured(scanId, this.#meaningOf(answer, right), free)
    } catch (error) {
      free()
      throw error
    }
  }

  #meaningOf(answer: Contest, right: Right): Meaning {
    switch (answer.outcome) {
      case 'mine':
        return { ...this.#standing(), asked: right, has: true }
      case 'elsewhere':
        return { confidence: 'confirmed', asked: right, usedElsewhere: elsewhere(answer.by) }
      case 'unheard':
        return { confidence: 'provisional', why: this.#deps.why(), asked: right }
      case 'unclear':
        return { confidence: 'provisional', why: answer.why, asked: right }
    }
  }

  /** While somebody may be unheard, a right that the voters give is not yet certain: who has it may not have told them. */
  #standing(): Pick<Secured, 'confidence' | 'why'> {
    const { mode, why } = this.#deps
    return mode() === 'STRICT' ? { confidence: 'confirmed' } : { confidence: 'provisional', why: why() }
  }

  #nothingToAsk(): Secured {
    return { ...this.#standing(), covers: (right) => right() === null, settle() {}, [Symbol.dispose]() {} }
  }

  /** @param free called when it has been written down what the right was used for */
  #secured(scanId: string, { asked, has = false, ...said }: Meaning, free: () => void = () => {}): Secured {
    const owe = (right: Right, entry: number) => {
      this.#queue.put({ scanId, ticketRef: right.ticket, slot: right.slot, entry })
    }
    return {
      ...said,
      covers: (right) => asked === undefined || !(has || said.usedElsewhere) || right()?.slot === asked.slot,
      settle: (used) => {
        const isWhatWasAsked = used !== null && asked?.slot === used.right.slot
        if (used && !(isWhatWasAsked && has)) owe(used.right, used.entry)
        // Asked for, and perhaps got, and used for nothing: the ledger says so when the queue is read.
        if (asked && !isWhatWasAsked && !said.usedElsewhere) owe(asked, this.#deps.ledger.size)
      },
      [Symbol.dispose]: free,
    }
  }

  /** @returns what lets it go */
  #hold(key: string): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#held.set(key, promise)
    return () => {
      this.#held.delete(key)
      resolve()
    }
  }

  #holdIfFree(key: string): (() => void) | undefined {
    return this.#held.has(key) ? undefined : this.#hold(key)
  }

  /** The stream of the epoch that the box is in. */
  #current() {
    const { engine, eventTag, boxId } = this.#deps
    const now = engine()
    if (!now) return undefined
    if (this.#stream?.epoch !== now.epoch) {
      const { bulk: nats, domain, replicas, epoch, isCore } = now
      const is = new ClaimStream({ nats, domain, replicas, names: claimNames(eventTag, epoch) })
      this.#stream = { epoch, is, probe: new Probe(is, boxId, { mayMake: isCore }) }
    }
    return this.#stream
  }
}

type Meaning = Pick<Secured, 'confidence' | 'why' | 'usedElsewhere'> & {
  asked?: Right
  /** The voters have written that the right is this scan's. */
  has?: boolean
}

function recordOf({ scanId, checkpoint, at, hlc, occurrence }: Wanted, right: Right, box: string): ClaimRecord {
  return { kind: 'claim', scan_id: scanId, box, checkpoint, at, hlc, occurrence, right }
}

function elsewhere({ box, checkpoint, at, hlc, scan_id: scanId, occurrence }: ClaimRecord): Elsewhere {
  return { box, checkpoint, at, hlc, scanId, occurrence }
}

const keyOf = ({ ticket, slot }: Right) => `${ticket} ${slot}`
