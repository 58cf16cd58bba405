/** The rows that travel with entries: what a journal must not name, and another box needs all the same. */
import { type Static, type TSchema, Type } from 'typebox'

const MOST_TEXT = 4096
const Text = Type.String({ maxLength: MOST_TEXT })
const Id = Type.String({ minLength: 1, maxLength: 256 })
const Ms = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Hlc = Type.String({ pattern: '^[0-9]{13}\\.[0-9]{6}$' })
const Nullable = <T extends TSchema>(of: T) => Type.Union([of, Type.Null()])
/** Base64, with padding. */
const Bytes = (from: number, to = from) =>
  Type.String({
    ...{ minLength: Math.ceil(from / 3) * 4, maxLength: Math.ceil(to / 3) * 4 },
    pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
  })

/** Which change it is: of the box's clock, and the box. Empty texts for one that came before every other. */
export const WireVersion = Type.Object({
  hlc: Type.Union([Hlc, Type.Literal('')]),
  box: Type.String({ maxLength: 64 }),
})

export const TicketRow = Type.Object({
  ref: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  capability: Type.String({ pattern: '^[A-Za-z0-9_-]{22}$' }),
  code: Type.String({ minLength: 1, maxLength: 1024 }),
  tier: Id,
  seat: Nullable(Text),
  holderName: Nullable(Text),
  email: Nullable(Text),
  validFrom: Nullable(Type.Integer()),
  validUntil: Nullable(Type.Integer()),
  status: Type.Enum(['valid', 'pending', 'blocked', 'revoked']),
  statusDetail: Nullable(Text),
  revokedAt: Nullable(Ms),
  revokedReason: Nullable(Text),
  seed: Bytes(0, 32),
  publicKey: Bytes(32),
  claimedAt: Nullable(Ms),
  /** Codes that it had: what shows one is told why it is refused. */
  earlier: Type.Array(Type.Object({ hash: Bytes(16, 64), kind: Type.Enum(['retired', 'replaced']) }), {
    maxItems: 1000,
  }),
  versions: Type.Object({
    shop: Type.Optional(WireVersion),
    revoked: Type.Optional(WireVersion),
    claim: Type.Optional(WireVersion),
  }),
})
export type TicketRow = Static<typeof TicketRow>

/** The answer to a scan, as it was sent. */
export const ScanRow = Type.Object({
  digest: Bytes(32),
  passed: Type.Boolean(),
  response: Type.String({ maxLength: 16_384 }),
})
export type ScanRow = Static<typeof ScanRow>

/** What a passage's entry does not say of it. */
export const PassageRow = Type.Object({
  at: Ms,
  from: Nullable(Id),
  to: Nullable(Id),
  occurrence: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  provisional: Type.Boolean(),
})
export type PassageRow = Static<typeof PassageRow>

export const OverrideRow = Type.Object({
  ...{ device: Id, actor: Text, reason: Text, at: Ms },
  response: Type.String({ maxLength: 16_384 }),
})
export type OverrideRow = Static<typeof OverrideRow>

/** An incident as it was reported. What was done about it is in entries. */
export const IncidentReportRow = Type.Object({
  id: Id,
  digest: Bytes(32),
  kind: Type.Enum(['crush', 'medical', 'need_staff', 'fire', 'security', 'lost_child', 'access', 'equipment']),
  checkpoint: Id,
  gate: Id,
  zone: Nullable(Id),
  queueRatePerMin: Type.Number(),
  queue: Nullable(Type.Number()),
  occupancy: Nullable(Type.Number()),
  note: Nullable(Text),
  noteSalt: Nullable(Bytes(16)),
  reportedBy: Id,
  observedAt: Ms,
  reportedAt: Ms,
  hlc: Hlc,
})
export type IncidentReportRow = Static<typeof IncidentReportRow>

export const HeldRow = Type.Object({
  ...{ id: Id, gate: Id, reason: Text, actor: Text, placedAt: Ms },
  ...{ expiresAt: Nullable(Ms), releasedAt: Nullable(Ms), releasedBy: Nullable(Text) },
})
export type HeldRow = Static<typeof HeldRow>

export const AnnouncementRow = Type.Object({
  id: Id,
  severity: Type.Enum(['info', 'warning', 'emergency']),
  text: Text,
  lang: Id,
  zones: Nullable(Type.Array(Id, { maxItems: 1000 })),
  issuedAt: Ms,
  expiresAt: Nullable(Ms),
  hlc: Hlc,
  signature: Bytes(64),
})
export type AnnouncementRow = Static<typeof AnnouncementRow>

export const EnrolledRow = Type.Object({
  id: Id,
  name: Text,
  fingerprint: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  tokenHash: Bytes(32),
  publicKey: Bytes(16, 1024),
  checkpoints: Type.Array(Id, { maxItems: 1000 }),
  enrolledAt: Ms,
  expiresAt: Ms,
  revokedAt: Nullable(Ms),
  revokedReason: Nullable(Text),
  supervisor: Type.Boolean(),
})
export type EnrolledRow = Static<typeof EnrolledRow>

/** What was noted about a case that is resolved: text, and the salt of its hash in the journal. */
export const NoteRow = Type.Object({ note: Text, salt: Bytes(16) })
export type NoteRow = Static<typeof NoteRow>

export const Rows = Type.Object({
  tickets: Type.Optional(Type.Array(TicketRow, { maxItems: 5000 })),
  scan: Type.Optional(ScanRow),
  passage: Type.Optional(PassageRow),
  override: Type.Optional(OverrideRow),
  incident: Type.Optional(IncidentReportRow),
  holds: Type.Optional(Type.Array(HeldRow, { maxItems: 1000 })),
  announcement: Type.Optional(AnnouncementRow),
  device: Type.Optional(EnrolledRow),
  note: Type.Optional(NoteRow),
})
export type Rows = Static<typeof Rows>
