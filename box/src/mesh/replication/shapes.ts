/**
 * The fields that an entry of each kind must have, as far as this box reads them. Readers of the journal rely on these fields: an
 * entry of another box that lacked one would stop this box, at every start. A newer box may send more fields and more kinds.
 */
import { STAFF_ROLES } from '@gatehouse/proto/operations.ts'
import { type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { EntryKind, NewEntry } from '../../ledger/entries.ts'

const Text = Type.String()
const Id = Type.String({ minLength: 1, maxLength: 256 })
const Nullable = <T extends TSchema>(of: T) => Type.Union([of, Type.Null()])
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Time = Type.Refine(Type.String(), (text) => !Number.isNaN(Date.parse(text)))
const Direction = Type.Enum(['in', 'out'])
const Ref = Type.String({ pattern: '^[0-9a-f]{32}$' })
const Hex = Type.String({ pattern: '^(?:[0-9a-f]{2})*$' })
const Confidence = Type.Enum(['confirmed', 'provisional'])
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Role = Type.Enum([...STAFF_ROLES])
const Ids = Type.Array(Id)
const AboutTicket = { ticket: Ref }

const Passage = {
  at: Time,
  checkpoint: Id,
  device: Id,
  scan_id: Id,
  tier: Nullable(Id),
}

/** By field; what is not named here may say anything, and nothing here goes by it. Null where nothing does. */
type Shape<K extends EntryKind> = { readonly [Field in keyof NewEntry<K>]?: TSchema } | null

const SHAPES: { readonly [K in EntryKind]: Shape<K> } = {
  admin_token: { address: Type.String(), action: Type.Enum(['used', 'seen', 'rotated']), hash: Nullable(Sha256) },
  announcement: { id: Id },
  answers: { at: Time, device: Id, scan_id: Id, ticket: Ref },
  api_token: {
    token: Id,
    name: Text,
    role: Role,
    operations: Nullable(Ids),
    expires_at: Time,
    action: Type.Enum(['made', 'revoked']),
  },
  backup: null,
  claim: AboutTicket,
  clock_fence: null,
  clock_set: null,
  cosign: { box: Id, line: Text, size: Count },
  device_revoked: { device: Id },
  enrolment: { device: Id },
  erasure: null,
  event: { event: Type.Object({}) },
  event_edited: null,
  export: null,
  flag: {
    flag: Id,
    flag_kind: Id,
    scans: Ids,
    reopened: Type.Boolean(),
    device: Nullable(Id),
    ticket: Nullable(Ref),
  },
  flag_resolved: {
    actor: Text,
    at: Time,
    flag: Id,
    flag_kind: Id,
    scans: Ids,
    note_hash: Nullable(Hex),
    resolution: Id,
    ticket: Nullable(Ref),
  },
  heard: { box: Id, from: Count, to: Count },
  hold: { at: Time, expires_at: Nullable(Time), gate: Id, hold: Id, reason: Text, replaces: Nullable(Id) },
  hold_released: { at: Time, gate: Id, hold: Id, reason: Nullable(Text) },
  import: { added: Count, changed: Count },
  incident: {
    at: Time,
    incident: Id,
    incident_kind: Id,
    gate: Id,
    checkpoint: Id,
    scans: Type.Optional(Count),
    refusals: Type.Optional(Count),
    idle_seconds: Type.Optional(Nullable(Count)),
  },
  incident_action: {
    action: Type.Enum(['acknowledge', 'assign', 'resolve', 'cancel']),
    actor: Text,
    at: Time,
    incident: Id,
    assignee: Nullable(Text),
    reason: Nullable(Text),
  },
  incident_note: { at: Time, device: Id, incident: Id, note: Id, note_hash: Hex },
  invite: null,
  look_up: null,
  mesh: null,
  mode: { mode: Id },
  paper: null,
  passkey: {
    passkey: Id,
    of: Id,
    site: Text,
    credential: Sha256,
    action: Type.Enum(['added', 'removed', 'refused']),
  },
  rehearsal: null,
  release: AboutTicket,
  restart: null,
  restore: null,
  rollback: null,
  sale: {
    action: Type.Enum(['made', 'voided']),
    actor: Text,
    at: Time,
    sale: Id,
    box: Id,
    receipt: Count,
    tier: Id,
    tickets: Type.Array(Ref, { maxItems: 64 }),
    paid: Type.Enum(['cash', 'card', 'free']),
    price: Count,
    currency: Id,
    sold_by: Text,
    sold_at: Time,
    reason: Nullable(Text),
  },
  scan: {
    ...Passage,
    code: Nullable(Hex),
    confidence: Confidence,
    device_hlc: Text,
    direction: Direction,
    observed_at: Time,
    occurrence: Nullable(Count),
    offline_admitted: Type.Boolean(),
    slot: Nullable(Text),
    surplus: Nullable(Count),
    ticket: Nullable(Ref),
    verdict: Id,
  },
  seal: null,
  session: { action: Text, session: Id, of: Id, device: Nullable(Id), address: Text },
  shop: { added: Count, changed: Count },
  shop_certificate: null,
  shop_certificate_revoked: null,
  staff: {
    about: Id,
    name: Text,
    role: Role,
    secret: Nullable(Sha256),
    action: Type.Enum(['added', 'changed', 'removed']),
  },
  supervisor_admit: {
    ...Passage,
    actor: Text,
    confidence: Confidence,
    direction: Direction,
    occurrence: Count,
    reason: Text,
    slot: Text,
    surplus: Count,
    ticket: Ref,
    verdict: Id,
  },
  ticket_edited: AboutTicket,
  ticket_forgotten: { ...AboutTicket, at: Time },
  ticket_reinstated: AboutTicket,
  ticket_reissued: AboutTicket,
  ticket_revoked: AboutTicket,
  undo: { ...Passage, direction: Direction, occurrence: Count, slot: Text, surplus: Count, ticket: Ref },
  update: null,
}

const CHECKS: ReadonlyMap<string, TSchema> = new Map(
  Object.entries(SHAPES).flatMap(([kind, shape]) => (shape === null ? [] : [[kind, Type.Object(shape)]])),
)

/** True if an entry has the fields of its kind. An entry of an unknown kind may have any. */
export function isShaped(kind: string, fields: unknown): boolean {
  const shape = CHECKS.get(kind)
  return shape === undefined || Value.Check(shape, fields)
}
