/** Reads the ticket in a row of the shop, by the mapping. Pure, so that the same row always gives the same ticket. */
import type { Event } from '../event/event.ts'
import type { TicketStatus } from '../ledger/schema.ts'
import type { DetailFields } from '../tickets/details.ts'
import { readCode } from '../tickets/import/code.ts'
import { momentReader } from '../tickets/import/moment.ts'
import { plainText, quoted } from '../tickets/import/row.ts'
import type { NewProduct } from '../tickets/products.ts'
import type { TicketFields } from '../tickets/tickets.ts'
import { folded } from './compile-mapping.ts'
import type { Image } from './event.ts'
import { type ColumnRef, columnOf, type MappedStatus, type TextOf, type TicketMapping, type Valued } from './mapping.ts'
import { readDetails } from './read-details.ts'

/** Reason why a row cannot be applied: a word for the log, which names nobody, and a sentence for the organiser. */
export interface Problem {
  kind: ProblemKind
  reason: string
}

export type ProblemKind = 'broken' | 'code' | 'detail' | 'duplicate' | 'lookup' | 'status' | 'tier' | 'time'

/** Details that the mapping names no column for stay as they are. */
export type ShopFields = Omit<TicketFields, keyof DetailFields> & Partial<DetailFields>

export type RowResult =
  /** `problem`: details that could not be read, and are left out. */
  | { is: 'ticket'; code: string; fields: ShopFields; product: NewProduct | undefined; problem: Problem | undefined }
  | { is: 'no ticket' }
  /** A row that it looks up, such as its order, was deleted. */
  | { is: 'gone' }
  /** `refused`: its status can be read nevertheless, and admits nobody. */
  | { is: 'problem'; problem: Problem; refused: MappedStatus | undefined }

/** The row of a lookup; `waiting` where it has not been delivered yet. */
export type Found = Image | 'waiting' | 'gone'

export type RowReader = (tickets: TicketMapping, image: Image, found: ReadonlyMap<string, Found>) => RowResult

const LONGEST_TEXT = 500

/** The strictest of several statuses counts. */
const STRICTNESS: Record<TicketStatus, number> = { valid: 0, pending: 1, blocked: 2, revoked: 3 }

export function rowReader(event: Pick<Event, 'timezone'>): RowReader {
  const moment = momentReader(event.timezone)
  return (tickets, image, found) => {
    for (const [name, row] of found) {
      if (row === 'gone') return { is: 'gone' }
      if (row === 'waiting') return problem('lookup', `the row of "${name}" that it belongs to is not known yet`)
    }
    return readTicket(tickets, image, found as ReadonlyMap<string, Image>, moment)
  }
}

type Moment = ReturnType<typeof momentReader>

/** Reads a row whose lookups are all there. */
function readTicket(
  tickets: TicketMapping,
  image: Image,
  found: ReadonlyMap<string, Image>,
  moment: Moment,
): RowResult {
  const textOf: TextOf = ({ lookup, column }) => {
    const row = lookup === undefined ? image : found.get(lookup)
    return row?.[column] ?? null
  }
  if (!tickets.where.every(({ ref, values, among }) => isAmong(textOf(ref), values) === among))
    return { is: 'no ticket' }
  const tier = tierOf(tickets.tier, textOf)
  if (tier === '') return { is: 'no ticket' }
  const status = statusOf(tickets.status, textOf)
  const refused = 'ref' in status || status.status === 'valid' ? undefined : status
  const code = image[tickets.code] ?? ''
  /** A column's text for a sentence; never the code, whichever column has it. */
  const shown = (text: string | null) => (text?.includes(code) && code !== '' ? 'its value' : quoted(text ?? ''))

  const read = readCode(code)
  if ('reason' in read) return problem('code', `column ${tickets.code}: ${read.reason}`, refused)
  if (typeof tier === 'object') {
    const { ref, text } = tier
    return problem(
      'tier',
      `${shown(text)} of ${columnOf(ref)} fits no ticket type: add it to the values of tier`,
      refused,
    )
  }
  if ('ref' in status) {
    return problem(
      'status',
      `${shown(status.text)} of ${columnOf(status.ref)} has no meaning: add it to the values of status`,
    )
  }
  const times = timesOf(tickets.texts, textOf, moment)
  if ('ref' in times) return problem('time', `${shown(times.text)} of ${columnOf(times.ref)} is not a time`, refused)
  const { validFrom, validUntil } = times
  if (validFrom !== null && validUntil !== null && validFrom > validUntil) {
    return problem('time', 'it is valid until a moment before it is valid from', refused)
  }
  const tidy = (name: 'seat' | 'holderName' | 'email') => tidied(tickets.texts[name], textOf)
  const texts = { seat: tidy('seat'), holderName: tidy('holderName'), email: tidy('email') }
  const details = readDetails(tickets.details, textOf)
  const fields = {
    tier,
    ...texts,
    validFrom,
    validUntil,
    status: status.status,
    statusDetail: status.detail,
    ...details.fields,
  }
  const [left] = details.leftOut
  const partly = left === undefined ? undefined : problemOf('detail', left)
  return { is: 'ticket', code: read.code, fields, product: details.product, problem: partly }
}

function problem(kind: ProblemKind, reason: string, refused?: MappedStatus): RowResult {
  return { is: 'problem', problem: problemOf(kind, reason), refused }
}

function problemOf(kind: ProblemKind, reason: string): Problem {
  return { kind, reason: `${reason}.`.replace(/\.\.$/, '.') }
}

function isAmong(text: string | null, values: readonly (string | null)[]): boolean {
  return values.includes(text === null ? null : folded(text))
}

/** A column whose text has no meaning for the event. */
interface Misread {
  ref: ColumnRef
  text: string | null
}

/** Undefined where the text has no meaning. */
function meaning<T>({ ref, values, empty, otherwise }: Valued<T>, textOf: TextOf): T | undefined {
  const text = textOf(ref)
  if (text === null || text.trim() === '') return empty ?? otherwise
  return values.get(folded(text)) ?? otherwise
}

function tierOf(tier: TicketMapping['tier'], textOf: TextOf): string | Misread {
  if ('value' in tier) return tier.value
  return meaning(tier, textOf) ?? { ref: tier.ref, text: textOf(tier.ref) }
}

function statusOf(statuses: readonly Valued<MappedStatus>[], textOf: TextOf): MappedStatus | Misread {
  let strictest: MappedStatus = { status: 'valid', detail: null }
  for (const valued of statuses) {
    const status = meaning(valued, textOf)
    if (!status) return { ref: valued.ref, text: textOf(valued.ref) }
    if (STRICTNESS[status.status] > STRICTNESS[strictest.status]) strictest = status
  }
  return strictest
}

/** Unix ms, or the first column that is not a time. */
function timesOf(
  { validFrom, validUntil }: TicketMapping['texts'],
  textOf: TextOf,
  moment: Moment,
): { validFrom: number | null; validUntil: number | null } | Misread {
  const read = (ref: ColumnRef | undefined, edge: 'from' | 'until'): number | null | Misread => {
    const text = ref ? textOf(ref) : null
    // `infinity` is PostgreSQL's value for no limit.
    if (!ref || text === null || /^\s*(-?infinity)?\s*$/.test(text)) return null
    const time = moment(text, edge)
    return time === undefined ? { ref, text } : Date.parse(time)
  }
  const from = read(validFrom, 'from')
  if (typeof from === 'object' && from !== null) return from
  const until = read(validUntil, 'until')
  if (typeof until === 'object' && until !== null) return until
  return { validFrom: from, validUntil: until }
}

function tidied(ref: ColumnRef | undefined, textOf: TextOf): string | null {
  const text = ref && plainText(textOf(ref) ?? '')
  return text?.slice(0, LONGEST_TEXT).toWellFormed() || null
}
