/** The boxes of an event, and their state as this one sees it. */
import { type Static, Type } from 'typebox'
import { Coded, Count, Id, Mode, Nullable, Shape, Time, Words } from './terms.ts'

export const Neighbour = Shape('Neighbour', {
  box_id: Type.String(),
  name: Type.String(),
  self: Type.Boolean({ description: 'This box' }),
  role: Type.Enum(['core', 'leaf', 'voter'], {
    description: 'core: has a vote on claims; leaf: has none; voter: has a vote, and no gates',
  }),
  url: Nullable(Type.String({ description: 'Its HTTPS listener, where a scanner goes when its own box is gone' })),
  device_url: Nullable(Type.String({ description: 'Base URL of its device tier, which asks for the certificate' })),
  heard: Type.Boolean({ description: 'Now' }),
  last_heard: Nullable(Time),
  behind: Type.Integer({ minimum: 0, description: 'Entries that it is known to have, and that are not here yet' }),
  problem: Type.Optional(
    Type.String({
      description: 'The reason why its messages are not believed or followed, for a person to read',
    }),
  ),
  problem_coded: Type.Optional({ ...Coded, description: 'The same as a code' }),
  unencrypted: Type.Optional(
    Type.Literal(true, {
      description:
        'It has version 0.1 and no encryption key. Until it is updated, all boxes send in clear, and machines that only vote can read it',
    }),
  ),
})
export type Neighbour = Static<typeof Neighbour>

export const RefusedMessages = Shape('RefusedMessages', {
  what: Type.Enum(['message', 'reservation', 'status'], {
    description: 'message: between boxes; reservation: a record of the reservation stream; status: of a voter',
  }),
  delivered_by: Nullable(
    Type.String({
      description:
        'The name under which they came, a box id; of a reservation, the voter that delivered it. Null where they came under none, or too many',
    }),
  ),
  name: Nullable(Type.String({ description: 'Of the box with that id; null where the list has none' })),
  why: Type.Enum(['unsigned', 'stranger', 'forged', 'replayed', 'too_long', 'too_many'], {
    description:
      'unsigned: of an older version, or no message; stranger: signed by no box on the list; forged: the signature does not fit; replayed: sent again; too_long: longer than any message; too_many: dropped unread, because too many were refused before',
  }),
  count: Type.Unsafe<number>({
    ...Count,
    description: 'Since this box started, or since the last of them was forgotten: after a day',
  }),
  last: Time,
})
export type RefusedMessages = Static<typeof RefusedMessages>

export const MeshStanding = Shape('MeshStanding', {
  mode: Mode,
  since: Time,
  reason: Type.String({ description: 'Why, in one sentence for a person' }),
  reason_coded: Type.Optional(
    Type.Array(Coded, { description: 'The same as codes: each is a sentence, and they follow one another' }),
  ),
  forced: Type.Boolean({ description: 'DEGRADED because an admin said so' }),
  epoch: Type.Integer({ minimum: 0, description: 'Number of this arrangement of voters' }),
  unconfirmed: Type.Integer({
    minimum: 0,
    description: 'Admissions of this box that the others are still to be asked about',
  }),
  boxes: Type.Array(Neighbour, { description: 'This one first, the others by name' }),
  refused: Type.Optional(
    Type.Array(RefusedMessages, {
      description: 'Messages between boxes that were refused: nothing of them took effect',
    }),
  ),
})
export type MeshStanding = Static<typeof MeshStanding>

/** The same for the open tier: how many boxes, and not which. */
export const MeshInBrief = Shape('MeshInBrief', {
  since: Time,
  reason: Type.String({ description: 'Why the box is in its mode, in one sentence for a person' }),
  epoch: Type.Integer({ minimum: 0, description: 'Number of this arrangement of voters' }),
  boxes: Type.Unsafe<number>({ ...Count, description: 'Boxes of the event, this one among them' }),
  heard: Type.Unsafe<number>({ ...Count, description: 'Of these, heard now' }),
})
export type MeshInBrief = Static<typeof MeshInBrief>

/** Another box, with what a scanner needs to move to it. */
export const OtherBox = Shape('OtherBox', {
  box_id: Type.String(),
  name: Type.String(),
  url: Type.String(),
  device_url: Type.String(),
  unheard_seconds: Nullable(Count, 'where it was not heard since this box started'),
})
export type OtherBox = Static<typeof OtherBox>

/** Roles follow from the number of boxes; an invite holds only what a person has to decide. */
export const MeshInviteRequest = Shape('MeshInviteRequest', {
  host: Type.Optional(
    Type.String({
      maxLength: 253,
      pattern: '^[A-Za-z0-9.:-]+$',
      description: 'For a voter: the public name or address at which it may be reached. Without, a local one only',
    }),
  ),
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
  box_id: Type.Unsafe<string>({ ...Id, description: 'Box that gets a vote on claims' }),
  instead: Type.Optional(
    Type.Unsafe<string>({ ...Id, description: 'Box that gives its vote up; by default the last of the voters' }),
  ),
  actor: Words,
  reason: Words,
  is_off: Type.Boolean({
    description:
      'Somebody has seen that the box which gives up its vote is off, or hears this one: two that decide alone admit a ticket twice',
  }),
})

export const MeshBoxes = Shape('MeshBoxes', {
  epoch: Type.Integer({ minimum: 1, description: 'Number of this arrangement of voters' }),
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

/** The list of boxes, and their state as this one sees it; a single box has neither. */
export const MeshView = Shape('MeshView', {
  listed: Type.Optional(MeshBoxes),
  standing: Type.Optional(MeshStanding),
})
export type MeshView = Static<typeof MeshView>
