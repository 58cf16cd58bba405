/** Makes encrypted archives in a worker thread: each megabyte takes many milliseconds, during which scans must not wait. */
import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { Worker } from 'node:worker_threads'
import { GatehouseError } from '../errors.ts'
import { archiveOf, type StagedBackup } from './backup.ts'
import type { Encryption } from './encryption.ts'

/** Messages of the thread: ready, a mistake in the recipients, or a piece of the archive. */
export type FromThread = { ready: true } | { mistake: string; recipient: number } | { archive: WebStream }

export class ArchiveThread {
  readonly #worker: Worker | undefined

  private constructor(worker: Worker | undefined) {
    this.#worker = worker
  }

  /**
   * Checks the recipients before anything is journalled or copied. An archive that is not encrypted needs no thread: zlib has its own.
   * @throws GatehouseError `bad_request` for a recipient that is not one
   */
  static async open(encryption: Encryption | undefined): Promise<ArchiveThread> {
    if (encryption === undefined) return new ArchiveThread(undefined)
    const worker = new Worker(new URL('./archive-worker.ts', import.meta.url), { workerData: encryption })
    const thread = new ArchiveThread(worker)
    try {
      const said = await answer(worker)
      if ('mistake' in said) {
        const { mistake, recipient: number } = said
        throw new GatehouseError('bad_request', mistake, { reason: 'recipient_bad', values: { number } })
      }
      return thread
    } catch (error) {
      thread.close()
      throw error
    }
  }

  /** The archive, produced as fast as it is read. The thread ends with it. */
  async archiveOf(staged: StagedBackup): Promise<Readable> {
    const worker = this.#worker
    if (!worker) return archiveOf(staged)
    worker.postMessage(staged)
    const said = await answer(worker)
    if (!('archive' in said)) throw new Error('The thread gave no archive.')
    const archive = Readable.fromWeb(said.archive)
    // It lives until the archive is closed: an earlier end is a failure, and the file would be cut short.
    worker.once('error', (error) => archive.destroy(error))
    worker.once('exit', () => archive.destroy(new Error('The thread ended before the archive was read.')))
    archive.once('close', () => this.close())
    return archive
  }

  /** For a backup that was given up. */
  close(): void {
    this.#worker?.removeAllListeners()
    // A dying thread can still fail, and nobody waits for it any more.
    this.#worker?.on('error', () => {})
    void this.#worker?.terminate()
  }
}

async function answer(worker: Worker): Promise<FromThread> {
  const stop = new AbortController()
  const { signal } = stop
  const ended = once(worker, 'exit', { signal }).then(() => Promise.reject(new Error('The thread ended.')))
  try {
    const [said] = (await Promise.race([once(worker, 'message', { signal }), ended])) as [FromThread]
    return said
  } finally {
    ended.catch(() => {})
    stop.abort()
  }
}
