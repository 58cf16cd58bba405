/**
 * Group commit: work that arrives in the same turn of the event loop shares one transaction, and so one fsync.
 * Nobody hears of a result before it is on disk.
 */
import { LedgerBusy } from '../db.ts'

interface Job {
  work: () => unknown
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

/**
 * Runs its argument and commits, or throws and leaves nothing behind.
 * With `wait: false` it throws `LedgerBusy` at once where it would have to stand still for another process.
 */
export type Transaction = (work: () => void, options: { wait: boolean }) => void

/** What another process kept from being done. */
interface Busy {
  jobs: Job[]
  error: LedgerBusy
}

/** How often, and how many times, work asks again for a ledger that another process is writing to: 15 s in all. */
const AGAIN_MS = 10
const MAX_TRIES = 1500

export class GroupCommit {
  readonly #transaction: Transaction
  #waiting: Job[] = []
  #scheduled = false
  #tries = 0

  constructor(transaction: Transaction) {
    this.#transaction = transaction
  }

  /**
   * Runs `work` inside the next transaction; settles after its commit. Work must be synchronous, and must not mind being
   * run again: what it did is rolled back when work beside it fails.
   */
  submit<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as (result: unknown) => void, reject })
      if (this.#scheduled) return
      this.#scheduled = true
      setImmediate(() => this.#commitWaiting({ wait: false }))
    })
  }

  /** Commits what waits, now, however long another process makes it stand still. */
  flush(): void {
    this.#commitWaiting({ wait: true })
  }

  #commitWaiting(options: { wait: boolean }): void {
    const jobs = this.#waiting
    this.#waiting = []
    this.#scheduled = false
    const busy = this.#commit(jobs, options)
    if (!busy) {
      this.#tries = 0
    } else if (++this.#tries < MAX_TRIES && !options.wait) {
      // The event loop goes on: a box whose scans wait for an import still answers everybody else.
      this.#waiting.unshift(...busy.jobs)
      this.#scheduled = true
      setTimeout(() => this.#commitWaiting(options), AGAIN_MS)
    } else {
      this.#tries = 0
      for (const job of busy.jobs) job.reject(busy.error)
    }
  }

  #commit(jobs: Job[], options: { wait: boolean }): Busy | undefined {
    if (jobs.length === 0) return undefined
    const results: unknown[] = []
    let begun = false
    try {
      this.#transaction(() => {
        begun = true
        for (const job of jobs) results.push(job.work())
      }, options)
    } catch (error) {
      if (error instanceof LedgerBusy) return { jobs, error }
      if (begun && jobs.length > 1) return this.#commitInParts(jobs, results.length, options)
      for (const job of jobs) job.reject(error)
      return undefined
    }
    jobs.forEach((job, i) => {
      job.resolve(results[i])
    })
    return undefined
  }

  /**
   * One bad job must not fail its neighbours' scans, nor cost each of them a commit of its own. It is asked again after
   * them: what it ran into may have been a neighbour's work that never reached the disk.
   * @param bad the index of the job that threw; `jobs.length` when it was the commit
   */
  #commitInParts(jobs: Job[], bad: number, options: { wait: boolean }): Busy | undefined {
    const parts = bad < jobs.length ? [jobs.toSpliced(bad, 1), jobs.slice(bad, bad + 1)] : jobs.map((job) => [job])
    for (const [i, part] of parts.entries()) {
      const busy = this.#commit(part, options)
      if (busy) return { ...busy, jobs: [...busy.jobs, ...parts.slice(i + 1).flat()] }
    }
    return undefined
  }
}
