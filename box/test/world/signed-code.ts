/** Codes as a pretix signs them that makes `pretix_sig1` codes. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

export interface Signing {
  item: number
  variation?: number
  subevent?: number
  /** Unix seconds. */
  validFrom?: number
  validUntil?: number
  /** Nine letters and digits, another one in each code. */
  seed?: string
}

export class CodeSigner {
  readonly #key: KeyObject
  /** As pretix's API publishes it. */
  readonly published: string
  #made = 0

  constructor() {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    this.#key = privateKey
    this.published = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' })).toString('base64')
  }

  code({ item, variation = 0, subevent = 0, validFrom = 0, validUntil = 0, seed }: Signing): string {
    const text = seed ?? String(++this.#made).padStart(9, '0')
    const numbers = [item, variation, subevent, validFrom, validUntil]
    const fields = numbers.flatMap((value, index) => (value === 0 ? [] : [(index + 2) << 3, ...varint(value)]))
    const payload = Buffer.from([0x0a, text.length, ...Buffer.from(text), ...fields])
    const head = Buffer.from([1, payload.length >> 8, payload.length & 0xff, 0, 64])
    const code = Buffer.concat([head, payload, sign(null, payload, this.#key)]).toString('base64')
    return [...code].reverse().join('')
  }
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...varint(Math.floor(value / 0x80))]
}
