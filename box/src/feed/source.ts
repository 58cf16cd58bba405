/** What the engine asks of a source of changes. PostgreSQL and SQLite are the two. */
import type { ChangeEvent } from './change.ts'
import type { Lsn } from './lsn.ts'

/** What a source tells, in the order of commits: a transaction's events, then its end, then the next one's. */
export interface SourceListener {
  event(event: ChangeEvent): void
  /**
   * A transaction is complete. `end` is what may be acknowledged once its events are taken: the position behind the commit
   * and not that of the commit, or the transaction comes again at every restart. Comes for empty transactions too.
   */
  commit(commit: { readonly commitLsn: Lsn; readonly end: Lsn }): void
  /** Everything before `end` has been told: what may be acknowledged when nothing is under way. */
  idle(end: Lsn): void
}

export interface SourceStatus {
  slot: {
    exists: boolean
    active: boolean
    restartLsn: string
    confirmedFlushLsn: string
    retainedWalBytes: number
    /** Changes that nobody has taken yet, where the source can count them. */
    retainedEvents?: number
  } | null
  publication: { exists: boolean; allTables: boolean } | null
  walLevel: string | null
}

/**
 * `failed` is for what only a person can mend (a lost slot, a missing publication): nothing is re-created silently.
 * Everything else is tried again by the source itself, with backoff.
 */
export type SourceState =
  | { state: 'starting' | 'streaming' | 'reconnecting' | 'stopped'; lastError: string | null }
  | { state: 'failed'; lastError: string }

export interface Source extends AsyncDisposable {
  readonly kind: 'postgres' | 'sqlite'
  /** Which log the positions belong to (system identifier, database, slot; or the ledger's incarnation): when it changes, positions kept of it mean nothing. Known after `start` has resolved. */
  readonly identity: string
  readonly state: SourceState
  /**
   * Connects, checks and begins to stream from what was last acknowledged. Resolves once positions are known to be good.
   * Reconnects by itself from then on: events may come again after that, from the last acknowledged position.
   * @throws when a person has to mend something first; the message says what to do
   */
  start(listener: SourceListener): Promise<void>
  /** Stops reading until `resume`; what is already read may still be told. The connection stays alive meanwhile. */
  pause(): void
  resume(): void
  /** Everything before `end` is safe with every durable sink. Only ever grows; told to the database at its next status. */
  acknowledge(end: Lsn): void
  /** Asks the database. @throws when it cannot be asked */
  status(): Promise<SourceStatus>
}
