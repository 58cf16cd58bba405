/**
 * One record of the redo log: the statements of one commit, with their parameters. Pure: bytes in, bytes out.
 *
 * 4 bytes  length of the payload
 * 4 bytes  CRC-32 of everything behind them
 * 8 bytes  the log's generation: random, so that what an earlier generation has left in the file is no record
 * 8 bytes  sequence number, one more than that of the record before
 * payload  structured clone (`v8.serialize`) of `Payload`
 *
 * Numbers are big-endian.
 */
import { deserialize, serialize } from 'node:v8'
import { crc32 } from 'node:zlib'

/** A statement that wrote, and what it was run with. */
export interface Statement {
  sql: string
  params: readonly unknown[]
}

export interface RedoRecord {
  seq: number
  payload: Payload
}

/** Each statement is the number of its text among `texts`, and its parameters. */
export interface Payload {
  /** Texts that no earlier record of the same fold has, in order. */
  texts: string[]
  /** True for the first record of a fold: its texts are numbered from 0 again. */
  first: boolean
  statements: [text: number, ...params: unknown[]][]
  /** When it was committed, as the change log has it, unix ms; absent where it has nothing of it. */
  at?: number
}

export const HEADER_BYTES = 24
export const GENERATION_BYTES = 8

export function encodeRecord(generation: Buffer, { seq, payload }: RedoRecord): Buffer {
  const body = serialize(payload)
  const record = Buffer.allocUnsafe(HEADER_BYTES + body.length)
  record.writeUInt32BE(body.length, 0)
  generation.copy(record, 8, 0, GENERATION_BYTES)
  record.writeBigUInt64BE(BigInt(seq), 16)
  body.copy(record, HEADER_BYTES)
  record.writeUInt32BE(crc32(record.subarray(8)), 4)
  return record
}

/** The record at `offset`, and where the next one begins; undefined where there is none of this generation, or not all of it. */
export function decodeRecord(
  bytes: Buffer,
  offset: number,
  generation: Buffer,
): (RedoRecord & { next: number }) | undefined {
  if (offset + HEADER_BYTES > bytes.length) return undefined
  const next = offset + HEADER_BYTES + bytes.readUInt32BE(offset)
  if (next > bytes.length || next === offset + HEADER_BYTES) return undefined
  const checked = bytes.subarray(offset + 8, next)
  if (!checked.subarray(0, GENERATION_BYTES).equals(generation)) return undefined
  if (crc32(checked) !== bytes.readUInt32BE(offset + 4)) return undefined
  const seq = Number(bytes.readBigUInt64BE(offset + 16))
  return { seq, payload: deserialize(bytes.subarray(offset + HEADER_BYTES, next)) as Payload, next }
}

/** True if these first bytes of a record are of that generation and number. */
export function isHeadOf(head: Buffer, { generation, seq }: { generation: Buffer; seq: number }): boolean {
  return head.subarray(8, 8 + GENERATION_BYTES).equals(generation) && head.readBigUInt64BE(16) === BigInt(seq)
}
