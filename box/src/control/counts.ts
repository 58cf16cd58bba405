/**
 * Keeps the tally of this box's journal and of the replicated ones, entry by entry as they are committed. A snapshot goes to
 * disk now and then, and a start counts on from there: whichever snapshot a power cut has left, the journal has the rest.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { onlyDisk } from '../clock/fence.ts'
import { eq } from '../drizzle/core.ts'
import type { Entry } from '../ledger/entries.ts'
import { replicatedIn } from '../ledger/facts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { tallies } from '../ledger/schema.ts'
import { countEntry } from './count-entry.ts'
import { newTally, snapshotOf, type Tally, tallyFrom } from './tally.ts'

const NAME = 'control'
const EVERY_ENTRIES = 1_000
const EVERY_MS = 60_000
/** Entries read at a time while catching up: a scan waits for no more than these. */
const SLICE = 500

export class Counts implements Disposable {
  readonly #ledger: Ledger
  readonly #tally: Tally
  readonly #timer: NodeJS.Timeout
  readonly #subscriptions: readonly (() => void)[]
  #catchingUp: Promise<void> | undefined
  /** Number of entries that the snapshot on disk has counted. */
  #kept: number
  #keeping = false
  #closed = false

  constructor(ledger: Ledger) {
    this.#ledger = ledger
    this.#tally = this.#load()
    this.#kept = this.#tally.size
    this.#subscriptions = [
      ledger.subscribe('committed', (entries) => this.#follow(entries)),
      // Later: the answers to these entries would wait for the snapshot.
      ledger.subscribe('later', () => this.#keepIfDue()),
    ]
    this.#catchUp()
    this.#timer = setInterval(() => this.#keep(), EVERY_MS)
    this.#timer.unref()
  }

  /** Not to be changed by callers. Complete from when `ready` has resolved. */
  get tally(): Tally {
    return this.#tally
  }

  /** Resolves when everything that was committed before is counted. */
  async ready(): Promise<void> {
    await this.#catchingUp
  }

  #load(): Tally {
    const row = this.#ledger.db.drizzle.select().from(tallies).where(eq(tallies.name, NAME)).get()
    const tally = row && tallyFrom(row.value)
    // A snapshot ahead of the journal has counted entries that the journal no longer has.
    return tally && tally.size <= this.#ledger.size ? tally : newTally()
  }

  #follow(entries: readonly Entry[]): void {
    const [first] = entries
    if (!first) return
    // While catching up, the slices will reach these entries too.
    if (first.index > this.#tally.size) {
      this.#catchUp()
      return
    }
    for (const entry of entries) this.#count(entry)
  }

  #count(entry: Entry): void {
    if (entry.index < this.#tally.size) return
    // Entries are read in order: one that is missing was taken out of the file. "verify" reports that; the gates go on.
    this.#tally.size = entry.index
    countEntry(this.#tally, entry, entry.kind === 'heard' ? replicatedIn(this.#ledger.db, entry) : [])
  }

  #catchUp(): void {
    this.#catchingUp ??= this.#countSlices().finally(() => {
      this.#catchingUp = undefined
    })
  }

  async #countSlices(): Promise<void> {
    while (!this.#closed && this.#tally.size < this.#ledger.size) {
      const from = this.#tally.size
      const entries = this.#ledger.read(from, Math.min(SLICE, this.#ledger.size - from))
      // They cannot be read for a moment (`Db.isBehind`): the next entry begins again.
      if (entries.length === 0) return
      for (const entry of entries) this.#count(entry)
      await turn()
    }
  }

  #keepIfDue(): void {
    if (this.#tally.size - this.#kept >= EVERY_ENTRIES) this.#keep()
  }

  #keep(): void {
    if (this.#keeping || this.#closed || this.#tally.size === this.#kept) return
    this.#keeping = true
    const write = this.#snapshot()
    // A disk that cannot be written fails scans as well, and their errors are reported.
    this.#ledger
      .commit(write)
      .catch(onlyDisk)
      .finally(() => {
        this.#keeping = false
      })
  }

  /** The work of a transaction that writes the present tally. */
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

  /** Writes a last snapshot, so that the next start has nothing to count again. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    for (const unsubscribe of this.#subscriptions) unsubscribe()
    this.#closed = true
    if (this.#tally.size === this.#kept) return
    try {
      this.#ledger.transact(this.#snapshot())
    } catch (error) {
      onlyDisk(error)
    }
  }
}
