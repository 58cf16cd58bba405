/**
 * What this box says of its own journal: pages to whoever asks, and what is new to everybody, at once. What it has heard it tells
 * only who asks for it (`relay.ts`).
 */
import type { Entry, Ledger } from '../../ledger/ledger.ts'
import { type Ask, decodeAsk, encodeEnvelope, encodePage, PAGE_BYTES } from './envelope.ts'
import { relayedPage } from './relay.ts'
import { RowsOf } from './rows-of.ts'
import { isSilent } from './silent.ts'
import type { Transport } from './transport.ts'
import { isUrgent } from './urgent.ts'

/** Entries of one page: no scan waits longer than it takes to read them. */
const MOST_ENTRIES = 200
const STEP = 50
/** More new ones than this nobody is told: they are told how many there are, and ask when they can take them. */
const MOST_PUSHED = 100

export interface SenderDeps {
  ledger: Ledger
  transport: Transport
  /** The id of this box. */
  self: string
  /** Of the list of boxes that it goes by; undefined where it has none. */
  epoch: () => number | undefined
  /** The newest seal of its journal. */
  newestSeal: () => string | undefined
}

export class Sender implements Disposable {
  readonly #deps: SenderDeps
  readonly #rowsOf: RowsOf
  readonly #end: () => void
  /** Everybody who hears was told up to here. */
  #told: number
  #planned: NodeJS.Immediate | undefined

  constructor(deps: SenderDeps) {
    const { ledger, transport, self } = deps
    this.#deps = deps
    this.#rowsOf = new RowsOf(ledger.db, self)
    this.#told = ledger.size
    transport.answer((question) => this.page(decodeAsk(question)))
    this.#end = ledger.subscribe((entries) => this.#tell(entries))
  }

  /** What it says to a question. */
  page({ from, after, of }: Ask): Uint8Array {
    const { ledger, self } = this.#deps
    if (of !== undefined && of !== self) return relayedPage(ledger.db, this.#rowsOf, { of, from, after })
    const seal = this.#deps.newestSeal()
    return this.#encoded({ ...this.#read(from, after), ...(seal !== undefined && { seal }) })
  }

  [Symbol.dispose](): void {
    this.#end()
    clearImmediate(this.#planned)
  }

  #tell(entries: readonly Entry[]): void {
    for (const entry of entries) {
      if (isUrgent(entry, this.#deps.ledger.db)) this.#deps.transport.pushUrgent(this.#pageOf([entry]))
    }
    if (this.#planned || entries.every(isSilent)) return
    // After those who wait for their answers; what is written in the same turn goes along.
    this.#planned = setImmediate(() => {
      this.#planned = undefined
      this.#push()
    })
  }

  #push(): void {
    const { ledger, transport, self } = this.#deps
    const from = this.#told
    this.#told = ledger.size
    const isMuch = ledger.size - from > MOST_PUSHED
    const page = isMuch ? undefined : this.#read(from)
    if (page?.more !== undefined || !page) transport.push(this.#encoded({ box: self, size: ledger.size, entries: [] }))
    else transport.push(this.#encoded(page))
  }

  #pageOf(entries: readonly Entry[]): Uint8Array {
    const { ledger, self } = this.#deps
    const texts = entries.map((entry) => encodeEnvelope(entry, this.#rowsOf.of(entry).rows))
    return this.#encoded({ box: self, size: ledger.size, entries: texts })
  }

  /** With every word it says by which list it goes: whoever thinks to decide alone is to know of a later one. */
  #encoded(page: Parameters<typeof encodePage>[0]): Uint8Array {
    const epoch = this.#deps.epoch()
    return encodePage({ ...page, ...(epoch !== undefined && { epoch }) })
  }

  #read(from: number, after?: number) {
    const { ledger, self: box } = this.#deps
    const entries: string[] = []
    let bytes = 0
    for (let at = from; entries.length < MOST_ENTRIES && bytes < PAGE_BYTES; at += STEP) {
      const read = ledger.read(at, STEP)
      for (const entry of read) {
        const { rows, more } = this.#rowsOf.of(entry, entry.index === from ? after : undefined)
        const text = encodeEnvelope(entry, rows)
        // The first goes in any case.
        if (entries.length > 0 && bytes + text.length > PAGE_BYTES) return { box, size: sizeNow(), entries }
        entries.push(text)
        bytes += text.length
        if (more !== undefined) return { box, size: sizeNow(), entries, more }
      }
      if (read.length < STEP) break
    }
    return { box, size: sizeNow(), entries }

    /** Another process may have written what was just read. */
    function sizeNow(): number {
      return Math.max(ledger.size, from + entries.length)
    }
  }
}
