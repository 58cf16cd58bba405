/** The box that this scanner asks, as a signal over `failover-state.ts`. */
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import {
  answered,
  atHome,
  type FailoverState,
  found,
  homeAsked,
  isAway,
  isSearching,
  notKnownThere,
  silent,
} from './failover-state.ts'

/** A box that did not know this scanner may have learned of it by then. */
const NOT_KNOWN_MS = 60_000

export class ActiveBox {
  readonly #monotonic: () => number
  readonly #state: Signal<FailoverState>
  /** By origin: when a box last said that it does not know this scanner. */
  readonly #notKnownAt = new Map<string, number>()
  /** Origin of the box that is asked. Changes when the scanner moves to another box. */
  readonly origin: ReadonlySignal<string>
  readonly isAway: ReadonlySignal<boolean>

  /** @param home origin of the box that this scanner was paired with @param monotonic ms that never jump */
  constructor(home: string, monotonic: () => number) {
    this.#monotonic = monotonic
    this.#state = signal(atHome(home))
    this.origin = computed(() => this.#state.value.active)
    this.isAway = computed(() => isAway(this.#state.value))
  }

  get home(): string {
    return this.#state.peek().home
  }

  /** True once the active box has been silent for so long that the scanner looks for another one. */
  get isSearching(): boolean {
    return isSearching(this.#state.peek(), this.#monotonic())
  }

  /** True while the active box answers. */
  setAnswering(answers: boolean): void {
    const state = this.#state.peek()
    this.#state.value = answers ? answered(state) : silent(state, this.#monotonic())
  }

  /** Another box has answered and knows this scanner. */
  found(origin: string): void {
    this.#state.value = found(this.#state.peek(), origin, this.#monotonic())
  }

  /** Home was asked while another box is active. */
  homeAsked(answered: boolean): void {
    this.#state.value = homeAsked(this.#state.peek(), answered, this.#monotonic())
  }

  /** The active box does not know this scanner: another one may. */
  notKnownHere(): void {
    const now = this.#monotonic()
    this.#notKnownAt.set(this.origin.peek(), now)
    this.#state.value = notKnownThere(this.#state.peek(), now)
  }

  /** False for a box that has said within the last minute that it does not know this scanner. */
  mayKnow(origin: string): boolean {
    const at = this.#notKnownAt.get(origin)
    return at === undefined || this.#monotonic() - at >= NOT_KNOWN_MS
  }
}
