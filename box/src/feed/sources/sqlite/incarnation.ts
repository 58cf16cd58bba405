/**
 * Finds out if a database is still in the incarnation that was read before. A backup that is put back gives the same sequences to
 * other changes: its slot then has a token of an earlier time, or the log ends before what was delivered. Pure.
 */
import { type Static, Type } from 'typebox'
import type { SlotRow } from './slot.ts'

/** The feed's memory outside the database. */
export const Memory = Type.Object(
  {
    incarnation: Type.Integer({ minimum: 0 }),
    /** The newest sequence seen. */
    seq: Type.Integer({ minimum: 0 }),
    /** The slot's token, and the one that it is about to get: a crash may come in between. */
    tokens: Type.Array(Type.String(), { maxItems: 2 }),
  },
  { additionalProperties: false },
)
export type Memory = Static<typeof Memory>

/** @param lastSeq the newest sequence that the database has given out */
export function isAnotherIncarnation(memory: Memory, slot: SlotRow, lastSeq: number): boolean {
  // A higher one was begun on purpose, by whoever restored the backup.
  if (slot.incarnation !== memory.incarnation) return slot.incarnation < memory.incarnation
  return lastSeq < memory.seq || !memory.tokens.includes(slot.token)
}

/** The identity of a source in this incarnation. */
export function identityOf(incarnation: number): string {
  return `sqlite/${incarnation}`
}

/** The last incarnation whose positions were used: a sequence that outgrew its half of the LSN counts on into the next one. */
export function lastUsed({ incarnation, seq }: Pick<Memory, 'incarnation' | 'seq'>): number {
  return incarnation + Math.floor(seq / 2 ** 32)
}

/** Greater than every earlier one, so that ids compare in the order of incarnations. @param now unix ms */
export function nextIncarnation(now: number, ...earlier: readonly number[]): number {
  return Math.max(Math.floor(now / 1000), ...earlier.map((incarnation) => incarnation + 1))
}
