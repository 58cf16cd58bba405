/** Looks for another box while the active one is silent, and goes back home once home answers again. */

import { type Backoff, backoffMs } from '@gatehouse/proto/backoff.ts'
import { effect, type ReadonlySignal } from '@preact/signals'
import type { KnownBox } from '../gate/model.ts'
import type { ActiveBox } from './active-box.ts'
import type { Link } from './link.ts'

/** Between two looks at the state; cheap, nothing is sent while the active box answers. */
const LOOK_MS = 500
/** Interval between two questions to home while another box is active. */
const HOME_MS = 4_000
/** Between two rounds of asking all boxes while none answers. */
const SEARCH: Backoff = { initialMs: 1_000, maxMs: 8_000 }

export interface FailoverDeps {
  active: ActiveBox
  link: Link
  monotonic: () => number
  random: () => number
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** The event's other boxes that this page may ask. */
  others: ReadonlySignal<readonly KnownBox[]>
  /**
   * Resolves to true when the box at this origin answers and knows this scanner. Never rejects.
   * @param mayMeasure no box answers: the clock may be compared with this one's, if need be
   */
  ask: (origin: string, mayMeasure: boolean, signal: AbortSignal) => Promise<boolean>
}

export class Failover {
  readonly #deps: FailoverDeps
  readonly #stopping = new AbortController()
  readonly #stopWatching: () => void
  #running: Promise<void> = Promise.resolve()

  constructor(deps: FailoverDeps) {
    this.#deps = deps
    const { active, link } = deps
    this.#stopWatching = effect(() => active.setAnswering(link.state.value.state === 'reachable'))
  }

  start(): void {
    this.#running = this.#watch()
  }

  /** True when this box would accept the scanner now. */
  answers(origin: string): Promise<boolean> {
    return this.#deps.ask(origin, false, this.#stopping.signal)
  }

  async #watch(): Promise<void> {
    const { signal: stopping } = this.#stopping
    const { active, ask, sleep, random, monotonic } = this.#deps
    let failures = 0
    let homeAskedAt = 0
    while (!stopping.aborted) {
      await sleep(LOOK_MS, stopping)
      if (stopping.aborted) return
      if (active.isSearching) {
        if (await this.#search()) failures = 0
        else await sleep(backoffMs(failures++, SEARCH, random()), stopping)
      } else if (active.isAway.peek() && monotonic() - homeAskedAt >= HOME_MS) {
        homeAskedAt = monotonic()
        const answered = await ask(active.home, false, stopping)
        if (!stopping.aborted) active.homeAsked(answered)
      }
    }
  }

  /** Asks all boxes at once and takes the first: every scanner of a box that is gone looks for another in the same second. */
  async #search(): Promise<boolean> {
    const { active, ask, others } = this.#deps
    const origins = new Set([active.home, ...others.peek().map(({ origin }) => origin)])
    const candidates = [...origins].filter((origin) => origin !== active.origin.peek() && active.mayKnow(origin))
    const enough = new AbortController()
    const asked = AbortSignal.any([this.#stopping.signal, enough.signal])
    const answers = candidates.map(async (origin) => {
      if (!(await ask(origin, true, asked))) throw new Error('not this one')
      return origin
    })
    const first = await Promise.any(answers).catch(() => undefined)
    enough.abort()
    if (first === undefined || this.#stopping.signal.aborted) return false
    active.found(first)
    return true
  }

  async close(): Promise<void> {
    this.#stopWatching()
    this.#stopping.abort()
    await this.#running
  }
}
