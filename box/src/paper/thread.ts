/**
 * Makes long pages in a thread with a snapshot of the ledger: the lists of gates, and the names of those who may be inside. No scan
 * waits while ten thousand rows are read, sorted and drawn. One thread for each page; it ends with it.
 */
import { Worker } from 'node:worker_threads'
import type { Event } from '../event/event.ts'
import { boxIsClosing } from '../seal/inspections.ts'
import type { EvacuationFigures } from './evacuation.ts'
import type { ListOrder } from './gate-list.ts'

export type PaperTask =
  | { task: 'evacuation'; figures: EvacuationFigures }
  | { task: 'list'; gate: string; sheet: string; order: ListOrder; madeAt: number; box: string }
  | { task: 'resolve'; codes: readonly string[] }

/** Input of a thread. */
export interface PaperJob {
  /** The ledger's file. */
  path: string
  event: Event
  /** 32 bytes, of `shortCodeKey`. */
  key: Uint8Array
  task: PaperTask
}

/** By task: a page, the number of its rows; or for each short code the references of its tickets. */
export interface PaperAnswer {
  page: string
  rows: number
  refs: readonly (readonly string[])[]
}

/** Dispose it before the listeners, which wait for every answer. */
export class PaperThreads implements AsyncDisposable {
  readonly #shared: Omit<PaperJob, 'task'>
  readonly #running = new Set<Worker>()
  #last: Promise<unknown> = Promise.resolve()
  #closed = false

  constructor(shared: Omit<PaperJob, 'task'>) {
    this.#shared = shared
  }

  /**
   * One after the other: together they would take all cores of the machine from the gates.
   * @throws GatehouseError `ledger_unavailable` when the box closes first
   */
  run(task: PaperTask): Promise<PaperAnswer> {
    const mine = this.#last.then(() => this.#run(task))
    this.#last = mine.catch(() => {})
    return mine
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#running].map((worker) => worker.terminate()))
  }

  async #run(task: PaperTask): Promise<PaperAnswer> {
    if (this.#closed) throw boxIsClosing()
    const workerData: PaperJob = { ...this.#shared, task }
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData })
    this.#running.add(worker)
    try {
      return await new Promise<PaperAnswer>((resolve, reject) => {
        worker.once('message', resolve)
        worker.once('error', reject)
        worker.once('exit', () => reject(this.#closed ? boxIsClosing() : new Error('The page was not finished.')))
      })
    } finally {
      this.#running.delete(worker)
      await worker.terminate()
    }
  }
}
