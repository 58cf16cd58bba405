/** Walk-up sales and guests: tickets that the desk makes (admin tier). Prices are in the smallest unit of the currency: cents. */
import { type Static, Type } from 'typebox'
import { Coded, Count, Id, Nullable, Shape, Time, Words } from './terms.ts'

export const MOST_TICKETS_AT_ONCE = 20
export const MOST_GUEST_LINES = 300

export const PAID = ['cash', 'card', 'free'] as const
export type Paid = (typeof PAID)[number]

const PersonName = Type.String({ minLength: 1, maxLength: 120, pattern: '^[^\\x00-\\x1f\\x7f]+$' })
const Price = Type.Integer({ minimum: 0, maximum: 10_000_000, description: 'For one ticket, in cents' })
const OverCapacity = Type.Optional(
  Type.Unsafe<string>({
    ...Words,
    description: 'Why it is done although a tier or a zone is full: `over_capacity` asks for it',
  }),
)

export const SaleRequest = Shape('SaleRequest', {
  sale_id: Type.Unsafe<string>({ ...Id, description: 'Made by the client: the same one again gets the same tickets' }),
  tier: Id,
  tickets: Type.Integer({ minimum: 1, maximum: MOST_TICKETS_AT_ONCE }),
  name: Type.Optional(PersonName),
  note: Type.Optional(Words),
  paid: Type.Enum([...PAID], { description: 'card: with a reader that is not ours' }),
  price: Type.Unsafe<number>({ ...Price, description: 'For one ticket, in cents; 0 where it is free' }),
  actor: Words,
  override_reason: OverCapacity,
})
export type SaleRequest = Static<typeof SaleRequest>

export const SoldTicket = Shape('SoldTicket', {
  ref: Type.String({ description: 'Its name in log and control room' }),
  code: Nullable(Type.String(), 'where tickets of its tier are entered with a phone alone'),
  link: Type.String({ description: 'Opens the ticket on a phone: whoever has it has the ticket' }),
  qr_svg: Type.String({ description: 'To photograph: the code, or the link where there is none' }),
})
export type SoldTicket = Static<typeof SoldTicket>

export const SaleRow = Shape('SaleRow', {
  sale_id: Type.String(),
  receipt: Type.String({ description: 'Box and number: the numbers of a box have no gap' }),
  tier: Type.String(),
  tier_name: Type.String(),
  tickets: Type.Array(Type.String(), { description: 'References' }),
  admitted: Type.Integer({ minimum: 0, description: 'Of these, how many have been let in' }),
  name: Nullable(Type.String(), 'where nobody gave one, and once it was erased'),
  paid: Type.Enum([...PAID]),
  price: Price,
  total: Count,
  currency: Type.String(),
  sold_by: Type.String(),
  sold_at: Time,
  override_reason: Nullable(Type.String()),
  voided_at: Nullable(Time),
  voided_by: Nullable(Type.String()),
  void_reason: Nullable(Type.String()),
})
export type SaleRow = Static<typeof SaleRow>

export const Sale = Shape('Sale', { ...SaleRow.properties, made: Type.Array(SoldTicket) })
export type Sale = Static<typeof Sale>

export const SalesQuery = Shape('SalesQuery', {
  day: Type.Optional(
    Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'A festival day; today when absent' }),
  ),
})

export const SalesTotal = Shape('SalesTotal', {
  box: Type.String(),
  tier: Type.String(),
  tier_name: Type.String(),
  paid: Type.Enum([...PAID]),
  currency: Type.String(),
  sales: Count,
  tickets: Count,
  total: Count,
})
export type SalesTotal = Static<typeof SalesTotal>

export const SaleTier = Shape('SaleTier', {
  id: Type.String(),
  name: Type.String(),
  price: Nullable(Price, 'where the event file names none'),
  most: Nullable(Count, 'where the event file names none'),
  sold: Type.Integer({ minimum: 0, description: 'At the gates, at every box that is heard, without what was voided' }),
})

export type SaleTier = Static<typeof SaleTier>

export const DaySales = Shape('DaySales', {
  day: Type.String(),
  currency: Type.String(),
  tiers: Type.Array(SaleTier),
  totals: Type.Array(SalesTotal, { description: 'Without what was voided' }),
  sales: Type.Array(SaleRow, { description: 'Newest first, 200 at most; the CSV has all' }),
  voided: Count,
})
export type DaySales = Static<typeof DaySales>

export const SlipQuery = Shape('SlipQuery', {
  paper: Type.Optional(Type.Enum(['a4', '80mm'], { description: 'a4 when absent; 80mm for a receipt printer' })),
})

export const VoidRequest = Shape('VoidRequest', { actor: Words, reason: Words })

export const GuestsRequest = Shape('GuestsRequest', {
  list_id: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '^[\\x21-\\x7e]+$',
    description: 'Made by the client: the same list again adds nobody twice',
  }),
  list: Type.String({ minLength: 1, maxLength: 32_768, description: 'One guest a line: name, +N, tier' }),
  tier: Type.Unsafe<string>({ ...Id, description: 'For lines without one' }),
  dry_run: Type.Boolean({ description: 'Only says what each line would do' }),
  actor: Words,
  override_reason: OverCapacity,
})
export type GuestsRequest = Static<typeof GuestsRequest>

export const GuestLine = Shape('GuestLine', {
  line: Type.Integer({ minimum: 1 }),
  name: Nullable(Type.String(), 'where the line has none'),
  tickets: Count,
  tier: Nullable(Type.String(), 'where the line names one that does not exist'),
  problem: Nullable(Type.String(), 'where the line is all right'),
  problem_coded: Type.Optional({ ...Coded, description: 'The same as a code' }),
  sale_id: Nullable(Type.String(), 'until it was added'),
})
export type GuestLine = Static<typeof GuestLine>

export const GuestsAnswer = Shape('GuestsAnswer', {
  added: Type.Boolean({ description: 'false for a dry run, and while a line has a problem: then nobody was added' }),
  guests: Count,
  tickets: Count,
  full: Type.Array(Type.String(), { description: 'Limits that the list would pass: of tiers and of zones' }),
  full_coded: Type.Optional(Type.Array(Coded, { description: 'The same as codes' })),
  lines: Type.Array(GuestLine),
})
export type GuestsAnswer = Static<typeof GuestsAnswer>
