/**
 * The entry that says what was heard from another box, before anything of it is applied: which passages are of people whom
 * this box counts already, and a hash by which its own seals hold the other box's words. Reads, and writes nothing.
 */
import { createHash } from 'node:crypto'
import type { Entry } from '../../ledger/ledger.ts'
import type { ScanEntry, SupervisorAdmitEntry, UndoEntry } from '../../scan/entry.ts'
import type { Overrides } from '../../scan/overrides.ts'
import type { Scans } from '../../scan/scans.ts'
import { leafHash } from '../../seal/merkle.ts'
import type { Tickets } from '../../tickets/tickets.ts'
import type { HeardEntry } from '../facts.ts'

export interface HeardDeps {
  tickets: Pick<Tickets, 'byRef' | 'movementsOf'>
  scans: Pick<Scans, 'find'>
  overrides: Pick<Overrides, 'find'>
}

/** Another box's entry, with its index in that box's journal, and what came along of the passage that it is about. */
export type Told = Pick<Entry, 'index' | 'kind' | 'bytes' | 'fields'> & {
  readonly rows?: { readonly passage?: object }
}

/**
 * Within the transaction that will append the entry and apply what was told.
 * @param told entries of one box's journal that are not here yet, by index
 */
export function heardEntry(box: string, told: readonly Told[], deps: HeardDeps): HeardEntry {
  const [first, last] = [told[0], told.at(-1)]
  if (!first || !last) throw new RangeError('nothing was heard')
  const standing = new Standing(deps)
  const [again, known]: [number[], number[]] = [[], []]
  for (const entry of told) {
    const mark = standing.take(entry)
    if (mark === 'again') again.push(entry.index)
    else if (mark === 'known') known.push(entry.index)
  }
  return { box, from: first.index, to: last.index + 1, digest: digestOf(told), again, known }
}

/** @param told in order of index */
export function digestOf(told: Iterable<Pick<Entry, 'bytes'>>): string {
  const digest = createHash('sha256')
  for (const { bytes } of told) digest.update(leafHash(bytes))
  return digest.digest('hex')
}

type Mark = 'again' | 'known' | undefined

/** Who is in and out here, as far as these entries ask, and as they change it one by one. */
export class Standing {
  readonly #deps: HeardDeps
  /** Scans that stand as passages of a ticket, and whether each is an admission; by ref. */
  readonly #passages = new Map<string, Map<string, 'in' | 'out'>>()
  readonly #passed = new Set<string>()
  readonly #undone = new Set<string>()

  constructor(deps: HeardDeps) {
    this.#deps = deps
  }

  take({ kind, fields, rows }: Told): Mark {
    const stands = rows === undefined || rows.passage !== undefined
    if (kind === 'scan') return this.#pass(fields as ScanEntry, stands)
    if (kind === 'supervisor_admit') {
      return this.#pass({ ...(fields as SupervisorAdmitEntry), offline_admitted: false }, stands)
    }
    if (kind === 'undo') return this.#undo(fields as UndoEntry)
    return undefined
  }

  /** @param stands it had not been taken back when it was told */
  #pass(
    scan: Pick<ScanEntry, 'scan_id' | 'slot' | 'ticket' | 'direction' | 'offline_admitted'>,
    stands: boolean,
  ): Mark {
    const { scan_id: id, slot, ticket, direction, offline_admitted: alone } = scan
    if (ticket === null || slot === null) {
      // Nobody passed; or somebody whose code is no ticket, let in by a scanner that was alone.
      if (!alone) return undefined
      if (this.#passed.has(id) || this.#deps.scans.find(id)?.passed) return 'known'
      this.#passed.add(id)
      return undefined
    }
    const passages = this.#of(ticket)
    if (!stands || passages.has(id) || this.#isUndone(id)) return 'known'
    const again = direction === 'in' && admissions(passages) > 0
    passages.set(id, direction)
    return again ? 'again' : undefined
  }

  #undo({ scan_id: id, ticket }: UndoEntry): Mark {
    this.#undone.add(id)
    const passages = this.#of(ticket)
    // Taken back already, or before the admission itself was told: that one has moved nobody either.
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
