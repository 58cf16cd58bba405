/**
 * The rows that exist already, as inserts before the first change. They are read in pages by key, and each page is a transaction
 * of the feed, whose commit position is the page's number: below every position of a log, so that ids stay in order.
 *
 * The first run reads what the slot's own snapshot sees. A run after it reads the rest as it is then: the changes in between
 * come from the slot, behind the rows. A number is never given to two pages, because a page that is read again may have other rows.
 */
import { formatLsn, type Lsn, parseLsn } from '../../../lsn.ts'
import type { SinkLog } from '../../../sink.ts'
import type { SnapshotProgress, SourceListener } from '../../../source.ts'
import { SourceError } from '../faults.ts'
import type { Page, SnapshotReader } from './reader.ts'
import { beginning, readState, type SnapshotState, writeState } from './state.ts'
import { requireReadable, type SnapshotTable } from './tables.ts'

/** Page numbers that are written down at a time. */
const RESERVE = 1000
/** The size of a page follows the rows of the one before. */
const FIRST_ROWS = 50
const MOST_ROWS = 500
const PAGE_CHARS = 1024 * 1024
const SAVE_EVERY_MS = 1000
/** Id, positions, time and the encoding around an image. */
const OVERHEAD_BYTES = 128

interface SnapshotOptions {
  /** File with its progress; undefined for tests that do not restart. */
  readonly file: string | undefined
  readonly publication: string
  readonly user: string
  readonly log: SinkLog
}

/** A page that is not taken by every durable sink yet, with the state that is reached when it is. */
interface Sent {
  readonly page: number
  readonly table: string
  readonly after: readonly string[]
  readonly rows: number
}

export class Snapshot {
  readonly #options: SnapshotOptions
  #state: SnapshotState | undefined
  /** The last page that was passed on in this run. */
  #page = 0
  #at: Pick<Sent, 'table' | 'after' | 'rows'> | undefined
  #sent: Sent[] = []
  #hasRead = false
  #tables: readonly SnapshotTable[] = []
  #writing: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  /** The file is behind the state. */
  #isStale = false

  constructor(options: SnapshotOptions) {
    this.#options = options
  }

  /** True until every row was passed on. */
  get isPending(): boolean {
    return this.#state !== undefined && !this.#state.done && !this.#hasRead
  }

  get progress(): SnapshotProgress | null {
    if (!this.#state) return null
    const state = this.#state.done ? 'done' : this.#hasRead ? 'delivering' : 'reading'
    const { table = null, rows = this.#state.rows } = this.#at ?? {}
    const estimated = this.#tables.reduce((sum, { estimate }) => sum + estimate, 0)
    return { state, table, rows, estimatedRows: Math.max(rows, estimated), tables: this.#tables.length }
  }

  /**
   * Reads what is remembered.
   * @param place of the slot
   * @returns false when there is no snapshot that was begun with this slot
   * @throws SourceError for a file that says nothing
   */
  async recall(place: string): Promise<boolean> {
    const { file } = this.#options
    this.#state ??= file === undefined ? undefined : await readState(file)
    return this.#state?.place === place
  }

  /** The slot is about to be made: whatever happens from here on, the rows are sent. */
  async begin(place: string): Promise<void> {
    if (this.#page === 0) await this.recall(place)
    this.#state = beginning(place, this.#state?.reserved)
    this.#at = undefined
    this.#sent = []
    this.#hasRead = false
    await this.#write()
  }

  /**
   * Passes the rows on, from where the run before ended.
   * @param mayGoOn resolves at once, or when no queue is full
   * @throws SourceError for a table that cannot be read, pg.DatabaseError, or the error of the network
   */
  async read(reader: SnapshotReader, listener: SourceListener, mayGoOn: () => Promise<void>): Promise<void> {
    const { log, publication, user } = this.#options
    const state = this.#state ?? beginning('')
    this.#at ??= state.table === null ? undefined : { table: state.table, after: state.after ?? [], rows: state.rows }
    this.#page ||= state.reserved
    this.#tables = await reader.tables(publication)
    requireReadable(this.#tables, user)
    const from = this.#at?.table ?? ''
    const { lsn } = reader
    log.info({
      event: 'snapshot_reading',
      lsn,
      tables: this.#tables.length,
      from: from || undefined,
      rows: this.#at?.rows ?? 0,
    })
    for (const table of this.#tables) {
      if (table.full < from) continue
      await this.#readTable(table, reader, listener, mayGoOn)
      log.info({ event: 'snapshot_table_read', table: table.full, rows: this.#at?.rows ?? 0 })
    }
    this.#hasRead = true
    log.info({ event: 'snapshot_read', rows: this.#at?.rows ?? 0 })
    if (this.#sent.length === 0) await this.#finish()
  }

  /** Every durable sink has what is before `end`. @returns true for the end of a page, which is no position of the log */
  acknowledge(end: Lsn): boolean {
    const state = this.#state
    if (!state || state.done) return false
    let taken: Sent | undefined
    while (this.#sent[0] && BigInt(this.#sent[0].page) <= end) taken = this.#sent.shift()
    if (taken) {
      const { table, after, rows } = taken
      this.#state = { ...state, table, after: [...after], rows }
      this.#isStale = true
      this.#timer ??= setTimeout(() => void this.flush(), SAVE_EVERY_MS)
    }
    if (this.#hasRead && this.#sent.length === 0) void this.#finish()
    return end <= BigInt(this.#page)
  }

  /** Writes what is not written yet. Never rejects: what is not written is sent once more after the next start. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#isStale) {
      this.#isStale = false
      await this.#write().catch((error: Error) => {
        this.#options.log.error({ event: 'snapshot_not_saved', path: this.#options.file, reason: error.message })
      })
    }
    await this.#writing
  }

  async #readTable(
    table: SnapshotTable,
    reader: SnapshotReader,
    listener: SourceListener,
    mayGoOn: () => Promise<void>,
  ): Promise<void> {
    let limit = FIRST_ROWS
    for (;;) {
      await mayGoOn()
      const page = await reader.page(table, this.#at?.table === table.full ? this.#at.after : null, limit)
      const { length } = page.rows
      if (length === 0) return
      await this.#pass(page, table, reader, listener)
      if (length < limit) return
      limit = Math.max(1, Math.min(MOST_ROWS, 2 * limit, Math.floor((length * PAGE_CHARS) / page.size)))
    }
  }

  async #pass(
    page: Page,
    { schema, name, full }: SnapshotTable,
    { lsn, time }: SnapshotReader,
    listener: SourceListener,
  ) {
    const number = await this.#nextNumber(lsn)
    const commitLsn = BigInt(number)
    const commit = formatLsn(commitLsn)
    const rows = (this.#at?.rows ?? 0) + page.rows.length
    this.#at = { table: full, after: page.last, rows }
    this.#sent.push({ page: number, ...this.#at })
    for (const [index, afterJson] of page.rows.entries()) {
      listener.event({
        id: `${commit}:${index}`,
        lsn,
        commitLsn: commit,
        commitTime: time,
        schema,
        table: name,
        op: 'insert',
        beforeJson: '',
        afterJson,
        position: { commitLsn, index },
        bytes: afterJson.length + schema.length + name.length + OVERHEAD_BYTES,
        snapshot: true,
      })
    }
    listener.commit({ commitLsn, end: commitLsn })
  }

  /** @throws when it cannot be written down that the number is used */
  async #nextNumber(lsn: string): Promise<number> {
    const state = this.#state as SnapshotState
    const number = this.#page + 1
    if (BigInt(number) >= (parseLsn(lsn) ?? 0n))
      throw new SourceError('The snapshot has more pages than there are positions before the slot')
    if (number > state.reserved) {
      this.#state = { ...state, reserved: state.reserved + RESERVE }
      await this.#write()
    }
    this.#page = number
    return number
  }

  async #finish(): Promise<void> {
    const state = this.#state
    if (!state || state.done) return
    this.#state = { ...state, done: true }
    this.#options.log.info({ event: 'snapshot_delivered', rows: this.#at?.rows ?? state.rows })
    this.#isStale = true
    await this.flush()
  }

  /** One after the other: the file never falls behind. */
  #write(): Promise<void> {
    const { file } = this.#options
    const written = this.#writing.then(() => {
      return file === undefined || !this.#state ? undefined : writeState(file, this.#state)
    })
    this.#writing = written.catch(() => {})
    return written
  }
}
