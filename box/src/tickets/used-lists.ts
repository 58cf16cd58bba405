/** Reads which codes each zone would refuse as used up on a festival day, from the passages of all tickets. */
import type { Event } from '../event/event.ts'
import { rightToEnter } from '../rights/right-to-enter.ts'
import { PREFIX_BYTES, sortedPrefixes } from './prefix-set.ts'
import type { MovedTicket, TicketPages } from './ticket-pages.ts'

/** All of it can be sent to another thread. */
export interface UsedLists {
  /** By zone, sorted prefixes of code hashes. */
  zones: Map<string, Uint8Array>
  /** Entries of the journal that they are made from. What came later may be in them too. */
  upTo: number
}

/** @param turn waits between pages */
export async function readUsed(
  pages: Pick<TicketPages, 'moved'>,
  { day, event, upTo }: { day: string; event: Event; upTo: number },
  turn: () => Promise<unknown>,
): Promise<UsedLists> {
  const read = new Map(zonesOf(event).map((zone) => [zone, [] as Buffer[]]))
  for (const page of pages.moved()) {
    const tickets = page.map((ticket) => usedZones(ticket, day, { event, zones: read.keys() }))
    for (const [zone, parts] of read) {
      parts.push(Buffer.concat(tickets.flatMap(({ prefixes, used }) => (used.has(zone) ? prefixes : []))))
    }
    await turn()
  }
  return { zones: new Map([...read].map(([zone, parts]) => [zone, sortedPrefixes(Buffer.concat(parts))])), upTo }
}

/** The zones that checkpoints lead into. */
export function zonesOf(event: Event): string[] {
  return [...new Set(event.checkpoints.filter((c) => c.direction === 'in').map((c) => c.to ?? ''))]
}

/** The zones that refuse a ticket on this day, and the prefixes of its codes. */
export function usedZones(
  { tier, movements, codeHashes }: MovedTicket,
  day: string,
  { event, zones }: { event: Event; zones: Iterable<string> },
): { prefixes: Buffer[]; used: Set<string> } {
  const policy = event.tierById.get(tier)?.entry ?? 'once'
  const used = new Set<string>()
  for (const zone of zones) if (rightToEnter({ zone, day, movements }, policy).usedUpBy) used.add(zone)
  return { prefixes: codeHashes.map((hash) => hash.subarray(0, PREFIX_BYTES)), used }
}
