/**
 * Paces the transactions that write replicated entries. Among few boxes they are written at once. Among many, what arrives
 * shortly after something else waits a moment, so that entries of several boxes share one transaction and one disk write.
 */

/** Up to this many boxes nothing waits. */
const FEW = 5
/** For each box more: with fifty boxes the delay collects several entries, and is too short for anybody to notice. */
const MS_PER_BOX = 1

/** Time for which entries wait for others to share their transaction. @param boxes how many journals this box follows */
export function commitDelayMs(boxes: number): number {
  return Math.max(0, boxes - FEW) * MS_PER_BOX
}

export class Pace {
  readonly #now: () => number
  readonly #boxes: () => number
  #last = Number.NEGATIVE_INFINITY
  #next: Promise<void> | undefined

  /** @param boxes how many journals this box follows @param now milliseconds */
  constructor({ now, boxes }: { now: () => number; boxes: () => number }) {
    this.#now = now
    this.#boxes = boxes
  }

  /** Resolves when entries may be written: at the same moment for all who wait. */
  turn(): Promise<void> {
    if (this.#next) return this.#next
    const delay = commitDelayMs(this.#boxes())
    // The wait is never longer than `delay`, even when the clock was set back.
    const left = Math.min(delay, this.#last + delay - this.#now())
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
