/** The record of one ticket: its entries in words, and its state by them. */
import { fromBase64 } from '@gatehouse/proto/base64.ts'
import type { Attendance } from '@gatehouse/proto/wire/seal.ts'
import { actionWords as words } from '../../words/late.ts'

type Proven = Attendance['entries'][number]

export interface HistoryRow {
  proven: Proven
  /** The entry as text, for whoever wants to see it; '' when it cannot be read. */
  raw: string
  /** ISO 8601: when it happened, as its entry says or by its place in the clock. */
  at: string
  text: string
  /** Moved a person in or out. */
  passage: 'in' | 'out' | null
}

export interface TicketState {
  revoked: boolean
  claimed: boolean
}

type Fields = { readonly [name: string]: unknown }

/** Oldest first, as the box has them. @param nameOf a checkpoint's name, or its id where the event has lost it */
export function historyOf(entries: readonly Proven[], nameOf: (checkpoint: string) => string): HistoryRow[] {
  return entries.map((proven) => {
    const bytes = fromBase64(proven.entry)
    const raw = bytes ? new TextDecoder().decode(bytes) : ''
    const fields = fieldsIn(raw)
    const passage = passageIn(fields)
    return { proven, raw, at: timeOf(fields), text: sentence(fields, passage, nameOf), passage }
  })
}

/** The last word counts: a ticket may be revoked and reinstated, claimed and released, as often as people like. */
export function stateOf(rows: readonly HistoryRow[]): TicketState {
  const kinds = rows.map(({ raw }) => fieldsIn(raw).kind)
  return {
    revoked: kinds.lastIndexOf('ticket_revoked') > kinds.lastIndexOf('ticket_reinstated'),
    claimed: kinds.lastIndexOf('claim') > kinds.lastIndexOf('release'),
  }
}

/** The ticket that entries are about: every one of them names it. */
export function refIn(rows: readonly HistoryRow[]): string | null {
  const ref = fieldsIn(rows[0]?.raw ?? '').ticket
  return typeof ref === 'string' ? ref : null
}

function fieldsIn(raw: string): Fields {
  try {
    return Object(JSON.parse(raw))
  } catch {
    return {}
  }
}

function passageIn({ kind, slot, offline_admitted, direction }: Fields): HistoryRow['passage'] {
  if (kind === 'supervisor_admit') return 'in'
  if (kind !== 'scan' || (slot === null && offline_admitted !== true)) return null
  return direction === 'out' ? 'out' : 'in'
}

function timeOf({ kind, observed_at, at, hlc }: Fields): string {
  // A person stood there when the scanner says; everything else happened when the box wrote it.
  const named = kind === 'scan' ? observed_at : at
  if (typeof named === 'string' && !Number.isNaN(Date.parse(named))) return named
  const ms = typeof hlc === 'string' ? Number(hlc.split('.')[0]) : Number.NaN
  return new Date(Number.isSafeInteger(ms) ? ms : 0).toISOString()
}

function sentence(fields: Fields, passage: HistoryRow['passage'], nameOf: (id: string) => string): string {
  const text = (name: string) => (typeof fields[name] === 'string' ? (fields[name] as string) : '')
  const say = words.tickets.entryWords
  const where = nameOf(text('checkpoint'))
  switch (fields.kind) {
    case 'scan': {
      if (passage === 'out') return say.out(where)
      if (passage === 'in') {
        const agreed = fields.verdict === 'ADMIT'
        return agreed ? say.in(where) : say.aloneIn(where, words.verdict(text('verdict')))
      }
      return say.refused(where, words.verdict(text('verdict')))
    }
    case 'supervisor_admit':
      return say.supervisor(where, text('actor'))
    case 'undo':
      return say.undo(where, text('actor'))
    case 'claim':
      return say.claim
    case 'release':
      return say.release(text('actor'))
    case 'ticket_revoked':
      return say.revoked(text('actor'), text('reason'))
    case 'ticket_reinstated':
      return say.reinstated(text('actor'), text('reason'))
    case 'flag':
      return say.flag(kindName(text('flag_kind')))
    case 'flag_resolved':
      return say.flagResolved(kindName(text('flag_kind')), text('actor'))
    default:
      return say.other(text('kind'))
  }
}

function kindName(kind: string): string {
  const kinds: Readonly<Record<string, { name: string }>> = words.flags.kinds
  return kinds[kind]?.name ?? kind
}
