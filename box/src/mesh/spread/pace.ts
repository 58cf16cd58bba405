/**
 * When what was heard is written down. Among few boxes at once; among many, what comes close after something else waits for a
 * moment, and then shares one transaction, and one write to the disk, with what other boxes have told meanwhile.
 */

/** As many boxes as one hears without a thought. */
const FEW = 5
/** For each box more: with fifty of them a moment is long enough for several, and too short for anybody to see. */
const MS_FOR_EACH = 1

/** How long that moment is. @param heard how many boxes are heard */
export function momentMs(heard: number): number {
  return Math.max(0, heard - FEW) * MS_FOR_EACH
}

export class Pace {
  readonly #now: () => number
  /** How many boxes are heard. */
  readonly #heard: () => number
  #last = Number.NEGATIVE_INFINITY
  #next: Promise<void> | undefined

  /** @param now milliseconds */
  constructor({ now, heard }: { now: () => number; heard: () => number }) {
    this.#now = now
    this.#heard = heard
  }

  /** Resolves when it may be written down: for all who wait, at one moment. */
  turn(): Promise<void> {
    if (this.#next) return this.#next
    const moment = momentMs(this.#heard())
    // A clock that was set back makes nobody wait longer than that.
    const left = Math.min(moment, this.#last + moment - this.#now())
    if (left <= 0) {
      this.#last = this.#now()
      return Promise.resolve()
    }
    this.#next = new Promise<void>((resolve) => setTimeout(resolve, left)).then(() => {
      this.#next = undefined
      this.#last = this.#now()
    })
    return this.#next
  }
}
