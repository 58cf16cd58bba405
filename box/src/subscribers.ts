/**
 * Callbacks that are called when something happens, in the order in which they were added. Followers of the journal subscribe by
 * `ledger/subscribers.ts`.
 */
export class Subscribers<Args extends unknown[] = []> {
  readonly #callbacks = new Set<(...args: Args) => unknown>()

  get size(): number {
    return this.#callbacks.size
  }

  /** @returns what ends the subscription */
  add(callback: (...args: Args) => unknown): () => void {
    this.#callbacks.add(callback)
    return () => void this.#callbacks.delete(callback)
  }

  /** @throws what a callback throws; those after it are not called */
  notify(...args: Args): void {
    for (const callback of this.#callbacks) callback(...args)
  }
}
