/**
 * Which boxes an event has, where each is reached, and which of them vote on claims: one document, signed with the event's
 * key, of which the highest (epoch, version) counts. An epoch is one arrangement of voters; the stream of claims is another in
 * each. Everything here is pure but `readTopology` and `storeTopology`. Whoever reaches a port of the mesh may send a document:
 * nothing of it is used before the signature has been checked.
 */
import { type KeyObject, sign, verify } from 'node:crypto'
import { isIP } from 'node:net'
import { fromBase64 } from '@gatehouse/proto/base64.ts'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Db } from '../db.ts'
import { readValue, writeValue } from '../ledger/identity.ts'

/** More boxes than any event of ours has gates. */
const MOST_BOXES = 200
const LONGEST = 512 * 1024
/** What the core can be: one box, or three, of which any two are enough. */
const CORE = 3
/** No other document that the event's key signs begins like this. */
const CONTEXT = 'gatehouse mesh topology\n'
const NAME = 'topology'

const Port = Type.Integer({ minimum: 1, maximum: 65_535 })
const Url = Type.String({ maxLength: 300, pattern: '^https://[A-Za-z0-9.:\\[\\]-]+$' })

const Box = Type.Object(
  {
    /** It becomes the name of a server and of a folder: nothing that a configuration or a path could trip over. */
    id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$' }),
    name: Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\x00-\\x1f\\x7f]+$' }),
    /** Verifier key of its sealed log. */
    log_key: Type.String({ minLength: 1, maxLength: 500, pattern: '^[\\x21-\\x7e]+$' }),
    /** core: has gates and a vote; leaf: has no vote; voter: has no gates, and a vote where three boxes can vote. */
    role: Type.Enum(['core', 'leaf', 'voter']),
    /** A host name or an address, by which the other boxes reach it. */
    host: Type.String({ minLength: 1, maxLength: 253, pattern: '^[A-Za-z0-9.:-]+$' }),
    ports: Type.Object({ route: Port, leaf: Port }, { additionalProperties: false }),
    /** Its HTTPS listener and its device tier. */
    https: Url,
    device: Url,
    /** The boxes of the core dial it, not it them: it stands in a data centre, with a publicly trusted certificate. */
    dial: Type.Optional(Type.Literal('core')),
  },
  { additionalProperties: false },
)
export type TopologyBox = Static<typeof Box>

const Topology = Type.Object(
  {
    v: Type.Literal(1),
    event: Type.String({ minLength: 1, maxLength: 128 }),
    epoch: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    version: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
    /** In the order in which they joined. */
    boxes: Type.Array(Box, { minItems: 1, maxItems: MOST_BOXES }),
  },
  { additionalProperties: false },
)
export type Topology = Static<typeof Topology>

const Signed = Type.Object(
  { signature: Type.String({ maxLength: 100 }), topology: Type.Unknown() },
  { additionalProperties: false },
)

/** A document that is none, or a change that cannot be made. The message is for the operator. */
export class TopologyError extends Error {
  override readonly name = 'TopologyError'
}

/** The first box of an event: alone, and its core. */
export function firstTopology(event: string, box: Omit<TopologyBox, 'role'>): Topology {
  return checked({ v: 1, event, epoch: 1, version: 1, boxes: [{ ...box, role: 'core' }] })
}

/** @throws TopologyError for an id that is there, and for a voter that there is no vote for */
export function withBox(topology: Topology, box: Omit<TopologyBox, 'role'> & { role?: 'voter' }): Topology {
  if (topology.boxes.some(({ id }) => id === box.id)) throw new TopologyError(`${box.id} is one of the boxes already.`)
  const wanted = box.role ?? 'leaf'
  if (wanted === 'voter' && votersOf(topology).length >= CORE)
    throw new TopologyError('Three boxes vote already: a further voter would have nothing to do.')
  return changed(topology, [...topology.boxes, { ...box, role: wanted }])
}

/** @throws TopologyError for a box that is not there, and for the only one */
export function withoutBox(topology: Topology, id: string): Topology {
  const rest = topology.boxes.filter((box) => box.id !== id)
  if (rest.length === topology.boxes.length) throw new TopologyError(`There is no box ${id}.`)
  if (rest.length === 0) throw new TopologyError('The last box of an event cannot be removed.')
  return changed(topology, rest)
}

/** The same boxes, one of them with other addresses or another name. @throws TopologyError for a box that is not there */
export function withAddress(
  topology: Topology,
  id: string,
  address: Partial<Pick<TopologyBox, 'name' | 'host' | 'ports' | 'https' | 'device'>>,
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
 * @throws TopologyError when it has one, or can have none
 */
export function promoted(topology: Topology, id: string, instead?: string): Topology {
  const box = boxOf(topology, id)
  const voters = votersOf(topology)
  if (voters.includes(id)) throw new TopologyError(`${id} votes already.`)
  if (box.dial !== undefined) throw new TopologyError(`${id} is in a data centre: the voters have to be at the venue.`)
  const replaced = instead ?? voters.at(-1) ?? ''
  if (!voters.includes(replaced)) throw new TopologyError(`${replaced} has no vote to give up.`)
  return changed(
    topology,
    topology.boxes.map((each) => {
      if (each.id === id) return { ...each, role: each.role === 'voter' ? each.role : ('core' as const) }
      return each.id === replaced ? { ...each, role: 'leaf' as const } : each
    }),
  )
}

/** Who votes: the ids of one box or three, in the order in which they joined. */
export function votersOf({ boxes }: Pick<Topology, 'boxes'>): string[] {
  const able = boxes.filter(({ role }) => role !== 'leaf').map(({ id }) => id)
  if (able.length >= CORE) return able.slice(0, CORE)
  const first = boxes.find(({ role }) => role === 'core') ?? boxes.find(({ role }) => role === 'voter')
  return first ? [first.id] : []
}

/** The boxes with the roles that their number gives them: who has a vote keeps it, then who joined first gets one. */
export function rolesFor(boxes: readonly TopologyBox[]): TopologyBox[] {
  const atVenue = boxes.filter(({ dial }) => dial === undefined)
  // A box in a data centre whose venue has no box left is the event's only one.
  const able = atVenue.length > 0 ? atVenue : boxes
  const byRight = [...able.filter(({ role }) => role !== 'leaf'), ...able.filter(({ role }) => role === 'leaf')]
  const alone = byRight.find(({ role }) => role === 'core') ?? byRight[0]
  const voting = new Set(able.length >= CORE ? byRight.slice(0, CORE) : [alone])
  return boxes.map((box) => {
    if (box.role === 'voter') return box
    return { ...box, role: voting.has(box) ? 'core' : 'leaf' }
  })
}

/** @throws TopologyError when there is none */
export function boxOf(topology: Topology, id: string): TopologyBox {
  const box = topology.boxes.find((each) => each.id === id)
  if (!box) throw new TopologyError(`There is no box ${id}.`)
  return box
}

/**
 * Whether `one` counts and not `other`. Two parts of an event that were changed by hand while they did not hear each other may
 * have made two documents of one number: then every box takes the same one.
 */
export function isNewer(one: Topology, other: Topology): boolean {
  if (one.epoch !== other.epoch) return one.epoch > other.epoch
  if (one.version !== other.version) return one.version > other.version
  return canonicalJson(one) > canonicalJson(other)
}

/** @param eventKey Ed25519, private: the one that the event's boxes share */
export function signTopology(topology: Topology, eventKey: KeyObject): string {
  const signature = sign(null, signedBytes(checked(topology)), eventKey).toString('base64')
  return canonicalJson({ signature, topology })
}

/**
 * @param text from anybody
 * @param event the id of this box's own
 * @throws TopologyError for anything but a document of this event, signed with its key
 */
export function openTopology(text: string, eventKey: KeyObject, event: string): Topology {
  if (text.length > LONGEST) throw new TopologyError('This is no list of boxes: it is too long.')
  const { signature, topology } = parsed(text)
  const bytes = fromBase64(signature)
  if (!bytes || !verify(null, signedBytes(topology), eventKey, bytes))
    throw new TopologyError("This list of boxes is not signed with this event's key.")
  const good = checked(topology)
  if (good.event !== event) throw new TopologyError('This list of boxes is of another event.')
  return good
}

/** What this box goes by; undefined for a box that never met another. @throws TopologyError for a damaged one */
export function readTopology(db: Pick<Db, 'drizzle'>, eventKey: KeyObject, event: string): Topology | undefined {
  const kept = readValue(db, NAME)
  return kept && openTopology(kept.toString(), eventKey, event)
}

/** Within the caller's transaction. @param signed as `signTopology` made it, or another box sent it */
export function storeTopology(db: Db, signed: string): void {
  writeValue(db, NAME, Buffer.from(signed))
}

/** The signed text, to hand on. */
export function signedTopology(db: Pick<Db, 'drizzle'>): string | undefined {
  return readValue(db, NAME)?.toString()
}

function changed(topology: Topology, boxes: readonly TopologyBox[]): Topology {
  const assigned = rolesFor(boxes)
  const sameVoters = votersOf(topology).sort().join() === votersOf({ boxes: assigned }).sort().join()
  const epoch = topology.epoch + (sameVoters ? 0 : 1)
  return checked({ ...topology, epoch, version: topology.version + 1, boxes: assigned })
}

function parsed(text: string): Static<typeof Signed> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new TopologyError('This is no list of boxes: it is no JSON.', { cause })
  }
  if (!Value.Check(Signed, value)) throw new TopologyError('This is no signed list of boxes.')
  return value
}

function signedBytes(topology: unknown): Buffer {
  try {
    return Buffer.from(CONTEXT + canonicalJson(topology))
  } catch (cause) {
    throw new TopologyError('This is no list of boxes: it has no canonical form.', { cause })
  }
}

/** Its shape, and what a shape cannot say. */
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
  return value
}

/** An address, or a host name (RFC 1123); a last label of digits would be an address that is none. */
function isHost(host: string): boolean {
  if (isIP(host) !== 0) return !host.includes('%')
  const labels = host.split('.')
  return labels.every((label) => /^(?!-)[A-Za-z0-9-]{1,63}(?<!-)$/.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
}
