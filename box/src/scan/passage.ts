/** Who went through which checkpoint, as the journal tells it: what every count of people rests on. */
import type { Entry } from '../ledger/ledger.ts'
import type { Fact } from '../mesh/facts.ts'
import type { ScanEntry, SupervisorAdmitEntry, UndoEntry } from './entry.ts'

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
  /** When the person stood there, ISO 8601; for a scanner that was alone, as the scanner says. */
  observed_at: string
  /** When the box learned of it, ISO 8601. */
  at: string
  offline: boolean
  supervised: boolean
}

/** The ref of the ticket whose passages this entry changed: what it has used up has to be looked at again. */
export function movedTicket(entry: Pick<Entry, 'kind' | 'fields'>): string | undefined {
  if (entry.kind !== 'scan' && entry.kind !== 'supervisor_admit' && entry.kind !== 'undo') return undefined
  const { ticket, slot } = entry.fields as Pick<ScanEntry, 'ticket' | 'slot'>
  return slot === null ? undefined : (ticket ?? undefined)
}

/** What a passage is told by. Where it was heard from another box, this box says whether it is the ticket's first here. */
export type PassageEntry = Pick<Fact, 'kind' | 'fields' | 'box' | 'again' | 'known'>

/** @returns undefined for an entry that moved nobody, or nobody who is not counted here already */
export function passageIn(entry: PassageEntry): Passage | undefined {
  if (entry.known) return undefined
  const passage = toldBy(entry)
  if (!passage || entry.box === undefined) return passage
  return { ...passage, first: passage.direction === 'in' && passage.ticket !== null && !entry.again }
}

function toldBy(entry: PassageEntry): Passage | undefined {
  switch (entry.kind) {
    case 'scan':
      return passageOfScan(entry.fields as ScanEntry)
    case 'supervisor_admit': {
      const admit = entry.fields as SupervisorAdmitEntry
      const { checkpoint, direction, ticket, tier, device, at, occurrence } = admit
      const first = occurrence === 1
      return {
        ...{ checkpoint, direction, people: 1, ticket, tier, first, device, at, observed_at: at },
        ...{ offline: false, supervised: true },
      }
    }
    case 'undo': {
      const undo = entry.fields as UndoEntry
      const { checkpoint, direction, ticket, tier, device, at, occurrence, supervised } = undo
      const first = occurrence === 0
      return {
        ...{ checkpoint, direction, people: -1, ticket, tier, first, device, at, observed_at: at },
        ...{ offline: false, supervised },
      }
    }
    default:
      return undefined
  }
}

/** The passage that a scan was; undefined where nobody passed. */
function passageOfScan(scan: ScanEntry): Passage | undefined {
  if (scan.slot === null && !scan.offline_admitted) return undefined
  const { checkpoint, direction, ticket, tier, device, at, observed_at, offline_admitted: offline } = scan
  const first = direction === 'in' && ticket !== null && scan.occurrence === 1
  return {
    ...{ checkpoint, direction, people: 1, ticket, tier, first, device, at, offline, supervised: false },
    observed_at: offline ? observed_at : at,
  }
}
