/**
 * The passages of tickets that have many, read once and kept: a scanner that uploads one ticket again and again would make
 * every further scan of it read all of them. Follows this connection's own writes, and reads again after anybody else's and after
 * a transaction that was undone.
 */
import type { Db } from '../ledger/db.ts'
import type { Movement } from '../ledger/schema.ts'

/** A ticket with fewer is read each time. */
const MANY = 64
/** Tickets that are kept; the one that was asked for longest ago goes first. */
const MOST_TICKETS = 64

interface Kept {
  /** Never changed in place: whoever has read it keeps what they have read. */
  movements: readonly Movement[]
  dataVersion: number
  undone: number
}

export class ManyPassages {
  readonly #db: Pick<Db, 'dataVersion' | 'undone'>
  readonly #read: (ticket: number) => Movement[]
  readonly #kept = new Map<number, Kept>()

  /** @param read every passage of a ticket, in any order */
  constructor(db: Pick<Db, 'dataVersion' | 'undone'>, read: (ticket: number) => Movement[]) {
    this.#db = db
    this.#read = read
  }

  /** Every passage of a ticket, oldest first. */
  of(ticket: number): readonly Movement[] {
    const kept = this.#current(ticket)
    if (kept) {
      this.#kept.delete(ticket)
      this.#kept.set(ticket, kept)
      return kept.movements
    }
    const movements = this.#read(ticket).sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
    if (movements.length < MANY) return movements
    const [first] = this.#kept.keys()
    if (this.#kept.size >= MOST_TICKETS && first !== undefined) this.#kept.delete(first)
    this.#kept.set(ticket, { movements, dataVersion: this.#db.dataVersion(), undone: this.#db.undone })
    return movements
  }

  /** After it was written. */
  add(movement: Movement): void {
    const kept = this.#kept.get(movement.ticket)
    const last = kept?.movements.at(-1)
    if (!kept || !last) return
    if (placeOf(last) < placeOf(movement)) kept.movements = [...kept.movements, movement]
    else this.forget(movement.ticket)
  }

  forget(ticket: number): void {
    this.#kept.delete(ticket)
  }

  #current(ticket: number): Kept | undefined {
    const kept = this.#kept.get(ticket)
    if (kept && kept.undone === this.#db.undone && kept.dataVersion === this.#db.dataVersion()) return kept
    this.#kept.delete(ticket)
    return undefined
  }
}

/** Two boxes may have the same reading: the scan ids then give an order that is the same everywhere, and arbitrary. */
function placeOf({ hlc, scanId }: Movement): string {
  return `${hlc} ${scanId}`
}
