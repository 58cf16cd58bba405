/**
 * Group commit: work that is submitted in the same turn of the event loop shares one transaction, and so one fsync. A result
 * is answered only when it is on disk. Somebody at a gate waits for live work, so it always goes first. Patient work (uploads,
 * claims, imports) is done in slices behind it: a batch of hundreds holds up a live scan for no longer than a slice, and none is
 * begun while a live scan is answered.
 */
import type { LiveScans } from '../live-scans.ts'
import { LedgerBusy } from './db-errors.ts'

interface Job {
  work: () => unknown
  redo: boolean
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

/** The outcome of one job in a transaction that still has to be committed. */
export type Attempted = { value: unknown } | { error: unknown }

/**
 * Runs its argument and commits, or throws and changes nothing. `attempt` runs one job: what a job that throws has done is
 * undone, and the others' work stays. It throws itself only where the whole transaction is lost.
 * With `wait: false` it throws `LedgerBusy` at once where it would block for another process.
 */
export type Transaction = (
  work: (attempt: (job: () => unknown) => Attempted) => void,
  options: { wait: boolean; redo: boolean },
) => void

/** Jobs that could not be done because another process was writing. */
interface Busy {
  jobs: Job[]
  error: LedgerBusy
}

export interface CommitOptions {
  /** Nobody at a gate waits for it: it is done behind live work, in slices, in the order in which it was submitted. */
  patient?: boolean
  /** It needs no commit of its own: it goes along with the next one, or has its own after `RIDE_MS`. */
  rides?: boolean
  /** It may go into a fold (`transactions.ts`), and does not throw. A commit goes into one if all of its work may. */
  redo?: boolean
}

/** Interval and number of tries of a commit while another process writes: 15 s in all. */
const AGAIN_MS = 2
const MAX_TRIES = 7500

/** The longest time for which work that rides along waits for the commit of other work. */
const RIDE_MS = 2500

/** For so long a transaction takes on patient work; one job at least. */
const SLICE_MS = 8
/** While people are being scanned it is as long as the disk takes to sync, but not shorter than this, nor longer than usual. */
const SHORT_SLICE_MS = 2
/** The pause after a slice, in multiples of the time that it took, and the longest one. */
const CALM = { pause: 1 / 2, most: 10 } as const
/** The same while people are being scanned. */
const BUSY = { pause: 2, most: 50 } as const
/** The longest time that live work without end holds up patient work. */
const MOST_WAIT_MS = 50
/** While a live scan is answered, it is asked again after so long. */
const WAIT_AGAIN_MS = 1

/** Of a ledger that nobody scans with. */
const NOBODY = { areInFlight: false, areRecent: false }

export class GroupCommit {
  readonly #transaction: Transaction
  readonly #now: () => number
  #waiting: Job[] = []
  #patient: Job[] = []
  #riding: Job[] = []
  /** After it, riding work has a commit of its own. */
  #ride: NodeJS.Timeout | undefined
  #isRideOver = false
  #scheduled = false
  #tries = 0
  /** Patient work is not taken on before, so that live work finds the event loop free. */
  #patientFrom = 0
  /** When live work began to hold up patient work. */
  #heldSince: number | undefined
  /** Time that the last commit took to reach the disk, ms. */
  #syncMs = 0
  #pause: NodeJS.Timeout | undefined
  readonly #liveScans: Pick<LiveScans, 'areInFlight' | 'areRecent'>

  /** @param now milliseconds, monotonic */
  constructor(
    transaction: Transaction,
    now: () => number = () => performance.now(),
    liveScans: Pick<LiveScans, 'areInFlight' | 'areRecent'> = NOBODY,
  ) {
    this.#transaction = transaction
    this.#now = now
    this.#liveScans = liveScans
  }

  /**
   * Runs `work` inside the next transaction; settles after its commit.
   * @param work synchronous, and safe to run again: it is, when the commit of all fails
   */
  submit<T>(work: () => T, { patient = false, rides = false, redo = false }: CommitOptions = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const queue = rides ? this.#riding : patient ? this.#patient : this.#waiting
      queue.push({ work, redo, resolve: resolve as (result: unknown) => void, reject })
      if (rides) this.#ride ??= setTimeout(() => this.#endRide(), RIDE_MS).unref()
      else if (!patient) this.#schedule()
      else if (this.#pause === undefined) this.#schedulePatient()
    })
  }

  /** Commits everything that is waiting, now, and blocks for as long as another process writes. */
  flush(): void {
    clearTimeout(this.#pause)
    this.#pause = undefined
    this.#waiting.push(...this.#patient.splice(0))
    this.#commitWaiting({ wait: true })
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => this.#commitWaiting({ wait: false }))
  }

  #endRide(): void {
    this.#isRideOver = true
    this.#schedule()
  }

  #takeRiding(): Job[] {
    clearTimeout(this.#ride)
    this.#ride = undefined
    this.#isRideOver = false
    return this.#riding.splice(0)
  }

  #schedulePatient(): void {
    const pause = Math.max(this.#patientFrom - this.#now(), this.#heldSince === undefined ? 0 : WAIT_AGAIN_MS)
    if (pause <= 0) {
      this.#schedule()
      return
    }
    this.#pause = setTimeout(() => {
      this.#pause = undefined
      this.#schedule()
    }, pause)
  }

  #commitWaiting(options: { wait: boolean }): void {
    const live = this.#waiting.splice(0)
    this.#scheduled = false
    const started = this.#now()
    const isDue = this.#patient.length > 0 && started >= this.#patientFrom
    const takesPatient = isDue && !this.#isHeld(live.length, started)
    // Not for riding work alone, unless its time has come: this may be no more than a look whether patient work can go on.
    const goes = live.length > 0 || takesPatient || this.#isRideOver || options.wait
    const riding = goes ? this.#takeRiding() : []
    const busy = this.#commit([...live, ...riding], options, takesPatient ? started + this.#sliceMs() : undefined)
    if (takesPatient && !busy) this.#patientFrom = this.#now() + this.#pauseMs(this.#now() - started)
    if (!busy) {
      this.#tries = 0
    } else if (++this.#tries < MAX_TRIES && !options.wait) {
      // Without blocking: a box whose scans wait for an import still answers every other request.
      this.#waiting.unshift(...busy.jobs)
      this.#scheduled = true
      setTimeout(() => this.#commitWaiting(options), AGAIN_MS)
    } else {
      this.#tries = 0
      for (const job of [...busy.jobs, ...this.#patient.splice(0)]) job.reject(busy.error)
    }
    if (this.#patient.length > 0 && this.#pause === undefined) this.#schedulePatient()
  }

  /** True if patient work waits now, because live work does. @param live jobs */
  #isHeld(live: number, now: number): boolean {
    if (live > 0 || this.#liveScans.areInFlight) {
      this.#heldSince ??= now
      if (now - this.#heldSince < MOST_WAIT_MS) return true
    }
    this.#heldSince = undefined
    return false
  }

  #sliceMs(): number {
    return this.#liveScans.areRecent ? Math.min(SLICE_MS, Math.max(SHORT_SLICE_MS, this.#syncMs)) : SLICE_MS
  }

  /** @param took ms of the slice, with its commit */
  #pauseMs(took: number): number {
    const { pause, most } = this.#liveScans.areRecent ? BUSY : CALM
    return Math.min(most, took * pause)
  }

  /** @param until when no more patient work is taken on; undefined for none */
  #commit(jobs: Job[], options: { wait: boolean }, until?: number): Busy | undefined {
    if (jobs.length === 0 && until === undefined) return undefined
    const taken = [...jobs]
    const results: Attempted[] = []
    const redo = until === undefined && jobs.every((job) => job.redo)
    // One alone is undone with its transaction, and so are scans together: none of them throws, and otherwise each is tried by itself.
    const needsNoSavepoint = redo || (jobs.length === 1 && until === undefined)
    let begun = false
    let worked = 0
    try {
      this.#transaction(
        (attempt) => {
          begun = true
          for (const { work } of jobs) results.push(needsNoSavepoint ? { value: work() } : attempt(work))
          do {
            const job = until === undefined ? undefined : this.#patient.shift()
            if (!job) break
            taken.push(job)
            results.push(attempt(job.work))
          } while (this.#now() < (until ?? 0))
          worked = this.#now()
        },
        { ...options, redo },
      )
      this.#syncMs = this.#now() - worked
    } catch (error) {
      if (error instanceof LedgerBusy) return { jobs: taken, error }
      if (begun && taken.length > 1) return this.#commitEach(taken, options)
      // It could not even begin, as with a full disk or a closed ledger: patient work fails too, and is not tried again for ever.
      if (!begun && until !== undefined) taken.push(...this.#patient.splice(0))
      for (const job of taken) job.reject(error)
      return undefined
    }
    taken.forEach((job, i) => {
      settle(job, results[i])
    })
    return undefined
  }

  /** The commit of all has failed. Each is tried by itself: one that cannot be written must not fail the scans beside it. */
  #commitEach(jobs: Job[], options: { wait: boolean }): Busy | undefined {
    for (const [i, job] of jobs.entries()) {
      const busy = this.#commit([job], options)
      if (busy) return { ...busy, jobs: jobs.slice(i) }
    }
    return undefined
  }
}

function settle(job: Job, result: Attempted | undefined): void {
  if (result && 'value' in result) job.resolve(result.value)
  else job.reject(result?.error)
}
