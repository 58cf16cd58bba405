/**
 * The request of a box that wants to join: its identity, its addresses, the invite's code, and a signature by the key of its own
 * log. The signature keeps others from repeating the request, and no box can be listed with a key that it does not have.
 */
import { type KeyObject, sign } from 'node:crypto'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { type Static, Type } from 'typebox'
import { verifyEd25519 } from '../../ed25519.ts'
import { GatehouseError } from '../../errors.ts'
import { NoteError, readVerifierKey } from '../../seal/note.ts'
import { originOf } from '../../seal/verifier-key.ts'
import { BoxPublicKey, isUsable } from '../encryption/box-key.ts'
import { LinkKeys } from '../topology-schema.ts'

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const Port = Type.Integer({ minimum: 1, maximum: 65_535 })

/** A box as the list of boxes has it, which checks it again and in full. */
const Joiner = Type.Object(
  {
    id: text(63),
    name: text(200),
    log_key: text(500),
    /** Absent from a machine that only votes, and from a box of version 0.1. */
    encryption_key: Type.Optional(BoxPublicKey),
    host: text(253),
    https: text(300),
    device: text(300),
    ports: Type.Object({ route: Port, leaf: Port }, { additionalProperties: false }),
    /** Of a machine that only votes. A box lists its own when it has joined. */
    link_keys: Type.Optional(LinkKeys),
  },
  { additionalProperties: false },
)
export type Joiner = Static<typeof Joiner>

export const JoinRequest = Type.Object(
  { code: text(64), box: Joiner, proof: Type.String({ minLength: 1, maxLength: 100, contentEncoding: 'base64' }) },
  { additionalProperties: false },
)
export type JoinRequest = Static<typeof JoinRequest>

/** The request of a machine that only votes; sent again when its certificate has to be renewed. */
export type VoterRequest = Static<typeof VoterRequest>
export const VoterRequest = Type.Object(
  {
    ...JoinRequest.properties,
    /** The key to be certified, SubjectPublicKeyInfo in DER: the one whose hash is in `link_keys`. Absent from version 0.1. */
    tls_key: Type.Optional(Type.String({ minLength: 1, maxLength: 500, contentEncoding: 'base64' })),
    /** Of version 0.1, which asked for names of its own choice. */
    machine: Type.Optional(Type.Object({})),
  },
  { additionalProperties: false },
)

/** The answer to it: the list of boxes and the machine's certificate, but no key of the event. */
export const VoterAnswer = Type.Object({
  topology: Type.String(),
  /** The event's public key, with which the list of boxes is verified. */
  verifier_key: Type.String(),
  /** The password of the voters in the epoch of that list. */
  secret: Type.String(),
  certificate: Type.String(),
  /** PEM: the authority of that certificate. */
  mesh_ca: Type.String(),
})
export type VoterAnswer = Static<typeof VoterAnswer>

/** @param logKey Ed25519, private: the other half of `box.log_key` */
export function joinRequest(code: string, box: Joiner, logKey: KeyObject): JoinRequest {
  return { code, box, proof: sign(null, signedBytes(code, box), logKey).toString('base64') }
}

/**
 * Requires a proof that the box has the key that it names, for a log of its own of this event.
 * @throws GatehouseError `bad_request`
 */
export function requireProof({ code, box, proof }: Pick<JoinRequest, 'code' | 'box' | 'proof'>, eventId: string): void {
  try {
    const key = readVerifierKey(box.log_key)
    const isOwn = key.name === originOf(eventId, box.id)
    if (isOwn && verifyEd25519(key.publicKey, signedBytes(code, box), Buffer.from(proof, 'base64'))) return
  } catch (error) {
    if (!(error instanceof NoteError)) throw error
  }
  throw new GatehouseError('bad_request', 'The box that asks does not have the key that it names: run its join again.')
}

/** A box that encrypts nothing cannot read the list of boxes either. @throws GatehouseError `bad_request` */
export function requireBoxKey({ box }: Pick<JoinRequest, 'box'>): void {
  if (box.encryption_key !== undefined && isUsable(box.encryption_key)) return
  throw new GatehouseError(
    'bad_request',
    'The box that asks has no usable encryption key: update it to the version of this one, then run its join again.',
  )
}

function signedBytes(code: string, box: Joiner): Buffer {
  return Buffer.from(`gatehouse mesh join\n${canonicalJson({ box, code })}`)
}
