/** What a row of the shop says of a ticket: pure, so that the same row always means the same. */
import type { Event } from '../../event/event.ts'
import type { TicketStatus } from '../../ledger/schema.ts'
import { readCode } from '../../tickets/import/code.ts'
import { momentReader } from '../../tickets/import/moment.ts'
import { plainText, quoted } from '../../tickets/import/row.ts'
import type { TicketFields } from '../../tickets/tickets.ts'
import { folded } from './compile-mapping.ts'
import type { Image } from './event.ts'
import type { ColumnRef, ShopStatus, TicketMapping, Valued } from './mapping.ts'

/** What keeps a row from being applied: a word for logs, which name nobody, and a sentence for the organiser. */
export interface Problem {
  kind: ProblemKind
  reason: string
}

export type ProblemKind = 'broken' | 'code' | 'duplicate' | 'lookup' | 'status' | 'tier' | 'time'

export type Reading =
  | { is: 'ticket'; code: string; fields: TicketFields }
  | { is: 'no ticket' }
  /** Its order, or whatever it looks up, was deleted. */
  | { is: 'gone' }
  /** `refused`: what it says of the status is plain all the same, and lets nobody in. */
  | { is: 'problem'; problem: Problem; refused: ShopStatus | undefined }

/** A row that a lookup found; `waiting` where the shop has not told of it yet. */
export type Found = Image | 'waiting' | 'gone'

export type RowReader = (tickets: TicketMapping, image: Image, found: ReadonlyMap<string, Found>) => Reading

const LONGEST_TEXT = 500

/** Of several statuses the strictest counts. */
const STRICTNESS: Record<TicketStatus, number> = { valid: 0, pending: 1, blocked: 2, revoked: 3 }

export function rowReader(event: Pick<Event, 'timezone'>): RowReader {
  const moment = momentReader(event.timezone)

  return (tickets, image, found) => {
    for (const [name, row] of found) {
      if (row === 'gone') return { is: 'gone' }
      if (row === 'waiting') return problem('lookup', `the row of "${name}" that it belongs to is not known yet`)
    }
    const textOf = ({ lookup, column }: ColumnRef): string | null => {
      const row = lookup === undefined ? image : (found.get(lookup) as Image | undefined)
      return row?.[column] ?? null
    }
    if (!tickets.where.every(({ ref, values, among }) => isAmong(textOf(ref), values) === among))
      return { is: 'no ticket' }

    const tier = tierOf(tickets.tier, textOf)
    if (tier === '') return { is: 'no ticket' }
    const status = statusOf(tickets.status, textOf)
    const refused = 'kind' in status || status.status === 'valid' ? undefined : status
    const code = image[tickets.code] ?? ''
    /** What a column says, for a sentence; never the code, whichever column that is in. */
    const shown = (text: string | null) => (text?.includes(code) && code !== '' ? 'its value' : quoted(text ?? ''))

    const read = readCode(code)
    if ('reason' in read) return problem('code', `column ${tickets.code}: ${read.reason}`, refused)
    if (typeof tier === 'object') {
      const { ref, text } = tier
      return problem('tier', `${shown(text)} of ${columnOf(ref)} fits no tier: add it to the values of tier`, refused)
    }
    if ('kind' in status) {
      return problem(
        'status',
        `${shown(status.text)} of ${columnOf(status.ref)} has no meaning: add it to the values of status`,
      )
    }
    const times = { validFrom: null as number | null, validUntil: null as number | null }
    for (const [name, edge] of [
      ['validFrom', 'from'],
      ['validUntil', 'until'],
    ] as const) {
      const ref = tickets.texts[name]
      const text = ref ? textOf(ref) : null
      // PostgreSQL's own word for no limit.
      if (!ref || text === null || /^\s*(-?infinity)?\s*$/.test(text)) continue
      const read = moment(text, edge)
      if (read === undefined) return problem('time', `${shown(text)} of ${columnOf(ref)} is no time`, refused)
      times[name] = Date.parse(read)
    }
    const { validFrom, validUntil } = times
    if (validFrom !== null && validUntil !== null && validFrom > validUntil) {
      return problem('time', 'it is valid until a moment before it is valid from', refused)
    }
    const tidy = (name: 'seat' | 'holderName' | 'email') => {
      const ref = tickets.texts[name]
      return (
        (ref &&
          plainText(textOf(ref) ?? '')
            .slice(0, LONGEST_TEXT)
            .toWellFormed()) ||
        null
      )
    }
    const texts = { seat: tidy('seat'), holderName: tidy('holderName'), email: tidy('email') }
    const fields = { tier, ...texts, ...times, status: status.status, statusDetail: status.detail }
    return { is: 'ticket', code: read.code, fields }
  }
}

function problem(kind: ProblemKind, reason: string, refused?: ShopStatus): Reading {
  return { is: 'problem', problem: { kind, reason: `${reason}.`.replace(/\.\.$/, '.') }, refused }
}

function isAmong(text: string | null, values: readonly (string | null)[]): boolean {
  return values.includes(text === null ? null : folded(text))
}

type TextOf = (ref: ColumnRef) => string | null

/** Undefined where the text stands for nothing. */
function meaning<T>({ ref, values, empty, otherwise }: Valued<T>, textOf: TextOf): T | undefined {
  const text = textOf(ref)
  if (text === null || text.trim() === '') return empty ?? otherwise
  return values.get(folded(text)) ?? otherwise
}

function tierOf(tier: TicketMapping['tier'], textOf: TextOf): string | { ref: ColumnRef; text: string | null } {
  if ('value' in tier) return tier.value
  return meaning(tier, textOf) ?? { ref: tier.ref, text: textOf(tier.ref) }
}

function statusOf(
  statuses: readonly Valued<ShopStatus>[],
  textOf: TextOf,
): ShopStatus | { kind: 'unknown'; ref: ColumnRef; text: string | null } {
  let strictest: ShopStatus = { status: 'valid', detail: null }
  for (const valued of statuses) {
    const said = meaning(valued, textOf)
    if (!said) return { kind: 'unknown', ref: valued.ref, text: textOf(valued.ref) }
    if (STRICTNESS[said.status] > STRICTNESS[strictest.status]) strictest = said
  }
  return strictest
}

function columnOf({ lookup, column }: ColumnRef): string {
  return lookup === undefined ? column : `${lookup}.${column}`
}
