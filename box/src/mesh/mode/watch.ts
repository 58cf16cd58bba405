/** Looks at the conditions of the mode ten times a second, and probes the voters when nothing else has asked them lately. */
import type { Conditions } from './mode.ts'
import type { ModeTracker } from './tracker.ts'

const LOOK_MS = 100
/** After this long without an answer the voters are probed. Longer where there are many boxes, because each of them probes. */
const PROBE_MS = 300
const PROBE_MS_PER_BOX = 60

export interface ModeWatchDeps {
  tracker: Pick<ModeTracker, 'looked' | 'unanswered' | 'state' | 'lastAnswer'>
  conditions: () => Conditions
  /** Asks the voters, and reports to the tracker; resolves when they have answered or the time is up. */
  probe: () => Promise<void>
  /** Called at each look while the voters are reachable: what waits for them can be sent. */
  onReachable: () => void
  /** Number of boxes of the event. */
  boxes: () => number
  /** Milliseconds that never jump. */
  monotonic: () => number
}

export class ModeWatch implements AsyncDisposable {
  readonly #deps: ModeWatchDeps
  readonly #timer: NodeJS.Timeout
  #probing: Promise<void> | undefined

  constructor(deps: ModeWatchDeps) {
    this.#deps = deps
    this.#timer = setInterval(() => this.look(), LOOK_MS)
    this.#timer.unref()
  }

  /** Looks now; the timer does so by itself. */
  look(): void {
    const { tracker, conditions, boxes, probe, monotonic, onReachable } = this.#deps
    tracker.looked(conditions())
    if (tracker.state.reachable) onReachable()
    const every = Math.max(PROBE_MS, PROBE_MS_PER_BOX * boxes())
    if (this.#probing || monotonic() - tracker.lastAnswer < every) return
    this.#probing = probe()
      .catch(() => tracker.unanswered())
      .finally(() => {
        this.#probing = undefined
      })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#probing
  }
}
