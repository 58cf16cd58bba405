/**
 * Fills a new reservation stream: after a change of the voters or of their disks it is empty. Every right that this box knows to
 * be used, here or elsewhere, is written into it before the box believes that a right without a record is free.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { Event } from '../../event/event.ts'
import { readValue, writeValue } from '../../ledger/identity.ts'
import type { Movement } from '../../ledger/schema.ts'
import type { Right } from '../../rights/reservation.ts'
import { forEachConcurrently, isVoid, type ReplayContext, recordOf } from './replay.ts'
import { reserve } from './reserve.ts'
import { BACKGROUND_TIMEOUTS } from './stream.ts'

const NAME = 'claims_filled'

interface KnownUse {
  subject: string
  right: Right
  movement: Movement
  /** At whose gate it was. */
  box: string
}

type BackfillDeps = Pick<ReplayContext, 'boxId' | 'ledger' | 'tickets'> & { event: Event }

export class Backfill {
  readonly #deps: BackfillDeps
  /** Identity of the stream that holds everything this box knew when the stream was created. */
  #filled: string | undefined

  constructor(deps: BackfillDeps) {
    this.#deps = deps
    this.#filled = readValue(deps.ledger.db, NAME)?.toString()
  }

  isDone(identity: string | undefined): boolean {
    return identity !== undefined && this.#filled === identity
  }

  /** The stream has lost a write: everything is written once more. */
  forget(): void {
    this.#filled = undefined
  }

  /**
   * Returns when the stream holds everything, or when the voters no longer answer. Admissions at this box go first: the other
   * boxes do the same, so that most of what was replicated from them is there by the time that it is looked for.
   */
  async run(context: ReplayContext, identity: string): Promise<void> {
    const { boxId, ledger, tickets } = this.#deps
    for (const own of [true, false]) {
      const used = await context.stream.used()
      for (const page of tickets.pages.moved()) {
        const missing = page
          .flatMap(({ tier, movements }) => this.#missingUses(tier, movements, context, used))
          .filter(({ box }) => (box === boxId) === own)
        if (!(await forEachConcurrently(missing, (use) => this.#write(use, context)))) return
        await turn()
      }
    }
    await ledger.commit(() => writeValue(ledger.db, NAME, Buffer.from(identity)))
    this.#filled = identity
  }

  /** For each right that a ticket has used and that has no record: the admission that used it first, as this box counts. */
  #missingUses(
    tier: string,
    movements: readonly Movement[],
    { stream }: ReplayContext,
    used: ReadonlySet<string>,
  ): KnownUse[] {
    const { event, tickets } = this.#deps
    if (event.tierById.get(tier)?.entry === 'unlimited') return []
    const first = new Map<string, Movement>()
    for (const movement of movements.toSorted((a, b) => a.surplus - b.surplus)) {
      if (movement.direction === 'in' && !first.has(movement.slot)) first.set(movement.slot, movement)
    }
    return [...first.values()].flatMap((movement) => {
      const ref = tickets.byId(movement.ticket)?.ref
      if (ref === undefined) return []
      const right = { ticket: ref, slot: movement.slot }
      const subject = stream.subjects.rightSubject(ref, movement.slot)
      return used.has(subject) ? [] : [{ subject, right, movement, box: this.#boxOf(movement) }]
    })
  }

  async #write({ subject, right, movement, box }: KnownUse, { stream, monotonic }: ReplayContext): Promise<boolean> {
    const answer = await reserve(stream, subject, recordOf(movement, right, box), {
      timeouts: BACKGROUND_TIMEOUTS,
      monotonic,
      isVoid: (record) => isVoid(record, right, this.#deps),
      happened: true,
    })
    return answer.outcome !== 'unanswered'
  }

  #boxOf({ entry }: Movement): string {
    const { ledger, boxId } = this.#deps
    const [found] = ledger.read(entry, 1)
    return found?.kind === 'heard' ? found.fields.box : boxId
  }
}
