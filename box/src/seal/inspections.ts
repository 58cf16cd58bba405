/** What has to read the whole journal, in threads of their own on a snapshot of the ledger: no scan waits for them. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Attendance, Verification } from '@gatehouse/proto/wire/seal.ts'
import type { Seal } from './sealer.ts'

export type Inspection = { task: 'verify' } | { task: 'attendance'; ref: string; seal: Seal }

export interface InspectionJob {
  /** The ledger's file. */
  path: string
  inspection: Inspection
}

/** Dispose it before whoever waits for answers to end: a look at a long record may take a minute. */
export class Inspections implements AsyncDisposable {
  readonly #path: string
  #running: Worker | undefined
  #closed = false
  #verifying: Promise<Verification> | undefined
  #last: Promise<unknown> = Promise.resolve()

  /** @param path the ledger's file */
  constructor(path: string) {
    this.#path = path
  }

  /** Whoever asks while it is being done gets the answer to the same question. */
  verify(): Promise<Verification> {
    this.#verifying ??= (this.#inTurn({ task: 'verify' }) as Promise<Verification>).finally(() => {
      this.#verifying = undefined
    })
    return this.#verifying
  }

  attendance(ref: string, seal: Seal): Promise<Attendance> {
    return this.#inTurn({ task: 'attendance', ref, seal }) as Promise<Attendance>
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    await this.#running?.terminate()
  }

  /** One at a time: on a machine of four cores they would take them all from the gates. */
  #inTurn(inspection: Inspection): Promise<unknown> {
    const mine = this.#last.then(() => this.#run(inspection))
    this.#last = mine.catch(() => {})
    return mine
  }

  async #run(inspection: Inspection): Promise<unknown> {
    if (this.#closed) throw new Error('The box is closing.')
    const job: InspectionJob = { path: this.#path, inspection }
    const worker = new Worker(new URL('./inspection-worker.ts', import.meta.url), { workerData: job })
    this.#running = worker
    try {
      const ended = new AbortController()
      worker.on('exit', () => ended.abort(new Error('The inspection ended before it had an answer.')))
      const [answer] = await once(worker, 'message', { signal: ended.signal })
      return answer
    } finally {
      this.#running = undefined
      await worker.terminate()
    }
  }
}
