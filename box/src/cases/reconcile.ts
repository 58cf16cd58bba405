/**
 * Brings the cases into line with replicated entries: cases of other boxes are added to this box's, and a right that was
 * used at two boxes becomes a case that neither of them could see. The shell around `double-use.ts`; every write is in the
 * transaction that replicates the entries.
 */
import type { Event } from '../event/event.ts'
import { type Fact, replicatedIn } from '../ledger/facts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Movement } from '../ledger/schema.ts'
import type { Tickets } from '../tickets/tickets.ts'
import { type DoubleUse, doubleUse, type PassageRecord } from './double-use.ts'
import { type Flags, flagId } from './flags.ts'
import type { Overrides } from './overrides.ts'
import { passageFact } from './passage-fact.ts'

/** Records that a case may gain with what was replicated together. */
const MOST_REPLICATED = 512

export interface ReconcileDeps {
  event: Pick<Event, 'tierById'>
  ledger: Pick<Ledger, 'db' | 'read'>
  tickets: Pick<Tickets, 'byRef' | 'movementsOf'>
  overrides: Pick<Overrides, 'find'>
  flags: Flags
}

/** The free text of a resolution, by the place of its entry in the other box's journal. The text itself is in no journal. */
export type NoteOf = (place: number) => { note: string; salt: Buffer } | undefined

/**
 * Opens and resolves cases, once the replicated passages are in `movements`. Within the transaction of the `heard` entry.
 * @param index of that entry, in this box's journal
 */
export function reconcileCases(index: number, noteOf: NoteOf, deps: ReconcileDeps): void {
  const { ledger, flags } = deps
  const entry = ledger.read(index, 1)[0]
  if (entry?.kind !== 'heard') throw new RangeError(`entry ${index} replicates nothing`)
  const moved = new Map<string, Set<string>>()
  for (const fact of replicatedIn(ledger.db, entry)) {
    const { box = '', place = 0, hlc } = fact
    if (fact.kind === 'flag') flags.addReplicated(fact.fields, hlc, index)
    else if (fact.kind === 'flag_resolved') {
      flags.resolveReplicated({ fact: fact.fields, hlc, box, note: noteOf(place) }, index)
    } else noteAdmission(fact, moved)
  }
  for (const [ref, slots] of moved) for (const slot of slots) flagDoubleUse(ref, slot, deps)
}

function noteAdmission(fact: Fact, moved: Map<string, Set<string>>): void {
  if (fact.kind !== 'scan' && fact.kind !== 'supervisor_admit') return
  const { ticket, slot, direction } = fact.fields
  if (ticket === null || slot === null || direction !== 'in') return
  moved.set(ticket, (moved.get(ticket) ?? new Set()).add(slot))
}

/**
 * Opens the case of a right that was used twice, or adds the records that it lacks. Within a transaction.
 * @param ref the ticket's
 * @param mostNew how many of its latest records a case that exists may lack
 * @returns its id; undefined where there is nothing against the ticket
 */
export function flagDoubleUse(
  ref: string,
  slot: string,
  deps: ReconcileDeps,
  mostNew = MOST_REPLICATED,
): string | undefined {
  const { event, tickets, flags } = deps
  const ticket = tickets.byRef(ref)
  if (!ticket) return undefined
  const movements = tickets.movementsOf(ticket.id)
  const uses = movements.filter((movement) => movement.slot === slot && movement.direction === 'in')
  // Nearly always so: there is nothing more to look up.
  if (uses.length < 2) return undefined
  const about = `${ref}/${slot}`
  const policy = event.tierById.get(ticket.tier)?.entry ?? 'once'
  const isKnown = policy !== 'unlimited' && flags.find(flagId('double_use', about)) !== undefined
  const records = () => movements.map((movement) => recordOf(movement, deps))
  const found = isKnown ? furtherUses(uses, mostNew) : doubleUse(slot, records(), policy)
  return found && flags.open({ kind: 'double_use', about, ticketRef: ref, device: null, ...found })
}

/** A case stays one, and only its latest records can be new: comparing thousands of uses with each other would take seconds. */
function furtherUses(uses: readonly Movement[], most: number): DoubleUse {
  const scanIds = uses.slice(-most).map(({ scanId }) => scanId)
  const last = uses.at(-1)
  return { scanIds, since: last?.hlc ?? '', occurrence: Math.max(uses.length, last?.occurrence ?? 0) }
}

function recordOf(movement: Movement, { ledger, overrides }: ReconcileDeps): PassageRecord {
  const { scanId } = movement
  return {
    ...movement,
    // Looked up when it is asked for: of a thousand uses of one right, two decide.
    get deliberate() {
      const supervised = overrides.find(scanId, 'supervisor_admit')
      if (!supervised) return false
      const fact = passageFact(ledger.db, { entry: supervised.entry, scanId, kind: 'supervisor_admit' })
      return fact?.fields.verdict === 'ALREADY_USED'
    },
  }
}
