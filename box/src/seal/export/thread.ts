/** Makes exports and reports in a worker thread with its own database connection, so that no scan waits for them. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { GatehouseError } from '../../errors.ts'
import { boxIsClosing } from '../inspections.ts'
import type { Report } from '../report/shape.ts'
import type { ExportCover } from './export.ts'

export interface ExportJob {
  /** The ledger's file. */
  path: string
  what: 'export' | 'report'
  cover: ExportCover
}

/** Dispose it before the listeners, which wait for every answer: a reader may pause a download for as long as it likes. */
export class ExportThreads implements AsyncDisposable {
  readonly #path: string
  readonly #closing = new AbortController()
  readonly #running = new Set<Worker>()

  /** @param path the ledger's file */
  constructor(path: string) {
    this.#path = path
  }

  /** The export's bytes, made as fast as they are read. */
  export(cover: ExportCover): AsyncGenerator<Buffer> {
    return this.#chunks({ path: this.#path, what: 'export', cover })
  }

  /** @throws GatehouseError `conflict` for a damaged record; `ledger_unavailable` when the box closes first */
  async report(cover: ExportCover): Promise<Report> {
    const chunks = await Array.fromAsync(this.#chunks({ path: this.#path, what: 'report', cover }))
    return JSON.parse(Buffer.concat(chunks).toString()) as Report
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    await Promise.all([...this.#running].map((worker) => worker.terminate()))
  }

  async *#chunks(job: ExportJob): AsyncGenerator<Buffer> {
    if (this.#closing.signal.aborted) throw boxIsClosing()
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: job })
    const ended = new AbortController()
    // Rejects the pending read of a chunk; if there is none, the next read is rejected at once.
    worker.on('error', (error) => ended.abort(asThrown(error)))
    worker.on('exit', () => ended.abort(new Error('The export ended before it was complete.')))
    this.#running.add(worker)
    const signal = AbortSignal.any([ended.signal, this.#closing.signal])
    try {
      for (;;) {
        const answered = once(worker, 'message', { signal })
        worker.postMessage('next')
        const [chunk] = (await answered) as [Uint8Array | null]
        if (chunk === null) return
        yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      }
    } catch (error) {
      if (this.#closing.signal.aborted) throw boxIsClosing()
      throw ended.signal.aborted ? ended.signal.reason : error
    } finally {
      this.#running.delete(worker)
      await worker.terminate()
    }
  }
}

/** Restores the class of an error, which is lost between threads. */
function asThrown(error: Error): Error {
  if (error.name !== 'GatehouseError') return error
  const { code, message, reason, values } = error as GatehouseError
  return new GatehouseError(code, message, { cause: error, ...(reason && { reason }), ...(values && { values }) })
}
