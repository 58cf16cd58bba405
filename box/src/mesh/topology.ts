/**
 * The list of an event's boxes, where each is reached, and which of them vote on reservations: one document, signed with the
 * event's key, of which the highest (epoch, version) counts. An epoch is one arrangement of voters, with a reservation stream of
 * its own. Everything here is pure but `readTopology` and `storeTopology`. Whoever reaches a port of the mesh may send a document:
 * nothing of it is used before the signature has been checked.
 */
import { type KeyObject, sign } from 'node:crypto'
import { isIP } from 'node:net'
import { fromBase64 } from '@gatehouse/proto/base64.ts'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { type Coded, type CodeOf, coded } from '@gatehouse/proto/said.ts'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { verifyEd25519 } from '../ed25519.ts'
import type { Db } from '../ledger/db.ts'
import { readValue, writeValue } from '../ledger/identity.ts'
import { type GroupKey, haveAllKeys, haveSameRecipients, isGroupKeyOf } from './encryption/group-key.ts'
import { mergedRemovals, type Removals, wasRemoved, withRemoval } from './removals.ts'
import { Topology, type TopologyBox, Version2 } from './topology-schema.ts'

export type { Topology, TopologyBox }

/** Two hundred boxes with the longest fields, and all removals, fit in. */
const LONGEST = 650_000
/** The number of voters in a full core: any two of the three are a majority. With fewer, a single box decides. */
const CORE = 3
/** Domain separation: no other document that the event's key signs begins like this. */
const CONTEXT = 'gatehouse mesh topology\n'
const NAME = 'topology'
/** Of a list that is made or changed now. */
const VERSION = 4

const Signed = Type.Object(
  { signature: Type.String({ maxLength: 100 }), topology: Type.Unknown() },
  { additionalProperties: false },
)

/** Of a change that the control room can ask for. */
type ChangeCode = Coded<CodeOf<'boxes'>>

/** An invalid document, or a change that cannot be made. The message is for the operator, the code for the control room. */
export class TopologyError extends Error {
  override readonly name = 'TopologyError'
  readonly coded: ChangeCode | undefined

  constructor(message: string, { coded, ...options }: ErrorOptions & { coded?: ChangeCode } = {}) {
    super(message, options)
    this.coded = coded
  }
}

/** The topology of an event's first box, which is its core. */
export function firstTopology(event: string, box: Omit<TopologyBox, 'role'>): Topology {
  return checked({ v: VERSION, event, epoch: 1, version: 1, boxes: [{ ...box, role: 'core' }] })
}

/** @throws TopologyError for an id that is listed or was removed, a key that was, and a voter when three boxes vote already */
export function withBox(topology: Topology, box: Omit<TopologyBox, 'role'> & { role?: 'voter' }): Topology {
  if (topology.boxes.some(({ id }) => id === box.id)) throw new TopologyError(`${box.id} is one of the boxes already.`)
  if (wasRemoved(box, topology.gone ?? [])) {
    throw new TopologyError(
      `${box.id} was removed from this event, and neither its name nor its key is used again: join with an empty data folder and a new invite.`,
    )
  }
  const wanted = box.role ?? 'leaf'
  if (wanted === 'voter' && votersOf(topology).length >= CORE)
    throw new TopologyError('Three boxes vote already: a further voter would have nothing to do.')
  return changed(topology, [...topology.boxes, { ...box, role: wanted }])
}

/** Removes a box, for ever. @throws TopologyError for a box that is not listed, and for the only one */
export function withoutBox(topology: Topology, id: string): Topology {
  const removed = boxOf(topology, id)
  const rest = topology.boxes.filter((box) => box.id !== id)
  if (rest.length === 0)
    throw new TopologyError('The last box of an event cannot be removed.', { coded: coded('last_box') })
  return changed({ ...topology, gone: withRemoval(topology.gone, removed, topology.version + 1) }, rest)
}

/** @throws TopologyError for a list with a box that has no key */
export function requireAllKeys(list: Pick<Topology, 'boxes'>): void {
  if (haveAllKeys(list)) return
  const open = list.boxes.find(({ role, encryption_key }) => role !== 'voter' && encryption_key === undefined)
  const id = open?.id ?? ''
  throw new TopologyError(`${id} has an older version of Gatehouse, which encrypts nothing: update it first.`, {
    coded: coded('box_outdated', { name: id }),
  })
}

/** The same list with a group key that was made for it. */
export function withGroupKey(topology: Topology, group_key: GroupKey): Topology {
  return checked({ ...topology, v: VERSION, version: topology.version + 1, group_key })
}

/** The same boxes, one of them with other addresses, another name, or other keys of its connections. @throws TopologyError for a box that is not listed */
export function withAddress(
  topology: Topology,
  id: string,
  address: Partial<
    Pick<TopologyBox, 'name' | 'host' | 'ports' | 'https' | 'device' | 'link_keys' | 'encryption_key' | 'key_signature'>
  >,
): Topology {
  boxOf(topology, id)
  return changed(
    topology,
    topology.boxes.map((box) => (box.id === id ? { ...box, ...address } : box)),
  )
}

/**
 * Gives a box a vote: with two boxes it becomes the core, and the other a leaf; with more it takes the place of `instead`, by
 * default the last of the core.
 * @throws TopologyError when it votes already, or cannot vote
 */
export function promoted(topology: Topology, id: string, instead?: string): Topology {
  const box = boxOf(topology, id)
  const voters = votersOf(topology)
  if (voters.includes(id))
    throw new TopologyError(`${id} votes already.`, { coded: coded('votes_already', { name: id }) })
  if (box.dial !== undefined)
    throw new TopologyError(`${id} is in a data centre: the voters have to be at the venue.`, {
      coded: coded('in_data_centre', { name: id }),
    })
  const replaced = instead ?? voters.at(-1) ?? ''
  if (!voters.includes(replaced))
    throw new TopologyError(`${replaced} has no vote to give up.`, { coded: coded('no_vote', { name: replaced }) })
  return changed(
    topology,
    topology.boxes.map((each) => {
      if (each.id === id) return { ...each, role: each.role === 'voter' ? each.role : ('core' as const) }
      return each.id === replaced ? { ...each, role: 'leaf' as const } : each
    }),
  )
}

/** The voters: ids of one box or three, in the order in which they joined. */
export function votersOf({ boxes }: Pick<Topology, 'boxes'>): string[] {
  const able = boxes.filter(({ role }) => role !== 'leaf').map(({ id }) => id)
  if (able.length >= CORE) return able.slice(0, CORE)
  const first = boxes.find(({ role }) => role === 'core') ?? boxes.find(({ role }) => role === 'voter')
  return first ? [first.id] : []
}

/** Assigns roles by the number of boxes: a voter keeps its vote, and free votes go to the boxes that joined first. */
export function rolesFor(boxes: readonly TopologyBox[]): TopologyBox[] {
  const atVenue = boxes.filter(({ dial }) => dial === undefined)
  // Where the venue has no box left, the box in the data centre decides alone.
  const able = atVenue.length > 0 ? atVenue : boxes
  const byRight = [...able.filter(({ role }) => role !== 'leaf'), ...able.filter(({ role }) => role === 'leaf')]
  const alone = byRight.find(({ role }) => role === 'core') ?? byRight[0]
  const voting = new Set(able.length >= CORE ? byRight.slice(0, CORE) : [alone])
  return boxes.map((box) => {
    if (box.role === 'voter') return box
    return { ...box, role: voting.has(box) ? 'core' : 'leaf' }
  })
}

/** @throws TopologyError for a box that is not listed */
export function boxOf(topology: Topology, id: string): TopologyBox {
  const box = topology.boxes.find((each) => each.id === id)
  if (!box) throw new TopologyError(`There is no box ${id}.`, { coded: coded('box_unlisted', { name: id }) })
  return box
}

/**
 * True if `one` supersedes `other`. Two parts of an event that were changed by hand while they did not reach each other may have
 * made two documents with the same numbers: then every box takes the same one.
 */
export function isNewer(one: Topology, other: Topology): boolean {
  if (one.epoch !== other.epoch) return one.epoch > other.epoch
  if (one.version !== other.version) return one.version > other.version
  return canonicalJson(one) > canonicalJson(other)
}

/** @param eventKey Ed25519, private: shared by the boxes of the event */
export function signTopology(topology: Topology, eventKey: KeyObject): string {
  const signature = sign(null, signedBytes(checked(topology)), eventKey).toString('base64')
  const text = canonicalJson({ signature, topology })
  // Nobody would open it.
  if (text.length > LONGEST) throw new TopologyError('The list of boxes would be too long.')
  return text
}

/**
 * @param text from anybody
 * @param event the id of this box's event
 * @throws TopologyError for anything but a document of this event, signed with its key
 */
export function openTopology(text: string, eventKey: KeyObject, event: string): Topology {
  if (text.length > LONGEST) throw new TopologyError('This is not a list of boxes: it is too long.')
  const { signature, topology } = parsed(text)
  const bytes = fromBase64(signature)
  if (!bytes || !verifyEd25519(eventKey, signedBytes(topology), bytes))
    throw new TopologyError("This list of boxes is not signed with this event's key.")
  const good = checked(upgraded(topology))
  if (good.event !== event) throw new TopologyError('This list of boxes is of another event.')
  return good
}

/** The stored topology; undefined for a box that was never in a mesh. @throws TopologyError for a damaged one */
export function readTopology(db: Pick<Db, 'drizzle'>, eventKey: KeyObject, event: string): Topology | undefined {
  const kept = readValue(db, NAME)
  return kept && openTopology(kept.toString(), eventKey, event)
}

/** Within the caller's transaction. @param signed as `signTopology` made it, or another box sent it */
export function storeTopology(db: Db, signed: string): void {
  writeValue(db, NAME, Buffer.from(signed))
}

/** The signed text, to be sent to other boxes. */
export function signedTopology(db: Pick<Db, 'drizzle'>): string | undefined {
  return readValue(db, NAME)?.toString()
}

/** The next version of a list, with these boxes: their roles, its epoch and its group key follow. */
export function changed(topology: Topology, boxes: readonly TopologyBox[]): Topology {
  const assigned = rolesFor(boxes)
  const sameVoters = votersOf(topology).sort().join() === votersOf({ boxes: assigned }).sort().join()
  const epoch = topology.epoch + (sameVoters ? 0 : 1)
  // For a box that is new, is gone or has another key, the group key is made anew.
  const { group_key, ...rest } = topology
  const kept = haveSameRecipients(topology, { boxes: assigned }) && group_key ? { group_key } : {}
  return checked({ ...rest, ...kept, v: VERSION, epoch, version: topology.version + 1, boxes: assigned })
}

function parsed(text: string): Static<typeof Signed> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new TopologyError('This is not a list of boxes: it is not JSON.', { cause })
  }
  if (!Value.Check(Signed, value)) throw new TopologyError('This is not a signed list of boxes.')
  return value
}

function signedBytes(topology: unknown): Buffer {
  try {
    return Buffer.from(CONTEXT + canonicalJson(topology))
  } catch (cause) {
    throw new TopologyError('This is not a list of boxes: it has no canonical form.', { cause })
  }
}

/** Version 2, which was never released, had the removed members in full. */
function upgraded(value: unknown): unknown {
  if (!Value.Check(Version2, value)) return value
  const gone = value.gone.reduce<Removals | undefined>((all, member) => withRemoval(all, member, 0), undefined)
  return { ...value, v: 3, gone }
}

/** Checks the shape, and the constraints that a schema cannot express. */
function checked(value: unknown): Topology {
  if (!Value.Check(Topology, value)) {
    const [first] = Value.Errors(Topology, value)
    throw new TopologyError(`This list of boxes cannot be used: ${first?.instancePath || '/'} ${first?.message ?? ''}.`)
  }
  const wrong = (why: string) => new TopologyError(`This list of boxes cannot be used: ${why}.`)
  if (new Set(value.boxes.map(({ id }) => id)).size !== value.boxes.length) throw wrong('a box is in it twice')
  const bad = value.boxes.find(({ host }) => !isHost(host))
  if (bad) throw wrong(`${bad.id} has no host name and no address`)
  if (canonicalJson(rolesFor(value.boxes)) !== canonicalJson(value.boxes))
    throw wrong('its roles do not fit its number')
  const { v, gone = [] } = value
  const keys = value.boxes.flatMap(({ link_keys = {}, encryption_key }) => [
    ...Object.values(link_keys),
    ...(encryption_key !== undefined ? [encryption_key] : []),
  ])
  if (v === 1 && gone.length + keys.length > 0) throw wrong('version 1 has neither removed boxes nor keys')
  if (v < 4 && value.boxes.some(({ key_signature }) => key_signature !== undefined))
    throw wrong('before version 4 no box signed its keys')
  // With the key of another member one could have its connections refused.
  if (new Set(keys).size !== keys.length) throw wrong('two boxes have the same key')
  if (value.boxes.some(({ role, encryption_key }) => role === 'voter' && encryption_key !== undefined))
    throw wrong('a machine that only votes gets no key')
  if (!isGroupKeyOf(value)) throw wrong('its group key is not for its boxes')
  if (String(mergedRemovals(gone)) !== String(gone)) throw wrong('the removed boxes are not in order')
  const back = value.boxes.find((box) => wasRemoved(box, gone))
  if (back) throw wrong(`${back.id} was removed`)
  return value
}

/** An address, or a host name (RFC 1123). A last label of digits alone would be an invalid address. */
function isHost(host: string): boolean {
  if (isIP(host) !== 0) return !host.includes('%')
  const labels = host.split('.')
  return labels.every((label) => /^(?!-)[A-Za-z0-9-]{1,63}(?<!-)$/.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
}
