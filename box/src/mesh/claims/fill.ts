/**
 * A new stream of claims knows nothing: the voters are others now, or their disks are. Whatever this box knows to be used up,
 * here or elsewhere, is written into it before the box believes that a right which nobody has claimed is nobody's.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { Event } from '../../event/event.ts'
import { readValue, writeValue } from '../../ledger/identity.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Movement } from '../../ledger/schema.ts'
import type { Right } from '../../scan/claim.ts'
import type { Tickets } from '../../tickets/tickets.ts'
import type { HeardEntry } from '../facts.ts'
import { contest } from './contest.ts'
import { claimOf, eachOf, isVoid, type Telling } from './replay.ts'
import { AT_LEISURE } from './stream.ts'

const NAME = 'claims_filled'

interface Told {
  subject: string
  right: Right
  movement: Movement
  /** Whose gate it was. */
  box: string
}

export class Filling {
  readonly #event: Event
  readonly #ledger: Ledger
  readonly #tickets: Tickets
  readonly #boxId: string
  /** The stream that knows everything; an identity that no other one will have. */
  #filled: string | undefined

  constructor({ event, ledger, tickets, boxId }: { event: Event; ledger: Ledger; tickets: Tickets; boxId: string }) {
    this.#event = event
    this.#ledger = ledger
    this.#tickets = tickets
    this.#boxId = boxId
    this.#filled = readValue(ledger.db, NAME)?.toString()
  }

  isDone(identity: string | undefined): boolean {
    return identity !== undefined && this.#filled === identity
  }

  /** The stream has lost something: all of it is told once more. */
  forget(): void {
    this.#filled = undefined
  }

  /**
   * Returns when the stream knows everything, or when the voters no longer answer. What happened here goes first: the other boxes
   * do the same, and most of what was heard from them is there by the time that it is looked for.
   */
  async run(telling: Telling, identity: string): Promise<void> {
    for (const own of [true, false]) {
      const there = await telling.stream.subjects()
      for (const page of this.#tickets.moved()) {
        const claims = page
          .flatMap(({ tier, movements }) => this.#claimsOf(tier, movements, telling, there))
          .filter(({ box }) => (box === this.#boxId) === own)
        if (!(await eachOf(claims, (claim) => this.#tell(claim, telling)))) return
        await turn()
      }
    }
    await this.#ledger.commit(() => writeValue(this.#ledger.db, NAME, Buffer.from(identity)))
    this.#filled = identity
  }

  /** Of each right that a ticket has used up, the admission that used it first here. */
  #claimsOf(tier: string, movements: readonly Movement[], { stream }: Telling, there: ReadonlySet<string>): Told[] {
    if (this.#event.tierById.get(tier)?.entry === 'unlimited') return []
    const first = new Map<string, Movement>()
    for (const movement of movements.toSorted((a, b) => a.surplus - b.surplus)) {
      if (movement.direction === 'in' && !first.has(movement.slot)) first.set(movement.slot, movement)
    }
    return [...first.values()].flatMap((movement) => {
      const ref = this.#tickets.byId(movement.ticket)?.ref
      if (ref === undefined) return []
      const right = { ticket: ref, slot: movement.slot }
      const subject = stream.names.claimOf(ref, movement.slot)
      return there.has(subject) ? [] : [{ subject, right, movement, box: this.#boxOf(movement) }]
    })
  }

  async #tell({ subject, right, movement, box }: Told, { stream, monotonic }: Telling): Promise<boolean> {
    const here = { boxId: this.#boxId, tickets: this.#tickets }
    const answer = await contest(stream, subject, claimOf(movement, right, box), {
      ...{ patience: AT_LEISURE, monotonic },
      isVoid: (claim) => isVoid(claim, right, here),
      happened: true,
    })
    return answer.outcome !== 'unheard'
  }

  #boxOf({ entry }: Movement): string {
    const [told] = this.#ledger.read(entry, 1)
    return told?.kind === 'heard' ? (told.fields as HeardEntry).box : this.#boxId
  }
}
