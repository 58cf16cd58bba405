/** The event's boxes, and which of them this scanner asks: looks for another while its own is gone, and goes home again. */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import type { KnownBox } from '../model.ts'
import { backoffMs } from './latency.ts'
import type { Link } from './link.ts'
import { atHome, found, heard, homeAsked, isAway, seeks, unheard, unwelcome, type Whereabouts } from './whereabouts.ts'

/** From one look at where things stand to the next; cheap, nothing is sent while all is well. */
const LOOK_MS = 500
/** Home is asked so often from elsewhere. */
const HOME_MS = 4_000
/** Nobody has answered: how soon all of them are asked again. */
const SEEK = { firstMs: 1_000, mostMs: 8_000 }
/** A box that did not know this scanner may have heard of it by then. */
const UNWELCOME_MS = 60_000

export interface BoxesDeps {
  /** Origin of the box that this scanner was paired with. */
  home: string
  link: Link
  monotonic: () => number
  random: () => number
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Those that this page may ask. */
  others: ReadonlySignal<readonly KnownBox[]>
  nameOf: (origin: string) => string
  /**
   * Whether the box at this origin answers, and knows this scanner. Never rejects.
   * @param lost no box is heard: its time may be taken for the right one, if need be
   */
  ask: (origin: string, lost: boolean, signal: AbortSignal) => Promise<boolean>
  /** From now on the other box is asked. */
  onMoved: () => void
}

export class Boxes {
  readonly #deps: BoxesDeps
  readonly #here
  /** Name of the box that is asked; null at home. */
  readonly away: ReadonlySignal<string | null>
  readonly #stopping = new AbortController()
  readonly #unwelcome = new Map<string, number>()
  readonly #end: () => void
  #running: Promise<void> = Promise.resolve()

  constructor(deps: BoxesDeps) {
    this.#deps = deps
    this.#here = signal(atHome(deps.home))
    this.away = computed(() => (isAway(this.#here.value) ? deps.nameOf(this.#here.value.at) : null))
    this.#end = effect(() => {
      const { state } = deps.link.state.value
      const here = this.#here.peek()
      this.#here.value = state === 'reachable' ? heard(here) : unheard(here, deps.monotonic())
    })
  }

  /** Origin of the box that is asked. */
  get at(): string {
    return this.#here.peek().at
  }

  get isAway(): boolean {
    return isAway(this.#here.peek())
  }

  start(): void {
    this.#running = this.#watch()
  }

  /** Whether this one would do, now. */
  answers(origin: string): Promise<boolean> {
    return this.#deps.ask(origin, false, this.#stopping.signal)
  }

  /** The box that is asked has said that it does not know this scanner: another may. */
  notKnownHere(): void {
    const now = this.#deps.monotonic()
    this.#unwelcome.set(this.at, now)
    this.#become(unwelcome(this.#here.peek(), now))
  }

  async #watch(): Promise<void> {
    const { signal: stopping } = this.#stopping
    const { sleep, random, monotonic } = this.#deps
    let failures = 0
    let homeAt = 0
    while (!stopping.aborted) {
      await sleep(LOOK_MS, stopping)
      if (stopping.aborted) return
      const here = this.#here.peek()
      if (seeks(here, monotonic())) {
        if (await this.#seek(here)) failures = 0
        else await sleep(backoffMs(failures++, SEEK, random()), stopping)
      } else if (isAway(here) && monotonic() - homeAt >= HOME_MS) {
        homeAt = monotonic()
        const answered = await this.#deps.ask(here.home, false, stopping)
        if (!stopping.aborted) this.#become(homeAsked(this.#here.peek(), answered, monotonic()))
      }
    }
  }

  /** Asks all of them, and takes the first: every scanner of a box that is gone looks for another in this second. */
  async #seek(here: Whereabouts): Promise<boolean> {
    const now = this.#deps.monotonic()
    const candidates = [here.home, ...this.#deps.others.peek().map(({ origin }) => origin)].filter(
      (origin) => origin !== here.at && now - (this.#unwelcome.get(origin) ?? -UNWELCOME_MS) >= UNWELCOME_MS,
    )
    const enough = new AbortController()
    const asked = AbortSignal.any([this.#stopping.signal, enough.signal])
    const answers = [...new Set(candidates)].map(async (origin) => {
      if (!(await this.#deps.ask(origin, true, asked))) throw new Error('not this one')
      return origin
    })
    const first = await Promise.any(answers).catch(() => undefined)
    enough.abort()
    if (first === undefined || this.#stopping.signal.aborted) return false
    this.#become(found(this.#here.peek(), first, this.#deps.monotonic()))
    return true
  }

  #become(next: Whereabouts): void {
    const before = this.#here.peek()
    this.#here.value = next
    if (next.at !== before.at) this.#deps.onMoved()
  }

  async close(): Promise<void> {
    this.#end()
    this.#stopping.abort()
    await this.#running
  }
}
