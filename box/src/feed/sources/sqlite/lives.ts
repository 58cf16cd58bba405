/**
 * Whether a database is still the one that was read before. A backup that is put back gives the same sequences to other
 * changes: its slot then has a token of an earlier time, or ends before what was taken. Pure.
 */
import { type Static, Type } from 'typebox'
import type { SlotRow } from './slot.ts'

/** What the feed remembers outside the database. */
export const Memory = Type.Object(
  {
    incarnation: Type.Integer({ minimum: 0 }),
    /** The newest sequence seen. */
    seq: Type.Integer({ minimum: 0 }),
    /** The token that the slot has, and the one that it is about to get: a crash may come between. */
    tokens: Type.Array(Type.String(), { maxItems: 2 }),
  },
  { additionalProperties: false },
)
export type Memory = Static<typeof Memory>

/** @param lastSeq the newest sequence that the database has given out */
export function isAnotherLife(memory: Memory, slot: SlotRow, lastSeq: number): boolean {
  // A higher incarnation was begun on purpose, by whoever restored the backup.
  if (slot.incarnation !== memory.incarnation) return slot.incarnation < memory.incarnation
  return lastSeq < memory.seq || !memory.tokens.includes(slot.token)
}

/** The last incarnation whose positions a life has used: a sequence that outgrew its half has counted on into the next. */
export function lastUsed({ incarnation, seq }: Pick<Memory, 'incarnation' | 'seq'>): number {
  return incarnation + Math.floor(seq / 2 ** 32)
}

/** Greater than every earlier one, so that ids compare as the lives did. @param now unix ms */
export function nextIncarnation(now: number, ...earlier: readonly number[]): number {
  return Math.max(Math.floor(now / 1000), ...earlier.map((incarnation) => incarnation + 1))
}
