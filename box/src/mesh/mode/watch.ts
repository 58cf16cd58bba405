/** Keeps the mode: asks, looks, writes each change into the journal, and tells whoever wants to know. */
import type { ModeSwitch } from '../../control/mode.ts'
import type { Logger } from '../../log.ts'
import type { Hearing } from '../claims/claims.ts'
import { type Observation, type Standing, type State, started, step } from './mode.ts'

const LOOK_MS = 100
/** So long nobody asks, and it is not known whether anybody would answer: short, and longer where many boxes ask. */
const PROBE_MS = 300
const PROBE_MS_FOR_EACH = 60

export interface WatchDeps {
  switch: ModeSwitch
  standing: () => Standing
  /** Asks the voters; resolves when they have answered, or have not. */
  probe: () => Promise<void>
  /** Called at each look: what waits for the voters is told them. */
  onHeard: () => void
  /** How many boxes there are. */
  boxes: () => number
  /** Why, in one sentence for a person. */
  reason: (state: State) => string
  logger: Logger
  /** Milliseconds that never jump. */
  monotonic: () => number
}

export class ModeWatch implements AsyncDisposable, Hearing {
  readonly #deps: WatchDeps
  readonly #listeners = new Set<() => void>()
  readonly #timer: NodeJS.Timeout
  #state: State
  #lastAnswer = Number.NEGATIVE_INFINITY
  #probing: Promise<void> | undefined
  #writing: Promise<void> | undefined
  #closed = false

  constructor(deps: WatchDeps) {
    this.#deps = deps
    this.#state = started(deps.standing())
    this.#timer = setInterval(() => this.look(), LOOK_MS)
    this.#timer.unref()
    void this.#write()
  }

  get state(): State {
    return this.#state
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  answered(): void {
    this.#lastAnswer = this.#deps.monotonic()
    this.#observe({ kind: 'answered', at: this.#lastAnswer })
  }

  silence(): void {
    this.#observe({ kind: 'silence', at: this.#deps.monotonic() })
  }

  gaveUp(): void {
    this.#observe({ kind: 'gave_up', at: this.#deps.monotonic() })
  }

  /** Looks at how things stand, now; by itself it does so ten times a second. */
  look(): void {
    if (this.#closed) return
    const { standing, boxes, probe, monotonic, onHeard } = this.#deps
    const at = monotonic()
    this.#observe({ kind: 'looked', at, standing: standing() })
    if (this.#state.heard) onHeard()
    const every = Math.max(PROBE_MS, PROBE_MS_FOR_EACH * boxes())
    if (this.#probing || at - this.#lastAnswer < every) return
    this.#probing = probe()
      .catch(() => this.silence())
      .finally(() => {
        this.#probing = undefined
      })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    clearInterval(this.#timer)
    await this.#probing
    await this.#writing
  }

  #observe(observation: Observation): void {
    if (this.#closed) return
    const before = this.#state
    this.#state = step(before, observation)
    if (this.#state.mode !== before.mode) void this.#write()
    if (this.#state.obstacle !== before.obstacle || this.#state.heard !== before.heard) {
      for (const listener of this.#listeners) listener()
    }
  }

  /** The journal has every mode that lasted until it could be written. */
  async #write(): Promise<void> {
    if (this.#writing) return
    const { switch: modeSwitch, reason, logger } = this.#deps
    const work = async () => {
      while (!this.#closed && modeSwitch.mode !== this.#state.mode) {
        const { mode } = this.#state
        await modeSwitch.become(mode, reason(this.#state))
        logger.info({ event: 'mode', mode, obstacle: this.#state.obstacle })
      }
    }
    this.#writing = work()
      // A disk that cannot be written is the next scan's to report; the mode itself is as it is.
      .catch((error) => logger.error({ event: 'mode_not_written', err: error }))
      .finally(() => {
        this.#writing = undefined
      })
    await this.#writing
  }
}
