/** Incidents at a gate, what the control room does about them, and holds. See `box/docs/control-room.md`. */
import { type Static, Type } from 'typebox'
import { Coded, Count, Hlc, Id, Nullable, OUTSIDE, Shape, Time, Words } from './terms.ts'

export const INCIDENT_KINDS = [
  'crush',
  'medical',
  'need_staff',
  'fire',
  'security',
  'lost_child',
  'access',
  'equipment',
] as const
export const INCIDENT_STATES = ['open', 'acknowledged', 'assigned', 'resolved', 'cancelled'] as const
export const INCIDENT_ACTIONS = ['acknowledge', 'assign', 'resolve', 'cancel'] as const

const Kind = Type.Enum([...INCIDENT_KINDS])
const Version = Type.Integer({ minimum: 1, description: 'Grows with every action; 1 is the report' })

export const IncidentReport = Shape('IncidentReport', {
  incident_id: Type.Unsafe<string>({ ...Id, description: 'Made by the device: sending it again reports nothing new' }),
  kind: Kind,
  checkpoint: Id,
  // An app may send an empty note; the report matters all the same.
  note: Type.Optional(
    Nullable(Type.String({ maxLength: 2000, pattern: '^[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]*$' })),
  ),
  observed_at: Time,
})
export type IncidentReport = Static<typeof IncidentReport>

export const AddedNote = Shape('AddedNote', {
  note_id: Type.Unsafe<string>({ ...Id, description: 'Made by the device: sending it again adds nothing' }),
  note: Type.String({ minLength: 1, maxLength: 2000, pattern: '^[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]*$' }),
})
export type AddedNote = Static<typeof AddedNote>

const BY_FIRST_VERSION = 'where a box of version 0.1 recorded it'

export const Incident = Shape('Incident', {
  incident_id: Type.String(),
  kind: Kind,
  state: Type.Enum([...INCIDENT_STATES]),
  emergency: Type.Boolean({ description: 'crush, medical or fire: it reaches every gate' }),
  checkpoint: Type.String(),
  gate: Type.String(),
  gate_name: Type.String(),
  zone: Nullable(Type.String({ description: 'On the inner side of the checkpoint' }), OUTSIDE),
  queue_rate_per_min: Type.Number({
    minimum: 0,
    description: 'People admitted a minute at this gate when it was reported; how many arrive, no box can see',
  }),
  queue: Nullable(
    Type.Integer({ minimum: 0, description: 'People waiting at this gate, as last reported there' }),
    'without a report of the last ten minutes',
  ),
  scans: Nullable(
    Type.Integer({ minimum: 0, description: 'Scans at this gate in the five minutes before it was reported' }),
    BY_FIRST_VERSION,
  ),
  refusals: Nullable(
    Type.Integer({ minimum: 0, description: 'Of `scans`, those that let nobody pass' }),
    BY_FIRST_VERSION,
  ),
  idle_seconds: Nullable(
    Type.Integer({ minimum: 0, description: 'Since somebody last passed this gate, in or out' }),
    'where nobody has since the box started',
  ),
  occupancy: Nullable(Type.Integer({ description: 'People in the zone when it was reported' }), 'for outside'),
  note: Nullable(Type.String(), 'where nobody wrote one, or it was erased'),
  notes: Type.Optional(
    Type.Array(Shape('IncidentNote', { note: Nullable(Type.String(), 'where it was erased'), at: Time }), {
      description: 'Added by the reporter afterwards, oldest first; absent where there are none',
    }),
  ),
  reported_by: Type.String(),
  reported_by_name: Nullable(Type.String(), 'for a device that this box does not know'),
  observed_at: Time,
  reported_at: Time,
  hlc: Hlc,
  version: Version,
  assignee: Type.Optional(Type.String()),
  actions: Type.Array(
    Shape('IncidentStep', {
      action: Type.Enum([...INCIDENT_ACTIONS]),
      actor: Type.String(),
      assignee: Type.Optional(Type.String()),
      reason: Type.Optional(Type.String()),
      reason_coded: Type.Optional({ ...Coded, description: 'Of a reason that the box has worded, the same as a code' }),
      at: Time,
      hlc: Hlc,
    }),
    { description: 'Oldest first' },
  ),
  alert: Type.Optional(
    Type.Integer({ minimum: 1, description: 'On streams: nobody has acknowledged it, said for the how-manieth time' }),
  ),
})
export type Incident = Static<typeof Incident>
export const Incidents = Shape('Incidents', { incidents: Type.Array(Incident) })

export const IncidentActionRequest = Shape('IncidentActionRequest', {
  action: Type.Enum([...INCIDENT_ACTIONS]),
  actor: Words,
  assignee: Type.Optional(
    Type.Unsafe<string>({ ...Words, description: 'Person or team that goes; for "assign", and required there' }),
  ),
  reason: Type.Optional(Type.Unsafe<string>({ ...Words, description: 'Required for "cancel"' })),
  version: Type.Optional(
    Type.Integer({ minimum: 1, description: 'The version that was looked at: 409 when somebody has acted since' }),
  ),
})
export type IncidentActionRequest = Static<typeof IncidentActionRequest>

/** A gate through which nobody enters. */
export const Hold = Shape('Hold', {
  gate: Type.String(),
  reason: Type.String(),
  expires_at: Nullable(Type.String({ format: 'date-time', description: 'null: until it is released' })),
})
export type Hold = Static<typeof Hold>

export const HoldRequest = Shape('HoldRequest', {
  actor: Words,
  reason: Type.Unsafe<string>({ ...Words, description: 'Reason that the gate reads, and tells people' }),
  expires_at: Type.Optional(Time),
  expires_in_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 7 * 86_400 })),
})
export type HoldRequest = Static<typeof HoldRequest>
export const HoldReleaseRequest = Shape('HoldReleaseRequest', { actor: Words, reason: Type.Optional(Words) })
export const HoldReleased = Shape('HoldReleased', { gate: Type.String(), released_at: Time })

export const PlacedHold = Shape('PlacedHold', {
  id: Type.String(),
  gate: Type.String(),
  gate_name: Type.String(),
  reason: Type.String(),
  actor: Type.String(),
  placed_at: Time,
  expires_at: Hold.properties.expires_at,
})
export type PlacedHold = Static<typeof PlacedHold>
export const PlacedHolds = Shape('PlacedHolds', { holds: Type.Array(PlacedHold) })

/** `GET /v1/stream`, event `hold`. */
export const HoldEvent = Shape('HoldEvent', {
  gate: Type.String(),
  held: Type.Boolean(),
  reason: Nullable(Type.String(), 'where it was released without one'),
  expires_at: Hold.properties.expires_at,
  hlc: Hlc,
  version: Count,
})
export type HoldEvent = Static<typeof HoldEvent>
