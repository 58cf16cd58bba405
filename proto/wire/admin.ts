/** The admin tier: one bearer token, which the box shows when it starts (`box/docs/authentication.md`). */
import { type Static, Type } from 'typebox'
import { Coded, Count, Direction, Hlc, Id, Mode, Nullable, Shape, Time, Words } from './terms.ts'

/** A week: an invite that is left lying around longer may be found by somebody else. */
export const MOST_INVITE_SECONDS = 7 * 86_400

export const InviteRequest = Shape('InviteRequest', {
  name: Type.Optional(Words),
  checkpoints: Type.Array(Id, { minItems: 1, maxItems: 1024, description: 'Checkpoints at which the device may scan' }),
  expires_in_seconds: Type.Optional(
    Type.Integer({ minimum: 10, maximum: MOST_INVITE_SECONDS, description: 'Ten minutes when absent' }),
  ),
  supervisor: Type.Optional(Type.Boolean({ description: 'The device may admit refused tickets, with a reason' })),
  actor: Type.Optional(Words),
})
export type InviteRequest = Static<typeof InviteRequest>

export const Invite = Shape('Invite', {
  invite: Type.String({ description: 'Single use, 128 bits' }),
  expires_at: Time,
  qr_payload: Type.String({ description: 'URL of the scanner app with address, CA fingerprint, code and expiry' }),
  qr_svg: Type.String(),
  trust_link: Type.Union([Type.String(), Type.Null()], {
    description:
      'The same invite on a page of plain HTTP that says whether the phone trusts the box, with the steps until it does; null for a supervisor, and where every phone trusts the certificate',
  }),
  trust_page: Type.Union([Type.String(), Type.Null()], {
    description:
      'For a supervisor: the page with the steps alone, to be opened first; nothing of the invite is in it. null for others, and where every phone trusts the certificate',
  }),
})
export type Invite = Static<typeof Invite>

export const Device = Shape('Device', {
  device_id: Type.String(),
  name: Type.String(),
  checkpoints: Type.Array(Type.String()),
  enrolled_at: Time,
  certificate_fingerprint: Type.String(),
  certificate_expires_at: Time,
  supervisor: Type.Boolean({ description: 'May admit refused tickets, with a reason' }),
  revoked_at: Nullable(Time),
  revoked_reason: Nullable(Type.String()),
  app: Type.Optional(
    Shape(
      'DeviceApp',
      {
        software: Type.String({ description: 'As the app named itself: when it was paired, or since' }),
        slowed_at: Nullable(Time, 'where it asked no faster than a person can'),
      },
      'Of pretixSCAN, which proves a token alone: bearer only. Absent for a scanner of ours',
    ),
  ),
})
export const Devices = Shape('Devices', { devices: Type.Array(Device) })

/** Taking a right away needs a name and a reason. */
export const RevokeRequest = Shape('RevokeRequest', { actor: Words, reason: Words })
export const Revoked = Shape('Revoked', { id: Type.String(), revoked_at: Time, revoked_reason: Type.String() })

export const ReinstateRequest = Shape('ReinstateRequest', { actor: Words, reason: Words })
export const Reinstated = Shape('Reinstated', {
  id: Type.String(),
  reinstated_at: Time,
  status: Type.Enum(['valid', 'pending', 'blocked', 'revoked'], {
    description: `The shop's status of the ticket, which still counts`,
  }),
})

export const ModeRequest = Shape('ModeRequest', { mode: Mode, actor: Words, reason: Words })
export const ModeState = Shape('ModeState', { mode: Mode })

/** A person's decision about a scan, after the box has answered it. */
export const OverrideRecord = Shape('OverrideRecord', {
  actor: Type.String(),
  reason: Type.String(),
  at: Time,
  device: Type.String(),
  device_name: Nullable(Type.String()),
})
export type OverrideRecord = Static<typeof OverrideRecord>

export const ScanRecord = Shape('ScanRecord', {
  scan_id: Type.String(),
  device: Type.String(),
  device_name: Nullable(Type.String()),
  person_name: Type.Optional(Type.String({ description: 'The person signed on at the scanner; absent: nobody' })),
  checkpoint: Type.String(),
  checkpoint_name: Nullable(Type.String()),
  direction: Direction,
  verdict: Type.String(),
  occurrence: Nullable(Count),
  observed_at: Time,
  recorded_at: Time,
  device_hlc: Type.String(),
  hlc: Hlc,
  offline_admitted: Type.Boolean(),
  box: Type.Optional(Type.String({ description: 'The box that wrote it down, where the event has several' })),
  box_name: Type.Optional(Type.String()),
  supervised: Type.Union([OverrideRecord, Type.Null()], {
    description: 'The admission of the refused ticket by a supervisor, with the reason',
  }),
  undone: Type.Union([OverrideRecord, Type.Null()], { description: 'The undo of the admission, with the reason' }),
})
export type ScanRecord = Static<typeof ScanRecord>

export const RESOLUTIONS = ['same_person', 'two_people', 'staff_error', 'fraud'] as const
export const FlagOutcome = Shape('FlagOutcome', {
  outcome: Type.Enum([...RESOLUTIONS]),
  note: Nullable(Type.String()),
  actor: Type.String(),
  at: Time,
})

export const FLAG_KINDS = [
  'double_use',
  'revoked_admission',
  'refused_admission',
  'unknown_admission',
  'clock_skew',
  'shop_conflict',
] as const

/** The shop's side of a case: it refused what had happened at a gate. */
export const ShopWords = Shape('ShopWords', {
  reason: Type.String({
    maxLength: 40,
    description: 'In a word of the shop, such as `canceled` or `already_redeemed`',
  }),
  used_at: Nullable(Time, 'the shop names no earlier use'),
  used_by: Nullable(Type.Integer({ description: 'Number of the device of the earlier use, in the shop' })),
  done: Type.Enum(['forced', 'sent_out', 'waits'], {
    description:
      'forced: recorded there all the same; sent_out: recorded as an exit, in place of an annulment; waits: the shop does not have it',
  }),
})
export type ShopWords = Static<typeof ShopWords>
export const Flag = Shape('Flag', {
  id: Type.String(),
  kind: Type.Enum([...FLAG_KINDS]),
  ticket_ref: Nullable(Type.String()),
  occurrence: Nullable(Count),
  detected_at: Time,
  version: Type.Unsafe<number>({ ...Count, description: 'Another one after every change of the case' }),
  records: Type.Array(ScanRecord, { description: 'In the order in which they came' }),
  order: Type.Optional(
    Type.Enum(['certain', 'uncertain'], {
      description: 'True if the first record is known to have been the first; where the event has several boxes',
    }),
  ),
  suspicion: Type.Optional(
    Type.Enum(['retry', 'impossible_travel'], {
      description: 'retry: one scanner and one code, within 3 s; impossible_travel: too far apart to walk in the time',
    }),
  ),
  shop: Type.Optional(ShopWords),
  resolution: Type.Union([FlagOutcome, Type.Null()], {
    description: 'The finding of whoever resolved it; null while the case is open, and again when it gains a record',
  }),
})
export type Flag = Static<typeof Flag>
export const FlagsQuery = Shape('FlagsQuery', {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: '500 when absent' })),
  after: Type.Optional(Type.String({ maxLength: 64, description: '`next` of the page before' })),
  state: Type.Optional(Type.Enum(['open', 'resolved'])),
  kind: Type.Optional(
    Type.Array(Type.Enum([...FLAG_KINDS]), {
      maxItems: FLAG_KINDS.length,
      description: 'Only these; may be repeated',
    }),
  ),
})
export type FlagsQuery = Static<typeof FlagsQuery>
export const Flags = Shape('Flags', {
  flags: Type.Array(Flag, { description: 'Newest first' }),
  next: Nullable(Type.String({ description: 'Start of the next page; null after the last' })),
})

export const ResolveRequest = Shape('ResolveRequest', {
  actor: Words,
  resolution: Type.Enum([...RESOLUTIONS]),
  note: Type.Optional(Words),
  version: Type.Optional(
    Type.Unsafe<number>({
      ...Count,
      description: 'Of the case as it was looked at: refused when it has changed since',
    }),
  ),
})
export type ResolveRequest = Static<typeof ResolveRequest>

/** The shops whose exports can be imported. `gatehouse` is Gatehouse's own CSV. */
export const SHOP_FORMATS = ['gatehouse', 'pretix', 'eventbrite', 'alfio', 'hievents', 'attendize'] as const
export type ShopFormat = (typeof SHOP_FORMATS)[number]
/** `auto` detects the format from the content. */
export const IMPORT_FORMATS = ['auto', ...SHOP_FORMATS] as const
export const ImportQuery = Shape('ImportQuery', {
  format: Type.Optional(Type.Enum([...IMPORT_FORMATS])),
  dry_run: Type.Optional(Type.Boolean()),
  actor: Type.Optional(Words),
  tier: Type.Optional(
    Type.Union([Type.String({ maxLength: 500 }), Type.Array(Type.String({ maxLength: 500 }), { maxItems: 200 })], {
      description: 'NAME=TIER, where a product of the shop has another name than the tier; may be repeated',
    }),
  ),
  column: Type.Optional(
    Type.Union([Type.String({ maxLength: 200 }), Type.Array(Type.String({ maxLength: 200 }), { maxItems: 20 })], {
      description:
        'FIELD=COLUMN, for a CSV of no known shop; may be repeated. It is kept for the next file of the same columns',
    }),
  ),
  status: Type.Optional(
    Type.Union([Type.String({ maxLength: 250 }), Type.Array(Type.String({ maxLength: 250 }), { maxItems: 50 })], {
      description: 'WORD=STATUS, with `column`: what a word of the status column means',
    }),
  ),
  every_tier: Type.Optional(
    Type.String({ maxLength: 128, description: 'With `column`: tier of all tickets of the file' }),
  ),
  used_tiers: Type.Optional(
    Type.Enum(['keep', 'change'], {
      description:
        'Whether a ticket that was used or is revoked gets the tier of the file, if that is another one. When absent it keeps its own, and the report says so',
    }),
  ),
})

export const ExportQuery = Shape('ExportQuery', { actor: Type.Optional(Words) })
export const BackupQuery = Shape('BackupQuery', { actor: Type.Optional(Words) })

const ChangedField = Shape('ChangedField', {
  field: Type.Enum([
    ...(['tier', 'status', 'status_detail', 'seat', 'holder_name', 'email', 'valid_from', 'valid_until'] as const),
    'details',
  ]),
  from: Nullable(Type.String(), 'where it was empty, and for names, addresses and details'),
  to: Nullable(Type.String(), 'where it is empty, and for names, addresses and details'),
})

const TicketChange = Shape('TicketChange', {
  row: Count,
  ref: Type.String({ description: 'Of the ticket' }),
  state: Type.Enum(['unused', 'used', 'revoked'], {
    description: 'Of a ticket whose tier changes; `unused` for the others',
  }),
  tier_kept: Type.Boolean({ description: 'Its tier stays as it was: see `used_tiers`' }),
  fields: Type.Array(ChangedField),
})

export const ImportReport = Shape('ImportReport', {
  format: Type.String(),
  dry_run: Type.Boolean(),
  read: Count,
  added: Count,
  changed: Count,
  unchanged: Count,
  rejected: Type.Array(
    Shape('RejectedRow', {
      row: Count,
      reason: Type.String(),
      coded: Type.Optional({ ...Coded, description: 'The same as a code' }),
    }),
  ),
  warnings: Type.Array(Type.String()),
  warned: Type.Optional(
    Type.Array(
      Shape('ImportWarning', {
        text: Type.String({ description: 'Without its rows' }),
        rows: Type.Array(Count, { description: 'The first few that it is about' }),
        count: Type.Unsafe<number>({ ...Count, description: 'Of all of them; 0 where it is about the file' }),
        coded: Type.Optional({ ...Coded, description: 'The same as a code' }),
      }),
      { description: 'The same as `warnings`, in parts' },
    ),
  ),
  changes: Type.Optional(
    Type.Array(TicketChange, {
      description:
        'Of tickets that were there: first the used and revoked ones whose tier is another, 100 at most, then the others, 100 at most',
    }),
  ),
  tiers_kept: Type.Optional({
    ...Count,
    description: 'Tickets that were used or are revoked, and keep their tier although the file has another one',
  }),
  matched: Type.Optional(
    Type.Enum(['now', 'kept'], {
      description: 'Its columns were matched by hand: with this request, or for an earlier file of the same columns',
    }),
  ),
})
export type ImportReport = Static<typeof ImportReport>
