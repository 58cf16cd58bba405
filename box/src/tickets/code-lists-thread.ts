/** Builds the code lists, and those of what is used up, in threads of their own, from a snapshot of the ledger: no scan waits for it. */
import { Worker } from 'node:worker_threads'
import { GatehouseError } from '../errors.ts'
import type { Event } from '../event/event.ts'
import type { CodeLists } from './code-lists.ts'
import type { UsedLists } from './used-lists.ts'

/** Input that is the same for every thread. */
interface ListsFrom {
  /** The ledger's file. */
  path: string
  event: Event
  /** Of the manifest, 16 bytes. */
  salt: Uint8Array
}

/** Which lists: of all codes, with the capacity of the lists before; or of those that are used up on a festival day. */
export type WhichLists = { capacity: number } | { usedOn: string }

/** Input of the thread. */
export type ListsWanted = ListsFrom & { which: WhichLists }

/** The thread's one message. */
export type ListsTold = { lists: CodeLists | UsedLists } | { failed: string }

/** Its pages of rows are garbage soon: the thread collects it often, and does not let it pile up beside the lists. */
const YOUNG_MB = 4

/** Dispose it when the box closes: a build that is under way fails. */
export class CodeListThreads implements AsyncDisposable {
  readonly #from: ListsFrom
  readonly #running = new Set<Worker>()
  #isClosed = false

  constructor(from: ListsFrom) {
    this.#from = from
  }

  /**
   * @param capacity of the lists before; 0 for none
   * @throws GatehouseError `ledger_unavailable` when the box closes first
   */
  build(capacity: number): Promise<CodeLists> {
    return this.#made({ capacity })
  }

  /**
   * @param day of the festival
   * @throws GatehouseError `ledger_unavailable` when the box closes first
   */
  readUsed(day: string): Promise<UsedLists> {
    return this.#made({ usedOn: day })
  }

  async #made<Lists extends CodeLists | UsedLists>(which: WhichLists): Promise<Lists> {
    if (this.#isClosed) throw closing()
    const workerData = { ...this.#from, which } satisfies ListsWanted
    const worker = new Worker(new URL('./code-lists-worker.ts', import.meta.url), {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    })
    this.#running.add(worker)
    try {
      return await new Promise<Lists>((resolve, reject) => {
        worker.once('message', (told: ListsTold) =>
          'lists' in told ? resolve(told.lists as Lists) : reject(new Error(told.failed)),
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
