/** After a crash: finishes the import that counts, and removes what never came to count. */
import { isNull } from '../../drizzle/core.ts'
import type { Db } from '../../ledger/db.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { stagedImports } from '../../ledger/schema.ts'
import { Tickets } from '../tickets.ts'
import type { StagingThreads } from './thread.ts'

const ROWS_AT_ONCE = 1000
/** An import moves its own rows, and is given so long before somebody else does. */
const OVERDUE_MS = 5_000

/**
 * Before the ledger is used, in transactions of its own.
 * @param isAlive whether a process that was writing an import may still be
 */
export function recoverImports(db: Db, refKey: Uint8Array, isAlive: (pid: number) => boolean = isRunning): void {
  const { staged } = new Tickets(db, refKey)
  staged.settleAll()
  const unfinished = db.drizzle.select().from(stagedImports).where(isNull(stagedImports.entry)).all()
  for (const { id, pid } of unfinished) {
    if (isAlive(pid)) continue
    for (let more = true; more; ) more = db.transaction(() => staged.discardSome(id, ROWS_AT_ONCE))
  }
}

/** Another process. One of this process's own was begun by an earlier one with the same number. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Moves the rows of an import whose own process has ended before it was done. */
export class OrphanedImports implements Disposable {
  readonly #deps: { ledger: Ledger; tickets: Tickets; staging: StagingThreads; overdueMs: number }
  readonly #unsubscribe: () => void
  #timer: NodeJS.Timeout | undefined

  constructor(deps: { ledger: Ledger; tickets: Tickets; staging: StagingThreads; overdueMs?: number }) {
    this.#deps = { overdueMs: OVERDUE_MS, ...deps }
    this.#unsubscribe = deps.ledger.subscribe('later', (entries) => {
      if (entries.some(({ kind }) => kind === 'import')) this.#lookLater()
    })
  }

  [Symbol.dispose](): void {
    this.#unsubscribe()
    clearTimeout(this.#timer)
  }

  #lookLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#look().catch(() => this.#lookLater())
    }, this.#deps.overdueMs).unref()
  }

  async #look(): Promise<void> {
    const { tickets, staging } = this.#deps
    if (!tickets.staged.visible()) return
    if (!staging.areWorking) {
      await using thread = staging.open()
      await thread.settle()
    }
    this.#lookLater()
  }
}
