/**
 * Offline admissions on their way to the box: sent in the order in which people were let in, some at a time, and not forgotten
 * before the box has taken or refused them.
 */
import { type Backoff, backoffMs } from '@gatehouse/proto/backoff.ts'
import { type ReadonlySignal, signal } from '@preact/signals'
import { isSettled, type Outcome, type Settled } from '../box/answers.ts'
import { type Change, type Database, type QueueItem, write } from '../store/database.ts'
import { HeldBack } from './held-back.ts'

/** The box takes 200 at once. A person who scans meanwhile waits until the box has dealt with no more than these. */
const AT_ONCE = 100
const LATER: Outcome = { outcome: 'later' }
const BACKOFF: Backoff = { initialMs: 1_000, maxMs: 30_000 }

/** See `uploads.ts`. */
export interface Upload {
  /**
   * @returns what became of the items, in their order; of the first at least. What follows one that is for later is sent again;
   *   one that waits is sent again by itself
   */
  send(items: readonly QueueItem[], signal: AbortSignal): Promise<readonly Outcome[]>
  /** @returns what to write in the transaction that takes the item off the queue */
  settle(item: QueueItem, settled: Settled): readonly Change[]
}

export interface QueueDeps {
  db: Database
  /** Milliseconds, monotonic. */
  monotonic: () => number
  random: () => number
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  upload: Upload
}

export class Queue {
  readonly #deps: QueueDeps
  #items: { key: number; item: QueueItem }[]
  readonly #heldBack: HeldBack
  readonly #unsent
  readonly #stopping = new AbortController()
  #hurry = new AbortController()
  #nextKey: number
  #draining: Promise<void> | undefined

  private constructor(deps: QueueDeps, items: { key: number; item: QueueItem }[]) {
    this.#deps = deps
    this.#items = items
    this.#heldBack = new HeldBack(deps.monotonic)
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

  /** The item and `more` are on the disk when this resolves: from then on a flat battery loses nobody. */
  async add(item: QueueItem, more: readonly Change[]): Promise<void> {
    const key = this.#nextKey++
    await write(this.#deps.db, [{ store: 'queue', key, value: item }, ...more], 'strict')
    // Of two scans that are written at the same time, the later one may be finished first.
    const at = this.#items.findIndex((other) => other.key > key)
    this.#items.splice(at === -1 ? this.#items.length : at, 0, { key, item })
    this.#unsent.value = this.#items.length
  }

  /** Sends all items, unless that is under way. Resolves when the queue is empty, or when this device may send no more. */
  drain(): Promise<void> {
    this.#hurry.abort()
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = undefined
    })
    return this.#draining
  }

  async #drain(): Promise<void> {
    const { signal: stopping } = this.#stopping
    const { upload, random, sleep } = this.#deps
    for (let failures = 0; !stopping.aborted; ) {
      const sent = this.#heldBack.free(this.#items, ({ item }) => item.scan.payload, AT_ONCE)
      if (sent.length === 0) {
        if (this.#items.length === 0) return
        await this.#sleepUnlessHurried(this.#heldBack.waitMs)
        continue
      }
      const outcomes = await upload.send(
        sent.map(({ item }) => item),
        stopping,
      )
      if (stopping.aborted) return
      // Only the items before the first one that is for later: they are settled in the order of the gate.
      const stop =
        outcomes.length === 0 ? LATER : outcomes.find(({ outcome }) => outcome === 'later' || outcome === 'ended')
      const settled = this.#sort(sent, stop ? outcomes.slice(0, outcomes.indexOf(stop)) : outcomes)
      try {
        await this.#settle(settled)
      } catch {
        // The write may have failed: the items are sent again, and the box answers as it did.
        await sleep(backoffMs(failures++, BACKOFF, random()), stopping)
        continue
      }
      if (settled.length > 0) failures = 0
      if (stop?.outcome === 'ended') return
      if (stop?.outcome !== 'later') continue
      if (stop.waitMs !== undefined) {
        // A wait that the box has asked for is waited to its end; our own ends early when the box answers again.
        await sleep(stop.waitMs * (1 + random() / 4), stopping)
        continue
      }
      await this.#sleepUnlessHurried(backoffMs(failures++, BACKOFF, random()))
    }
  }

  async #sleepUnlessHurried(ms: number): Promise<void> {
    this.#hurry = new AbortController()
    await this.#deps.sleep(ms, AbortSignal.any([this.#stopping.signal, this.#hurry.signal]))
  }

  /** Holds back the items that wait. @returns those that are settled */
  #sort(sent: readonly { key: number; item: QueueItem }[], outcomes: readonly Outcome[]) {
    return outcomes.flatMap((outcome, i) => {
      const each = sent[i]
      if (each && outcome.outcome === 'waits') {
        this.#heldBack.hold(each.item.scan.payload, outcome.waitMs * (1 + this.#deps.random() / 4))
      }
      return each && isSettled(outcome) ? [{ ...each, outcome }] : []
    })
  }

  /** Takes items off the queue and writes what follows, in one transaction. */
  async #settle(settled: readonly { key: number; item: QueueItem; outcome: Settled }[]): Promise<void> {
    const { db, upload } = this.#deps
    const changes = settled.flatMap(({ key, item, outcome }): readonly Change[] => [
      { store: 'queue', key, value: undefined },
      ...upload.settle(item, outcome),
    ])
    await write(db, changes)
    const done = new Set(settled.map(({ key }) => key))
    this.#items = this.#items.filter(({ key }) => !done.has(key))
    this.#unsent.value = this.#items.length
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    await this.#draining
  }
}
