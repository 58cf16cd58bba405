/**
 * Signs the records of the reservation stream, and opens only those that a box of the event has signed: the machines that keep the
 * stream write and deliver it, and one of them may be nobody's box. A record is good under its own subject alone, which names epoch
 * and right. What they can still do: withhold a record, lose it, or put an older true one of the same right in its place. Pure.
 *
 * Boxes of version 0.1 wrote records without a signature, in a stream of another name. Nothing in it is read: whatever it says is in
 * the journals too, from which the new stream is filled.
 */
import type { KeyObject } from 'node:crypto'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import type { RefusalReason } from '../replication/signed-message.ts'
import { isSigned, signStatement } from '../statement.ts'
import { decodeRecord, encodeRecord, type ReservationRecord } from './record.ts'

export interface RecordSigner {
  /** The event's id. */
  readonly event: string
  /** The id of this box, and the key of its log: Ed25519, private. */
  readonly by: string
  readonly key: KeyObject
}

export interface RecordReader {
  readonly event: string
  /** The public log key of a box of the event; undefined for anybody else. */
  keyOf(box: string): KeyObject | undefined
}

/** @param subject that it is to be stored under */
export function sealRecord(record: ReservationRecord, subject: string, { event, by, key }: RecordSigner): Uint8Array {
  const signature = signStatement('reservation', { event, subject, by, record: { ...record } }, key)
  return Buffer.from(canonicalJson({ record: { ...record }, by, signature }))
}

/** @returns the record; or why it is refused, and in whose name it was written */
export function openRecord(
  bytes: Uint8Array,
  subject: string,
  { event, keyOf }: RecordReader,
): { record: ReservationRecord } | { refused: RefusalReason; by: string | null } {
  const { record: said, by, signature } = parsed(bytes)
  if (typeof by !== 'string' || said === undefined) return { refused: 'unsigned', by: null }
  const key = keyOf(by)
  if (!key) return { refused: 'stranger', by }
  const record = decodeRecord(said)
  if (!record || !isSigned('reservation', { event, subject, by, record: { ...record } }, signature, key))
    return { refused: 'forged', by }
  return { record }
}

const MAX_BYTES = 8192

function parsed(bytes: Uint8Array): { record?: Uint8Array; by?: unknown; signature?: unknown } {
  if (bytes.length > MAX_BYTES) return {}
  try {
    const { record, by, signature } = JSON.parse(Buffer.from(bytes).toString()) as { [field: string]: unknown }
    return { record: encodeRecord(record as ReservationRecord), by, signature }
  } catch {
    return {}
  }
}
