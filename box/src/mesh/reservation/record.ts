/** The record under a right in the reservation stream: its holder, or its release. */
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

const Text = Type.String({ maxLength: 200 })
const ReservationRecord = Type.Object(
  {
    kind: Type.Enum(['claim', 'release']),
    scan_id: Text,
    /** The box at whose gate the ticket was scanned. */
    box: Text,
    checkpoint: Text,
    /** Unix ms of the passage. */
    at: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    hlc: Type.String({ maxLength: 40 }),
    occurrence: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    /** Absent in a release. The subject holds only a hash of it. */
    right: Type.Optional(Type.Object({ ticket: Text, slot: Text })),
    /** Other boxes that asked with this very scan, sent again: each may have admitted on it, or have died before it could. */
    also: Type.Optional(Type.Array(Text)),
  },
  // A newer box may write more.
  { additionalProperties: true },
)
export type ReservationRecord = Static<typeof ReservationRecord>

const MAX_BYTES = 4096

/** Every box that may have admitted somebody on this reservation. */
export function holdersOf({ box, also = [] }: ReservationRecord): string[] {
  return [box, ...also]
}

export function encodeRecord(record: ReservationRecord): Uint8Array {
  return Buffer.from(canonicalJson({ ...record }))
}

/** @returns undefined for a message that is not a record, or a damaged one */
export function decodeRecord(bytes: Uint8Array): ReservationRecord | undefined {
  if (bytes.length > MAX_BYTES) return undefined
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString())
    return Value.Check(ReservationRecord, value) ? value : undefined
  } catch {
    return undefined
  }
}
