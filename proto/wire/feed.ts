/** The event stream of the change feed, which a process beside the box serves (box/docs/changefeed.md). */
import { Type } from 'typebox'
import { Nullable, Shape, StreamOf } from './terms.ts'

const EventId = Type.String({
  pattern: '^[0-9A-F]+/[0-9A-F]+:\\d+$',
  description: '`<commit_lsn>:<index in the transaction>`, the same at every delivery',
})
const Lsn = Type.String({ pattern: '^[0-9A-F]+/[0-9A-F]+$' })
const Row = Type.Record(Type.String(), Nullable(Type.String(), 'where the database has NULL'), {
  description: 'Every value as the database prints it. A column that is missing did not change and is not in the log',
})

/** A change of one row. */
export const FeedChange = Shape('FeedChange', {
  id: EventId,
  lsn: Lsn,
  commit_lsn: Lsn,
  commit_time: Type.String({ description: 'ISO 8601 in UTC, with the microseconds of the database' }),
  schema: Type.String(),
  table: Type.String(),
  op: Type.Union(['insert', 'update', 'delete', 'truncate'].map((op) => Type.Literal(op))),
  before: Nullable(Row, 'where the log has no row before the change'),
  after: Nullable(Row, 'after a delete or a truncate'),
})

/** Changes are missing at this place of the stream. */
export const FeedGap = Type.Union(
  [
    Shape('FeedGapUnknown', {
      reason: Type.Literal('unknown', { description: 'Last-Event-ID is not among the events that are kept' }),
      oldest: Nullable(EventId, 'where none is kept'),
      newest: Nullable(EventId, 'where none is kept'),
    }),
    Shape('FeedGapDropped', {
      reason: Type.Literal('dropped', { description: 'The feed had no room for them' }),
      missing: Type.Integer({ minimum: 1, description: 'The number of events' }),
    }),
    Shape('FeedGapSource', {
      reason: Type.Literal('source', { description: 'The source of the changes was interrupted' }),
      why: Type.String({ description: 'In a sentence for people' }),
    }),
  ],
  { title: 'FeedGap' },
)

export const FeedEvent = StreamOf('FeedEvent', { change: FeedChange, gap: FeedGap })

/** The feed's own refusals, which have no code. */
export const FeedRefusal = Shape('FeedRefusal', { error: Type.String() })
