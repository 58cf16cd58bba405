/** The interface of a source of changes: PostgreSQL and SQLite. */
import type { ChangeEvent } from './change.ts'
import type { Lsn } from './lsn.ts'

/** A gap: the changes that receivers have and the next ones cannot be proven to join. */
export interface SourceGap {
  /** The reason, in a sentence for people. */
  readonly reason: string
}

/** The progress of all receivers of a source, from the runs before. */
export interface Delivered {
  /** Of the source that it was read from. */
  readonly identity: string
  /** The last transaction that each sink has taken an event of; its time where that was written down. */
  readonly transactions: readonly { readonly commitLsn: Lsn; readonly commitTime: string | undefined }[]
}

/** Called in the order of commits: with a transaction's events, then its end, then the next transaction's. */
export interface SourceListener {
  /** Called once, when reading has begun: everything before `end` was acknowledged in the runs before. */
  began(end: Lsn): void
  event(event: ChangeEvent): void
  /**
   * A transaction is complete. `end` may be acknowledged once its events are delivered: it is the position behind the commit
   * and not that of the commit, which would bring the transaction again at every restart. Called for empty transactions too.
   */
  commit(commit: { readonly commitLsn: Lsn; readonly end: Lsn }): void
  /** Everything before `end` has been passed on: it may be acknowledged when nothing is under way. */
  idle(end: Lsn): void
  /**
   * Changes are missing, or differ from those that were delivered, between what was passed on before and what comes next. The
   * source goes on once this has resolved: every sink is going to be told then, also after a crash.
   */
  gap(gap: SourceGap): Promise<void>
}

export interface SourceStatus {
  slot: {
    exists: boolean
    active: boolean
    restartLsn: string
    confirmedFlushLsn: string
    retainedWalBytes: number
    /** Changes that are not acknowledged yet, where the source can count them. */
    retainedEvents?: number
  } | null
  publication: { exists: boolean; allTables: boolean } | null
  walLevel: string | null
}

/**
 * `failed` is for what only a person can correct (a lost slot, a missing publication): nothing is re-created silently.
 * The source retries everything else itself, with backoff.
 */
export type SourceState =
  | { state: 'starting' | 'snapshot' | 'streaming' | 'reconnecting' | 'stopped'; lastError: string | null }
  | { state: 'failed'; lastError: string }

/** Progress of the rows that existed at the start. */
export interface SnapshotProgress {
  /** `delivering`: all are read, and not every durable sink has them. */
  readonly state: 'reading' | 'delivering' | 'done'
  /** `schema.table` of the last row that was read; null before the first one. */
  readonly table: string | null
  readonly rows: number
  /** By the statistics of the database; at least `rows`. */
  readonly estimatedRows: number
  readonly tables: number
}

export interface Source extends AsyncDisposable {
  readonly kind: 'postgres' | 'sqlite'
  /**
   * The log that the positions belong to (system identifier, database, slot; or the ledger's incarnation). Positions of another
   * identity mean nothing. Known after `start` has resolved.
   */
  readonly identity: string
  readonly state: SourceState
  /** Null where no snapshot was ever asked for. */
  readonly snapshot?: SnapshotProgress | null
  /**
   * Connects, checks and begins to stream from what was last acknowledged. Resolves when positions are known to be valid.
   * Reconnects by itself from then on: events then come again from the last acknowledged position.
   * @param delivered what has to be in this log: where that cannot be proven, the source stops, or tells a gap
   * @throws when a person has to correct something first; the message says what to do
   */
  start(listener: SourceListener, delivered?: Delivered): Promise<void>
  /** Stops reading until `resume`; what is already read may still be passed on. The connection stays alive meanwhile. */
  pause(): void
  resume(): void
  /** Everything before `end` is safe with every durable sink. Only ever grows; reported to the database with its next status. */
  acknowledge(end: Lsn): void
  /** Asks the database. @throws when it cannot be asked */
  status(): Promise<SourceStatus>
}
