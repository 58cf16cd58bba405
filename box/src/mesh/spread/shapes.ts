/**
 * What entries of each kind say, as far as anything here goes by it. What follows the journal takes an entry's fields as they
 * are: one of another box that lacks any would stop this one, at every start. A newer box may say more, and of more kinds.
 */
import { type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { EntryKind } from '../../ledger/ledger.ts'

const Text = Type.String()
const Id = Type.String({ minLength: 1, maxLength: 256 })
const Nullable = <T extends TSchema>(of: T) => Type.Union([of, Type.Null()])
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Time = Type.Refine(Type.String(), (text) => !Number.isNaN(Date.parse(text)))
const Direction = Type.Enum(['in', 'out'])
const Ref = Type.String({ pattern: '^[0-9a-f]{32}$' })
const Hex = Type.String({ pattern: '^(?:[0-9a-f]{2})*$' })
const Confidence = Type.Enum(['confirmed', 'provisional'])
const Ids = Type.Array(Id)
const AboutTicket = Type.Object({ ticket: Ref })

const Passage = {
  ...{ at: Time, checkpoint: Id, device: Id, scan_id: Id },
  tier: Nullable(Id),
}

const SHAPES: Partial<Record<EntryKind, TSchema>> = {
  announcement: Type.Object({ id: Id }),
  claim: AboutTicket,
  cosign: Type.Object({ box: Id, line: Text, size: Count }),
  device_revoked: Type.Object({ device: Id }),
  enrolment: Type.Object({ device: Id }),
  event: Type.Object({ event: Type.Object({}) }),
  flag: Type.Object({
    ...{ flag: Id, flag_kind: Id, scans: Ids, reopened: Type.Boolean() },
    ...{ device: Nullable(Id), ticket: Nullable(Ref) },
  }),
  flag_resolved: Type.Object({
    ...{ actor: Text, at: Time, flag: Id, flag_kind: Id, scans: Ids },
    ...{ note_hash: Nullable(Hex), resolution: Id, ticket: Nullable(Ref) },
  }),
  heard: Type.Object({ box: Id, from: Count, to: Count }),
  hold: Type.Object({ at: Time, expires_at: Nullable(Time), gate: Id, hold: Id, reason: Text, replaces: Nullable(Id) }),
  hold_released: Type.Object({ at: Time, gate: Id, hold: Id, reason: Nullable(Text) }),
  import: Type.Object({ added: Count, changed: Count }),
  incident: Type.Object({ at: Time, incident: Id, incident_kind: Id, gate: Id, checkpoint: Id }),
  incident_action: Type.Object({
    ...{ action: Type.Enum(['acknowledge', 'assign', 'resolve', 'cancel']), actor: Text, at: Time, incident: Id },
    ...{ assignee: Nullable(Text), reason: Nullable(Text) },
  }),
  mode: Type.Object({ mode: Id }),
  release: AboutTicket,
  scan: Type.Object({
    ...Passage,
    ...{ code: Nullable(Hex), confidence: Confidence, device_hlc: Text, direction: Direction, observed_at: Time },
    ...{
      occurrence: Nullable(Count),
      offline_admitted: Type.Boolean(),
      slot: Nullable(Text),
      surplus: Nullable(Count),
    },
    ...{ ticket: Nullable(Ref), verdict: Id },
  }),
  shop: Type.Object({ added: Count, changed: Count }),
  supervisor_admit: Type.Object({
    ...{ ...Passage, actor: Text, confidence: Confidence, direction: Direction, occurrence: Count },
    ...{ reason: Text, slot: Text, surplus: Count, ticket: Ref, verdict: Id },
  }),
  ticket_reinstated: AboutTicket,
  ticket_revoked: AboutTicket,
  undo: Type.Object({ ...Passage, direction: Direction, occurrence: Count, slot: Text, surplus: Count, ticket: Ref }),
}

/** Whether an entry says what one of its kind must; one of a kind that is unknown here says what it likes. */
export function isShaped(kind: string, fields: unknown): boolean {
  const shape = Object.hasOwn(SHAPES, kind) ? SHAPES[kind as EntryKind] : undefined
  return shape === undefined || Value.Check(shape, fields)
}
