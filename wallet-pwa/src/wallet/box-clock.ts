/** The box's time, measured against this phone's clock and kept: a code has to be right without network too. */
import { type ReadonlySignal, signal } from '@preact/signals'
import type { Box } from './box.ts'
import { offsetOf, type Reading, wasSet } from './clock.ts'
import { isDated, isOffset, type Kept } from './kept.ts'

export interface BoxClock {
  /** The box's clock minus the phone's, ms; null before it was ever measured. */
  offset: ReadonlySignal<number | null>
  /** Unix ms by the box, as far as this phone knows. */
  now(): number
  /** Never measured since the page was opened, long ago, or somebody has set the phone's clock. */
  isDue(): boolean
  /** False when the box did not answer. */
  measure(box: Pick<Box, 'time'>): Promise<boolean>
}

const EVERY_MS = 5 * 60_000
/** An answer that took longer says little of the time, once there is a better one. */
const SLOW_WAY_MS = 3000

export function boxClock(kept: Kept, clock: () => Reading): BoxClock {
  const offset = signal<number | null>(kept.read('offset', isDated(isOffset))?.value ?? null)
  let measured: Reading | null = null
  return {
    offset,
    now: () => clock().wall + (offset.value ?? 0),
    isDue: () => measured === null || wasSet(measured, clock()) || clock().wall - measured.wall > EVERY_MS,
    async measure(box) {
      const sent = clock()
      const said = await box.time()
      const received = clock()
      if (!said.ok) return false
      const slow = received.steady - sent.steady > SLOW_WAY_MS
      if ((slow && measured && !wasSet(measured, received)) || wasSet(sent, received)) return true
      measured = received
      offset.value = offsetOf(said.value, sent.wall, received.wall)
      kept.write('offset', { at: received.wall, value: offset.value })
      return true
    },
  }
}
