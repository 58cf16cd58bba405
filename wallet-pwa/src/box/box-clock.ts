/** The box's time, measured against this phone's clock and stored: a code must be right without network too. */
import { type ReadonlySignal, signal } from '@preact/signals'
import { isDated, isOffset, type Kept } from '../store/kept.ts'
import type { Box } from './client.ts'
import { offsetOf, type Reading, wasSet } from './clock.ts'

export interface BoxClock {
  /** The box's clock minus the phone's, ms; null before it was ever measured. */
  offset: ReadonlySignal<number | null>
  /** Unix ms by the box, as far as this phone knows. */
  now(): number
  /** True when it was not measured since the page was opened, or not lately, or when somebody has set the phone's clock. */
  isDue(): boolean
  /** False when the box did not answer. */
  measure(box: Pick<Box, 'time'>): Promise<boolean>
}

const EVERY_MS = 5 * 60_000
/** An answer that took longer says little about the time. It is used where there is no better one. */
const SLOW_MS = 3000

export function openBoxClock(kept: Kept, clock: () => Reading): BoxClock {
  const offset = signal<number | null>(kept.read('offset', isDated(isOffset))?.value ?? null)
  let measured: Reading | null = null
  return {
    offset,
    now: () => clock().wall + (offset.value ?? 0),
    isDue: () => measured === null || wasSet(measured, clock()) || clock().wall - measured.wall > EVERY_MS,
    async measure(box) {
      const sent = clock()
      const answer = await box.time()
      const received = clock()
      if (!answer.ok) return false
      const slow = received.steady - sent.steady > SLOW_MS
      if ((slow && measured && !wasSet(measured, received)) || wasSet(sent, received)) return true
      measured = received
      offset.value = offsetOf(answer.value, sent.wall, received.wall)
      kept.write('offset', { at: received.wall, value: offset.value })
      return true
    },
  }
}
