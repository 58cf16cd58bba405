/** Runs the search index in a thread: scans wait neither for a question nor for the reading of a million tickets. */
import { Worker } from 'node:worker_threads'
import { GatehouseError, type RefusalOptions } from '../errors.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { changesManyTickets, changesOneTicket } from '../tickets/changed-by.ts'
import type { Tickets } from '../tickets/tickets.ts'
import type { FoundTicket } from './index-file.ts'
import type { Question } from './spelling.ts'

/** Requests to the thread. `look` (the ledger has changed) and `end` (nobody needs it any more) have no answer. */
export type Asked =
  | { id: number; task: 'search'; question: Question; most: number }
  | { id: number; task: 'entries'; ref: string; most: number }
  | { task: 'look' }
  | { task: 'end' }

/** A place in a journal; `box` is '' for this box's own. */
export interface EntryPlace {
  box: string
  index: number
}

export interface Searched {
  found: FoundTicket[]
  /** Tickets are still being read: there may be more. */
  behind: boolean
}

export type Told = { id: number } & ({ searched: Searched } | { entries: EntryPlace[] } | { failed: string })
/** Not an answer: everything that was to be read is in the index. */
export interface UpToDate {
  isUpToDate: true
}

/** From so many tickets on the index is made when the box starts, and not when somebody asks first. */
const MANY_TICKETS = 5_000
/** A box that starts has people at its gates first. */
const START_MS = 30_000
/** The thread is told of changes so often at most. */
const LOOK_MS = 2_000
/** The same while there is no thread: changes that other boxes made may be an erasure. */
const LOOK_LATER_MS = 600_000
/** A thread holds about 100 MB. One that has nothing to do ends after this. */
const IDLE_MS = 60_000

export class SearchThread implements AsyncDisposable {
  readonly #deps: { path: string; ledger: Ledger; tickets: Tickets }
  readonly #waiting = new Map<number, { resolve: (told: Told) => void; reject: (error: Error) => void }>()
  readonly #unsubscribe: () => void
  #worker: Worker | undefined
  #last = 0
  #timer: NodeJS.Timeout | undefined
  /** When the timer ends, ms, monotonic. */
  #due = 0
  #idle: NodeJS.Timeout | undefined
  #isClosed = false

  /** @param deps.path the ledger's file */
  constructor(deps: { path: string; ledger: Ledger; tickets: Tickets }) {
    this.#deps = deps
    if (deps.tickets.count() >= MANY_TICKETS) this.#lookSoon(START_MS)
    this.#unsubscribe = deps.ledger.subscribe('later', (entries) => {
      const isErased = entries.some(({ kind }) => kind === 'erasure' || kind === 'ticket_forgotten')
      const isChange = entries.some(({ kind }) => changesManyTickets(kind) || changesOneTicket(kind))
      if (isErased || (isChange && this.#worker)) this.#lookSoon(LOOK_MS)
      else if (isChange && deps.tickets.count() >= MANY_TICKETS) this.#lookSoon(LOOK_LATER_MS)
    })
  }

  /** @throws GatehouseError `ledger_unavailable` */
  async search(question: Question, most: number): Promise<Searched> {
    const told = await this.#ask((id) => ({ id, task: 'search', question, most }))
    return 'searched' in told ? told.searched : { found: [], behind: true }
  }

  /** The entries about a ticket, of all journals that are here. @throws GatehouseError `ledger_unavailable` */
  async entriesOf(ref: string, most: number): Promise<EntryPlace[]> {
    const told = await this.#ask((id) => ({ id, task: 'entries', ref, most }))
    return 'entries' in told ? told.entries : []
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    clearTimeout(this.#idle)
    this.#unsubscribe()
    await this.#worker?.terminate()
  }

  async #ask(asked: (id: number) => Asked): Promise<Told> {
    if (this.#isClosed) throw unavailable('The box is closing: ask again when it is open.', { reason: 'box_closing' })
    clearTimeout(this.#idle)
    const id = ++this.#last
    const { promise, resolve, reject } = Promise.withResolvers<Told>()
    this.#waiting.set(id, { resolve, reject })
    const worker = this.#started()
    worker.ref()
    worker.postMessage(asked(id))
    const told = await promise
    if (this.#waiting.size === 0) worker.unref()
    if ('failed' in told)
      throw unavailable('The search index cannot be used: look whether the disk is full.', {
        reason: 'search_broken',
        cause: told.failed,
      })
    return told
  }

  /** @param ms at the latest */
  #lookSoon(ms: number): void {
    const due = performance.now() + ms
    if (this.#timer && this.#due <= due) return
    clearTimeout(this.#timer)
    this.#due = due
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#started().postMessage({ task: 'look' } satisfies Asked)
    }, ms).unref()
  }

  /** Nobody waits for it: the next question or change starts another one, which goes on where this one ended. */
  #endWhenIdle(worker: Worker): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => {
      if (this.#waiting.size > 0 || this.#worker !== worker) return
      this.#worker = undefined
      worker.postMessage({ task: 'end' } satisfies Asked)
    }, IDLE_MS).unref()
  }

  #started(): Worker {
    if (this.#worker) return this.#worker
    const worker = new Worker(new URL('./search-worker.ts', import.meta.url), { workerData: this.#deps.path })
    worker.on('message', (told: Told | UpToDate) => {
      if ('isUpToDate' in told) return this.#endWhenIdle(worker)
      this.#waiting.get(told.id)?.resolve(told)
      this.#waiting.delete(told.id)
    })
    // The next question starts another one.
    worker.once('error', (error) => this.#ended(worker, error))
    worker.once('exit', () => this.#ended(worker, new Error('the thread has ended')))
    worker.unref()
    this.#worker = worker
    return worker
  }

  #ended(worker: Worker, cause: Error): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of waiting)
      reject(unavailable('The search was interrupted: search again.', { reason: 'search_interrupted', cause }))
  }
}

function unavailable(message: string, why: RefusalOptions): GatehouseError {
  return new GatehouseError('ledger_unavailable', message, why)
}
