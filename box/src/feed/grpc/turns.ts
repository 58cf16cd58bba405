/**
 * One batch of each sender at a time: a sender that opens a hundred calls at once delays only itself, and takes no database
 * connection and no transaction from the others.
 */

export class TooMany extends Error {
  override readonly name = 'TooMany'
}

export class Turns {
  readonly #mostWaiting: number
  readonly #lines = new Map<string, { last: Promise<unknown>; length: number }>()

  /** @param mostWaiting how many of a sender may wait behind the one that is under way */
  constructor(mostWaiting = Number.POSITIVE_INFINITY) {
    this.#mostWaiting = mostWaiting
  }

  /** Runs `work` after what `name` has under way. @throws TooMany at once; what `work` throws */
  async take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(name) ?? { last: Promise.resolve(), length: 0 }
    if (line.length > this.#mostWaiting) {
      throw new TooMany('One batch at a time: wait for the answer, then send the next.')
    }
    this.#lines.set(name, line)
    line.length++
    const mine = line.last.then(work)
    line.last = mine.catch(() => {})
    try {
      return await mine
    } finally {
      line.length--
      if (line.length === 0) this.#lines.delete(name)
    }
  }
}
