/** Runs the tasks that read the whole journal, each in a thread on a snapshot of the ledger, so that no scan waits for them. */
import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Attendance, Verification } from '@gatehouse/proto/wire/seal.ts'
import { GatehouseError } from '../errors.ts'
import type { Seal } from './sealer.ts'

export type Inspection = { task: 'verify' } | { task: 'attendance'; ref: string; seal: Seal }

/** Messages of the thread: progress as a fraction from 0 to 1, then the answer. */
export type Inspected = { answer: Verification | Attendance } | { error: Error } | { fraction: number }

/** An idle thread is kept for a minute: it takes a while to start, and a person who looks at one ticket often looks at the next. */
const IDLE_MS = 60_000

/** Dispose it before the listeners, which wait for every answer: reading a long record may take a minute. */
export class Inspections implements AsyncDisposable {
  readonly #path: string
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #closed = false
  #verifying: Promise<Verification> | undefined
  #fraction = 0
  #last: Promise<unknown> = Promise.resolve()

  /** @param path the ledger's file */
  constructor(path: string) {
    this.#path = path
  }

  /**
   * A second call during a task gets the result of the same task.
   * @throws GatehouseError `ledger_unavailable` when the box closes first
   */
  verify(): Promise<Verification> {
    this.#verifying ??= (this.#inTurn({ task: 'verify' }) as Promise<Verification>).finally(() => {
      this.#verifying = undefined
    })
    return this.#verifying
  }

  /** Progress of the present verification, from 0 to 1; undefined if there is none. */
  get verified(): number | undefined {
    return this.#verifying && this.#fraction
  }

  /** @throws GatehouseError `ledger_unavailable` when the box closes first */
  attendance(ref: string, seal: Seal): Promise<Attendance> {
    return this.#inTurn({ task: 'attendance', ref, seal }) as Promise<Attendance>
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    await this.#end()
  }

  /** One at a time: together they would take all four cores of the machine from the gates. */
  #inTurn(inspection: Inspection): Promise<unknown> {
    const mine = this.#last.then(() => this.#run(inspection))
    this.#last = mine.catch(() => {})
    return mine
  }

  async #run(inspection: Inspection): Promise<unknown> {
    if (this.#closed) throw boxIsClosing()
    clearTimeout(this.#idle)
    this.#worker ??= new Worker(new URL('./inspection-worker.ts', import.meta.url), { workerData: this.#path })
    const worker = this.#worker
    const ended = new AbortController()
    this.#fraction = 0
    const onExit = () => ended.abort(new Error('The inspection ended before it had an answer.'))
    worker.once('exit', onExit)
    try {
      const answered = this.#answerOf(worker, ended.signal)
      worker.postMessage(inspection)
      const told = await answered
      if ('error' in told) throw told.error
      this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref()
      return told.answer
    } catch (error) {
      await this.#end()
      if (this.#closed) throw boxIsClosing()
      throw ended.signal.aborted ? ended.signal.reason : error
    } finally {
      worker.off('exit', onExit)
    }
  }

  async #answerOf(worker: Worker, signal: AbortSignal): Promise<Exclude<Inspected, { fraction: number }>> {
    for await (const [told] of on(worker, 'message', { signal }) as AsyncIterable<[Inspected]>) {
      if (!('fraction' in told)) return told
      this.#fraction = told.fraction
    }
    throw new Error('The inspection ended before it had an answer.')
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }
}

/** Not a defect: the request can be repeated once the box is open again. */
export function boxIsClosing(): GatehouseError {
  return new GatehouseError('ledger_unavailable', 'The box is closing: ask again when it is open.', {
    reason: 'box_closing',
  })
}
