/** Tracks if the active box answers. Every request of the scanner shows it; while the box is silent, a small one is repeated. */
import { type Backoff, backoffMs } from '@gatehouse/proto/backoff.ts'
import { computed, signal } from '@preact/signals'
import type { Link as LinkState } from '../gate/model.ts'
import { deadlineMs, type Latency, measured } from './latency.ts'

const PROBE: Backoff = { initialMs: 500, maxMs: 5_000 }

export interface LinkDeps {
  /** Unix ms, corrected. */
  now: () => number
  random: () => number
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /**
   * Sends a small request to the active box. Rejects when it does not answer.
   * @returns false where another box has become the active one meanwhile
   */
  probe: (signal: AbortSignal) => Promise<boolean>
}

export class Link {
  readonly #deps: LinkDeps
  readonly state = signal<Omit<LinkState, 'away'>>({ state: 'offline', heardAt: null })
  readonly reachable = computed(() => this.state.value.state === 'reachable')
  readonly #stopping = new AbortController()
  #latency: Latency | undefined
  #probing: Promise<void> | undefined
  /** Ends the probe that is under way. */
  #underWay = new AbortController()
  /** Ends the wait before the next probe. */
  #hurry = new AbortController()

  constructor(deps: LinkDeps) {
    this.#deps = deps
  }

  get isReachable(): boolean {
    return this.reachable.peek()
  }

  /** Silence of the box, ms; undefined before it ever answered. */
  silentMs(): number | undefined {
    const { heardAt } = this.state.peek()
    return heardAt === null ? undefined : Math.max(0, this.#deps.now() - heardAt)
  }

  /** Time that a scan may wait for its answer, ms. */
  deadlineMs(): number {
    return deadlineMs(this.#latency)
  }

  /** The box has answered, with whatever status. @param tookMs for requests that show how fast the box answers */
  answered(tookMs?: number): void {
    if (tookMs !== undefined) this.#latency = measured(this.#latency, tookMs)
    this.state.value = { state: 'reachable', heardAt: this.#deps.now() }
  }

  /** No answer came, or it came too late. */
  lost(): void {
    if (this.isReachable) this.state.value = { ...this.state.peek(), state: 'offline' }
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = undefined
    })
  }

  /** Another box is active from now on, and has just answered. */
  moved(): void {
    this.#latency = undefined
    this.answered()
  }

  /** Asks at once: the device reports that its network is back, or a person waits. */
  look(): void {
    this.#hurry.abort()
    if (!this.isReachable) this.lost()
  }

  /**
   * Asks at once, whatever the state: the network is back, or the page is looked at again. A probe that is under way went out by the network
   * of before, may never be answered, and is given up.
   */
  returned(): void {
    this.#underWay.abort()
    if (this.isReachable) void this.check()
    else this.look()
  }

  /** Asks once, whatever the state: a connection has broken off, which may be the end of the box. */
  async check(): Promise<void> {
    try {
      if (await this.#deps.probe(this.#stopping.signal)) this.answered()
    } catch {
      if (!this.#stopping.signal.aborted) this.lost()
    }
  }

  async #probe(): Promise<void> {
    const { signal: stopping } = this.#stopping
    for (let failures = 0; !stopping.aborted && !this.isReachable; failures++) {
      // The latency that led to the silence does not apply to the box that comes back.
      if (failures > 2) this.#latency = undefined
      this.#underWay = new AbortController()
      try {
        if (await this.#deps.probe(AbortSignal.any([stopping, this.#underWay.signal]))) this.answered()
      } catch {
        // The box is still silent.
      }
      if (this.isReachable) return
      if (this.#underWay.signal.aborted) continue
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
