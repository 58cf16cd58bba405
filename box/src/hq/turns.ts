/**
 * One batch of a box at a time, and a few that wait: a box that opens a hundred calls at once holds up itself, and takes no
 * connection to the database from the others.
 */
const MOST_WAITING = 4

export class TooMany extends Error {
  override readonly name = 'TooMany'
}

export class Turns {
  readonly #lines = new Map<string, { last: Promise<unknown>; length: number }>()

  /** @throws TooMany at once; what `work` throws */
  async take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(name) ?? { last: Promise.resolve(), length: 0 }
    if (line.length > MOST_WAITING) throw new TooMany('One batch at a time: wait for the answer, then send the next.')
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

  /** Resolves once nobody is in any line. */
  async idle(): Promise<void> {
    while (this.#lines.size > 0) await Promise.all([...this.#lines.values()].map(({ last }) => last))
  }
}
