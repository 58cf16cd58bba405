/** The statistics that the control room shows, and the status that each scanner reports for them. */
import { type Static, Type } from 'typebox'
import { Hold } from './incidents.ts'
import { MeshStanding } from './mesh.ts'
import { RehearsalNotice, RunningRehearsal } from './rehearsal.ts'
import { Count, Direction, Hlc, Id, Mode, Nullable, Shape, Time } from './terms.ts'

const Verdicts = Type.Record(Type.String(), Count, { description: 'Scans by verdict; one that never came is absent' })
const Rate = Type.Number({ minimum: 0, description: 'People admitted a minute, over the last five' })

/** One of the two was changed afterwards: a person has to find out which, and keep both boxes as they are. */
export const Contradiction = Shape('Contradiction', {
  box: Type.String(),
  name: Type.String(),
  size: Type.Integer({ minimum: 0, description: 'Entries that the seal covers' }),
  why: Type.Enum(['root', 'two_seals', 'signature'], {
    description: 'root: of other entries than it told; two_seals: two of one size that differ; signature: not its own',
  }),
  at: Time,
})
export type Contradiction = Static<typeof Contradiction>

export const ZoneStats = Shape('ZoneStats', {
  id: Type.String(),
  name: Type.String(),
  occupancy: Type.Integer({ minimum: 0, description: 'People inside, as far as the box has heard' }),
  capacity: Count,
  uncertain: Type.Integer({ minimum: 0, description: 'The count may be off by so many: scanners there are silent' }),
  occupancy_min: Count,
  occupancy_max: Count,
})

export const GateStats = Shape('GateStats', {
  id: Type.String(),
  name: Type.String(),
  per_minute: Rate,
  sparkline: Type.Array(Count, { description: 'Admissions in each of the last 60 minutes, oldest first' }),
  verdicts: Verdicts,
  hold: Type.Union([Hold, Type.Null()]),
  checkpoints: Type.Array(
    Shape('CheckpointStats', {
      id: Type.String(),
      name: Type.String(),
      direction: Direction,
      from: Nullable(Type.String({ description: 'Zone' })),
      to: Nullable(Type.String({ description: 'Zone' })),
      tiers: Type.Array(Type.String()),
      opens_at: Type.Optional(Time),
      closes_at: Type.Optional(Time),
      per_minute: Rate,
    }),
  ),
})

export const TierStats = Shape('TierStats', {
  id: Type.String(),
  name: Type.String(),
  entry: Type.Enum(['once', 'once_per_day', 'reentry', 'unlimited']),
  static_code: Type.Enum(['until_claimed', 'always', 'never'], {
    description: 'The times at which the printed code opens it',
  }),
  sold: Type.Integer({ minimum: 0, description: 'Tickets that are valid' }),
  admitted: Type.Integer({ minimum: 0, description: 'Tickets that were admitted at least once' }),
})

export const ScannerStats = Shape('ScannerStats', {
  device_id: Type.String(),
  name: Type.String(),
  checkpoint: Nullable(
    Type.String({ description: 'Checkpoint of its last scan, or the one that it has chosen since' }),
  ),
  last_seen: Time,
  state: Type.Enum(['live', 'quiet', 'lost', 'revoked'], {
    description: 'Heard within 15 s, within 60 s, longer ago; or out of service',
  }),
  clock_offset_ms: Nullable(Type.Integer({ description: 'Lead of its clock' })),
  unsent: Nullable(Type.Integer({ minimum: 0, description: 'Scans that it has still to upload; null: it never said' })),
  app_version: Nullable(Type.String()),
  battery: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
  scans: Count,
})

export const ShopStats = Shape('ShopStats', {
  connected: Type.Boolean({ description: 'True while the feed of the shop is there' }),
  lag_seconds: Nullable(
    Type.Number({ minimum: 0, description: 'Since the oldest change that waits; 0 when none does, null: nobody told' }),
  ),
  problems: Type.Integer({ minimum: 0, description: 'Rows that could not be applied, and wait for a person' }),
})
export type ShopStats = Static<typeof ShopStats>

/** Wrong PINs and passwords. */
export const FailedSignIns = Shape('FailedSignIns', {
  count: Count,
  last_at: Time,
  last_address: Type.String(),
})
export type FailedSignIns = Static<typeof FailedSignIns>

/** Uses of the admin token, where persons sign in. */
export const GlassUsed = Shape('GlassUsed', {
  count: Count,
  last_at: Time,
  last_address: Type.String(),
})
export type GlassUsed = Static<typeof GlassUsed>

export const WrongTokens = Shape('WrongTokens', {
  count: Type.Integer({ minimum: 1, description: 'Since the box started' }),
  last_at: Time,
  last_address: Type.String({ description: 'Address from which the last one came' }),
})
export type WrongTokens = Static<typeof WrongTokens>

export const Stats = Shape('Stats', {
  as_of: Time,
  hlc: Hlc,
  event: Type.String({ description: 'Its id' }),
  event_name: Type.String(),
  time_zone: Type.Optional(Type.String({ description: 'IANA zone of the event; absent: of an older box' })),
  mode: Mode,
  zones: Type.Array(ZoneStats),
  gates: Type.Array(GateStats),
  verdicts: Verdicts,
  tiers: Type.Array(TierStats),
  scanners: Type.Array(ScannerStats),
  incidents: Shape('IncidentCounts', {
    open: Count,
    acknowledged: Count,
    assigned: Count,
    resolved: Count,
    cancelled: Count,
  }),
  response: Shape('ResponseTimes', {
    median_ack_seconds: Nullable(Type.Number({ minimum: 0 })),
    median_resolve_seconds: Nullable(Type.Number({ minimum: 0 })),
  }),
  seal: Shape('SealState', {
    size: Type.Integer({ minimum: 0, description: 'Entries that the newest seal covers' }),
    at: Nullable(Time),
    refusal: Type.Union(
      [Type.Enum(['entries_changed', 'entries_missing', 'seal_changed', 'seal_missing']), Type.Null()],
      { description: 'Why nothing is sealed any more: the record contradicts its newest seal. null: all is well' },
    ),
    contradicted: Type.Optional(
      Type.Array(Contradiction, {
        description: 'Other boxes whose seals are not of what they told; absent: all is well',
      }),
    ),
  }),
  mesh: Type.Optional({ ...MeshStanding, description: 'Present if the event has several boxes' }),
  shop: Type.Optional({ ...ShopStats, description: 'Present if a shop is mapped; more in /v1/admin/links' }),
  wrong_tokens: Type.Optional({
    ...WrongTokens,
    description: 'Requests of the admin tier with a wrong token; absent: none',
  }),
  failed_sign_ins: Type.Optional({
    ...FailedSignIns,
    description: 'Wrong PINs and passwords since the box started; absent: none',
  }),
  admin_token_used: Type.Optional({
    ...GlassUsed,
    description:
      'Uses of the admin token, where people sign in with their names, that no person has acknowledged; absent: none',
  }),
  rehearsal: Type.Optional({ ...RunningRehearsal, description: 'Present while a rehearsal runs at this box' }),
  flags: Type.Integer({ minimum: 0, description: 'Cases that are open' }),
  flags_by_kind: Type.Record(Type.String(), Shape('FlagCounts', { open: Count, resolved: Count })),
  tickets: Type.Integer({ minimum: 0, description: 'Tickets that are valid' }),
  admitted: Type.Integer({ minimum: 0, description: 'Tickets that were admitted at least once' }),
  admissions: Type.Integer({ minimum: 0, description: 'People let in, each time that they were' }),
  exits: Count,
  offline: Type.Integer({ minimum: 0, description: 'Passages that a scanner allowed alone' }),
  supervised: Type.Integer({ minimum: 0, description: 'Admissions of refused tickets by a supervisor' }),
  undone: Type.Integer({ minimum: 0, description: 'Admissions that were taken back; no other count has them' }),
  entries: Type.Integer({ minimum: 0, description: 'Journal entries counted' }),
})
export type Stats = Static<typeof Stats>

export const Occupancy = Shape(
  'Occupancy',
  {
    as_of: Time,
    from: Time,
    step_seconds: Count,
    time_zone: Type.String({ description: 'IANA zone of the event' }),
    zones: Type.Array(
      Shape('ZoneOccupancy', {
        id: Type.String(),
        name: Type.String(),
        capacity: Count,
        people: Type.Array(Count, {
          description: 'People inside at `from` and after each further step; the last is now',
        }),
      }),
    ),
  },
  'People in each zone, from the first passage of the last 24 hours until now',
)
export type Occupancy = Static<typeof Occupancy>

export const StatusReport = Shape(
  'StatusReport',
  {
    unsent: Type.Integer({ minimum: 0, maximum: 10_000_000, description: 'Scans that are still to be uploaded' }),
    app_version: Type.Optional(Type.String({ minLength: 1, maxLength: 40, pattern: '^[\\x20-\\x7e]+$' })),
    battery: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    checkpoint: Type.Optional(Id),
    device_hlc: Type.Optional(Hlc),
  },
  'Sent every ten seconds, and when something changes',
)
export type StatusReport = Static<typeof StatusReport>

export const StatusAnswer = Shape('StatusAnswer', {
  now: Time,
  hlc: Hlc,
  rehearsal: Type.Optional({
    ...RehearsalNotice,
    description: 'Present while a rehearsal runs: scan under /rehearsal, and say so on the screen',
  }),
})
export type StatusAnswer = Static<typeof StatusAnswer>
