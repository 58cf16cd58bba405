/**
 * The tally of this box's journal, and of those that it heard, kept in step entry by entry as they are committed. A snapshot goes to disk now and then,
 * so that a start counts on from there; whatever the last power cut has left, the journal has the rest.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { eq } from '../drizzle/core.ts'
import { GatehouseError } from '../errors.ts'
import type { Entry, Ledger } from '../ledger/ledger.ts'
import { tallies } from '../ledger/schema.ts'
import { heardIn } from '../mesh/facts.ts'
import { count, newTally, snapshotOf, type Tally, tallyFrom } from './tally.ts'

const NAME = 'control'
const EVERY_ENTRIES = 1_000
const EVERY_MS = 60_000
/** Entries read at a time where there are many to catch up with: a scan waits no longer than that. */
const SLICE = 500

export class Counts implements Disposable {
  readonly #ledger: Ledger
  readonly #tally: Tally
  readonly #timer: NodeJS.Timeout
  readonly #unsubscribe: () => void
  #catchingUp: Promise<void> | undefined
  /** What the snapshot on disk has counted. */
  #kept: number
  #keeping = false
  #closed = false

  constructor(ledger: Ledger) {
    this.#ledger = ledger
    this.#tally = this.#load()
    this.#kept = this.#tally.size
    this.#unsubscribe = ledger.subscribe((entries) => this.#follow(entries))
    this.#catchUp()
    this.#timer = setInterval(() => this.#keep(), EVERY_MS)
    this.#timer.unref()
  }

  /** Not to be changed. Complete once `ready` has resolved, and from then on. */
  get tally(): Tally {
    return this.#tally
  }

  /** Resolves when everything is counted that was committed before. */
  async ready(): Promise<void> {
    await this.#catchingUp
  }

  #load(): Tally {
    const row = this.#ledger.db.drizzle.select().from(tallies).where(eq(tallies.name, NAME)).get()
    const tally = row && tallyFrom(row.value)
    // Ahead of the journal: it belongs to entries that are not there any more, and to what they said.
    return tally && tally.size <= this.#ledger.size ? tally : newTally()
  }

  #follow(entries: readonly Entry[]): void {
    const [first] = entries
    if (!first) return
    // While it is behind, the slices come by here too.
    if (first.index > this.#tally.size) {
      this.#catchUp()
      return
    }
    for (const entry of entries) this.#count(entry)
    // Not now: whoever waits for these entries' answers would wait for the snapshot.
    if (this.#tally.size - this.#kept >= EVERY_ENTRIES && !this.#keeping) setImmediate(() => this.#keep())
  }

  #count(entry: Entry): void {
    if (entry.index < this.#tally.size) return
    // All that is there is read in order: what is missing was taken out of the file. To tell is for "verify"; the gates go on.
    this.#tally.size = entry.index
    count(this.#tally, entry, entry.kind === 'heard' ? heardIn(this.#ledger.db, entry) : [])
  }

  #catchUp(): void {
    this.#catchingUp ??= this.#countSlices().finally(() => {
      this.#catchingUp = undefined
    })
  }

  async #countSlices(): Promise<void> {
    while (!this.#closed && this.#tally.size < this.#ledger.size) {
      const from = this.#tally.size
      for (const entry of this.#ledger.read(from, Math.min(SLICE, this.#ledger.size - from))) this.#count(entry)
      await turn()
    }
  }

  #keep(): void {
    if (this.#keeping || this.#closed || this.#tally.size === this.#kept) return
    this.#keeping = true
    const write = this.#snapshot()
    // A disk that cannot be written refuses scans as well, and those say so.
    this.#ledger
      .commit(write)
      .catch(onlyDisk)
      .finally(() => {
        this.#keeping = false
      })
  }

  /** The work of a transaction that puts down what is counted now. */
  #snapshot(): () => void {
    const { size } = this.#tally
    const value = snapshotOf(this.#tally)
    return () => {
      const row = { size, value }
      this.#ledger.db.drizzle
        .insert(tallies)
        .values({ name: NAME, ...row })
        .onConflictDoUpdate({ target: tallies.name, set: row })
        .run()
      this.#kept = size
    }
  }

  /** An orderly end leaves nothing to be counted again. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#unsubscribe()
    this.#closed = true
    if (this.#tally.size === this.#kept) return
    try {
      this.#ledger.transact(this.#snapshot())
    } catch (error) {
      onlyDisk(error)
    }
  }
}

function onlyDisk(error: unknown): void {
  if (!(error instanceof GatehouseError)) throw error
}
