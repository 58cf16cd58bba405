/** Reads a file's tickets and writes their rows in a thread beside the one that scans, with a database connection of its own. */
import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { GatehouseError } from '../../errors.ts'
import type { Event } from '../../event/event.ts'
import type { Stager } from '../import-tickets.ts'
import type { Staged, StageOptions } from './stage.ts'

/** Input of the thread when it is started. */
export interface ThreadData {
  /** The ledger's file. */
  path: string
  event: Event
  eventTag: Uint8Array
}

/** Request to the thread. */
export type Asked =
  | { task: 'stage'; file: Uint8Array; options: Omit<StageOptions, 'onProgress'> }
  | { task: 'settle' }
  | { task: 'discard'; id: number }

type Refused = Pick<GatehouseError, 'code' | 'message' | 'reason' | 'values'>

/** Messages of the thread: progress, and then the answer. */
export type Told =
  | { progress: Parameters<NonNullable<StageOptions['onProgress']>> }
  | { staged: Staged | undefined }
  | { refused: Refused }
  | { failed: string }

/** Threads that are at work end when the box closes: what is not visible yet is removed at the next start. */
export class StagingThreads implements AsyncDisposable {
  readonly #data: ThreadData
  readonly #running = new Set<Worker>()
  #isClosed = false

  constructor(data: ThreadData) {
    this.#data = data
  }

  /** True if any thread is at work. */
  get areWorking(): boolean {
    return this.#running.size > 0
  }

  /** For one import. Dispose it. */
  open(): Stager & AsyncDisposable {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: this.#data })
    this.#running.add(worker)
    if (this.#isClosed) void worker.terminate()
    const ask = (asked: Asked, options?: StageOptions) => answerOf(worker, asked, options)
    return {
      stage: async (file, { onProgress, ...options }) => {
        const staged = await ask({ task: 'stage', file, options }, { ...options, ...(onProgress && { onProgress }) })
        if (!staged) throw new Error('The thread has staged nothing.')
        return staged
      },
      settle: async () => void (await ask({ task: 'settle' })),
      discard: async (id) => void (await ask({ task: 'discard', id })),
      [Symbol.asyncDispose]: async () => {
        this.#running.delete(worker)
        await worker.terminate()
      },
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#running].map((worker) => worker.terminate()))
  }
}

/** Without the keys that were undefined, which a message between threads keeps. */
function refusedAs({ code, message, reason, values }: Refused): GatehouseError {
  return new GatehouseError(code, message, { ...(reason && { reason }), ...(values && { values }) })
}

async function answerOf(worker: Worker, asked: Asked, options?: StageOptions): Promise<Staged | undefined> {
  const ended = new AbortController()
  const onExit = () => ended.abort()
  worker.once('exit', onExit)
  try {
    const messages = on(worker, 'message', { signal: ended.signal }) as AsyncIterable<[Told]>
    worker.postMessage(asked)
    for await (const [told] of messages) {
      if ('progress' in told) options?.onProgress?.(...told.progress)
      else if ('staged' in told) return told.staged
      else if ('refused' in told) throw refusedAs(told.refused)
      else throw new Error(told.failed)
    }
  } catch (error) {
    if (!ended.signal.aborted) throw error
    const message = 'The import was interrupted, and nothing was imported: import the file again.'
    throw new GatehouseError('ledger_unavailable', message, { reason: 'interrupted', cause: error })
  } finally {
    worker.off('exit', onExit)
  }
  return undefined
}
