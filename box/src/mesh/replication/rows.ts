/** The rows that travel with entries: what a journal must not name, and another box needs all the same. */
import { STAFF_ROLES } from '@gatehouse/proto/operations.ts'
import { SEVERITIES } from '@gatehouse/proto/wire/attendee.ts'
import { INCIDENT_KINDS } from '@gatehouse/proto/wire/incidents.ts'
import { type Static, Type } from 'typebox'
import type {
  AnswersRow,
  announcements,
  DeviceRow,
  HoldRow,
  IncidentRow,
  Movement,
  overrides,
} from '../../ledger/schema.ts'
import type {
  ApiTokenRow as ApiTokenColumns,
  PasskeyRow as PasskeyColumns,
  PersonRow as PersonColumns,
} from '../../ledger/staff-schema.ts'
import type { StoredScan } from '../../rights/scans.ts'
import { Bytes, columnsOf, Hlc, Id, Ms, Nullable, Text } from './row-columns.ts'
import { ProductRow, TicketRow } from './ticket-row.ts'

/** The answer to a scan, as it was sent. */
export const ScanRow = Type.Object(
  columnsOf<Omit<StoredScan, 'scanId' | 'entry'>>()({
    digest: Bytes(32),
    passed: Type.Boolean(),
    response: Type.String({ maxLength: 16_384 }),
  }),
)
export type ScanRow = Static<typeof ScanRow>

/** The columns of a passage that its entry does not contain. */
export const PassageRow = Type.Object(
  columnsOf<Pick<Movement, 'at' | 'from' | 'to' | 'occurrence' | 'provisional'>>()({
    at: Ms,
    from: Nullable(Id),
    to: Nullable(Id),
    occurrence: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    provisional: Type.Boolean(),
  }),
)
export type PassageRow = Static<typeof PassageRow>

export const OverrideRow = Type.Object(
  columnsOf<Omit<typeof overrides.$inferSelect, 'scanId' | 'kind' | 'entry'>>()({
    device: Id,
    actor: Text,
    reason: Text,
    at: Ms,
    response: Type.String({ maxLength: 16_384 }),
  }),
)
export type OverrideRow = Static<typeof OverrideRow>

/** An incident as it was reported. The actions on it, and the traffic at its gate, are in entries. */
export const IncidentReportRow = Type.Object(
  columnsOf<Omit<IncidentRow, 'state' | 'assignee' | 'version' | 'entry' | 'scans' | 'refusals' | 'idleSeconds'>>()({
    id: Id,
    digest: Bytes(32),
    kind: Type.Enum([...INCIDENT_KINDS]),
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
  }),
)
export type IncidentReportRow = Static<typeof IncidentReportRow>

export const HeldRow = Type.Object(
  columnsOf<Omit<HoldRow, 'entry'>>()({
    id: Id,
    gate: Id,
    reason: Text,
    actor: Text,
    placedAt: Ms,
    expiresAt: Nullable(Ms),
    releasedAt: Nullable(Ms),
    releasedBy: Nullable(Text),
  }),
)
export type HeldRow = Static<typeof HeldRow>

export const AnnouncementRow = Type.Object({
  ...columnsOf<Omit<typeof announcements.$inferSelect, 'entry' | 'replaces' | 'withdrawn'>>()({
    id: Id,
    severity: Type.Enum([...SEVERITIES]),
    text: Text,
    lang: Id,
    zones: Nullable(Type.Array(Id, { maxItems: 1000 })),
    issuedAt: Ms,
    expiresAt: Nullable(Ms),
    hlc: Hlc,
    signature: Bytes(64),
  }),
  /** Absent by boxes of an earlier version. */
  replaces: Type.Optional(Nullable(Type.Array(Id, { maxItems: 1000 }))),
  withdrawn: Type.Optional(Nullable(Type.Boolean())),
})
export type AnnouncementRow = Static<typeof AnnouncementRow>

/** Answers of people, which are not in the entry. */
export const GivenAnswersRow = Type.Object(
  columnsOf<Pick<AnswersRow, 'answers'>>()({
    answers: Type.Record(Type.String({ pattern: '^[\\s\\S]{1,128}$' }), Text, { maxProperties: 50 }),
  }),
)
export type GivenAnswersRow = Static<typeof GivenAnswersRow>

export const EnrolledRow = Type.Object({
  ...columnsOf<Omit<DeviceRow, 'app'>>()({
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
  }),
  /** Absent for a scanner of ours, and by boxes of an earlier version. */
  app: Type.Optional(Type.String({ maxLength: 200 })),
})
export type EnrolledRow = Static<typeof EnrolledRow>

export const PersonRow = Type.Object(
  columnsOf<Omit<PersonColumns, 'entry'>>()({
    id: Id,
    name: Text,
    role: Type.Enum([...STAFF_ROLES]),
    secret: Nullable(Type.String({ maxLength: 512 })),
    addedAt: Ms,
    removedAt: Nullable(Ms),
    hlc: Hlc,
  }),
)
export type PersonRow = Static<typeof PersonRow>

/** Last use and address stay at each box. */
export const ApiTokenRow = Type.Object(
  columnsOf<Omit<ApiTokenColumns, 'entry' | 'lastUsedAt' | 'lastAddress'>>()({
    id: Id,
    name: Text,
    role: Type.Enum([...STAFF_ROLES]),
    operations: Nullable(Type.Array(Id, { maxItems: 500 })),
    tokenHash: Bytes(32),
    madeAt: Ms,
    expiresAt: Ms,
    revokedAt: Nullable(Ms),
  }),
)
export type ApiTokenRow = Static<typeof ApiTokenRow>

/** Last use and address stay at each box; so does the count of uses, once a box has the passkey. */
export const PasskeyRow = Type.Object(
  columnsOf<Omit<PasskeyColumns, 'entry' | 'lastUsedAt' | 'lastAddress'>>()({
    id: Id,
    person: Id,
    name: Text,
    site: Id,
    credential: Bytes(1, 1023),
    publicKey: Bytes(1, 1024),
    transports: Type.Array(Type.String({ maxLength: 20 }), { maxItems: 10 }),
    counter: Type.Integer({ minimum: 0, maximum: 0xffffffff }),
    addedAt: Ms,
    removedAt: Nullable(Ms),
  }),
)
export type PasskeyRow = Static<typeof PasskeyRow>

/** The note of a resolved case, or one that was added to an incident, and the salt of its hash in the journal. */
export const NoteRow = Type.Object({ note: Text, salt: Bytes(16) })
export type NoteRow = Static<typeof NoteRow>

export const Rows = Type.Object({
  tickets: Type.Optional(Type.Array(TicketRow, { maxItems: 5000 })),
  products: Type.Optional(Type.Array(ProductRow, { maxItems: 5000 })),
  scan: Type.Optional(ScanRow),
  passage: Type.Optional(PassageRow),
  override: Type.Optional(OverrideRow),
  incident: Type.Optional(IncidentReportRow),
  holds: Type.Optional(Type.Array(HeldRow, { maxItems: 1000 })),
  announcement: Type.Optional(AnnouncementRow),
  answers: Type.Optional(GivenAnswersRow),
  device: Type.Optional(EnrolledRow),
  note: Type.Optional(NoteRow),
  person: Type.Optional(PersonRow),
  apiToken: Type.Optional(ApiTokenRow),
  passkey: Type.Optional(PasskeyRow),
})
export type Rows = Static<typeof Rows>
