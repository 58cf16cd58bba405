/** What stands in the stream of claims under a right: who has it, or that it was given back. */
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

const Text = Type.String({ maxLength: 200 })
const ClaimRecord = Type.Object(
  {
    kind: Type.Enum(['claim', 'release']),
    scan_id: Text,
    /** Which box it was that the person stood at. */
    box: Text,
    checkpoint: Text,
    /** Unix ms of the passage. */
    at: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    hlc: Type.String({ maxLength: 40 }),
    occurrence: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    /** What is claimed: the subject has only a hash of it. */
    right: Type.Optional(Type.Object({ ticket: Text, slot: Text })),
    /** Other boxes that asked with this very scan, sent again: each may have admitted on it, or have died before it did. */
    also: Type.Optional(Type.Array(Text)),
  },
  // A newer box may say more.
  { additionalProperties: true },
)
export type ClaimRecord = Static<typeof ClaimRecord>

const MAX_BYTES = 4096

/** Every box that may have admitted somebody on a claim. */
export function boxesOf({ box, also = [] }: ClaimRecord): string[] {
  return [box, ...also]
}

export function encodeClaim(record: ClaimRecord): Uint8Array {
  return Buffer.from(canonicalJson({ ...record }))
}

/** @returns undefined for what is no claim: somebody else's message, or a damaged one */
export function decodeClaim(bytes: Uint8Array): ClaimRecord | undefined {
  if (bytes.length > MAX_BYTES) return undefined
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString())
    return Value.Check(ClaimRecord, value) ? value : undefined
  } catch {
    return undefined
  }
}
