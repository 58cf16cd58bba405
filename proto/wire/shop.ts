/** A connected pretix, as the screen Shop shows it (admin tier). */
import { type Static, Type } from 'typebox'
import { ImportReport } from './admin.ts'
import { Coded, Count, Nullable, Shape, Time, Words } from './terms.ts'

/** Of the sentence beside it. */
const SameCoded = Type.Optional(
  Type.Array(Coded, { description: 'The same as codes: each is a sentence, and they follow one another' }),
)
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
  last_error_coded: SameCoded,
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
  last_error_coded: SameCoded,
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

const MOST_NOTICES = 100

export const ShopNotice = Shape('ShopNotice', {
  code: Type.Enum(['list_gone', 'list_rules'], {
    description:
      '`list_gone`: pretix no longer has a check-in list that pretix.yaml maps checkpoints to; `list_rules`: such a list has rules, which the gates do not apply',
  }),
  list: Type.Integer({ description: 'Its number in pretix' }),
  name: Nullable(Type.String({ maxLength: 120 }), 'where pretix has none'),
  checkpoints: Type.Array(Type.String(), { description: 'Those that are mapped to it' }),
})
export type ShopNotice = Static<typeof ShopNotice>

export const ShopPretix = Shape('ShopPretix', {
  source: Type.String({ description: 'Address of pretix, organizer and event' }),
  notices: Type.Array(ShopNotice, {
    maxItems: MOST_NOTICES,
    description: 'Notices about pretix or pretix.yaml that need a person',
  }),
  down: ShopDown,
  up: ShopUp,
})
export type ShopPretix = Static<typeof ShopPretix>

export const Shop = Shape('Shop', {
  follows: Type.Enum(['nothing', 'pretix', 'database']),
  problem: Nullable(Type.String({ description: 'Why what is set up cannot be followed, and what to do' })),
  problem_coded: SameCoded,
  pretix: Nullable(ShopPretix, 'where no pretix is followed'),
})
export type Shop = Static<typeof Shop>

const Slug = Type.String({ pattern: '^[a-zA-Z0-9_.-]{1,100}$' })
const SecretToken = Type.String({
  pattern: '^[\\x21-\\x7e]{8,200}$',
  description:
    "Token of a team or a device of pretix, or a device's first one; absent: the one that the box keeps for this address",
})

export const ShopConnect = Shape('ShopConnect', {
  step: Type.Enum(['look', 'dry_run', 'connect'], {
    description:
      '`look`: nothing is written; `dry_run`: the same, and every order is read; `connect`: written, and followed',
  }),
  url: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'Address of pretix: https, or http on the box itself',
  }),
  token: Type.Optional(SecretToken),
  authority: Type.Optional(
    Type.String({ minLength: 1, maxLength: 32_768, description: 'PEM of a private authority; only with a token' }),
  ),
  organizer: Type.Optional(Slug),
  event: Type.Optional(Slug),
  dates: Type.Optional(
    Type.Array(Type.Integer(), { minItems: 1, maxItems: 1000, description: 'Of a series; absent for all of them' }),
  ),
  actor: Type.Optional(Words),
})
export type ShopConnect = Static<typeof ShopConnect>

const MOST_LISTED = 1000

const ShopChoice = Shape('ShopChoice', {
  slug: Type.String(),
  name: Type.String(),
  date: Nullable(Type.String(), 'where pretix says none'),
})

export const ShopFound = Shape('ShopFound', {
  organizer: Type.String(),
  event: Type.String(),
  name: Type.String(),
  products: Type.Array(
    Shape('ShopProduct', {
      key: Type.String({ description: 'As in pretix.yaml' }),
      name: Type.String(),
      tier: Nullable(Type.String({ description: 'Empty for what nobody enters with' }), 'where it fits none'),
    }),
    { maxItems: MOST_LISTED },
  ),
  lists: Type.Array(
    Shape('ShopList', { id: Type.Integer(), name: Type.String(), checkpoints: Type.Array(Type.String()) }),
    { maxItems: MOST_LISTED },
  ),
  dates: Type.Array(
    Shape('ShopDate', {
      id: Type.Integer(),
      name: Type.String(),
      at: Type.String(),
      taken: Type.Boolean(),
      admits: Nullable(
        Shape('ShopDateWindow', { from: Type.Integer(), until: Type.Integer() }),
        'where pretix says no usable time; else unix ms of the first and the last moment at which its tickets admit',
      ),
    }),
    { maxItems: MOST_LISTED, description: 'Of a series; empty for an event without dates' },
  ),
  rights: Shape('ShopRights', {
    redeem: Type.Boolean({ description: 'The token may record check-ins' }),
    annul: Type.Boolean({ description: 'It may take them back' }),
    sell: Type.Boolean({ description: 'It may make orders' }),
  }),
  folder: Type.String({ description: 'The folder of event.json and pretix.yaml' }),
  writes_event: Type.Boolean({ description: 'There is no event.json, so that one is proposed' }),
  writes_mapping: Type.Boolean({ description: 'There is no pretix.yaml, so that one is proposed' }),
})
export type ShopFound = Static<typeof ShopFound>

export const ShopConnected = Shape('ShopConnected', {
  choose: Nullable(
    Shape('ShopChoose', {
      what: Type.Enum(['organizer', 'event']),
      choices: Type.Array(ShopChoice, { maxItems: MOST_LISTED }),
    }),
    'where nothing is left to choose',
  ),
  found: Nullable(ShopFound, 'before everything is chosen'),
  exchanged: Type.Boolean({
    description:
      'pretix has exchanged the first token of a device: leave the token out from now on, as the box keeps its successor',
  }),
  connected: Type.Boolean(),
  pending: Type.Boolean({ description: 'The event file that was written counts once the box has begun anew' }),
})
export type ShopConnected = Static<typeof ShopConnected>

export const ShopTrial = Shape('ShopTrial', {
  state: Type.Enum(['none', 'reading', 'done', 'failed']),
  read: Count,
  orders: Nullable(Count, 'where pretix does not say'),
  report: Type.Optional(ImportReport),
  problem: Nullable(Type.String({ description: 'Why it failed, and what to do' })),
  problem_coded: SameCoded,
})
export type ShopTrial = Static<typeof ShopTrial>
