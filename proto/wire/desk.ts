/** The ticket desk: looking up tickets, one ticket with all that happened to it, and what the desk may do with it. */
import { type Static, Type } from 'typebox'
import { LONGEST_LOOK_UP } from '../look-up.ts'
import { Count, Nullable, Shape, Time, Words } from './terms.ts'

/** Text that people type. It is in a body, never in an address, because logs and histories keep addresses. */
const Typed = Type.String({ minLength: 1, maxLength: LONGEST_LOOK_UP, description: 'Three letters or digits at least' })

export const LookUpRequest = Shape('LookUpRequest', { text: Typed, actor: Words })
export type LookUpRequest = Static<typeof LookUpRequest>

export const FOUND_BY = ['name', 'order_code', 'seat'] as const
const State = Type.Enum(['valid', 'pending', 'blocked', 'revoked'], {
  description: 'revoked also where the box has revoked it, whatever the shop says',
})

export const FoundTicket = Shape('FoundTicket', {
  ticket: Type.String({ description: 'Its reference' }),
  found_by: Type.Enum([...FOUND_BY]),
  holder: Nullable(Type.String(), 'where nobody has named one'),
  tier: Type.String(),
  tier_name: Type.String(),
  seat: Nullable(Type.String(), 'where it has none'),
  order: Nullable(Type.String(), 'where the shop names none'),
  state: State,
  inside: Type.Boolean({ description: 'Its last passage was an admission' }),
})
export type FoundTicket = Static<typeof FoundTicket>

export const LookUpAnswer = Shape('LookUpAnswer', {
  tickets: Type.Array(FoundTicket, { description: 'The best first' }),
  more: Type.Boolean({ description: 'There are more: type more of it' }),
  indexing: Type.Boolean({ description: 'The box is still reading its tickets: there may be others' }),
})
export type LookUpAnswer = Static<typeof LookUpAnswer>

/** A reference, a printed code, the code on a phone, or a ticket's link. */
export const DeskTicketRequest = Shape('DeskTicketRequest', {
  ticket: Type.String({ minLength: 1, maxLength: 1024 }),
  actor: Words,
})

export const DeskHistoryRow = Shape('DeskHistoryRow', {
  at: Time,
  text: Type.String(),
  what: Type.Enum(['in', 'out', 'refused', 'changed']),
})
export type DeskHistoryRow = Static<typeof DeskHistoryRow>

export const OrderTicket = Shape('OrderTicket', {
  ticket: Type.String({ description: 'Its reference' }),
  position: Nullable(Count),
  holder: Nullable(Type.String()),
  tier_name: Type.String(),
  seat: Nullable(Type.String()),
  state: State,
  inside: Type.Boolean(),
})
export type OrderTicket = Static<typeof OrderTicket>

export const DeskAnswer = Shape('DeskAnswer', { question: Type.String(), answer: Type.String() })

export const DeskTicket = Shape('DeskTicket', {
  ticket: Type.String({ description: 'Its reference' }),
  version: Type.Unsafe<number>({ ...Count, description: 'Another one after every change of the ticket' }),
  state: State,
  reason: Nullable(Type.String({ description: 'Why it is not valid' })),
  revoked_here: Type.Boolean({ description: 'This event revoked it, and not its shop' }),
  tier: Type.String(),
  tier_name: Type.String(),
  seat: Nullable(Type.String()),
  valid_from: Nullable(Time),
  valid_until: Nullable(Time),
  holder: Nullable(Type.String()),
  holder_changed: Type.Boolean({ description: 'The desk wrote the name, and no import changes it' }),
  email: Nullable(Type.String()),
  company: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  order: Nullable(Type.String({ description: "The order's code in the shop" })),
  others: Type.Array(OrderTicket, { description: 'Other tickets of the order, at most fifty' }),
  product: Nullable(Type.String({ description: 'With its variation' })),
  price: Nullable(Type.String()),
  extras: Type.Array(Type.String(), { description: 'Add-ons that are no tickets' }),
  attention: Type.Boolean({ description: 'The shop asks for a look at it' }),
  shop_notes: Type.Array(Type.String(), { description: 'Notes of the shop for the door' }),
  answers: Type.Array(DeskAnswer, { description: "To the shop's questions" }),
  claimed_at: Nullable(Time),
  reissued: Type.Boolean({ description: 'It has a code and a link of the desk' }),
  note: Nullable(Type.String({ description: 'For the staff' })),
  forgotten: Type.Boolean({ description: 'Its holder was erased: no name or note is stored again' }),
  inside: Type.Boolean(),
  admissions: Count,
  history: Type.Array(DeskHistoryRow, { description: 'The latest first, at most a hundred' }),
})
export type DeskTicket = Static<typeof DeskTicket>

const version = Type.Optional(
  Type.Integer({ minimum: 0, description: 'Of the ticket as it was looked at; `conflict` where it has changed since' }),
)
/** Re-issue, revocation, reinstatement and release. */
export const DeskActionRequest = Shape('DeskActionRequest', { actor: Words, reason: Words, version })
export const DeskHolderRequest = Shape('DeskHolderRequest', {
  actor: Words,
  reason: Words,
  version,
  holder: Nullable(Words, "to go by the shop's name again"),
})
export const DeskNoteRequest = Shape('DeskNoteRequest', {
  actor: Words,
  version,
  note: Nullable(Words, 'to remove it'),
})
export const DeskForgetRequest = Shape('DeskForgetRequest', { actor: Words, version })
export const DeskLinkRequest = Shape('DeskLinkRequest', { actor: Words })

export const DeskLink = Shape('DeskLink', {
  link: Type.String({ description: 'Opens the ticket for everybody who has it, until it is issued again' }),
})
export type DeskLink = Static<typeof DeskLink>
export const Reissued = Shape('Reissued', {
  ...DeskLink.properties,
  code: Type.String({ description: 'The new printed code' }),
  ticket: DeskTicket,
})
export type Reissued = Static<typeof Reissued>
