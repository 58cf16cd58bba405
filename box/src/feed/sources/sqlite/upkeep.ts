/**
 * Writes to a followed database from time to time, when no writer holds the lock: how far its changes are acknowledged, the
 * deletion of log rows that are no longer needed, and the next page of a snapshot.
 */
import type { SinkLog } from '../../sink.ts'
import { fileAt } from './database.ts'
import type { Followed } from './followed.ts'
import type { MemoryFile } from './memory-file.ts'
import type { Slot } from './slot.ts'

/** The shortest time between two written acknowledgements: each time costs the writer a few milliseconds of the lock. */
const CONFIRM_MS = 1000
/** Between two parts of a long log that is deleted. */
const PRUNE_MS = 20
/**
 * A ledger that people are scanned with is locked most of the time, and has no fold open for ten milliseconds in between
 * (`ledger/transactions.ts`): it is tried again soon, `MOST_LOCKED` times at most, and then after the usual time.
 */
const LOCKED_MS = 15
const MOST_LOCKED = 100

export class Upkeep {
  readonly #path: string
  readonly #memory: MemoryFile
  readonly #log: SinkLog
  /** Up to here everything is safe with every durable sink. */
  #acknowledged = 0
  #confirmed = 0
  #pruning = false
  #failed = false
  /** Tries, one after the other, that found a writer. */
  #locked = 0
  #fileWas: string | undefined

  constructor(path: string, memory: MemoryFile, log: SinkLog) {
    this.#path = path
    this.#memory = memory
    this.#log = log
  }

  /** The last sequence that was acknowledged. */
  get acknowledged(): number {
    return this.#acknowledged
  }

  /** A database was opened whose slot is confirmed up to here. */
  begin(confirmed: number): void {
    this.#acknowledged = confirmed
    this.#confirmed = confirmed
  }

  acknowledge(seq: number): void {
    this.#acknowledged = Math.max(this.#acknowledged, seq)
  }

  /** @returns how long to wait before the next time, ms. Never throws */
  run(followed: Followed | undefined): number {
    if (!followed) return CONFIRM_MS
    this.#lookAtFile(followed)
    let more: boolean | undefined = false
    let logged: boolean | undefined
    try {
      more = this.#confirm(followed.slot)
      this.#memory.renewTokenIfDue(followed.slot, this.#confirmed)
      logged = this.#advanceSnapshot(followed)
      this.#failed = false
    } catch (error) {
      // Logged once and not at every attempt: on a full disk the log would fill it further.
      if (!this.#failed) this.#log.warn({ event: 'feed_confirm_failed', err: error })
      this.#failed = true
    }
    const isLocked = more === undefined || logged === false
    this.#locked = isLocked ? this.#locked + 1 : 0
    if (isLocked && this.#locked < MOST_LOCKED) return LOCKED_MS
    return more === true || logged === true ? PRUNE_MS : CONFIRM_MS
  }

  /**
   * Writes what is not written yet, before the database is closed. An acknowledgement that cannot be written now is made
   * again after the next start: a writer or a disk that refuses costs redelivery, and no change.
   */
  async finish({ db, slot }: Followed): Promise<void> {
    try {
      // Safe on the disk before the older token is forgotten: a backup that was made before now is known by it.
      db.pragma('synchronous = FULL')
      slot.confirm(this.#acknowledged, this.#memory.token)
      this.#confirmed = this.#acknowledged
      await this.#memory.renewToken(slot, this.#confirmed)
      await this.#memory.save(this.#confirmed)
    } catch (error) {
      this.#log.warn({ event: 'feed_confirm_failed', err: error })
    }
  }

  #lookAtFile(followed: Followed): void {
    // Its state has to be the same twice: a file that is still being copied is not opened.
    const now = fileAt(this.#path)
    followed.replaced = now !== undefined && now.file !== followed.file && now.state === this.#fileWas
    this.#fileWas = now?.state
  }

  /** @returns whether more is left to delete; undefined when a writer held the lock */
  #confirm(slot: Slot): boolean | undefined {
    const seq = this.#acknowledged
    if (seq <= this.#confirmed && !this.#pruning) return false
    const more = slot.confirm(seq, this.#memory.token)
    if (more !== undefined) this.#confirmed = seq
    this.#pruning = more !== false
    return more
  }

  /** @returns true if a page of the snapshot was logged, and the next one may follow soon; false if a writer held the lock */
  #advanceSnapshot(followed: Followed): boolean | undefined {
    const { snapshot, slot } = followed
    if (!snapshot || snapshot.isDone || followed.replaced) return undefined
    const logged = snapshot.advance(slot.lastSeq() - Math.max(this.#acknowledged, this.#confirmed))
    if (logged) followed.logged = true
    if (snapshot.isDone) this.#log.info({ event: 'feed_snapshot_told' })
    return logged
  }
}
