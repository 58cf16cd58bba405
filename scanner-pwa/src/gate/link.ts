/** Whether the box answers. Each request of the scanner says so by the way; while it is gone, a small one asks again and again. */
import { signal } from '@preact/signals'
import type { Link as LinkState } from '../model.ts'
import { backoffMs, deadlineMs, type Latency, measured } from './latency.ts'

const PROBE = { firstMs: 500, mostMs: 5_000 }

export interface LinkDeps {
  /** Unix ms, corrected. */
  now: () => number
  random: () => number
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Asks the box for something small. Rejects when it does not answer. */
  probe: (signal: AbortSignal) => Promise<unknown>
}

export class Link {
  readonly #deps: LinkDeps
  readonly state = signal<Omit<LinkState, 'away'>>({ state: 'alone', heardAt: null })
  readonly #stopping = new AbortController()
  readonly #back = new Set<() => void>()
  #latency: Latency | undefined
  #probing: Promise<void> | undefined
  #hurry = new AbortController()

  constructor(deps: LinkDeps) {
    this.#deps = deps
  }

  get isReachable(): boolean {
    return this.state.value.state === 'reachable'
  }

  /** How long the box has been silent, ms; undefined when it was never heard. */
  unheardMs(): number | undefined {
    const { heardAt } = this.state.value
    return heardAt === null ? undefined : Math.max(0, this.#deps.now() - heardAt)
  }

  deadlineMs(): number {
    return deadlineMs(this.#latency)
  }

  /** Calls when the box is back. */
  onBack(listener: () => void): void {
    this.#back.add(listener)
  }

  /** An answer came, whatever it said. @param tookMs for those that tell how fast the box answers */
  heard(tookMs?: number): void {
    if (tookMs !== undefined) this.#latency = measured(this.#latency, tookMs)
    const wasAlone = !this.isReachable
    this.state.value = { state: 'reachable', heardAt: this.#deps.now() }
    if (wasAlone) for (const listener of this.#back) listener()
  }

  /** No answer came, or too late. */
  lost(): void {
    if (this.isReachable) this.state.value = { ...this.state.value, state: 'alone' }
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = undefined
    })
  }

  /** Another box is asked from now on, which has just answered. */
  moved(): void {
    this.#latency = undefined
    this.heard()
  }

  /** The device says that its network is there again, or somebody waits: asks at once. */
  look(): void {
    this.#hurry.abort()
    if (!this.isReachable) this.lost()
  }

  /** Asks once, whatever the state: something has broken off that may have been the box. */
  async check(): Promise<void> {
    try {
      await this.#deps.probe(this.#stopping.signal)
    } catch {
      if (!this.#stopping.signal.aborted) this.lost()
    }
  }

  async #probe(): Promise<void> {
    const { signal: stopping } = this.#stopping
    for (let failures = 0; !stopping.aborted && !this.isReachable; failures++) {
      // What was slow says nothing of the box that comes back.
      if (failures > 2) this.#latency = undefined
      try {
        await this.#deps.probe(stopping)
      } catch {
        // That is what is being asked.
      }
      if (this.isReachable) return
      this.#hurry = new AbortController()
      const early = AbortSignal.any([stopping, this.#hurry.signal])
      await this.#deps.sleep(backoffMs(failures, PROBE, this.#deps.random()), early)
    }
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    await this.#probing
  }
}
