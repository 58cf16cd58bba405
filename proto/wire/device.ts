/** The device tier beside scanning: what a scanner mirrors so that it can decide alone. */
import { type Static, Type } from 'typebox'
import { Hold } from './incidents.ts'
import { OtherBox } from './mesh.ts'
import { Base64, Checkpoint, Colour, Count, Direction, Hlc, Mode, Nullable, Shape, Time } from './terms.ts'

/** Bloom filter over code hashes; how the bits are addressed is in `proto/bloom.ts` and its vectors. */
export const Filter = Shape('Filter', {
  m: Type.Integer({ minimum: 8, description: 'Bits' }),
  k: Type.Integer({ minimum: 1, maximum: 32, description: 'Hashes' }),
  n: Type.Integer({ minimum: 0, description: 'Codes in the filter' }),
  salt: Base64,
  bits: Base64,
})
export type Filter = Static<typeof Filter>

/** How the bits are addressed is in `proto/code-table.ts` and its vectors. */
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

/** What tickets have in common that a scanner alone goes by. */
export const TicketKind = Shape('TicketKind', {
  tier: Type.String({ description: 'One of `tiers`, or one that has left the event' }),
  valid_from: Nullable(Time),
  valid_until: Nullable(Time),
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
      zone: Nullable(Type.String()),
      used: Type.Boolean({ description: 'false: the holder left, and may come in again' }),
    }),
  ),
})
export type ManifestDelta = Static<typeof ManifestDelta>

/** `GET /v1/stream`, event `redemption`: a scan at another device that changed who may enter. */
export const Redemption = Shape('Redemption', {
  code_hash: Nullable(Type.String()),
  code_hashes: Type.Array(Type.String(), { description: 'Every code of the ticket: the printed one and the key' }),
  checkpoint: Type.String(),
  direction: Direction,
  zone: Nullable(Type.String()),
  used: Type.Boolean(),
  occurrence: Count,
  hlc: Hlc,
  provisional: Type.Boolean(),
})
export type Redemption = Static<typeof Redemption>
