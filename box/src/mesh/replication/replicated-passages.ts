/**
 * Makes the `heard` entry that records what was replicated from another box, before anything of it is applied: which passages are
 * of people whom this box counts already, and a hash over the entries, so that this box's seals cover them as well. Only reads.
 */
import { createHash } from 'node:crypto'
import type { Overrides } from '../../cases/overrides.ts'
import type { Entry, EntryFields, EntryWith, NewEntry } from '../../ledger/entries.ts'
import type { Scans } from '../../rights/scans.ts'
import { leafHash } from '../../seal/merkle.ts'
import type { Tickets } from '../../tickets/tickets.ts'

export interface PassageDeps {
  tickets: Pick<Tickets, 'byRef' | 'movementsOf'>
  scans: Pick<Scans, 'find'>
  overrides: Pick<Overrides, 'find'>
}

/** Another box's entry, with its index in that box's journal and the passage that came with it. */
export type SourceEntry = EntryWith<'index' | 'kind' | 'bytes' | 'fields'> & {
  readonly rows?: { readonly passage?: object }
}

/**
 * Within the transaction that will append the entry and apply the replicated ones.
 * @param entries of one box's journal that are not here yet, in order of index; at least one
 */
export function replicatedEntry(box: string, entries: readonly SourceEntry[], deps: PassageDeps): NewEntry<'heard'> {
  const [first, last] = [entries[0], entries.at(-1)]
  if (!first || !last) throw new RangeError('nothing was replicated')
  const marks = new PassageMarks(deps)
  const [again, known]: [number[], number[]] = [[], []]
  for (const entry of entries) {
    const mark = marks.mark(entry)
    if (mark === 'again') again.push(entry.index)
    else if (mark === 'known') known.push(entry.index)
  }
  return { box, from: first.index, to: last.index + 1, digest: digestOf(entries), again, known }
}

/** SHA-256 over the leaf hashes, hex. @param entries in order of index */
export function digestOf(entries: Iterable<Pick<Entry, 'bytes'>>): string {
  const digest = createHash('sha256')
  for (const { bytes } of entries) digest.update(leafHash(bytes))
  return digest.digest('hex')
}

/** `again`: the ticket has another admission here. `known`: this box has counted the passage or the undo already. */
type Mark = 'again' | 'known' | undefined

/** Marks entries one after the other, keeping track of the passages of the tickets that they name. */
export class PassageMarks {
  readonly #deps: PassageDeps
  /** By ticket ref: the scans that count as passages of the ticket, each with its direction. */
  readonly #passages = new Map<string, Map<string, 'in' | 'out'>>()
  /** Scans without a ticket on which a scanner that was offline let somebody in. */
  readonly #passed = new Set<string>()
  readonly #undone = new Set<string>()

  constructor(deps: PassageDeps) {
    this.#deps = deps
  }

  mark({ kind, fields, rows }: SourceEntry): Mark {
    const isValid = rows === undefined || rows.passage !== undefined
    if (kind === 'scan') return this.#pass(fields, isValid)
    if (kind === 'supervisor_admit') return this.#pass({ ...fields, offline_admitted: false }, isValid)
    if (kind === 'undo') return this.#undo(fields)
    return undefined
  }

  /** @param isValid it had not been undone when it was sent */
  #pass(
    scan: Pick<EntryFields<'scan'>, 'scan_id' | 'slot' | 'ticket' | 'direction' | 'offline_admitted'>,
    isValid: boolean,
  ): Mark {
    const { scan_id: id, slot, ticket, direction, offline_admitted: alone } = scan
    if (ticket === null || slot === null) {
      // Nobody passed, unless a scanner that was offline let somebody in with a code that is not a ticket.
      if (!alone) return undefined
      if (this.#passed.has(id) || this.#deps.scans.find(id)?.passed) return 'known'
      this.#passed.add(id)
      return undefined
    }
    const passages = this.#of(ticket)
    if (!isValid || passages.has(id) || this.#isUndone(id)) return 'known'
    const again = direction === 'in' && admissions(passages) > 0
    passages.set(id, direction)
    return again ? 'again' : undefined
  }

  #undo({ scan_id: id, ticket }: EntryFields<'undo'>): Mark {
    this.#undone.add(id)
    const passages = this.#of(ticket)
    // Undone before, or before the admission itself was sent: then the admission has moved nobody either.
    if (!passages.delete(id)) return 'known'
    return admissions(passages) > 0 ? 'again' : undefined
  }

  #isUndone(id: string): boolean {
    return this.#undone.has(id) || this.#deps.overrides.find(id, 'undo') !== undefined
  }

  #of(ref: string): Map<string, 'in' | 'out'> {
    const known = this.#passages.get(ref)
    if (known) return known
    const { tickets } = this.#deps
    const ticket = tickets.byRef(ref)
    const movements = ticket ? tickets.movementsOf(ticket.id) : []
    const passages = new Map(movements.map(({ scanId, direction }) => [scanId, direction]))
    this.#passages.set(ref, passages)
    return passages
  }
}

function admissions(passages: ReadonlyMap<string, 'in' | 'out'>): number {
  let count = 0
  for (const direction of passages.values()) if (direction === 'in') count++
  return count
}
