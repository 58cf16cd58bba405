/** Several boxes of one event: who they are, and what this one hears of them. */
import { type Static, Type } from 'typebox'
import { Count, Id, Mode, Nullable, Shape, Time, Words } from './terms.ts'

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
  problem: Type.Optional(
    Type.String({
      description: 'What is wrong with what it tells, and why it is not believed or followed: for a person',
    }),
  ),
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

/** The same for everybody: how many, and not which. */
export const MeshInBrief = Shape('MeshInBrief', {
  since: Time,
  reason: Type.String({ description: 'Why the box is in its mode, in one sentence for a person' }),
  epoch: Type.Integer({ minimum: 0, description: 'Which arrangement of voters this is' }),
  boxes: Type.Unsafe<number>({ ...Count, description: 'Boxes of the event, this one among them' }),
  heard: Type.Unsafe<number>({ ...Count, description: 'Of these, heard now' }),
})
export type MeshInBrief = Static<typeof MeshInBrief>

/** What a scanner needs to go on at another box. */
export const OtherBox = Shape('OtherBox', {
  box_id: Type.String(),
  name: Type.String(),
  url: Type.String(),
  device_url: Type.String(),
  unheard_seconds: Nullable(Count),
})
export type OtherBox = Static<typeof OtherBox>

/** Roles go by the number of boxes; an invite says only what somebody has to decide. */
export const MeshInviteRequest = Shape('MeshInviteRequest', {
  as: Type.Optional(
    Type.Enum(['box', 'data-centre', 'voter'], {
      description:
        'box: at the venue, with gates; data-centre: the others dial it; voter: has no gates, and only votes. box when absent',
    }),
  ),
  expires_in_seconds: Type.Optional(Type.Integer({ minimum: 60, maximum: 86_400, description: 'An hour when absent' })),
  actor: Words,
  reason: Words,
})
export const NewMeshInvite = Shape('MeshInvite', {
  invite: Type.String({ description: 'For "gatehouse mesh join". Whoever uses it gets the keys of the event' }),
  expires_at: Time,
  qr_svg: Type.String(),
})

export const MeshRemoveRequest = Shape('MeshRemoveRequest', {
  box_id: Id,
  actor: Words,
  reason: Words,
  is_off: Type.Optional(
    Type.Boolean({
      description: 'Somebody has seen that this box is off. Not asked of a box that takes its own leave',
    }),
  ),
  anyway: Type.Optional(
    Type.Boolean({ description: 'Leave although no other box has all of the journal: what is missing stays here' }),
  ),
})

export const MeshPromoteRequest = Shape('MeshPromoteRequest', {
  box_id: Type.Unsafe<string>({ ...Id, description: 'Who gets a vote on claims' }),
  instead: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Who gives its vote up; the last of the voters' })),
  actor: Words,
  reason: Words,
  is_off: Type.Boolean({
    description:
      'Somebody has seen that the box which gives up its vote is off, or hears this one: two that decide alone admit a ticket twice',
  }),
})

export const MeshBoxes = Shape('MeshBoxes', {
  epoch: Type.Integer({ minimum: 1, description: 'Which arrangement of voters this is' }),
  version: Type.Integer({ minimum: 1 }),
  boxes: Type.Array(
    Shape('MeshBox', {
      box_id: Type.String(),
      name: Type.String(),
      self: Type.Boolean(),
      role: Type.Enum(['core', 'leaf', 'voter']),
      url: Type.String(),
      data_centre: Type.Boolean({ description: 'The others dial it' }),
    }),
  ),
})
export type MeshBoxes = Static<typeof MeshBoxes>

/** What the list of boxes says, and what this one hears of them: neither, for a box alone. */
export const MeshView = Shape('MeshView', {
  listed: Type.Optional(MeshBoxes),
  standing: Type.Optional(MeshStanding),
})
export type MeshView = Static<typeof MeshView>
