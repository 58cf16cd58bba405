/** Decides if somebody has to be signed on at a scanner. Pure. */
import type { Event } from './event.ts'

/** Without a touch, minutes. */
const LOCK_MINUTES = 10

export interface SignOnRule {
  /** Without a touch or a scan for so long, the scanner asks again. */
  readonly lock_minutes: number
}

/** Undefined where the event does not want it, and for a device all of whose checkpoints have nobody standing there. */
export function signOnRule(
  { scanners_sign_on: rule }: Pick<Event, 'scanners_sign_on'>,
  checkpoints: Iterable<string>,
): SignOnRule | undefined {
  if (!rule) return undefined
  const { lock_minutes = LOCK_MINUTES, not_at = [] } = rule
  for (const id of checkpoints) if (!not_at.includes(id)) return { lock_minutes }
  return undefined
}
