/**
 * When what follows from a new entry is done. Three phases, in this order:
 *
 * 1. Within the commit: the work that appends the entry, and nobody else. What has to be on disk together with an entry is
 *    written by that work, so there is nothing to subscribe to.
 * 2. `committed`: when the transaction is on disk, before the promise of `commit` settles and before `transact` returns. Whoever
 *    has awaited a commit finds every such view in step with it. Scans wait meanwhile: a subscriber updates what it has in memory
 *    or hands a message to a socket, reads the database for rare kinds alone, and appends nothing.
 * 3. `later`: in a turn of the event loop of its own, after those who wait have their answers. May be behind the ledger, is given
 *    several transactions' entries at once, and may write.
 *
 * In both of the last two, each subscriber is given every entry exactly once, in order of index, those that other processes have
 * appended included; subscribers are called in the order in which they subscribed. One that throws ends the process: a view that
 * has lost step with the ledger is worth less than a restart.
 */
import type { Entry } from './entries.ts'

export type Phase = 'committed' | 'later'

export type Subscriber = (entries: readonly Entry[]) => void

export class Subscribers {
  readonly #committed = new Set<Subscriber>()
  /** With what each is still to be given. */
  readonly #later = new Map<Subscriber, readonly Entry[]>()
  #turn: NodeJS.Immediate | undefined

  get isEmpty(): boolean {
    return this.#committed.size + this.#later.size === 0
  }

  /** @returns ends the subscription; what it was not given yet it is not given any more */
  add(phase: Phase, subscriber: Subscriber): () => void {
    if (phase === 'committed') this.#committed.add(subscriber)
    else this.#later.set(subscriber, [])
    return () => {
      this.#committed.delete(subscriber)
      this.#later.delete(subscriber)
    }
  }

  /** @param entries on disk, and the next after those of the call before */
  publish(entries: readonly Entry[]): void {
    for (const subscriber of this.#committed) call(subscriber, entries)
    for (const [subscriber, pending] of this.#later) this.#later.set(subscriber, pending.concat(entries))
    if (this.#later.size > 0) this.#turn ??= setImmediate(() => this.#publishPending())
  }

  /** Ends the subscriptions of phase `later`: the ledger is about to be closed. */
  [Symbol.dispose](): void {
    clearImmediate(this.#turn)
  }

  #publishPending(): void {
    this.#turn = undefined
    for (const [subscriber, pending] of this.#later) {
      if (pending.length === 0) continue
      this.#later.set(subscriber, [])
      call(subscriber, pending)
    }
  }
}

/** Published entries are on disk already, so an error here must not look like a failed commit. */
function call(subscriber: Subscriber, entries: readonly Entry[]): void {
  try {
    subscriber(entries)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
