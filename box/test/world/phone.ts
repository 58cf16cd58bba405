/** An attendee's phone, as its wallet uses it: a key of its own, codes, claims, signed requests. */
import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { claimBytes } from '@gatehouse/proto/claim.ts'
import { formatCode, signedBytes } from '@gatehouse/proto/code.ts'
import { signedRequest } from './signed-request.ts'

export class Phone {
  readonly key: KeyObject
  readonly publicKey: Buffer

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    this.key = privateKey
    this.publicKey = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  }

  /** The body of a claim for the ticket of this id. */
  claim(id: string) {
    return {
      public_key: this.publicKey.toString('base64'),
      proof: sign(null, claimBytes(id), this.key).toString('base64'),
    }
  }

  code(tag: Uint8Array, slot: number): string {
    const { publicKey } = this
    return formatCode({ publicKey, slot, signature: sign(null, signedBytes(tag, publicKey, slot), this.key) })
  }

  sign(request: Request, now: number, nonce: string = randomUUID()): Promise<Request> {
    return signedRequest(request, {
      keyId: this.publicKey.toString('base64url'),
      alg: 'ed25519',
      created: Math.floor(now / 1000),
      nonce,
      sign: async (base) => sign(null, base, this.key),
    })
  }
}
