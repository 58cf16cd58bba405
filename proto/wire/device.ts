/** The device tier beside scanning: the mirror that a scanner keeps so that it can decide offline. */
import { type Static, Type } from 'typebox'
import { CODE_KINDS } from '../code-kinds.ts'
import { Announcement } from './attendee.ts'
import { Hold, HoldEvent, Incident } from './incidents.ts'
import { OtherBox } from './mesh.ts'
import { ScannerSignOn } from './staff.ts'
import {
  Base64,
  Checkpoint,
  Colour,
  Count,
  Direction,
  Hlc,
  Mode,
  Nullable,
  OUTSIDE,
  Shape,
  StreamOf,
  Time,
} from './terms.ts'

/** Bloom filter over code hashes; how the bits are addressed is in `proto/bloom.ts` and its vectors. */
export const Filter = Shape('Filter', {
  m: Type.Integer({ minimum: 8, description: 'Bits' }),
  k: Type.Integer({ minimum: 1, maximum: 32, description: 'Hashes' }),
  n: Type.Integer({ minimum: 0, description: 'Codes in the filter' }),
  salt: Base64,
  bits: Base64,
})
export type Filter = Static<typeof Filter>

/** The addressing of the bits is in `proto/code-table.ts` and its vectors. */
export const CodeTable = Shape('CodeTable', {
  buckets: Type.Integer({ minimum: 1, description: 'A power of two' }),
  cells: Type.Integer({ minimum: 3, description: 'Of a bucket: a multiple of three' }),
  width: Type.Integer({ minimum: 1, maximum: 16, description: 'Bits of a cell' }),
  seeds: Base64,
  bits: Base64,
})
export type CodeTable = Static<typeof CodeTable>

export const TierRules = Shape('TierRules', {
  id: Type.String(),
  name: Type.String(),
  colour: Colour,
  entry: Type.Enum(['once', 'once_per_day', 'reentry', 'unlimited']),
})
export type TierRules = Static<typeof TierRules>

/** The properties of tickets that an offline scanner decides by; many tickets share them. */
export const TicketKind = Shape('TicketKind', {
  tier: Type.String({ description: 'One of `tiers`, or one that has left the event' }),
  valid_from: Nullable(Time, 'where it has no beginning'),
  valid_until: Nullable(Time, 'where it has no end'),
})
export type TicketKind = Static<typeof TicketKind>

const KindsOfCodes = (of: string) =>
  Type.Array(Count, { description: `For each of \`${of}\`, in its order: which of \`kinds\` it is` })

/** Codes that have changed: in a delta, and in the stream's `ticket` event. */
export const changedCodes = {
  added: Type.Array(Type.String(), {
    description: 'Code hashes to add to the filter, and to take off the revoked list; base64',
  }),
  added_kinds: KindsOfCodes('added'),
  revoked: Type.Array(Type.String(), { description: 'Code hashes, base64: refuse these whatever the filter says' }),
  revoked_kinds: KindsOfCodes('revoked'),
  kinds: Type.Array(TicketKind),
}

/** Fields that a manifest and a delta have in common. */
const standing = {
  life: Type.Integer({
    minimum: 0,
    description: 'When this life of the ledger began, unix seconds: a restored box begins another. Refuse a lower one',
  }),
  version: Type.Integer({ minimum: 0, description: 'Grows with every change; refuse a lower one of the same life' }),
  event_id: Type.String(),
  box_id: Type.Optional(
    Type.String({
      description:
        'Whose ledger this is, where the event has several boxes: lives and versions of two of them do not compare',
    }),
  ),
  boxes: Type.Optional(
    Type.Array(OtherBox, { description: 'The others, where a scanner goes on when this one is gone' }),
  ),
  mode: Mode,
  hlc: Hlc,
  checkpoints: Type.Array(Checkpoint),
  holds: Type.Array(Hold, { description: 'Gates through which nobody enters, whatever the ticket' }),
  venue_etag: Type.String(),
  tickets: Type.Unsafe<number>({ ...Count, description: 'Tickets of the event in any state: no fewer than there are' }),
  tiers: Type.Array(TierRules),
  details: Type.Optional(
    Type.Literal(true, {
      description:
        'Tickets of this event have a name, an order, a product, questions or notes, which only a box knows: a scanner that is alone says so. Which tickets, no manifest says',
    }),
  ),
  codes: Type.Optional(
    Type.Array(Type.Enum([...CODE_KINDS]), { description: 'Kinds of printed codes that scanners read besides QR' }),
  ),
  sign_on: Type.Optional(
    Shape(
      'SignOnRule',
      { lock_minutes: Type.Integer({ minimum: 1, description: 'Without a touch or a scan for so long, ask again' }) },
      'Somebody has to be signed on at this scanner: `POST /v1/sign-on`',
    ),
  ),
  days: Type.Array(Time, {
    description:
      'When festival days begin, the present one first: each gives tickets of `once_per_day` their right back',
  }),
  signature: Type.Unsafe<string>({
    ...Base64,
    description: "Ed25519 by the box's key over the RFC 8785 bytes of the rest",
  }),
}

export const Manifest = Shape('Manifest', {
  ...standing,
  filter: Filter,
  revoked: Type.Array(Type.String(), { description: 'Code hashes, base64: refuse these whatever the filter says' }),
  kinds: Type.Array(TicketKind),
  kind_table: Type.Unsafe<CodeTable>({
    ...CodeTable,
    description: 'For each code of a ticket: which of `kinds` it is',
  }),
  late_codes: Type.Array(Type.String(), { description: 'Code hashes, base64: these go before the table' }),
  late_kinds: KindsOfCodes('late_codes'),
  redeemed: Type.Unsafe<string>({
    ...Base64,
    description: 'Sorted 8-byte prefixes of code hashes that at least one of these checkpoints would refuse as used',
  }),
  redeemed_by_zone: Type.Record(Type.String(), Type.String(), {
    description: 'The same for each zone that these checkpoints lead into',
  }),
})
export type Manifest = Static<typeof Manifest>

export const ManifestDelta = Shape('ManifestDelta', {
  ...standing,
  since: Type.Integer({ minimum: 0 }),
  ...changedCodes,
  redeemed: Type.Array(
    Shape('Redeemed', {
      code_hash: Type.String({ description: 'The 8-byte prefix, base64' }),
      zone: Nullable(Type.String({ description: 'The zone that the right is for' }), OUTSIDE),
      used: Type.Boolean({ description: 'false: the holder left, and may come in again' }),
    }),
  ),
})
export type ManifestDelta = Static<typeof ManifestDelta>

/** `GET /v1/stream`, event `redemption`: a scan at another device that changed who may enter. */
export const Redemption = Shape('Redemption', {
  code_hash: Nullable(
    Type.String({ description: 'Of the code that was shown, base64; null for an undo, which names none' }),
  ),
  code_hashes: Type.Array(Type.String(), { description: 'Every code of the ticket: the printed one and the key' }),
  checkpoint: Type.String(),
  direction: Direction,
  zone: Nullable(
    Type.String({ description: 'The zone that the right is for: where an entry leads, where an exit comes from' }),
    OUTSIDE,
  ),
  used: Type.Boolean({ description: 'True while the right to enter that zone is used up' }),
  occurrence: Type.Unsafe<number>({ ...Count, description: 'Admissions of the ticket' }),
  hlc: Hlc,
  provisional: Type.Boolean({ description: 'Another box may have admitted it as well, unheard' }),
})
export type Redemption = Static<typeof Redemption>

/** Version of the manifest that contains what the event says. */
const version = Type.Unsafe<number>({ ...Count, description: 'Version of the manifest that has it' })

export const RevocationEvent = Shape('RevocationEvent', {
  code_hashes: Type.Array(Type.String(), { description: 'Every code of the ticket, base64: refuse these' }),
  hlc: Hlc,
  version,
})

/** Codes that have changed, or, where the fields of a delta are missing, the news that there are some. */
export const TicketEvent = Shape(
  'TicketEvent',
  {
    version,
    hlc: Hlc,
    added: Type.Optional(changedCodes.added),
    added_kinds: Type.Optional(changedCodes.added_kinds),
    revoked: Type.Optional(changedCodes.revoked),
    revoked_kinds: Type.Optional(changedCodes.revoked_kinds),
    kinds: Type.Optional(changedCodes.kinds),
    redeemed: Type.Optional(ManifestDelta.properties.redeemed),
  },
  'Without `added`: too many codes have changed to name them here, so fetch the delta since your version.',
)

export const ModeEvent = Shape('ModeEvent', {
  mode: Mode,
  hlc: Hlc,
  reason: Type.Optional(Type.String({ description: 'Present if the event has several boxes' })),
  unheard: Type.Optional(
    Type.Array(
      Shape('UnheardBox', {
        name: Type.String(),
        seconds: Nullable(Type.Integer({ minimum: 0, description: 'For how long; null where it was never heard' })),
      }),
      { description: 'Boxes with gates that do not answer' },
    ),
  ),
})

export const PositionEvent = Shape(
  'PositionEvent',
  { version: Count },
  'Sent at the beginning where no Last-Event-ID was sent: its id is where the stream stands.',
)

export const SignOnEvent = Shape(
  'SignOnEvent',
  { signed_on: Type.Union([ScannerSignOn, Type.Null()], { description: 'null: nobody is' }) },
  'To this scanner alone, at the beginning and when it changes, where somebody has to be signed on at it.',
)
export type SignOnEvent = Static<typeof SignOnEvent>

export const GAP_REASONS = ['invalid', 'another_ledger', 'ahead', 'too_far_back', 'unreadable'] as const
export type GapReason = (typeof GAP_REASONS)[number]
export const GapEvent = Shape(
  'GapEvent',
  {
    version: Count,
    reason: Type.Enum([...GAP_REASONS], {
      description:
        'invalid: the Last-Event-ID is not a position; another_ledger: of another box, or before a restore; ahead: of what this box has; too_far_back: the manifest is shorter; unreadable: an entry is damaged',
    }),
  },
  'What was missed cannot be sent. Fetch the whole manifest; the stream goes on from here.',
)
export type GapEvent = Static<typeof GapEvent>

/** Events of `GET /v1/stream`. */
export const DeviceEvent = StreamOf('DeviceEvent', {
  position: PositionEvent,
  redemption: Redemption,
  revocation: RevocationEvent,
  ticket: TicketEvent,
  mode: ModeEvent,
  incident: Incident,
  hold: HoldEvent,
  announcement: Announcement,
  sign_on: SignOnEvent,
  gap: GapEvent,
})
