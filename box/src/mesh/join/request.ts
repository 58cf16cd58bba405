/**
 * What a box says that wants to join: who it will be, where it is reached, the invite's code, and a signature by the key of its
 * own log, so that nobody else asks twice on the same invite, and no box is listed with a key that it does not have.
 */
import { type KeyObject, sign, verify } from 'node:crypto'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { type Static, Type } from 'typebox'
import { GatehouseError } from '../../errors.ts'
import { NoteError, readVerifierKey } from '../../seal/note.ts'
import { originOf } from '../../seal/verifier-key.ts'

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const Port = Type.Integer({ minimum: 1, maximum: 65_535 })

/** As the list of boxes has it, which checks it once more and in full. */
const Joiner = Type.Object(
  {
    ...{ id: text(63), name: text(200), log_key: text(500), host: text(253), https: text(300), device: text(300) },
    ports: Type.Object({ route: Port, leaf: Port }, { additionalProperties: false }),
  },
  { additionalProperties: false },
)
export type Joiner = Static<typeof Joiner>

export const JoinRequest = Type.Object(
  { code: text(64), box: Joiner, proof: Type.String({ minLength: 1, maxLength: 100, contentEncoding: 'base64' }) },
  { additionalProperties: false },
)
export type JoinRequest = Static<typeof JoinRequest>

/** What a machine that only votes asks for, and again when its certificate grows old. */
export const VoterRequest = Type.Object(
  {
    ...JoinRequest.properties,
    machine: Type.Object(
      {
        names: Type.Array(text(253), { maxItems: 50 }),
        addresses: Type.Array(text(64), { maxItems: 200 }),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
)

/** What it gets: who votes, and by what the others know it. No key of the event's. */
export const VoterAnswer = Type.Object({
  topology: Type.String(),
  /** Of the event's key, public: what the list of boxes is checked with. */
  verifier_key: Type.String(),
  secret: Type.String(),
  key: Type.String(),
  certificate: Type.String(),
  left_out: Type.Array(Type.String()),
})
export type VoterAnswer = Static<typeof VoterAnswer>

/** @param logKey Ed25519, private: the one of `box.log_key` */
export function joinRequest(code: string, box: Joiner, logKey: KeyObject): JoinRequest {
  return { code, box, proof: sign(null, signedBytes(code, box), logKey).toString('base64') }
}

/**
 * Who asks has the key that it names, for a log of its own of this event.
 * @throws GatehouseError `bad_request`
 */
export function requireProof({ code, box, proof }: Pick<JoinRequest, 'code' | 'box' | 'proof'>, eventId: string): void {
  try {
    const key = readVerifierKey(box.log_key)
    const isOwn = key.name === originOf(eventId, box.id)
    if (isOwn && verify(null, signedBytes(code, box), key.publicKey, Buffer.from(proof, 'base64'))) return
  } catch (error) {
    if (!(error instanceof NoteError)) throw error
  }
  throw new GatehouseError('bad_request', 'The box that asks does not have the key that it names: run its join again.')
}

function signedBytes(code: string, box: Joiner): Buffer {
  return Buffer.from(`gatehouse mesh join\n${canonicalJson({ box, code })}`)
}
