/** An authenticator for passkeys in software, and the browser before it: WebAuthn Level 3 with attestation "none", and whatever a test wants to be wrong. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type {
  NewPasskeyRequest,
  PasskeyAnswer,
  PasskeyCreation,
  PasskeyQuestion,
} from '@gatehouse/proto/wire/passkeys.ts'

/** Mistakes and lies of a browser or an authenticator. */
export interface Lie {
  /** The RP ID that is hashed; that of the options by default. */
  rpId?: string
  type?: string
  origin?: string
  crossOrigin?: boolean
  challenge?: string
  isVerified?: boolean
  isPresent?: boolean
  userHandle?: string
  /** In place of the next count. */
  counter?: number
  /** Format of the attestation statement, and the statement. */
  attestation?: [string, Map<string, Cbor>]
  /** Signs in its place. */
  key?: KeyObject
}

const FLAGS = { present: 1, verified: 4, attested: 64 }
type Algorithm = -8 | -7 | -257

export class Authenticator {
  readonly id = randomBytes(16)
  readonly #origin: () => string
  readonly #algorithm: Algorithm
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject }
  /** 0 for ever if it does not count. */
  counter: number
  #userHandle = ''

  /** @param origin of the page that asks; a box has another port after each start of a test */
  constructor(origin: string | (() => string), { algorithm = -7 as Algorithm, counts = false } = {}) {
    this.#origin = typeof origin === 'string' ? () => origin : origin
    this.#algorithm = algorithm
    this.counter = counts ? 1 : 0
    this.#keys =
      algorithm === -8
        ? generateKeyPairSync('ed25519')
        : algorithm === -7
          ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
          : generateKeyPairSync('rsa', { modulusLength: 2048 })
  }

  /** As `navigator.credentials.create`. */
  make({ challenge, rp, user }: PasskeyCreation, lie: Lie = {}): Omit<NewPasskeyRequest, 'name'> {
    this.#userHandle = user.id
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.id.length)
    const data = Buffer.concat([
      this.#data(rp.id, FLAGS.attested, lie),
      ...[Buffer.alloc(16), length, this.id, this.publicKey],
    ])
    const [fmt, attStmt] = lie.attestation ?? ['none', new Map()]
    const object = new Map<string, Cbor>([
      ['fmt', fmt],
      ['attStmt', attStmt],
      ['authData', data],
    ])
    return {
      id: this.id.toString('base64url'),
      response: {
        clientDataJSON: this.#clientData('webauthn.create', challenge, lie).toString('base64url'),
        attestationObject: cbor(object).toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  /** As `navigator.credentials.get`, where it has this one passkey for the site. */
  answer({ challenge, rpId }: PasskeyQuestion, lie: Lie = {}): PasskeyAnswer {
    if (this.counter > 0) this.counter++
    const data = this.#data(rpId, 0, lie)
    const clientData = this.#clientData('webauthn.get', challenge, lie)
    const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()])
    const signature = sign(this.#algorithm === -8 ? null : 'sha256', signed, lie.key ?? this.#keys.privateKey)
    return {
      id: this.id.toString('base64url'),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: lie.userHandle ?? this.#userHandle,
      },
    }
  }

  /** COSE (RFC 9052). */
  get publicKey(): Buffer {
    const { x = '', y = '', n = '', e = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const bytes = (text: string) => Buffer.from(text, 'base64url')
    const fields: Record<Algorithm, [number, Cbor][]> = {
      [-8]: [
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, bytes(x)],
      ],
      [-7]: [
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, bytes(x)],
        [-3, bytes(y)],
      ],
      [-257]: [
        [1, 3],
        [3, -257],
        [-1, bytes(n)],
        [-2, bytes(e)],
      ],
    }
    return cbor(new Map<number, Cbor>(fields[this.#algorithm]))
  }

  #data(rpId: string, more: number, { rpId: other, isVerified = true, isPresent = true, counter }: Lie): Buffer {
    const flags = (isPresent ? FLAGS.present : 0) | (isVerified ? FLAGS.verified : 0) | more
    const counted = Buffer.alloc(4)
    counted.writeUInt32BE(counter ?? this.counter)
    const hash = createHash('sha256')
      .update(other ?? rpId)
      .digest()
    return Buffer.concat([hash, Buffer.from([flags]), counted])
  }

  #clientData(
    usual: string,
    challenge: string,
    { type = usual, crossOrigin = false, origin = this.#origin(), ...lie }: Lie,
  ): Buffer {
    const said = { type, challenge: lie.challenge ?? challenge, origin, crossOrigin }
    return Buffer.from(JSON.stringify(said))
  }
}

export type Cbor = number | string | Buffer | readonly Cbor[] | ReadonlyMap<string | number, Cbor>

/** As much of RFC 8949 as WebAuthn has. */
export function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  const pairs = [...(value as ReadonlyMap<string | number, Cbor>)].flat()
  return Buffer.concat([head(5, pairs.length / 2), ...pairs.map(cbor)])
}

function head(major: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(major << 5) | count])
  if (count < 256) return Buffer.from([(major << 5) | 24, count])
  return Buffer.from([(major << 5) | 25, count >> 8, count & 255])
}
