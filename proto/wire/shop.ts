/** A connected pretix, as the screen Shop shows it (admin tier). */
import { type Static, Type } from 'typebox'
import { Count, Nullable, Shape, Time } from './terms.ts'

const Seconds = Type.Number({ minimum: 0 })

const ShopDown = Shape('ShopDown', {
  connected: Type.Boolean({ description: 'True while pretix answers' }),
  answered_at: Nullable({ ...Time, description: 'When pretix last answered' }, 'before the first answer'),
  changed_at: Nullable({ ...Time, description: 'When something of pretix was last applied' }, 'before that'),
  lag_seconds: Nullable(
    { ...Seconds, description: 'The greatest age of what the box knows of pretix; 0 while pretix answers' },
    'before the first answer',
  ),
  last_error: Nullable(
    Type.String({ description: 'Why pretix cannot be read, and what to do' }),
    'once it can be read again',
  ),
  failing_since: Nullable(Time),
  clock_difference_seconds: Nullable(Type.Number({ description: "pretix's clock minus the box's" })),
  compared_at: Nullable({ ...Time, description: 'When every order was last read' }, 'before the first time'),
  reading: Nullable(
    Shape('ShopReading', {
      page: Type.Integer({ minimum: 1 }),
      pages: Nullable(Type.Integer({ minimum: 1 }), 'where pretix does not say'),
    }),
    'while not every order is being read',
  ),
  wanted: Type.Boolean({ description: 'True while a comparison that was asked for is not completed' }),
  tickets_added: Count,
  tickets_changed: Count,
  not_applied: Type.Integer({ minimum: 0, description: 'Positions of orders that could not become tickets' }),
})

const ShopWaiting = Shape('ShopWaiting', {
  at: { ...Time, description: 'When it happened at the gate' },
  ticket_ref: Nullable(Type.String(), 'where it was no ticket’s'),
  reason: Nullable(Type.String({ description: "pretix's word for it" }), 'where pretix has refused nothing'),
  next_at: Nullable({ ...Time, description: 'When pretix is asked again' }, 'where it waits for a person'),
})
export type ShopWaiting = Static<typeof ShopWaiting>

const ShopUp = Shape('ShopUp', {
  state: Type.Enum(['begins', 'sending', 'waiting', 'paused', 'other_box'], {
    description:
      '`begins`: when every order was read once; `waiting`: pretix is asked again by itself; `paused`: a person has to change something; `other_box`: another box of the event tells pretix',
  }),
  last_error: Nullable(Type.String({ description: 'Why it waits, and what to do' })),
  lag_seconds: Nullable(
    { ...Seconds, description: 'Since the oldest entry that is on its way; 0 where none is' },
    'where this box does not tell pretix',
  ),
  waiting: Type.Integer({ minimum: 0, description: 'Entries that pretix did not take yet' }),
  asleep: Type.Integer({ minimum: 0, description: 'Those of them that wait for a person' }),
  sent: Type.Integer({ minimum: 0, description: 'Since the box started' }),
  sent_at: Nullable({ ...Time, description: 'When pretix last took something' }),
  queue: Type.Array(ShopWaiting, { maxItems: 20, description: 'The first of those that wait' }),
})

export const ShopPretix = Shape('ShopPretix', {
  source: Type.String({ description: 'Address of pretix, organizer and event' }),
  down: ShopDown,
  up: ShopUp,
})
export type ShopPretix = Static<typeof ShopPretix>

export const Shop = Shape('Shop', {
  follows: Type.Enum(['nothing', 'pretix', 'database']),
  problem: Nullable(Type.String({ description: 'Why what is set up cannot be followed, and what to do' })),
  pretix: Nullable(ShopPretix, 'where no pretix is followed'),
})
export type Shop = Static<typeof Shop>
