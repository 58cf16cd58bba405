/**
 * The box's time on a phone whose own clock may be wrong: it dates the codes, and a gate refuses a code that is more than half a
 * minute off. Pure: the phone's clock is an argument.
 */
import { PERIOD_SECONDS, slotAt } from '@gatehouse/proto/code.ts'

/** One slot: no gate notices less. */
const WORTH_SAYING_MS = PERIOD_SECONDS * 1000

/** More drift than this between the phone's two clocks from one question to the next: somebody has set one of them. */
const STEP_MS = 2000

/**
 * The box's time minus the phone's, ms, from one request. The box answered at some moment in between; the middle is wrong by
 * half of the round trip at most.
 */
export function offsetOf(boxTime: number, sentAt: number, receivedAt: number): number {
  return Math.round(boxTime - (sentAt + receivedAt) / 2)
}

export type ClockWords = { state: 'right' } | { state: 'slow' | 'fast'; byMs: number }

/** Tells if the phone's clock is right, and by how much it is wrong. */
export function phoneClock(offset: number | null): ClockWords {
  if (offset === null || Math.abs(offset) < WORTH_SAYING_MS) return { state: 'right' }
  return { state: offset > 0 ? 'slow' : 'fast', byMs: Math.abs(offset) }
}

/**
 * True when somebody has set the phone's clock since `before`: it has moved differently from the clock that nobody can set. A phone
 * that slept looks the same, and asking the box once more costs nothing.
 */
export function wasSet(before: Reading, after: Reading): boolean {
  return Math.abs(after.wall - before.wall - (after.steady - before.steady)) > STEP_MS
}

export interface Reading {
  /** Unix ms, `Date.now()`. */
  wall: number
  /** ms, `performance.now()`. */
  steady: number
}

/** The slot of a moment, and how far into it the moment is. @param now unix ms by the box */
export function slotTimes(now: number): { slot: number; elapsedMs: number; remainingMs: number } {
  const slot = slotAt(now)
  const elapsedMs = now - slot * PERIOD_SECONDS * 1000
  return { slot, elapsedMs, remainingMs: PERIOD_SECONDS * 1000 - elapsedMs }
}
