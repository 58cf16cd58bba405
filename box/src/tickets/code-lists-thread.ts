/** Builds the code lists in a thread of its own, from a snapshot of the ledger: no scan waits for it. */
import { Worker } from 'node:worker_threads'
import { GatehouseError } from '../errors.ts'
import type { Event } from '../event/event.ts'
import type { CodeLists } from './code-lists.ts'

/** Input of the thread. */
export interface ListsWanted {
  /** The ledger's file. */
  path: string
  event: Event
  /** Of the manifest, 16 bytes. */
  salt: Uint8Array
  /** Of the lists before. */
  capacity: number
}

/** The thread's one message. */
export type ListsTold = { lists: CodeLists } | { failed: string }

/** Its pages of rows are garbage soon: the thread collects it often, and does not let it pile up beside the lists. */
const YOUNG_MB = 4

/** Dispose it when the box closes: a build that is under way fails. */
export class CodeListThreads implements AsyncDisposable {
  readonly #data: Omit<ListsWanted, 'capacity'>
  readonly #running = new Set<Worker>()
  #isClosed = false

  constructor(data: Omit<ListsWanted, 'capacity'>) {
    this.#data = data
  }

  /**
   * @param capacity of the lists before; 0 for none
   * @throws GatehouseError `ledger_unavailable` when the box closes first
   */
  async build(capacity: number): Promise<CodeLists> {
    if (this.#isClosed) throw closing()
    const workerData = { ...this.#data, capacity } satisfies ListsWanted
    const worker = new Worker(new URL('./code-lists-worker.ts', import.meta.url), {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    })
    this.#running.add(worker)
    try {
      return await new Promise<CodeLists>((resolve, reject) => {
        worker.once('message', (told: ListsTold) =>
          'lists' in told ? resolve(told.lists) : reject(new Error(told.failed)),
        )
        worker.once('error', reject)
        worker.once('exit', () => reject(closing()))
      })
    } finally {
      this.#running.delete(worker)
      await worker.terminate()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#running].map((worker) => worker.terminate()))
  }
}

function closing(): GatehouseError {
  return new GatehouseError('ledger_unavailable', 'The box is closing: ask again when it is open.')
}
