/** Decides whether a ticket's printed code still opens it, by its tier's `static_code`. */
import type { Event, Tier } from '../event/event.ts'
import type { PrintedOpens } from './ticket-pages.ts'

/** The reason to refuse a printed code, or `opens`. */
export type PrintedCodeStatus = 'opens' | 'phone_only' | 'claimed' | 'replaced' | 'reissued'

/** @param tier undefined when it has left the event file; its tickets open nothing, whatever their code */
export function printedCodeStatus(tier: Tier | undefined, claimedAt: number | null): PrintedCodeStatus {
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
  return ({ tier, claimedAt }) => printedCodeStatus(event.tierById.get(tier), claimedAt) === 'opens'
}
