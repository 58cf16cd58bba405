/** The holds that end soon by themselves. Pure. */
import type { Stats } from '@gatehouse/proto/wire/stats.ts'

/** Time enough to look at the gate, and to go on, ms. */
const WARN_MS = 2 * 60_000

export type Gate = Stats['gates'][number]

/** @param now unix ms by the box's clock */
export function endingSoon(gates: readonly Gate[], now: number): Gate[] {
  return gates.filter(({ hold }) => {
    const left = Date.parse(hold?.expires_at ?? '') - now
    return left > 0 && left <= WARN_MS
  })
}
