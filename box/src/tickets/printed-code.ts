/** Whether a ticket's printed code still opens it: the tier's `static_code`. */
import type { Event, Tier } from '../event/event.ts'
import type { PrintedOpens } from './tickets.ts'

/** Why a printed code is refused, or `opens`. */
export type PrintedStanding = 'opens' | 'phone_only' | 'claimed' | 'replaced'

/** @param tier undefined when it has left the event file: its tickets open nothing anywhere, and least of all by this */
export function printedStanding(tier: Tier | undefined, claimedAt: number | null): PrintedStanding {
  switch (tier?.static_code) {
    case 'always':
      return 'opens'
    case 'never':
      return 'phone_only'
    default:
      return claimedAt === null ? 'opens' : 'claimed'
  }
}

export function printedOpens(event: Event): PrintedOpens {
  return ({ tier, claimedAt }) => printedStanding(event.tierById.get(tier), claimedAt) === 'opens'
}
