/** The form of the list of boxes: what each box is listed with. */
import { type Static, Type } from 'typebox'
import { BoxPublicKey } from './encryption/box-key.ts'
import { GroupKey } from './encryption/group-key.ts'
import { Removals, RemovalsOfVersion2 } from './removals.ts'

/** More boxes than any event of ours has gates. */
const MOST_BOXES = 200

const Port = Type.Integer({ minimum: 1, maximum: 65_535 })
const Url = Type.String({ maxLength: 300, pattern: '^https://[A-Za-z0-9.:\\[\\]-]+$' })

/** Public halves of a member's credentials on the connections between boxes, each of its own and good for nothing else. */
export const LinkKeys = Type.Object(
  {
    /** Ed25519, base64: what it connects with, in either account. */
    bulk: Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$' }),
    urgent: Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$' }),
    /** SHA-256 of the key of its certificate (SubjectPublicKeyInfo in DER), hex. */
    tls: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  },
  { additionalProperties: false },
)
export type LinkKeys = Static<typeof LinkKeys>

const Box = Type.Object(
  {
    /** Becomes the name of a server and of a folder: only characters that are safe in a configuration and a path. */
    id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$' }),
    name: Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\x00-\\x1f\\x7f]+$' }),
    /** Verifier key of its sealed log. */
    log_key: Type.String({ minLength: 1, maxLength: 500, pattern: '^[\\x21-\\x7e]+$' }),
    /** core: has gates and a vote; leaf: has no vote; voter: has no gates, and a vote where three boxes can vote. */
    role: Type.Enum(['core', 'leaf', 'voter']),
    /** The host name or address by which the other boxes reach it. */
    host: Type.String({ minLength: 1, maxLength: 253, pattern: '^[A-Za-z0-9.:-]+$' }),
    ports: Type.Object({ route: Port, leaf: Port }, { additionalProperties: false }),
    /** Its HTTPS listener and its device tier. */
    https: Url,
    device: Url,
    /** The boxes of the core connect to it, and not the other way: it is in a data centre, with a publicly trusted certificate. */
    dial: Type.Optional(Type.Literal('core')),
    /** Absent until it has told them: it has version 0.1, or was listed a moment ago. Nobody connects to a member without. */
    link_keys: Type.Optional(LinkKeys),
    /** X25519, base64: the group key is encrypted for it. A machine that only votes has none, nor has a box of version 0.1. */
    encryption_key: Type.Optional(BoxPublicKey),
    /** By its log key, over these keys: `signed-keys.ts`. Absent until the box itself has changed the list, and from one that only votes. */
    key_signature: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9+/]{86}==$' })),
  },
  { additionalProperties: false },
)
export type TopologyBox = Static<typeof Box>

export const Topology = Type.Object(
  {
    /**
     * 1: of version 0.1, which knows neither removals nor keys of connections. 3: never released, without signatures of boxes' keys.
     * Every change from now on is 4.
     */
    v: Type.Union([Type.Literal(1), Type.Literal(3), Type.Literal(4)]),
    event: Type.String({ minLength: 1, maxLength: 128 }),
    epoch: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    version: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
    /** In the order in which they joined. */
    boxes: Type.Array(Box, { minItems: 1, maxItems: MOST_BOXES }),
    /** The removals. A list that lacks one is completed by any box that knows of it. */
    gone: Type.Optional(Removals),
    /** Absent until every box with a journal has an encryption key; a box that finds none then makes one. */
    group_key: Type.Optional(GroupKey),
  },
  { additionalProperties: false },
)
export type Topology = Static<typeof Topology>

/** Version 2, which was never released, as far as it differs: it had the removed members in full. */
export const Version2 = Type.Object({ v: Type.Literal(2), gone: RemovalsOfVersion2 })
