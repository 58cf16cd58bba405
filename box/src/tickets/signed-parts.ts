/**
 * A large signed JSON object as the texts of its fields, in canonical order. A text that is the same for all devices is made and hashed
 * once, and all answers that are under way share it. What is signed is what is sent.
 */
import { createHash, type KeyObject, sign } from 'node:crypto'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { toBase64 } from '@gatehouse/proto/base64.ts'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'

/** The value of one field. */
export interface Part {
  /** Canonical JSON, in pieces: none of several megabytes is copied into another. */
  readonly json: readonly Buffer[]
  /** The same for the same JSON, made in the same way; for `etag`. Made when it is first asked for. */
  readonly hash: Buffer
}

/** Longest piece that is given to a connection at once: a slow phone holds so much of its own, and shares the rest. */
const PIECE_BYTES = 64 * 1024
/** Bytes that are encoded at once, without padding within: they become a piece's worth of text. */
const ENCODED_BYTES = (PIECE_BYTES / 4) * 3

const signInThread = promisify<null, Buffer, KeyObject, Buffer>(sign)

export function partOf(value: unknown): Part {
  return part([Buffer.from(canonicalJson(value))])
}

/** Each field of an object. */
export function partsOf(fields: object): Record<string, Part> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, partOf(value)]))
}

/** A string: the bytes in base64. */
export function base64Part(bytes: Uint8Array): Part {
  const from = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const json = Buffer.alloc(Math.ceil(from.length / 3) * 4 + 2, '"')
  let end = 1
  for (let at = 0; at < from.length; at += ENCODED_BYTES) {
    end += json.write(from.toString('base64', at, at + ENCODED_BYTES), end, 'latin1')
  }
  return part([json])
}

/** An object with these fields. */
export function objectPart(fields: Readonly<Record<string, Part>>): Part {
  const sorted = inOrder(fields)
  return part([...jsonOf(sorted), Buffer.from('}')], () => hashOf(hashedFields(sorted)))
}

function part(json: readonly Buffer[], makeHash = () => hashOf(json)): Part {
  let hash: Buffer | undefined
  return {
    json,
    get hash() {
      hash ??= makeHash()
      return hash
    },
  }
}

/** Names and hashes of the fields, for the hash of their object: megabytes that many objects share are hashed once. */
function hashedFields(fields: Iterable<[name: string, Part]>): Buffer[] {
  return [...fields].flatMap(([name, { hash }]) => [Buffer.from(`${name}\n`), hash])
}

/** SHA-256 */
function hashOf(pieces: readonly Buffer[]): Buffer {
  const hash = createHash('sha256')
  for (const piece of pieces) hash.update(piece)
  return hash.digest()
}

/** In canonical order. */
function inOrder(fields: Readonly<Record<string, Part>>): [name: string, Part][] {
  return Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))
}

/** An object without its end. */
function jsonOf(fields: Iterable<[name: string, Part]>): Buffer[] {
  const pieces = [...fields].flatMap(([name, { json }], i) => [
    Buffer.from(`${i === 0 ? '' : ','}${JSON.stringify(name)}:`),
    ...json,
  ])
  return [Buffer.from('{'), ...pieces]
}

export class SignedParts {
  readonly #parts: ReadonlyMap<string, Part>

  /** @param parts by name, in any order; none of them is called `signature` */
  constructor(parts: Readonly<Record<string, Part>>) {
    this.#parts = new Map(inOrder(parts))
  }

  /** An entity tag of all fields but `changing`, for which `instead` stands. */
  etag(changing: readonly string[], instead: Part): string {
    const lasting = [...this.#parts].filter(([name]) => !changing.includes(name))
    return `"sha256-${hashOf([instead.hash, ...hashedFields(lasting)]).toString('hex')}"`
  }

  /** In node's thread pool. It copies the whole text for as long as that takes: one at a time. */
  async signedBy(key: KeyObject): Promise<readonly Buffer[]> {
    const fields = jsonOf(this.#parts)
    const signature = await signInThread(null, Buffer.concat([...fields, Buffer.from('}')]), key)
    return [...fields, Buffer.from(`,"signature":"${toBase64(signature)}"}`)]
  }
}

/** The pieces of an answer, each of which waits until the connection has taken the one before. */
export function streamOf(pieces: readonly Buffer[]): Readable {
  return Readable.from(smaller(pieces), { objectMode: false })
}

function* smaller(pieces: readonly Buffer[]): Generator<Buffer> {
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += PIECE_BYTES) yield piece.subarray(at, at + PIECE_BYTES)
  }
}
