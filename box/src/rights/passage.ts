/** Passages through checkpoints, read from the journal's entries: every count of people rests on them. */

import type { EntryFields, EntryWith } from '../ledger/entries.ts'
import type { Fact } from '../ledger/facts.ts'

export interface Passage {
  checkpoint: string
  direction: 'in' | 'out'
  /** -1 when a passage was taken back. */
  people: 1 | -1
  /** Null for a code without a ticket, whose holder a scanner had already let in. */
  ticket: string | null
  tier: string | null
  /** The ticket's first admission of all; with `people` -1, the ticket is now without any. */
  first: boolean
  device: string
  /** When the person stood there, ISO 8601; for an offline admission, by the scanner's clock. */
  observed_at: string
  /** When the box learned of it, ISO 8601. */
  at: string
  offline: boolean
  supervised: boolean
}

/** The ref of the ticket whose passages this entry changed, so that what it has used up is looked up again. */
export function movedTicket(entry: EntryWith<'kind' | 'fields'>): string | undefined {
  if (entry.kind !== 'scan' && entry.kind !== 'supervisor_admit' && entry.kind !== 'undo') return undefined
  const { ticket, slot } = entry.fields
  return slot === null ? undefined : (ticket ?? undefined)
}

/** An entry about a passage. For one of another box, this box has noted whether the ticket was admitted here before. */
export type PassageEntry = EntryWith<'kind' | 'fields'> & Pick<Fact, 'box' | 'again' | 'known'>

/** @returns undefined for an entry that moved nobody, and for a passage that is counted here already */
export function passageIn(entry: PassageEntry): Passage | undefined {
  if (entry.known) return undefined
  const passage = passageOfEntry(entry)
  if (!passage || entry.box === undefined) return passage
  return { ...passage, first: passage.direction === 'in' && passage.ticket !== null && !entry.again }
}

function passageOfEntry({ kind, fields }: PassageEntry): Passage | undefined {
  switch (kind) {
    case 'scan':
      return passageOfScan(fields)
    case 'supervisor_admit':
      return { ...placeOf(fields), people: 1, first: fields.occurrence === 1, supervised: true }
    case 'undo':
      return { ...placeOf(fields), people: -1, first: fields.occurrence === 0, supervised: fields.supervised }
    default:
      return undefined
  }
}

/** @returns undefined where nobody passed */
function passageOfScan(scan: EntryFields<'scan'>): Passage | undefined {
  const { at, observed_at, offline_admitted: offline } = scan
  if (scan.slot === null && !offline) return undefined
  const first = scan.direction === 'in' && scan.ticket !== null && scan.occurrence === 1
  return { ...placeOf(scan), people: 1, first, offline, supervised: false, observed_at: offline ? observed_at : at }
}

/** The common fields of all three kinds of entry: ticket, checkpoint and time of the passage. */
function placeOf({
  checkpoint,
  direction,
  ticket,
  tier,
  device,
  at,
}: EntryFields<'scan' | 'supervisor_admit' | 'undo'>) {
  return { checkpoint, direction, ticket, tier, device, at, observed_at: at, offline: false }
}
