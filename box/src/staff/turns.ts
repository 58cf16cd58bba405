/**
 * The order in which PINs are computed: one at a time, because each takes 19 MiB and a thread. Networks take turns, so that whoever
 * sends many waits behind their own; and people where they have signed in before take turns with all strangers together.
 */
import { GatehouseError } from '../errors.ts'
import { FairQueue } from '../http/fair-queue.ts'

/** Waiting in each of the two queues: with more of them, the last one of whoever has most waiting is refused. */
const MOST_WAITING = 32

/** A caller that asks for a PIN to be computed. */
export interface Asker {
  /** Those of one lane wait behind each other. */
  readonly lane: string
  /** Has signed in from there since the box started. */
  readonly isKnown: boolean
}

interface Waiting {
  go: () => Promise<void>
  refuse: () => void
}

export class Turns {
  readonly #known = new FairQueue<Waiting>()
  readonly #strangers = new FairQueue<Waiting>()
  #isRunning = false

  /** @throws GatehouseError `rate_limited` where too many of this lane wait */
  take<T>({ lane, isKnown }: Asker, work: () => Promise<T>): Promise<T> {
    const queue = isKnown ? this.#known : this.#strangers
    return new Promise((resolve, reject) => {
      queue.push(lane, { go: () => work().then(resolve, reject), refuse: () => reject(tooManyAtOnce()) })
      if (queue.length > MOST_WAITING) queue.takeFromLongest()?.refuse()
      if (!this.#isRunning) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#known.length + this.#strangers.length > 0) {
      for (const queue of [this.#known, this.#strangers]) await queue.shift()?.go()
    }
    this.#isRunning = false
  }
}

function tooManyAtOnce(): GatehouseError {
  const message = 'Many people sign in at this moment: try again in a few seconds.'
  return new GatehouseError('rate_limited', message, { retryAfterSeconds: 3 })
}
