/** The attendee tier: the only credential is the ticket id, a capability, which the wallet sends in paths and nowhere else. */
import { type Static, Type } from 'typebox'
import { Base64, Colour, Count, Direction, Hlc, Nullable, Shape, StreamOf, Time, Words } from './terms.ts'

/** 128 random bits, base64url, made by the box at import. Any other text gets the answer of an unknown id. */
export const TicketParams = Type.Object({ id: Type.String({ maxLength: 256 }) })

export const TicketView = Shape('TicketView', {
  ticket: Shape('TicketFace', {
    tier_name: Type.String(),
    tier_colour: Nullable(Colour, 'where its tier has left the event'),
    seat_label: Nullable(Type.String(), 'where it has no seat'),
    holder_name: Type.Optional(Type.String()),
    valid_from: Nullable(Time, 'where it has no beginning'),
    valid_until: Nullable(Time, 'where it has no end'),
    status: Type.Enum(['valid', 'pending', 'blocked', 'revoked']),
    zones: Type.Array(Shape('ZoneName', { id: Type.String(), name: Type.String() }), {
      description: 'Places that this ticket gives access to',
    }),
  }),
  history: Type.Array(
    Shape('Passage', { checkpoint_name: Type.String(), gate_name: Type.String(), direction: Direction, at: Time }),
    { description: 'Oldest first' },
  ),
  claimed: Type.Boolean(),
  secret: Type.Optional(
    Type.Unsafe<string>({ ...Base64, description: 'Ed25519 seed of the rotating code, 32 bytes; absent once claimed' }),
  ),
  period_seconds: Count,
  event_id: Type.String(),
  event_name: Type.String(),
  event: Type.Optional(
    Shape(
      'EventFace',
      {
        starts_at: Time,
        time_zone: Type.String({ description: 'IANA zone of the event, to show times in' }),
        doors_at: Nullable(Time, 'where an entrance of this ticket has no opening time'),
        place: Type.Optional(Type.String({ description: 'Name and address; absent where the event file has none' })),
        entrances: Type.Array(Type.String(), { description: 'Gates at which this ticket gets in from outside' }),
      },
      'Absent in views of older boxes',
    ),
  ),
  event_tag: Type.String({
    pattern: '^[0-9a-f]{16}$',
    description: 'Tag of the event that rotating codes are signed for',
  }),
  hlc: Hlc,
})
export type TicketView = Static<typeof TicketView>

export const ClaimRequest = Shape('ClaimRequest', {
  public_key: Type.String({ maxLength: 64, description: 'Ed25519, 32 bytes, base64: made on the phone' }),
  proof: Type.String({
    maxLength: 128,
    description: 'Base64 signature by that key over "gatehouse/claim/v1", NUL, the ticket id',
  }),
})
export type ClaimRequest = Static<typeof ClaimRequest>

export const Claimed = Shape('Claimed', { claimed: Type.Literal(true), claimed_at: Time })

export const ReleaseRequest = Shape('ReleaseRequest', { actor: Words, reason: Words })
export const Released = Shape('Released', { id: Type.String(), released: Type.Literal(true) })

export const SEVERITIES = ['info', 'warning', 'emergency'] as const
export const Announcement = Shape('Announcement', {
  id: Type.String(),
  severity: Type.Enum([...SEVERITIES]),
  text: Type.String(),
  lang: Type.String(),
  zones: Type.Optional(Type.Array(Type.String())),
  issued_at: Time,
  expires_at: Type.Optional(Time),
  replaces: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Ids of earlier announcements in whose place it stands: whoever has verified this one shows none of them',
    }),
  ),
  withdrawn: Type.Optional(
    Type.Literal(true, { description: 'It only takes those back, and is itself not to be shown' }),
  ),
  hlc: Hlc,
  signature: Type.Unsafe<string>({
    ...Base64,
    description: "Ed25519 by the box's verifier key over the RFC 8785 bytes of the other fields",
  }),
})
export type Announcement = Static<typeof Announcement>
export const AnnounceRequest = Shape('AnnounceRequest', {
  text: Words,
  severity: Type.Enum([...SEVERITIES]),
  lang: Type.Optional(Type.String({ pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$', description: 'BCP 47; en' })),
  zones: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 256 })),
  expires_at: Type.Optional(Time),
  replaces: Type.Optional(
    Type.String({
      maxLength: 128,
      description: 'Id of the announcement that this one corrects, and takes the place of',
    }),
  ),
  actor: Words,
})
export const WithdrawRequest = Shape('WithdrawRequest', { actor: Words })
export const Announcements = Shape('Announcements', { announcements: Type.Array(Announcement) })
export const AnnouncementEvent = StreamOf('AnnouncementEvent', { announcements: Announcements })
