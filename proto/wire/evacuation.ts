/** The evacuation sheet: how many people may be inside, by zone, and what these figures do not count (admin tier). */
import { type Static, Type } from 'typebox'
import { Coded, Count, Nullable, Shape, Time } from './terms.ts'

export const EvacuationZone = Shape('EvacuationZone', {
  id: Type.String(),
  name: Type.String(),
  inside: Type.Integer({ minimum: 0, description: 'People counted in and not out' }),
  least: Count,
  most: Type.Integer({ minimum: 0, description: 'With the people whom silent scanners may have let in' }),
  capacity: Count,
})

export const EvacuationBox = Shape('EvacuationBox', {
  name: Type.String(),
  self: Type.Boolean(),
  heard: Type.Boolean({ description: 'True if these figures include its counts up to now' }),
  last_heard: Nullable(Time, 'where it has not answered since this box started'),
  behind: Type.Integer({ minimum: 0, description: 'Entries of its journal that are not here yet' }),
})

export const EvacuationSheet = Shape('EvacuationSheet', {
  made_at: Time,
  event_name: Type.String(),
  zones: Type.Array(EvacuationZone),
  total: Shape('EvacuationTotal', { inside: Count, least: Count, most: Count }),
  boxes: Type.Array(EvacuationBox, { description: 'The boxes whose figures these are; empty for a box alone' }),
  not_counted: Type.Array(Type.String(), {
    description: 'Everything that is not counted in these figures, each in a sentence',
  }),
  not_counted_coded: Type.Optional(Type.Array(Coded, { description: 'The same as codes, one for each sentence' })),
  names: Type.Enum(['listed', 'not_allowed', 'erased'], {
    description: 'True if the page lists people by name: `evacuation_names` of the event file',
  }),
  kept_at: Nullable(Time, 'before the first page was kept on the disk of the box'),
  kept_in: Type.String({ description: 'The file on the disk of the box' }),
})
export type EvacuationSheet = Static<typeof EvacuationSheet>
