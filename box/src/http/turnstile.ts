/**
 * Lets in the work that nobody at a gate waits for: none while a live scan is answered, a little in a turn of the event loop,
 * and then none for a while. Networks take turns, and within one its addresses, so that whoever floods waits behind their own
 * requests. A request waits before its body is read, and a connection before its handshake.
 */
import { GatehouseError } from '../errors.ts'
import type { LiveScans } from '../live-scans.ts'
import { FairQueue } from './fair-queue.ts'
import type { TokenBuckets } from './token-bucket.ts'

/** In one turn, and the pause after it in multiples of the time that it took. */
const CALM = { atOnce: 2, pause: 1 } as const
/** The same while people are being scanned. */
const BUSY = { atOnce: 1, pause: 3 } as const
/** The longest pause, however long a turn took. */
const MOST_PAUSE_MS = 50
/**
 * The longest time that live scans without end hold up the others, who then have as much time: scans that wait for other boxes overlap
 * without a gap, and revocations, wallets and handshakes must go on.
 */
const MOST_WAIT_MS = 100
/** While a live scan is answered, it is asked again after so long. */
const AGAIN_MS = 1
/** Inside at one time, of one lane. */
const MOST_INSIDE = 32
/** A body that arrives slowly, or a handshake: its place is somebody else's after this. */
const PLACE_MS = 1_000
/** Waiting in one lane, unless said otherwise: more are refused at once. */
const MOST_WAITING = 256
/** Lanes at one time. Networks beyond it share the last lane. */
const MOST_LANES = 4_096

export interface TurnstileOptions {
  /** Milliseconds, monotonic. */
  now: () => number
  liveScans: Pick<LiveScans, 'areInFlight' | 'areRecent'>
  /** Of one lane: more are refused. */
  mostWaiting?: number
  mostInside?: number
  /** A place is kept this long, ms. */
  placeMs?: number
  mostLanes?: number
  /** Highest rate of one lane, however idle the box is; as fast as turns come without it. */
  pace?: Pick<TokenBuckets, 'take' | 'giveBack'>
}

/** A request that waits. */
export interface WaitingFor {
  /** Addresses of one lane take turns. */
  address: string
  /** True if it has gone away meanwhile. */
  isGone: () => boolean
}

interface Waiting {
  isGone: () => boolean
  letIn: () => void
  refuse: () => void
}

interface Lane {
  readonly name: string
  waiting: FairQueue<Waiting>
  inside: number
  /** True if it stands among the lanes whose turn is to come, or will when its pace allows. */
  isQueued: boolean
}

export class Turnstile {
  readonly #options: Required<Omit<TurnstileOptions, 'pace'>> & Pick<TurnstileOptions, 'pace'>
  readonly #lanes = new Map<string, Lane>()
  /** Lanes that have somebody to let in, in the order of their turns. */
  readonly #turns: Lane[] = []
  #isRunning = false
  /** When live scans began to hold up whoever is next. */
  #heldSince: number | undefined
  /** Until then they do not. */
  #openUntil = Number.NEGATIVE_INFINITY

  constructor(options: TurnstileOptions) {
    const usual = { mostWaiting: MOST_WAITING, mostInside: MOST_INSIDE, placeMs: PLACE_MS, mostLanes: MOST_LANES }
    this.#options = { ...usual, ...options }
  }

  /**
   * Resolves when it is the turn of this request.
   * @param name of the lane: a network, or a device
   * @returns gives up the place; may be called again. After a second the place is given up by itself
   * @throws GatehouseError `rate_limited` where too many of this lane wait; of the address that has most of them waiting, the last
   *   one is refused
   */
  async enter(
    name: string,
    { address, isGone }: WaitingFor = { address: '', isGone: () => false },
  ): Promise<() => void> {
    const lane = this.#lane(name)
    await new Promise<void>((resolve, reject) => {
      lane.waiting.push(address, { isGone, letIn: resolve, refuse: () => reject(tooManyAtOnce()) })
      if (lane.waiting.length > this.#options.mostWaiting) lane.waiting.takeFromLongest()?.refuse()
      this.#queue(lane)
    })
    return this.#place(lane)
  }

  #lane(name: string): Lane {
    const isFull = this.#lanes.size >= this.#options.mostLanes && !this.#lanes.has(name)
    const key = isFull ? '' : name
    const lane = this.#lanes.get(key) ?? { name: key, waiting: new FairQueue<Waiting>(), inside: 0, isQueued: false }
    this.#lanes.set(key, lane)
    return lane
  }

  /** @returns gives it up */
  #place(lane: Lane): () => void {
    let isMine = true
    const leave = () => {
      if (!isMine) return
      isMine = false
      clearTimeout(timer)
      lane.inside -= 1
      if (lane.inside === 0 && lane.waiting.length === 0) this.#lanes.delete(lane.name)
      else this.#queue(lane)
    }
    const timer = setTimeout(leave, this.#options.placeMs).unref()
    return leave
  }

  /** Puts a lane at the end of the line, if it has somebody to let in. */
  #queue(lane: Lane): void {
    if (lane.isQueued || lane.waiting.length === 0 || lane.inside >= this.#options.mostInside) return
    lane.isQueued = true
    this.#turns.push(lane)
    if (this.#isRunning) return
    this.#isRunning = true
    setImmediate(() => this.#turn())
  }

  #turn(): void {
    const { now, liveScans } = this.#options
    const started = now()
    if (liveScans.areInFlight && started >= this.#openUntil) {
      this.#heldSince ??= started
      if (started - this.#heldSince < MOST_WAIT_MS) {
        setTimeout(() => this.#turn(), AGAIN_MS).unref()
        return
      }
      this.#openUntil = started + MOST_WAIT_MS
    }
    this.#heldSince = undefined
    const { atOnce, pause } = liveScans.areRecent ? BUSY : CALM
    let count = 0
    while (count < atOnce && this.#letIn()) count++
    if (count === 0) {
      this.#isRunning = false
      return
    }
    // Two turns on, bodies that had arrived are read, and most answers are written.
    setImmediate(() =>
      setImmediate(() => {
        setTimeout(() => this.#turn(), Math.min(MOST_PAUSE_MS, pause * (now() - started))).unref()
      }),
    )
  }

  /** The first of the lane whose turn it is. @returns false when nobody waits who may come in */
  #letIn(): boolean {
    for (let lane = this.#turns.shift(); lane; lane = this.#turns.shift()) {
      if (this.#waitsForPace(lane)) continue
      lane.isQueued = false
      let next = lane.waiting.shift()
      // Nobody waits for a connection that was closed meanwhile.
      while (next?.isGone()) {
        next.refuse()
        next = lane.waiting.shift()
      }
      if (next) lane.inside += 1
      next?.letIn()
      this.#queue(lane)
      if (next) return true
      this.#options.pace?.giveBack(lane.name, 1)
      if (lane.inside === 0 && lane.waiting.length === 0) this.#lanes.delete(lane.name)
    }
    return false
  }

  /** Takes a token of the lane's pace, or brings the lane back to the line when it has one. */
  #waitsForPace(lane: Lane): boolean {
    const seconds = this.#options.pace?.take(lane.name) ?? 0
    if (seconds === 0) return false
    setTimeout(() => {
      lane.isQueued = false
      this.#queue(lane)
    }, seconds * 1000).unref()
    return true
  }
}

function tooManyAtOnce(): GatehouseError {
  return new GatehouseError('rate_limited', 'Too many requests at once from here: wait a moment.', {
    retryAfterSeconds: 1,
  })
}
