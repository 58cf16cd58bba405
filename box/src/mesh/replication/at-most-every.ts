/** Runs an action at once, and then at most once in each interval, however often it is asked for. */
export class AtMostEvery implements Disposable {
  readonly #ms: number
  readonly #action: () => void
  #timer: NodeJS.Timeout | undefined
  #again = false

  /** @param ms the interval, milliseconds */
  constructor(ms: number, action: () => void) {
    this.#ms = ms
    this.#action = action
  }

  ask(): void {
    if (this.#timer) {
      this.#again = true
      return
    }
    this.#timer = setTimeout(() => {
      const again = this.#again
      this[Symbol.dispose]()
      if (again) this.ask()
    }, this.#ms)
    this.#action()
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#again = false
  }
}
