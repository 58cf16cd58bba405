/**
 * The journal and the tables beside it: one writer's view. Every change is one transaction that also appends the
 * journal entry which explains it. Another process (the command line) may write to the same file: each transaction
 * first looks whether the journal has grown, and what others appended is published like our own.
 */
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { format, type HybridLogicalClock, parse } from '@gatehouse/proto/hlc.ts'
import type { Db } from '../db.ts'
import { asc, desc, gte, sql } from '../drizzle/core.ts'
import { GroupCommit } from './group-commit.ts'
import { journal } from './schema.ts'

export interface Entry {
  readonly index: number
  readonly hlc: string
  readonly kind: EntryKind
  readonly bytes: Buffer
  /**
   * What the bytes say, for whoever knows the shape of this kind. Many follow the journal: it is parsed once for all of
   * them, and not at all where the entry was appended here. Never to be changed.
   * @throws SyntaxError for bytes that are no JSON
   */
  readonly fields: unknown
}

export type EntryKind =
  | 'announcement'
  | 'backup'
  | 'claim'
  | 'clock_fence'
  | 'clock_set'
  | 'cosign'
  | 'device_revoked'
  | 'enrolment'
  | 'erasure'
  | 'event'
  | 'export'
  | 'flag'
  | 'flag_resolved'
  | 'heard'
  | 'hold'
  | 'hold_released'
  | 'import'
  | 'incident'
  | 'incident_action'
  | 'invite'
  | 'mesh'
  | 'mode'
  | 'release'
  | 'restart'
  | 'restore'
  | 'rollback'
  | 'scan'
  | 'seal'
  | 'shop'
  | 'shop_certificate'
  | 'shop_certificate_revoked'
  | 'supervisor_admit'
  | 'ticket_reinstated'
  | 'ticket_revoked'
  | 'undo'
  | 'update'

/** What a journal entry may hold: plain JSON, so that its canonical bytes mean the same to every reader. */
export type Fields = { readonly [name: string]: Json }
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

export type Listener = (entries: readonly Entry[]) => void

export class Ledger {
  readonly db: Db
  readonly #clock: HybridLogicalClock
  readonly #group: GroupCommit
  readonly #listeners = new Set<Listener>()
  readonly #statements: ReturnType<typeof prepare>
  #size = 0
  #dataVersion = -1
  /** Entries of the transaction that is under way; published when it is on disk, forgotten when it is not. */
  #appended: Entry[] = []
  /** What was published already ends here. */
  #published = 0
  #watch: NodeJS.Timeout | undefined

  constructor(db: Db, clock: HybridLogicalClock) {
    this.db = db
    this.#clock = clock
    this.#statements = prepare(db)
    this.#group = new GroupCommit((work, options) => this.transact(work, options))
    this.#catchUp()
    this.#published = this.#size
  }

  /** How many entries the journal has: also the version of everything that is derived from it. */
  get size(): number {
    return this.#size
  }

  /** Runs `work` in the next group commit. Its result is on disk when the promise resolves. */
  commit<T>(work: () => T): Promise<T> {
    return this.#group.submit(work)
  }

  /**
   * Runs `work` in a transaction of its own, now.
   * @param options.wait `false` to get `LedgerBusy` at once, and not to stand still, while another process writes
   */
  transact<T>(work: () => T, options = { wait: true }): T {
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
   * Appends one fact to the journal, within the transaction that is under way. The clock's next reading is its
   * place in time, so that the order of entries and the order of clocks are one.
   * @param fields no name, no code, no ticket id: entries are for ever, and are published
   */
  append(kind: EntryKind, fields: Fields): { index: number; hlc: string } {
    const index = this.#size
    const hlc = format(this.#clock.now())
    const whole = { ...fields, hlc, index, kind }
    const bytes = Buffer.from(canonicalJson(whole))
    this.#statements.insert.run({ index, hlc, kind, bytes })
    this.#size = index + 1
    this.#appended.push({ index, hlc, kind, bytes, fields: whole })
    return { index, hlc }
  }

  /** Entries from `index` on, at most `limit`. */
  read(index: number, limit: number): Entry[] {
    return this.#statements.from.all({ index, limit }).map(entryOf)
  }

  /** Calls `listener` with every entry after it is on disk, in order, each once. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Looks for what another process has written, every `everyMs`. */
  watch(everyMs: number): void {
    this.#watch = setInterval(() => {
      try {
        this.#catchUp()
      } catch {
        // A disk that cannot be read is the next scan's to report, and may be back at the next look.
        return
      }
      this.#publish()
    }, everyMs)
    this.#watch.unref()
  }

  /** Commits what waits, and closes the file. */
  [Symbol.dispose](): void {
    clearInterval(this.#watch)
    this.#group.flush()
    this.db.close()
  }

  /** Takes over the journal's end and its clock if another connection has moved it. */
  #catchUp(): void {
    const dataVersion = this.db.dataVersion()
    if (dataVersion === this.#dataVersion) return
    const last = this.#statements.last.get()
    this.#size = last ? last.index + 1 : 0
    const reading = last && parse(last.hlc)
    if (reading) this.#clock.raiseTo(reading)
    this.#dataVersion = dataVersion
  }

  /** What is published is on disk already: nothing that goes wrong here may look like a commit that failed. */
  #publish(): void {
    const from = this.#published
    if (this.#size === from) return
    const own = this.#appended
    this.#appended = []
    let entries: readonly Entry[] = own
    if (own[0]?.index !== from && this.#listeners.size > 0) {
      try {
        entries = this.read(from, this.#size - from)
      } catch {
        // Published with the next ones: what listeners hear has no holes.
        return
      }
    }
    this.#published = this.#size
    for (const listener of this.#listeners) {
      try {
        listener(entries)
      } catch (error) {
        // A view that has lost step with the ledger is worth less than a restart.
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
}

/** An entry as it stands in the file. */
export function entryOf({ index, hlc, kind, bytes }: typeof journal.$inferSelect): Entry {
  let fields: unknown
  return {
    ...{ index, hlc, kind: kind as EntryKind, bytes },
    get fields() {
      fields ??= JSON.parse(bytes.toString())
      return fields
    },
  }
}

function prepare({ drizzle }: Db) {
  return {
    insert: drizzle
      .insert(journal)
      .values({
        index: sql.placeholder('index'),
        hlc: sql.placeholder('hlc'),
        kind: sql.placeholder('kind'),
        bytes: sql.placeholder('bytes'),
      })
      .prepare(),
    last: drizzle.select().from(journal).orderBy(desc(journal.index)).limit(1).prepare(),
    from: drizzle
      .select()
      .from(journal)
      .where(gte(journal.index, sql.placeholder('index')))
      .orderBy(asc(journal.index))
      .limit(sql.placeholder('limit'))
      .prepare(),
  }
}
