/**
 * What this box makes of what it heard: the cases of other boxes are its own, and a right that was used at two of them is a
 * case that nobody had seen before. The shell around `double-use.ts`; every write is in the transaction that heard.
 */
import type { Event } from '../../event/event.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Movement } from '../../ledger/schema.ts'
import type { FlagEntry, FlagResolvedEntry, ScanEntry, SupervisorAdmitEntry } from '../../scan/entry.ts'
import type { Flags } from '../../scan/flags.ts'
import type { Overrides } from '../../scan/overrides.ts'
import type { Tickets } from '../../tickets/tickets.ts'
import { type Fact, heardIn } from '../facts.ts'
import { doubleUse, type PassageRecord } from './double-use.ts'
import { passageFact } from './passage-fact.ts'

export interface ReconcileDeps {
  event: Pick<Event, 'tierById'>
  ledger: Pick<Ledger, 'db' | 'read'>
  tickets: Pick<Tickets, 'byRef' | 'movementsOf'>
  overrides: Pick<Overrides, 'find'>
  flags: Flags
}

/** The free text of a resolution, as the box that resolved it keeps it: it stands in no journal. */
export type NoteOf = (place: number) => { note: string; salt: Buffer } | undefined

/**
 * Opens and settles cases after the passages that were heard are in `movements`. Within the transaction of the `heard` entry.
 * @param heard index of that entry, in this box's journal
 * @param noteOf a resolution's note, by the place of its entry in the other box's journal
 */
export function flagsAfter(heard: number, noteOf: NoteOf, deps: ReconcileDeps): void {
  const { ledger, flags } = deps
  const entry = ledger.read(heard, 1)[0]
  if (entry?.kind !== 'heard') throw new RangeError(`entry ${heard} says nothing of having heard`)
  const moved = new Map<string, Set<string>>()
  for (const fact of heardIn(ledger.db, entry)) {
    const { box = '', place = 0, hlc } = fact
    if (fact.kind === 'flag') flags.hearOpened(fact.fields as FlagEntry, hlc, heard)
    else if (fact.kind === 'flag_resolved') {
      flags.hearResolved({ fact: fact.fields as FlagResolvedEntry, hlc, box, note: noteOf(place) }, heard)
    } else noteAdmission(fact, moved)
  }
  for (const [ref, slots] of moved) for (const slot of slots) flagDoubleUse(ref, slot, deps)
}

function noteAdmission(fact: Fact, moved: Map<string, Set<string>>): void {
  if (fact.kind !== 'scan' && fact.kind !== 'supervisor_admit') return
  const { ticket, slot, direction } = fact.fields as ScanEntry | SupervisorAdmitEntry
  if (ticket === null || slot === null || direction !== 'in') return
  moved.set(ticket, (moved.get(ticket) ?? new Set()).add(slot))
}

/**
 * Opens the case of a right that was used twice, or adds what it lacks. Within a transaction.
 * @param ref the ticket's
 * @returns its id; undefined where there is nothing against the ticket
 */
export function flagDoubleUse(ref: string, slot: string, deps: ReconcileDeps): string | undefined {
  const { event, tickets, flags } = deps
  const ticket = tickets.byRef(ref)
  if (!ticket) return undefined
  const movements = tickets.movementsOf(ticket.id)
  // Nearly always: nothing more to look up.
  if (movements.filter((movement) => movement.slot === slot && movement.direction === 'in').length < 2) return undefined
  const policy = event.tierById.get(ticket.tier)?.entry ?? 'once'
  const found = doubleUse(
    slot,
    movements.map((movement) => recordOf(movement, deps)),
    policy,
  )
  if (!found) return undefined
  return flags.open({ kind: 'double_use', about: `${ref}/${slot}`, ticketRef: ref, device: null, ...found })
}

function recordOf(movement: Movement, { ledger, overrides }: ReconcileDeps): PassageRecord {
  const { scanId } = movement
  const supervised = overrides.find(scanId, 'supervisor_admit')
  if (!supervised) return { ...movement, knowing: false }
  const fact = passageFact(ledger.db, { entry: supervised.entry, scanId, kind: 'supervisor_admit' })
  return { ...movement, knowing: (fact?.fields as SupervisorAdmitEntry | undefined)?.verdict === 'ALREADY_USED' }
}
