/** Brings the search index up to the ledger, a page at a time: tickets by the entry that last changed them, entries by their place. */
import { and, asc, eq, gt, gte, lt, sql } from '../drizzle/core.ts'
import type { Reader } from '../ledger/db.ts'
import { readValue } from '../ledger/identity.ts'
import { boxes, journal, peerJournal, tickets } from '../ledger/schema.ts'
import { namesErased } from '../tickets/erasure.ts'
import { lastEntry } from '../tickets/staging/last-entry.ts'
import { visibleImports } from '../tickets/staging/staged.ts'
import { HOLDER } from '../tickets/statements.ts'
import { type Cursor, IndexFile, removeIndex } from './index-file.ts'
import { indexedWords } from './spelling.ts'

/** Tickets, and entries, in one page: a question that comes meanwhile waits for its end. */
const TICKETS = 500
const ENTRIES = 2000
const TICKET_IN_ENTRY = /"ticket":"([0-9a-f]{32})"/

export class LedgerFollower implements Disposable {
  readonly #path: string
  readonly #ledger: Reader
  readonly #reads: ReturnType<typeof prepare>
  #index: IndexFile

  /** @param path the ledger's file */
  constructor(path: string, ledger: Reader) {
    this.#path = path
    this.#ledger = ledger
    this.#reads = prepare(ledger)
    this.#index = IndexFile.open(path)
  }

  /** As far as it has been brought up. */
  get index(): IndexFile {
    return this.#index
  }

  /** Throws the index away and begins an empty one. */
  begin(): void {
    this.#index[Symbol.dispose]()
    removeIndex(this.#path)
    this.#index = IndexFile.open(this.#path)
  }

  /** Reads the next page of tickets. @returns whether there are more */
  nextTickets(): boolean {
    return this.#inSnapshot((cursor) => {
      // The rows of an import move in piece by piece, in any order: they are read when all of them are there.
      const until = this.#reads.visible()?.entry ?? lastEntry(this.#ledger) + 1
      const page = this.#reads.tickets.all({ entry: cursor.entry, id: cursor.id, until })
      const last = page.at(-1)
      const isWhole = page.length < TICKETS
      if (page.length === 0 && cursor.entry === until) return false
      const next = isWhole || !last ? { entry: until, id: 0 } : { entry: last.entry, id: last.id }
      this.#index.write({ ...cursor, ...next }, (index) => {
        for (const { id, ...row } of page) index.putWords(id, indexedWords(row))
      })
      return !isWhole
    })
  }

  /** Reads the next page of entries. @returns whether there are more */
  nextEntries(): boolean {
    return this.#inSnapshot((cursor) => {
      const journals = { ...cursor.journals }
      const read = [...this.#ownEntries(journals), ...this.#replicatedEntries(journals)]
      if (read.length === 0) return false
      this.#index.write({ ...cursor, journals }, (index) => {
        for (const { box, place, bytes } of read) {
          const ref = TICKET_IN_ENTRY.exec(bytes.toString('latin1'))?.[1]
          if (ref !== undefined) index.putEntry(ref, box, place)
        }
      })
      return read.length >= ENTRIES
    })
  }

  [Symbol.dispose](): void {
    this.#index[Symbol.dispose]()
    this.#ledger[Symbol.dispose]()
  }

  /** Names, their erasure and the entries are read as they were at one moment. */
  #inSnapshot(read: (cursor: Cursor) => boolean): boolean {
    return this.#ledger.drizzle.transaction(() => {
      const now = {
        incarnation: readValue(this.#ledger, 'incarnation')?.toString() ?? '',
        erased: namesErased(this.#ledger),
      }
      const known = this.#index.isThere ? this.#index.cursor : undefined
      if (known && isOf(known, now, lastEntry(this.#ledger) + 1)) return read(known)
      // A restored ledger, one without names since, or a file that somebody has removed.
      if (known || !this.#index.isThere) this.begin()
      return read({ ...now, entry: 0, id: 0, journals: {} })
    })
  }

  #ownEntries(journals: Record<string, number>) {
    const from = journals[''] ?? 0
    const rows = this.#reads.own.all({ from, until: from + ENTRIES })
    journals[''] = from + rows.length
    return rows.map((row) => ({ box: '', ...row }))
  }

  #replicatedEntries(journals: Record<string, number>) {
    return this.#reads.boxes.all().flatMap(({ id: box, heard }) => {
      const from = journals[box] ?? 0
      if (heard <= from) return []
      const until = Math.min(heard, from + ENTRIES)
      journals[box] = until
      return this.#reads.replicated.all({ box, from, until }).map((row) => ({ box, ...row }))
    })
  }
}

/** @param size entries of the ledger's journal */
function isOf(known: Cursor, now: Pick<Cursor, 'incarnation' | 'erased'>, size: number): boolean {
  return known.incarnation === now.incarnation && known.erased === now.erased && known.entry <= size
}

function prepare({ drizzle }: Reader) {
  const { placeholder } = sql
  const { id, entry, seat } = tickets
  const after = sql`(${entry}, ${id}) > (${placeholder('entry')}, ${placeholder('id')})`
  return {
    visible: visibleImports({ drizzle }),
    tickets: drizzle
      .select({ id, entry, name: HOLDER, seat, order: tickets.orderCode })
      .from(tickets)
      .where(and(after, lt(entry, placeholder('until'))))
      .orderBy(asc(entry), asc(id))
      .limit(TICKETS)
      .prepare(),
    own: drizzle
      .select({ place: journal.index, bytes: journal.bytes })
      .from(journal)
      .where(and(gte(journal.index, placeholder('from')), lt(journal.index, placeholder('until'))))
      .orderBy(asc(journal.index))
      .prepare(),
    boxes: drizzle.select({ id: boxes.id, heard: boxes.heard }).from(boxes).where(gt(boxes.heard, 0)).prepare(),
    replicated: drizzle
      .select({ place: peerJournal.index, bytes: peerJournal.bytes })
      .from(peerJournal)
      .where(
        and(
          eq(peerJournal.box, placeholder('box')),
          gte(peerJournal.index, placeholder('from')),
          lt(peerJournal.index, placeholder('until')),
        ),
      )
      .prepare(),
  }
}
