/**
 * The journal and the tables beside it, as one process writes them. Every change is one transaction that also appends the
 * journal entry which explains it. Another process (the command line) may write to the same file: each transaction first
 * checks whether the journal has grown, and what others appended is published like this process's own entries.
 */
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { format, type HybridLogicalClock, parse } from '@gatehouse/proto/hlc.ts'
import { and, asc, desc, gte, lt, sql } from '../drizzle/core.ts'
import { LiveScans } from '../live-scans.ts'
import type { Db } from './db.ts'
import { type Entry, type EntryKind, entryOf, type NewEntry, requireFields } from './entries.ts'
import { type Attempted, type CommitOptions, GroupCommit } from './group-commit.ts'
import { journal } from './schema.ts'
import { allColumns, fixedLimit } from './statements.ts'
import { type Phase, type Subscriber, Subscribers } from './subscribers.ts'
import type { TransactionOptions } from './transactions.ts'

export class Ledger {
  readonly db: Db
  /** True while people are being scanned with this ledger: patient work makes way. */
  readonly liveScans = new LiveScans()
  readonly #clock: HybridLogicalClock
  readonly #group: GroupCommit
  readonly #subscribers = new Subscribers()
  readonly #statements: ReturnType<typeof prepare>
  #size = 0
  #dataVersion = -1
  /** Entries of the transaction that is under way: published when it is on disk, dropped when it is rolled back. */
  #appended: Entry[] = []
  /** Entries before this index were published. */
  #published = 0
  #watch: NodeJS.Timeout | undefined

  constructor(db: Db, clock: HybridLogicalClock) {
    this.db = db
    this.#clock = clock
    this.#statements = prepare(db)
    this.#group = new GroupCommit(
      (work, options) => this.transact(() => work((job) => this.#attempt(job)), options),
      () => performance.now(),
      this.liveScans,
    )
    this.#catchUp()
    this.#published = this.#size
  }

  /** Number of entries in the journal. Also the version of everything that is derived from it. */
  get size(): number {
    return this.#size
  }

  /**
   * Runs `work` in the next group commit. What it did is on disk, and published, when the promise resolves.
   * @param work synchronous; may be run twice, its first run then rolled back (`group-commit.ts`)
   * @param options.patient `true` for work that nobody at a gate waits for: live scans go first
   */
  commit<T>(work: () => T, options?: CommitOptions): Promise<T> {
    return this.#group.submit(work, options)
  }

  /**
   * Runs `work` in a transaction, now, and publishes what it appended before it returns.
   * @param options see `TransactionOptions`; without `wait`, `LedgerBusy` is thrown while another process writes
   */
  transact<T>(work: () => T, options: TransactionOptions = { wait: true }): T {
    const size = this.#size
    this.#appended = []
    let result: T
    try {
      result = this.db.transaction(() => {
        this.#catchUp()
        return work()
      }, options)
    } catch (error) {
      this.#size = size
      this.#dataVersion = -1
      this.#appended = []
      throw error
    }
    this.#publish()
    return result
  }

  /**
   * Appends an entry to the journal, within the transaction that is under way. Its time is the clock's next reading, so that
   * entries are in the order of their clocks.
   * @param fields no name, no code, no ticket id: entries are for ever, and are published
   * @returns its place in the journal, and its time
   * @throws TypeError for fields that are not those of the kind
   */
  append<K extends EntryKind>(kind: K, fields: NewEntry<K>): { index: number; hlc: string } {
    requireFields(kind, fields)
    const index = this.#size
    const hlc = format(this.#clock.now())
    const whole = { ...fields, hlc, index, kind }
    const bytes = Buffer.from(canonicalJson(whole))
    this.#statements.insert.run({ index, hlc, kind, bytes })
    this.#size = index + 1
    this.#appended.push({ index, hlc, kind, bytes, fields: whole } as Entry)
    return { index, hlc }
  }

  /** Entries from `index` (0 or more) on, at most `limit`: those below `index + limit`, because a journal has no holes. */
  read(index: number, limit: number): Entry[] {
    return this.#statements.between.all({ index, end: index + limit }).map(entryOf)
  }

  /**
   * Calls `subscriber` with every entry from now on: each once, in order, when it is on disk. `subscribers.ts` states what the
   * phases promise.
   * @returns ends the subscription
   */
  subscribe(phase: Phase, subscriber: Subscriber): () => void {
    return this.#subscribers.add(phase, subscriber)
  }

  /** From now on looks every `everyMs` for what another process has written, and publishes it. */
  watch(everyMs: number): void {
    this.#watch = setInterval(() => {
      if (this.db.isBehind) return
      try {
        this.#catchUp()
      } catch {
        // The next scan reports a disk that cannot be read; it may be back at the next look.
        return
      }
      this.#publish()
    }, everyMs)
    this.#watch.unref()
  }

  /** Commits what is waiting, and closes the file. */
  [Symbol.dispose](): void {
    clearInterval(this.#watch)
    this.#group.flush()
    this.#subscribers[Symbol.dispose]()
    this.db.close()
  }

  /** Runs one job of several in a transaction. What it appended is dropped when it throws. */
  #attempt(job: () => unknown): Attempted {
    const [size, appended] = [this.#size, this.#appended.length]
    const result = this.db.savepoint(job)
    if ('error' in result) {
      this.#size = size
      this.#appended.length = appended
    }
    return result
  }

  /** Reads the journal's end, and raises the clock to it, when another connection has committed. */
  #catchUp(): void {
    const dataVersion = this.db.dataVersion()
    if (dataVersion === this.#dataVersion) return
    const last = this.#statements.last.get()
    this.#size = last ? last.index + 1 : 0
    const reading = last && parse(last.hlc)
    if (reading) this.#clock.raiseTo(reading)
    this.#dataVersion = dataVersion
  }

  /** Hands on what was committed, by whomever, since it was last called. */
  #publish(): void {
    const from = this.#published
    if (this.#size === from) return
    const own = this.#appended
    this.#appended = []
    let entries: readonly Entry[] = own
    if (own[0]?.index !== from && !this.#subscribers.isEmpty) {
      try {
        entries = this.read(from, this.#size - from)
      } catch {
        // Published with the next ones: subscribers are given no journal with holes.
        return
      }
    }
    this.#published = this.#size
    this.#subscribers.publish(entries)
  }
}

function prepare({ drizzle }: Db) {
  return {
    insert: drizzle.insert(journal).values(allColumns(journal)).prepare(),
    last: drizzle.select().from(journal).orderBy(desc(journal.index)).limit(fixedLimit(1)).prepare(),
    between: drizzle
      .select()
      .from(journal)
      .where(and(gte(journal.index, sql.placeholder('index')), lt(journal.index, sql.placeholder('end'))))
      .orderBy(asc(journal.index))
      .prepare(),
  }
}
