/** Exports and reports made in a thread of their own, with a connection of its own: no scan waits for them. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { GatehouseError } from '../errors.ts'
import type { ExportCover } from './export.ts'
import { boxIsClosing } from './inspections.ts'
import type { Report } from './report-shape.ts'

export interface ExportJob {
  /** The ledger's file. */
  path: string
  what: 'export' | 'report'
  cover: ExportCover
}

/** Dispose it before whoever waits for answers to end: a download may stand still for as long as its reader likes. */
export class ExportThreads implements AsyncDisposable {
  readonly #path: string
  readonly #closing = new AbortController()
  readonly #running = new Set<Worker>()

  /** @param path the ledger's file */
  constructor(path: string) {
    this.#path = path
  }

  /** The export's bytes, made as fast as they are taken. */
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
    const worker = new Worker(new URL('./export-worker.ts', import.meta.url), { workerData: job })
    const ended = new AbortController()
    // Told to whoever waits for a chunk; between two chunks there is nobody, and the next one to wait is told at once.
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

/** An error loses its class on the way out of a thread. */
function asThrown(error: Error): Error {
  if (error.name !== 'GatehouseError') return error
  const { code, message } = error as GatehouseError
  return new GatehouseError(code, message, { cause: error })
}
