/** The guide from a box on the table to doors: the event as a draft, what a change of it means, and a rehearsal (admin tier). */
import { type Static, Type } from 'typebox'
import { Coded, Count, Nullable, Shape, Words } from './terms.ts'

/** An event of hundreds of gates has a tenth of it. A larger file is edited by hand. */
export const MOST_EVENT_BYTES = 512 * 1024

export const EventRevision = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 of the file as it is on the disk, hex',
})
/** Fields are checked by the rules of the event file, which say in words what is wrong. */
const EventJson = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'The content of event.json',
})

const EventMistake = Shape('EventMistake', {
  path: Type.String({ description: 'Place in the file, as in `checkpoints[2].tiers[0]`; empty for the whole file' }),
  message: Type.String(),
  coded: Type.Optional(
    Type.Array(Coded, { description: 'The same as codes: each is a sentence, and they follow one another' }),
  ),
})

export type EventMistake = Static<typeof EventMistake>

export const CHANGES = [
  'tier_removed',
  'tier_entry',
  'tier_elsewhere',
  'zone_removed',
  'gate_removed',
  'checkpoint_removed',
  'checkpoint_moved',
  'days',
] as const

export const EventChange = Shape('EventChange', {
  kind: Type.Enum([...CHANGES]),
  name: Type.String({ description: 'Name of the thing that changes, as people know it' }),
  tickets: Type.Unsafe<number>({ ...Count, description: 'Valid tickets that it concerns' }),
  scanners: Type.Unsafe<number>({ ...Count, description: 'Paired devices that scan there' }),
  inside: Type.Unsafe<number>({ ...Count, description: 'People who are inside the zone now' }),
})
export type EventChange = Static<typeof EventChange>

export const EventDraft = Shape('EventDraft', {
  event: Nullable(EventJson, 'where there is none, or where the file is no JSON'),
  revision: Nullable(EventRevision, 'where there is no file'),
  demo: Type.Boolean({ description: 'This box runs the demo event; the first draft that is saved is a new event' }),
  pending: Type.Boolean({
    description: 'The file differs from what the box runs with: it counts from the next start on',
  }),
  other_boxes: Type.Unsafe<number>({ ...Count, description: 'Each has an event folder of its own' }),
  folder: Type.String({ description: 'Folder of the file, which may not exist yet' }),
  mistakes: Type.Array(EventMistake),
})
export type EventDraft = Static<typeof EventDraft>

export const EventCheck = Shape('EventCheck', { event: EventJson })

export const EventChecked = Shape('EventChecked', {
  mistakes: Type.Array(EventMistake, { description: 'As `gatehouse check-event` lists them; empty for a sound event' }),
  warnings: Type.Array(EventMistake, { description: 'Allowed, and probably not intended' }),
  changes: Type.Array(EventChange, { description: 'Changes for tickets, scanners and people that exist' }),
})
export type EventChecked = Static<typeof EventChecked>

export const EventSave = Shape('EventSave', {
  event: EventJson,
  revision: Nullable(EventRevision, 'for a first draft'),
  accepts_changes: Type.Optional(
    Type.Boolean({ description: 'The changes for what exists were read, and are wanted' }),
  ),
  actor: Type.Optional(Words),
})

export const EventSaved = Shape('EventSaved', {
  revision: EventRevision,
  pending: Type.Boolean({ description: 'It counts once the box has begun anew' }),
})

export const EventApply = Shape('EventApply', { actor: Type.Optional(Words) })
export const EventApplied = Shape('EventApplied', {
  restarting: Type.Boolean({
    description: 'The box closes and opens again within seconds; false where nothing has changed',
  }),
})
