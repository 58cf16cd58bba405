/** Several boxes of one event: who they are, and what this one hears of them. */
import { type Static, Type } from 'typebox'
import { Count, Mode, Nullable, Shape, Time } from './terms.ts'

export const Neighbour = Shape('Neighbour', {
  box_id: Type.String(),
  name: Type.String(),
  self: Type.Boolean({ description: 'This box' }),
  role: Type.Enum(['core', 'leaf', 'voter'], {
    description: 'core: has a vote on claims; leaf: has none; voter: has a vote, and no gates',
  }),
  url: Nullable(Type.String({ description: 'Its HTTPS listener, where a scanner goes when its own box is gone' })),
  device_url: Nullable(Type.String({ description: 'Where its device tier asks for the certificate' })),
  heard: Type.Boolean({ description: 'Now' }),
  last_heard: Nullable(Time),
  behind: Type.Integer({ minimum: 0, description: 'Entries that it is known to have, and that are not here yet' }),
})
export type Neighbour = Static<typeof Neighbour>

export const MeshStanding = Shape('MeshStanding', {
  mode: Mode,
  since: Time,
  reason: Type.String({ description: 'Why, in one sentence for a person' }),
  forced: Type.Boolean({ description: 'DEGRADED because an admin said so' }),
  epoch: Type.Integer({ minimum: 0, description: 'Which arrangement of voters this is' }),
  unconfirmed: Type.Integer({
    minimum: 0,
    description: 'Admissions of this box that the others are still to be asked about',
  }),
  boxes: Type.Array(Neighbour, { description: 'This one first, the others by name' }),
})
export type MeshStanding = Static<typeof MeshStanding>

/** What a scanner needs to go on at another box. */
export const OtherBox = Shape('OtherBox', {
  box_id: Type.String(),
  name: Type.String(),
  url: Type.String(),
  device_url: Type.String(),
  unheard_seconds: Nullable(Count),
})
export type OtherBox = Static<typeof OtherBox>
