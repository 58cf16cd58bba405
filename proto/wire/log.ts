/** `GET /v1/admin/log`: the journal, as the control room reads it. */
import { type Static, Type } from 'typebox'
import { ENTRY_KINDS } from './entries.ts'
import { Count, Hlc, Id, Nullable, Shape, Time } from './terms.ts'

export const LogQuery = Shape('LogQuery', {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: '100 when absent' })),
  after: Type.Optional(Type.Integer({ minimum: 0, description: '`next` of the page before' })),
  kind: Type.Optional(Type.Enum([...ENTRY_KINDS])),
  device: Type.Optional(Id),
  checkpoint: Type.Optional(Id),
  person: Type.Optional(
    Type.String({ ...Id, description: 'Id of somebody of the staff: what they did, under whichever name' }),
  ),
  ticket: Type.Optional(
    Type.String({ minLength: 1, maxLength: 256, description: 'Its reference, its printed code or its ticket id' }),
  ),
})
export type LogQuery = Static<typeof LogQuery>

export const LogRow = Shape('LogRow', {
  index: Type.Unsafe<number>({ ...Count, description: 'Its place in the journal, for ever' }),
  at: Time,
  hlc: Hlc,
  kind: Type.Enum([...ENTRY_KINDS]),
  summary: Type.String({ description: 'One sentence' }),
  actor: Nullable(Type.String()),
  address: Nullable(Type.String({ description: 'IP address of the actor, or the command line' })),
  device: Nullable(Type.String()),
  device_name: Nullable(Type.String()),
  checkpoint: Nullable(Type.String()),
  checkpoint_name: Nullable(Type.String()),
  ticket: Nullable(Type.String({ description: "The ticket's reference" })),
  entry: Type.Record(Type.String(), Type.Unknown(), { description: 'The entry itself' }),
})
export type LogRow = Static<typeof LogRow>

export const Log = Shape('Log', {
  rows: Type.Array(LogRow, { description: 'Newest first; may be fewer than `limit`, or none, before the end' }),
  next: Nullable(Type.Integer({ minimum: 0, description: '`after` of the next page; null at the end' })),
})
export type Log = Static<typeof Log>
