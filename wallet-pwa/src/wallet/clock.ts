/**
 * The box's time on a phone whose own clock may be wrong: codes are dated by it, and a gate refuses one that is more than
 * half a minute off. Pure: the phone's clock is an argument.
 */
import { PERIOD_SECONDS, slotAt } from '@gatehouse/proto/code.ts'

/** A slot: less than that no gate notices. */
const WORTH_SAYING_MS = PERIOD_SECONDS * 1000

/** How far the clocks may drift apart from one question to the next before somebody has set one of them. */
const STEP_MS = 2000

/**
 * Box's time minus the phone's, ms, from one question and answer. The answer was given somewhere between the two; half way
 * is wrong by half of the way at most.
 */
export function offsetOf(boxTime: number, sentAt: number, receivedAt: number): number {
  return Math.round(boxTime - (sentAt + receivedAt) / 2)
}

export type ClockWords = { state: 'right' } | { state: 'slow' | 'fast'; byMs: number }

/** What to say of the phone's clock. */
export function phoneClock(offset: number | null): ClockWords {
  if (offset === null || Math.abs(offset) < WORTH_SAYING_MS) return { state: 'right' }
  return { state: offset > 0 ? 'slow' : 'fast', byMs: Math.abs(offset) }
}

/**
 * Whether the phone's clock was set since `before`: it moved otherwise than the clock that nobody sets. A phone that slept
 * looks the same, and asking the box once more costs nothing.
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

/** Where a moment stands in its slot. @param now Unix ms by the box */
export function slotTimes(now: number): { slot: number; elapsedMs: number; remainingMs: number } {
  const slot = slotAt(now)
  const elapsedMs = now - slot * PERIOD_SECONDS * 1000
  return { slot, elapsedMs, remainingMs: PERIOD_SECONDS * 1000 - elapsedMs }
}
