/** Holds the state behind the mode, and writes every change of the mode into the journal. */

import type { Logger } from '../../log.ts'
import type { ModeSwitch } from '../../rights/mode.ts'
import { Subscribers } from '../../subscribers.ts'
import type { ReachabilityObserver } from '../reservation/probe.ts'
import { type Conditions, initialState, type ModeState, type Observation, step } from './mode.ts'

export interface ModeTrackerDeps {
  switch: ModeSwitch
  /** As they are now; later ones come with `looked`. */
  conditions: Conditions
  /** One sentence for a person: why the box is in its mode. */
  reason: (state: ModeState) => string
  logger: Logger
  /** Unix ms. */
  now: () => number
  /** Milliseconds that never jump. */
  monotonic: () => number
}

/** Disposed, it ignores whatever is observed: closing the mesh looks like a cut cable, and is none. */
export class ModeTracker implements ReachabilityObserver, AsyncDisposable {
  readonly #deps: ModeTrackerDeps
  readonly #listeners = new Subscribers()
  #state: ModeState
  #since: number
  #lastAnswer = Number.NEGATIVE_INFINITY
  #writing: Promise<void> | undefined
  #closed = false

  constructor(deps: ModeTrackerDeps) {
    this.#deps = deps
    this.#state = initialState(deps.conditions)
    this.#since = deps.now()
    void this.#write()
  }

  get state(): ModeState {
    return this.#state
  }

  /** When the present mode began, unix ms. */
  get since(): number {
    return this.#since
  }

  /** When the voters last answered, on the clock that never jumps. */
  get lastAnswer(): number {
    return this.#lastAnswer
  }

  /** Calls `listener` when the mode, its obstacle or the reachability of the voters has changed. @returns what ends that */
  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener)
  }

  answered(): void {
    this.#lastAnswer = this.#deps.monotonic()
    this.#observe({ kind: 'answered', at: this.#lastAnswer })
  }

  unanswered(): void {
    this.#observe({ kind: 'unanswered', at: this.#deps.monotonic() })
  }

  timedOut(): void {
    this.#observe({ kind: 'timed_out', at: this.#deps.monotonic() })
  }

  looked(conditions: Conditions): void {
    this.#observe({ kind: 'looked', at: this.#deps.monotonic(), conditions })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    await this.#writing
  }

  #observe(observation: Observation): void {
    if (this.#closed) return
    const before = this.#state
    this.#state = step(before, observation)
    if (this.#state.mode !== before.mode) {
      this.#since = this.#deps.now()
      void this.#write()
    }
    if (this.#state.obstacle !== before.obstacle || this.#state.reachable !== before.reachable) this.#listeners.notify()
  }

  /** A mode that did not last until it could be written is not in the journal. */
  async #write(): Promise<void> {
    if (this.#writing) return
    const { switch: modeSwitch, reason, logger } = this.#deps
    const work = async () => {
      while (!this.#closed && modeSwitch.mode !== this.#state.mode) {
        const { mode } = this.#state
        await modeSwitch.change(mode, reason(this.#state))
        logger.info({ event: 'mode', mode, obstacle: this.#state.obstacle })
      }
    }
    this.#writing = work()
      // A full disk is reported by the next scan. The mode in memory is right all the same.
      .catch((error) => logger.error({ event: 'mode_not_written', err: error }))
      .finally(() => {
        this.#writing = undefined
      })
    await this.#writing
  }
}
