/** History of a ticket in words, from the entries of all boxes that name it. */
import { placeName } from '@gatehouse/proto/verdict-words.ts'
import type { DeskHistoryRow } from '@gatehouse/proto/wire/desk.ts'
import type { VERDICTS } from '@gatehouse/proto/wire/scan.ts'
import { isoOfReading } from '../clock/iso.ts'
import { and, eq, inArray } from '../drizzle/core.ts'
import type { Event } from '../event/event.ts'
import { type Entry, type EntryFields, type EntryWith, entryOf } from '../ledger/entries.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { devices, journal, peerJournal } from '../ledger/schema.ts'
import type { EntryPlace } from './search-thread.ts'

/** Rows of one page: a code that is shared by thousands is looked at all the same. */
export const MOST_ROWS = 100

const REFUSED: Readonly<Record<(typeof VERDICTS)[number], string>> = {
  ADMIT: 'admitted',
  EXIT: 'left',
  ALREADY_USED: 'already used',
  REDIRECT: 'belongs at another gate',
  NOT_VALID_NOW: 'not valid at that time',
  STALE_CODE: 'old picture of the code',
  REVOKED: 'revoked',
  NOT_PAID: 'not paid',
  BLOCKED: 'blocked',
  UNKNOWN: 'unknown',
}

const EDITED = {
  note: { written: 'Note written', removed: 'Note removed' },
  holder: { written: 'Holder changed', removed: 'Holder reset to the name of the shop' },
} as const

interface Names {
  place: (checkpoint: string) => string
  device: (id: string) => string
}

/** @param places of the entries about the ticket @returns the latest first */
export function historyOf(
  ref: string,
  places: readonly EntryPlace[],
  { event, ledger }: { event: Event; ledger: Ledger },
): DeskHistoryRow[] {
  const names = namesOf(event, ledger)
  const entries = entriesAt(places, ledger).filter(({ fields }) => 'ticket' in fields && fields.ticket === ref)
  return entries
    .flatMap((entry) => {
      const row = rowOf(entry, names)
      return row ? [{ ...row, hlc: entry.hlc }] : []
    })
    .sort((a, b) => (a.hlc < b.hlc ? 1 : -1))
    .slice(0, MOST_ROWS)
    .map(({ hlc, ...row }) => ({ ...row, at: row.at ?? isoOfReading(hlc) }))
}

/** @returns undefined for an entry that is no event in the life of the ticket */
export function rowOf(
  { kind, fields }: EntryWith<'kind' | 'fields'>,
  names: Names,
): (Omit<DeskHistoryRow, 'at'> & { at?: string }) | undefined {
  switch (kind) {
    case 'scan':
      return scanRow(fields, names)
    case 'supervisor_admit': {
      const { actor, reason, at, checkpoint } = fields
      return { at, what: 'in', text: `Let in at ${names.place(checkpoint)} by supervisor ${actor}: ${reason}` }
    }
    case 'undo': {
      const { actor, reason, at, checkpoint } = fields
      return { at, what: 'changed', text: `Admission at ${names.place(checkpoint)} taken back by ${actor}: ${reason}` }
    }
    case 'claim':
      return { what: 'changed', text: 'Claimed by a phone' }
    case 'release':
      return { what: 'changed', text: `Claim released by ${fields.actor}: ${fields.reason}` }
    case 'ticket_revoked':
      return { what: 'changed', text: `Revoked by ${fields.actor}: ${fields.reason}` }
    case 'ticket_reinstated':
      return { what: 'changed', text: `Reinstated by ${fields.actor}: ${fields.reason}` }
    case 'ticket_reissued':
      return { what: 'changed', text: `Reissued by ${fields.actor}: ${fields.reason}` }
    case 'ticket_forgotten':
      return { what: 'changed', text: `Holder erased by ${fields.actor}` }
    case 'ticket_edited': {
      const { what, text_hash, actor, reason } = fields
      return {
        what: 'changed',
        text: `${EDITED[what][text_hash === null ? 'removed' : 'written']} by ${actor}: ${reason}`,
      }
    }
    case 'flag':
      return { what: 'changed', text: `A case was opened: ${fields.flag_kind.replaceAll('_', ' ')}` }
    case 'flag_resolved':
      return {
        what: 'changed',
        text: `A case was resolved by ${fields.actor}: ${fields.resolution.replaceAll('_', ' ')}`,
      }
    default:
      return undefined
  }
}

function scanRow(fields: EntryFields<'scan'>, { place, device }: Names) {
  const { verdict, checkpoint, device: by, offline_admitted: alone, observed_at, at, slot, direction } = fields
  const where = `at ${place(checkpoint)} by ${device(by)}`
  if (direction === 'out' && verdict === 'EXIT') return { at, what: 'out', text: `Left ${where}` } as const
  if (alone) {
    const says = verdict === 'ADMIT' ? '' : `; the box says: ${REFUSED[verdict] ?? verdict}`
    return { at: observed_at, what: 'in', text: `Admitted offline ${where}${says}` } as const
  }
  if (slot !== null) return { at, what: 'in', text: `Admitted ${where}` } as const
  return { at, what: 'refused', text: `Refused ${where}: ${REFUSED[verdict] ?? verdict}` } as const
}

function namesOf(event: Event, { db }: Ledger): Names {
  const known = new Map(
    db.drizzle
      .select()
      .from(devices)
      .all()
      .map(({ id, name }) => [id, name]),
  )
  return {
    place: (id) => {
      const checkpoint = event.checkpointById.get(id)
      if (!checkpoint) return id
      return placeName({
        name: checkpoint.name,
        gateName: event.gateById.get(checkpoint.gate)?.name ?? checkpoint.gate,
      })
    },
    device: (id) => known.get(id) ?? id,
  }
}

function entriesAt(places: readonly EntryPlace[], { db: { drizzle } }: Ledger): Entry[] {
  return [...Map.groupBy(places, ({ box }) => box)].flatMap(([box, ofBox]) => {
    const indices = ofBox.map(({ index }) => index)
    if (box === '') return drizzle.select().from(journal).where(inArray(journal.index, indices)).all().map(entryOf)
    const there = and(eq(peerJournal.box, box), inArray(peerJournal.index, indices))
    return drizzle.select().from(peerJournal).where(there).all().map(entryOf)
  })
}
