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
  /** Canonical JSON. */
  json: Buffer
  /** SHA-256 of it. */
  hash: Buffer
}

/** Longest piece that is given to a connection at once: a slow phone holds so much of its own, and shares the rest. */
const PIECE_BYTES = 64 * 1024

const signInThread = promisify<null, Buffer, KeyObject, Buffer>(sign)

export function partOf(value: unknown): Part {
  const json = Buffer.from(canonicalJson(value))
  return { json, hash: createHash('sha256').update(json).digest() }
}

export class SignedParts {
  readonly #parts: ReadonlyMap<string, Part>

  /** @param parts by name, in any order; none of them is called `signature` */
  constructor(parts: Readonly<Record<string, Part>>) {
    this.#parts = new Map(Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** An entity tag of all fields but `changing`, for which `instead` stands. */
  etag(changing: readonly string[], instead: Part): string {
    const hash = createHash('sha256').update(instead.hash)
    for (const [name, part] of this.#parts) if (!changing.includes(name)) hash.update(`${name}\n`).update(part.hash)
    return `"sha256-${hash.digest('hex')}"`
  }

  /** In node's thread pool. It copies the whole text for as long as that takes: one at a time. */
  async signedBy(key: KeyObject): Promise<readonly Buffer[]> {
    const fields = [...this.#parts].flatMap(([name, { json }], i) => [
      Buffer.from(`${i === 0 ? '{' : ','}${JSON.stringify(name)}:`),
      json,
    ])
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
