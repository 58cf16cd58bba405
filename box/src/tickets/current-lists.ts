/** The lists of all codes as they are now: built by another thread, and then changed with each ticket that changes. */
import { bloomToWire } from '@gatehouse/proto/bloom.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { addCodes, buildLists, type CodeLists, codesOf } from './code-lists.ts'
import { KindTable } from './kind-table.ts'
import { base64Part, objectPart, type Part, partsOf } from './signed-parts.ts'
import type { PrintedOpens } from './ticket-pages.ts'
import type { Tickets } from './tickets.ts'

/** If more tickets have changed, all lists are built again: scans would wait for so many changes. */
const MOST_CHANGED = 2_000
const NO_BITS = new Uint8Array()

/** Builds the lists in another thread. @param capacity of the lists before; 0 for none */
export type BuildLists = (capacity: number) => Promise<CodeLists>

export interface ListDeps {
  ledger: Ledger
  tickets: Tickets
  printedOpens: PrintedOpens
  /** 16 bytes */
  salt: Uint8Array
  /** Absent to build them in this thread, between scans. */
  build?: BuildLists
  /** Resolves when the next page may be read in this thread. */
  turn: () => Promise<unknown>
}

export class CurrentLists {
  readonly #deps: ListDeps
  readonly #kinds = new KindTable()
  #lists: Omit<CodeLists, 'kinds'> | undefined
  /** As a manifest has them, made once for each state. */
  #parts: Record<string, Part> | undefined
  #refreshing: Promise<void> | undefined
  #builtAt = 0

  constructor(deps: ListDeps) {
    this.#deps = deps
  }

  /** The filter has every code that was valid at this version or since. */
  get builtAt(): number {
    return this.#builtAt
  }

  /** Entries of the journal whose tickets are all where they are read. */
  get complete(): number {
    return this.#deps.tickets.staged.visible()?.entry ?? this.#deps.ledger.size
  }

  /** One at a time: whoever asks meanwhile waits for the same lists. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#bringUpToDate().finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  /** The fields of a manifest that are the same for all devices. After `refresh`. */
  parts(): Record<string, Part> {
    if (this.#parts) return this.#parts
    if (!this.#lists) throw new Error('the lists were not built yet')
    const { filter, revoked } = this.#lists
    const { bits: _, ...small } = bloomToWire({ ...filter, bits: NO_BITS })
    // Its bits are megabytes.
    const bits = base64Part(filter.bits)
    this.#parts = {
      ...partsOf({ revoked: [...revoked], ...this.#kinds.wire }),
      filter: objectPart({ ...partsOf(small), bits }),
    }
    return this.#parts
  }

  async #bringUpToDate(): Promise<void> {
    const { tickets, printedOpens, turn } = this.#deps
    // Again while something has changed meanwhile: a caller may have begun to wait in the middle of it.
    for (;;) {
      const lists = this.#lists
      const upTo = this.complete
      if (lists?.upTo === upTo) return
      if (!lists || this.#areOutdated(lists)) {
        await this.#buildAll(lists?.capacity ?? 0)
        continue
      }
      for (const page of tickets.pages.codesSince(lists.upTo, printedOpens)) {
        addCodes(lists, page)
        this.#kinds.add(page)
        this.#parts = undefined
        await turn()
      }
      lists.upTo = upTo
    }
  }

  #areOutdated({ capacity, upTo }: Omit<CodeLists, 'kinds'>): boolean {
    const { tickets } = this.#deps
    const areOutgrown = codesOf(tickets.count()) > capacity || this.#kinds.isOutgrown
    return areOutgrown || tickets.pages.countSince(upTo, MOST_CHANGED + 1) > MOST_CHANGED
  }

  async #buildAll(capacity: number): Promise<void> {
    const build = this.#deps.build ?? ((before) => this.#buildHere(before))
    const { kinds, ...lists } = await build(capacity)
    if (lists.capacity !== capacity) this.#builtAt = lists.upTo
    this.#kinds.adopt(kinds)
    this.#lists = lists
    this.#parts = undefined
  }

  #buildHere(capacity: number): Promise<CodeLists> {
    const { tickets, salt, printedOpens, turn } = this.#deps
    const [highest, codes, upTo] = [tickets.count(), tickets.pages.countCodes(), this.complete]
    return buildLists({ pages: tickets.pages, printedOpens, tickets: highest, codes, upTo, salt }, capacity, turn)
  }
}
