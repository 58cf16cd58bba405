/**
 * Publishes this box's journal: pushes new entries to all others at once, and answers those who pull. Replicated entries of other
 * boxes go only to those who pull them (`relay.ts`).
 */
import type { Entry } from '../../ledger/entries.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { visibleImports } from '../../tickets/staging/staged.ts'
import { isBookkeeping } from './bookkeeping.ts'
import { decodePullRequest, encodeEnvelope, encodePage, PAGE_BYTES, type PullRequest } from './envelope.ts'
import { relayedPage } from './relay.ts'
import { RowReader } from './row-reader.ts'
import type { Transport } from './transport.ts'
import { isUrgent } from './urgent.ts'

/** Entries in one page: no scan waits longer than it takes to read them. */
const MOST_ENTRIES = 200
const STEP = 50
/** Of more new entries than this only the number is pushed; the others pull them when they can take them. */
const MOST_PUSHED = 100
/** While the rows of an import move in, it is asked so often whether they have. */
const SETTLING_MS = 100

export interface PublisherDeps {
  ledger: Ledger
  transport: Pick<Transport, 'answer' | 'push' | 'pushUrgent'>
  /** The id of this box. */
  self: string
  /** Of the topology that this box has; undefined where it has none. */
  epoch: () => number | undefined
  /** The newest seal of its journal. */
  newestSeal: () => string | undefined
}

export class JournalPublisher implements Disposable {
  readonly #deps: PublisherDeps
  readonly #rows: RowReader
  readonly #subscriptions: readonly (() => void)[]
  readonly #imports: ReturnType<typeof visibleImports>
  #settling: NodeJS.Timeout | undefined
  /** Entries below this index were pushed. */
  #pushed: number

  constructor(deps: PublisherDeps) {
    const { ledger, transport, self } = deps
    this.#deps = deps
    this.#rows = new RowReader(ledger.db, self)
    this.#imports = visibleImports(ledger.db)
    this.#pushed = ledger.size
    transport.answer((question) => this.page(decodePullRequest(question)))
    this.#subscriptions = [
      ledger.subscribe('committed', (entries) => this.#pushUrgent(entries)),
      // Entries that are written in the same turn of the event loop go along.
      ledger.subscribe('later', (entries) => {
        if (!entries.every(isBookkeeping)) this.#push()
      }),
    ]
  }

  /** Answers a pull request. */
  page({ from, after, of }: PullRequest): Uint8Array {
    const { ledger, self } = this.#deps
    if (of !== undefined && of !== self) return relayedPage(ledger.db, this.#rows, { of, from, after })
    const seal = this.#deps.newestSeal()
    return this.#encoded({ ...this.#read(from, after), ...(seal !== undefined && { seal }) })
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#settling)
    for (const unsubscribe of this.#subscriptions) unsubscribe()
  }

  #pushUrgent(entries: readonly Entry[]): void {
    for (const entry of entries) {
      if (isUrgent(entry, this.#deps.ledger.db)) this.#deps.transport.pushUrgent(this.#pageOf([entry]))
    }
  }

  #push(): void {
    const { transport, self } = this.#deps
    const from = this.#pushed
    const size = this.#complete()
    this.#pushed = size
    if (size > from) {
      const page = size - from > MOST_PUSHED ? undefined : this.#read(from)
      const hasAll = page && page.more === undefined
      transport.push(this.#encoded(hasAll ? page : { box: self, size, entries: [] }))
    }
    if (this.#imports() !== undefined) this.#settling ??= setTimeout(() => this.#pushAgain(), SETTLING_MS).unref()
  }

  #pushAgain(): void {
    this.#settling = undefined
    this.#push()
  }

  /** Entries that go to the other boxes now: an import waits until all of its rows are where they are read. */
  #complete(): number {
    return this.#imports()?.entry ?? this.#deps.ledger.size
  }

  #pageOf(entries: readonly Entry[]): Uint8Array {
    const { ledger, self } = this.#deps
    const envelopes = entries.map((entry) => encodeEnvelope(entry, this.#rows.of(entry).rows))
    return this.#encoded({ box: self, size: ledger.size, entries: envelopes })
  }

  /** Every page carries this box's epoch, so that a single voter learns of a later one. */
  #encoded(page: Parameters<typeof encodePage>[0]): Uint8Array {
    const epoch = this.#deps.epoch()
    return encodePage({ ...page, ...(epoch !== undefined && { epoch }) })
  }

  #read(from: number, after?: number) {
    const { ledger, self: box } = this.#deps
    const until = this.#imports()?.entry
    const entries: string[] = []
    let bytes = 0
    for (let at = from; entries.length < MOST_ENTRIES && bytes < PAGE_BYTES; at += STEP) {
      const read = ledger.read(at, STEP)
      for (const entry of read) {
        if (entry.index === until) return { box, size: until, entries }
        const { rows, more } = this.#rows.of(entry, entry.index === from ? after : undefined)
        const envelope = encodeEnvelope(entry, rows)
        // The first one goes in any case.
        if (entries.length > 0 && bytes + envelope.length > PAGE_BYTES) return { box, size: sizeNow(), entries }
        entries.push(envelope)
        bytes += envelope.length
        if (more !== undefined) return { box, size: sizeNow(), entries, more }
      }
      if (read.length < STEP) break
    }
    return { box, size: sizeNow(), entries }

    /** Another process may have written what was just read. */
    function sizeNow(): number {
      return Math.max(until ?? ledger.size, from + entries.length)
    }
  }
}
