/** The rows of tickets and of their products, as they travel with entries. */
import { type Static, Type } from 'typebox'
import { type ProductRow as ProductColumns, TICKET_STATUSES, type Ticket } from '../../ledger/schema.ts'
import type { DetailFields } from '../../tickets/details.ts'
import { Bytes, columnsOf, Hlc, Id, Ms, Nullable, Text } from './row-columns.ts'

/** The version of a group of fields: clock reading and box of its last change. Both are empty where it never changed. */
export const WireVersion = Type.Object({
  hlc: Type.Union([Hlc, Type.Literal('')]),
  box: Type.String({ maxLength: 64 }),
})

const Salted = Type.Object({ text: Text, salt: Type.String({ pattern: '^[0-9a-f]{32}$' }) })

type DeskColumns = 'deskCode' | 'deskLink' | 'deskHolder' | 'deskNote'

/** Texts and codes that the desk has written about a ticket. */
export const DeskRow = Type.Object(
  columnsOf<Pick<Ticket, DeskColumns>>()({
    deskCode: Nullable(Type.String({ minLength: 1, maxLength: 64 })),
    deskLink: Nullable(Type.String({ pattern: '^[A-Za-z0-9_-]{22}$' })),
    deskHolder: Nullable(Salted),
    deskNote: Nullable(Salted),
  }),
)

/** Bounds of `tickets/import/details.ts`; a longer text stays at its box. */
const MOST_PERSONAL = 16_384
const MOST_EXTRAS = 32_768
export const MOST_PRODUCT = 65_536
const Short = Type.String({ maxLength: 200 })
const Numbered = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

/** Details of a ticket that its shop decides. */
export const DetailsRow = Type.Object(
  columnsOf<DetailFields>()({
    product: Nullable(Short),
    orderCode: Nullable(Short),
    position: Nullable(Numbered),
    addonTo: Nullable(Numbered),
    price: Nullable(Short),
    attention: Nullable(Type.Integer({ minimum: 0, maximum: 1 })),
    personal: Nullable(Type.String({ maxLength: MOST_PERSONAL })),
    extras: Nullable(Type.String({ maxLength: MOST_EXTRAS })),
  }),
)
export type DetailsRow = Static<typeof DetailsRow>

/** A product, and the version of its last change. */
export const ProductRow = Type.Object({
  ...columnsOf<Pick<ProductColumns, 'key' | 'product' | 'hlc'>>()({
    key: Type.String({ minLength: 1, maxLength: 200 }),
    product: Type.String({ maxLength: MOST_PRODUCT }),
    hlc: Hlc,
  }),
  box: Type.String({ minLength: 1, maxLength: 64 }),
})
export type ProductRow = Static<typeof ProductRow>

export const TicketRow = Type.Object({
  ...columnsOf<Omit<Ticket, 'id' | 'sharedRef' | 'entry' | 'forgottenAt' | keyof DetailFields | DeskColumns>>()({
    ref: Type.String({ pattern: '^[0-9a-f]{32}$' }),
    capability: Type.String({ pattern: '^[A-Za-z0-9_-]{22}$' }),
    code: Type.String({ minLength: 1, maxLength: 1024 }),
    tier: Id,
    seat: Nullable(Text),
    holderName: Nullable(Text),
    email: Nullable(Text),
    validFrom: Nullable(Type.Integer()),
    validUntil: Nullable(Type.Integer()),
    status: Type.Enum([...TICKET_STATUSES]),
    statusDetail: Nullable(Text),
    revokedAt: Nullable(Ms),
    revokedReason: Nullable(Text),
    seed: Bytes(0, 32),
    publicKey: Bytes(32),
    claimedAt: Nullable(Ms),
  }),
  /** Absent for nearly every ticket, and by boxes of version 0.1. */
  desk: Type.Optional(DeskRow),
  /** Absent for a ticket of which the shop says nothing more, and by boxes of version 0.1. */
  details: Type.Optional(DetailsRow),
  /** Time at which its holder was erased. */
  forgottenAt: Type.Optional(Ms),
  /** Codes that it had: whoever shows one is told why it is refused. */
  earlier: Type.Array(Type.Object({ hash: Bytes(16, 64), kind: Type.Enum(['retired', 'replaced']) }), {
    maxItems: 1000,
  }),
  versions: Type.Object({
    shop: Type.Optional(WireVersion),
    revoked: Type.Optional(WireVersion),
    claim: Type.Optional(WireVersion),
    reissue: Type.Optional(WireVersion),
    holder: Type.Optional(WireVersion),
    note: Type.Optional(WireVersion),
    details: Type.Optional(WireVersion),
  }),
})
export type TicketRow = Static<typeof TicketRow>

/** A text that other boxes would refuse stays here, and the rest of the ticket travels. */
export function bounded(details: DetailFields): DetailFields {
  const { personal, extras } = details
  return {
    ...details,
    personal: personal !== null && personal.length > MOST_PERSONAL ? null : personal,
    extras: extras !== null && extras.length > MOST_EXTRAS ? null : extras,
  }
}
