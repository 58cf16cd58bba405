/**
 * Admissions made alone, on their way to the box: in the order in which people were let in, some at a time, and never forgotten
 * before the box has said that it has them, or will not take them.
 */
import type { Verdict } from '@gatehouse/proto/wire/scan.ts'
import { type ReadonlySignal, signal } from '@preact/signals'
import { type Change, type Database, type QueueItem, write } from './database.ts'
import { backoffMs } from './latency.ts'

/** The box takes 200; a person who scans meanwhile waits for no more than these. */
const AT_ONCE = 100
const LATER: Outcome = { outcome: 'later' }
const BACKOFF = { firstMs: 1_000, mostMs: 30_000 }

/** What became of one that was sent. */
export type Outcome =
  | { outcome: 'taken'; verdict: Verdict }
  /** It will be refused however often it is sent. */
  | { outcome: 'refused'; message: string }
  /** Not now. */
  | { outcome: 'later'; waitMs?: number | undefined }
  /** Not by this device, ever again. */
  | { outcome: 'ended' }

export interface QueueDeps {
  db: Database
  random: () => number
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** @returns what became of them, in their order; of the first at least. What follows one that is not settled is sent again. */
  send: (items: readonly QueueItem[], signal: AbortSignal) => Promise<readonly Outcome[]>
  /** Told what became of an item. @returns what to write in the same transaction that takes it off the queue */
  settle: (item: QueueItem, outcome: Extract<Outcome, { outcome: 'taken' | 'refused' }>) => readonly Change[]
}

export class Queue {
  readonly #deps: QueueDeps
  #items: { key: number; item: QueueItem }[]
  readonly #unsent
  readonly #stopping = new AbortController()
  #hurry = new AbortController()
  #nextKey: number
  #draining: Promise<void> | undefined

  private constructor(deps: QueueDeps, items: { key: number; item: QueueItem }[]) {
    this.#deps = deps
    this.#items = items
    this.#nextKey = (items.at(-1)?.key ?? 0) + 1
    this.#unsent = signal(items.length)
  }

  static async open(deps: QueueDeps): Promise<Queue> {
    const tx = deps.db.transaction('queue')
    const [keys, items] = await Promise.all([tx.store.getAllKeys(), tx.store.getAll()])
    return new Queue(
      deps,
      keys.flatMap((key, i) => (items[i] ? [{ key, item: items[i] }] : [])),
    )
  }

  get unsent(): ReadonlySignal<number> {
    return this.#unsent
  }

  has(scanId: string): boolean {
    return this.#items.some(({ item }) => item.scan.scan_id === scanId)
  }

  /** On the disk, with `more`, when this resolves: from then on a flat battery loses nobody. */
  async add(item: QueueItem, more: readonly Change[]): Promise<void> {
    const key = this.#nextKey++
    await write(this.#deps.db, [{ store: 'queue', key, value: item }, ...more], 'strict')
    // Two scans may be written at the same time, and the later one first.
    const at = this.#items.findIndex((other) => other.key > key)
    this.#items.splice(at === -1 ? this.#items.length : at, 0, { key, item })
    this.#unsent.value = this.#items.length
  }

  /** Sends what there is, unless that is under way. Resolves when there is nothing to send, or no use in trying now. */
  drain(): Promise<void> {
    this.#hurry.abort()
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = undefined
    })
    return this.#draining
  }

  async #drain(): Promise<void> {
    const { signal: stopping } = this.#stopping
    const { send, settle, random, sleep, db } = this.#deps
    for (let failures = 0; !stopping.aborted; ) {
      const sent = this.#items.slice(0, AT_ONCE)
      if (sent.length === 0) return
      const outcomes = await send(
        sent.map(({ item }) => item),
        stopping,
      )
      if (stopping.aborted) return
      const settled = sent.flatMap((each, i) => {
        const outcome = outcomes[i]
        return outcome && isSettled(outcome) ? [{ ...each, outcome }] : []
      })
      // Only those before the first that is not: nobody is told of out of turn.
      const stop = outcomes.length === 0 ? LATER : outcomes.find((outcome) => !isSettled(outcome))
      if (stop) settled.splice(Math.max(0, outcomes.indexOf(stop)))
      try {
        const changes = settled.flatMap(({ key, item, outcome }): readonly Change[] => [
          { store: 'queue', key, value: undefined },
          ...settle(item, outcome),
        ])
        await write(db, changes)
      } catch {
        // The disk will not say that it is done: they are sent again, and the box answers as it did.
        await sleep(backoffMs(failures++, BACKOFF, random()), stopping)
        continue
      }
      const done = new Set(settled.map(({ key }) => key))
      this.#items = this.#items.filter(({ key }) => !done.has(key))
      this.#unsent.value = this.#items.length
      if (settled.length > 0) failures = 0
      if (stop?.outcome === 'ended') return
      if (stop?.outcome !== 'later') continue
      if (stop.waitMs !== undefined) {
        // What the box has asked for is waited for to the end; a wait of our own ends when the box is heard again.
        await sleep(stop.waitMs * (1 + random() / 4), stopping)
        continue
      }
      this.#hurry = new AbortController()
      await sleep(backoffMs(failures++, BACKOFF, random()), AbortSignal.any([stopping, this.#hurry.signal]))
    }
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    await this.#draining
  }
}

function isSettled(outcome: Outcome): outcome is Extract<Outcome, { outcome: 'taken' | 'refused' }> {
  return outcome.outcome === 'taken' || outcome.outcome === 'refused'
}
