/**
 * Group commit: work that arrives in the same turn of the event loop shares one transaction, and so one fsync.
 * Nobody hears of a result before it is on disk.
 */
interface Job {
  work: () => unknown
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

export class GroupCommit {
  readonly #transaction: (work: () => void) => void
  #waiting: Job[] = []
  #scheduled = false

  /** @param transaction runs its argument and commits, or throws and leaves nothing behind */
  constructor(transaction: (work: () => void) => void) {
    this.#transaction = transaction
  }

  /** Runs `work` inside the next transaction; settles after its commit. Work must be synchronous. */
  submit<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as (result: unknown) => void, reject })
      if (this.#scheduled) return
      this.#scheduled = true
      setImmediate(() => this.flush())
    })
  }

  /** Commits what waits, now. */
  flush(): void {
    this.#scheduled = false
    const jobs = this.#waiting
    this.#waiting = []
    if (jobs.length === 0) return
    if (!this.#run(jobs) && jobs.length > 1) {
      // One bad job must not fail its neighbours' scans, and none is on disk: each gets a transaction of its own.
      for (const job of jobs) this.#run([job])
    }
  }

  /** False when several jobs failed together and none of them has been told. */
  #run(jobs: Job[]): boolean {
    const results: unknown[] = []
    try {
      this.#transaction(() => {
        for (const job of jobs) results.push(job.work())
      })
    } catch (error) {
      if (jobs.length > 1) return false
      jobs[0]?.reject(error)
      return true
    }
    jobs.forEach((job, i) => {
      job.resolve(results[i])
    })
    return true
  }
}
