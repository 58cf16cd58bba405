/** A rehearsal: scanners scan the real tickets, and nothing of it is recorded (admin tier; what scanners are told of it). */
import { type Static, Type } from 'typebox'
import { Count, Id, Shape, Time, Words } from './terms.ts'

/** Minutes. */
export const REHEARSAL = { least: 5, usual: 30, most: 240 } as const

export const OBJECTIONS = ['event_on', 'people_came'] as const
export type Objection = (typeof OBJECTIONS)[number]

export const RunningRehearsal = Shape('RunningRehearsal', {
  id: Id,
  actor: Type.String({ description: 'The person who started it' }),
  started_at: Time,
  until: Type.String({ format: 'date-time', description: 'When it ends by itself' }),
  scans: Type.Integer({ minimum: 0, description: 'Codes that were tried in it' }),
  devices: Type.Integer({ minimum: 0, description: 'Scanners that take part' }),
  admitted_meanwhile: Type.Integer({
    minimum: 0,
    description: 'People who were really let in since it began: by scanners that take no part',
  }),
})
export type RunningRehearsal = Static<typeof RunningRehearsal>

export const RehearsalState = Shape('RehearsalState', {
  running: Type.Optional(RunningRehearsal),
  objections: Type.Array(Type.Enum([...OBJECTIONS]), {
    description:
      'Why none should begin now. event_on: the event has begun, and is not over. people_came: somebody was let in within the last 30 minutes',
  }),
})
export type RehearsalState = Static<typeof RehearsalState>

export const RehearsalStart = Shape('RehearsalStart', {
  minutes: Type.Integer({
    minimum: REHEARSAL.least,
    maximum: REHEARSAL.most,
    description: 'It ends by itself after these, and earlier where the event begins or a checkpoint opens',
  }),
  anyway: Type.Optional(Type.Boolean({ description: 'Begin in spite of the objections' })),
  actor: Type.Optional(Words),
})
export type RehearsalStart = Static<typeof RehearsalStart>

export const RehearsalEnd = Shape('RehearsalEnd', { actor: Type.Optional(Words) })

export const EndedRehearsal = Shape('EndedRehearsal', { id: Id, scans: Count, devices: Count })
export type EndedRehearsal = Static<typeof EndedRehearsal>

/** A rehearsal, as scanners are told of it. */
export const RehearsalNotice = Shape('RehearsalNotice', { id: Id, until: Time })
export type RehearsalNotice = Static<typeof RehearsalNotice>
