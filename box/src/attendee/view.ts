/** A ticket as its holder sees it. */

import { PERIOD_SECONDS } from '@gatehouse/proto/code.ts'
import type { TicketView } from '@gatehouse/proto/wire/attendee.ts'
import { iso, isoOrNull } from '../clock/iso.ts'
import type { Event } from '../event/event.ts'
import type { Movement, Ticket } from '../ledger/schema.ts'
import { holderOf } from '../tickets/current.ts'

/** @param hlc the box's clock @param eventTag 8 bytes */
export function viewOf(
  ticket: Ticket,
  movements: readonly Movement[],
  { event, eventTag, hlc }: { event: Event; eventTag: Uint8Array; hlc: string },
): TicketView {
  const tier = event.tierById.get(ticket.tier)
  const holder = holderOf(ticket)
  return {
    ticket: {
      tier_name: tier?.name ?? ticket.tier,
      tier_colour: tier?.colour ?? null,
      seat_label: ticket.seat,
      ...(holder !== null && { holder_name: holder }),
      valid_from: isoOrNull(ticket.validFrom),
      valid_until: isoOrNull(ticket.validUntil),
      status: ticket.revokedAt === null ? ticket.status : 'revoked',
      zones: zonesOf(event, ticket.tier).map((id) => ({ id, name: event.zoneById.get(id)?.name ?? id })),
    },
    history: movements.map(({ checkpoint: id, direction, at }) => {
      const checkpoint = event.checkpointById.get(id)
      const gate = checkpoint && event.gateById.get(checkpoint.gate)
      return { checkpoint_name: checkpoint?.name ?? id, gate_name: gate?.name ?? id, direction, at: iso(at) }
    }),
    claimed: ticket.claimedAt !== null,
    ...(ticket.claimedAt === null && { secret: ticket.seed.toString('base64') }),
    period_seconds: PERIOD_SECONDS,
    event_id: event.id,
    event_name: event.name,
    event: {
      starts_at: event.starts_at,
      time_zone: event.timezone,
      ...(event.place !== undefined && { place: event.place.trim() }),
      ...entrancesOf(event, ticket.tier),
    },
    event_tag: Buffer.from(eventTag).toString('hex'),
    hlc,
  }
}

/** The way in from outside for a tier; doors open with the first entrance, unless one is open all the time. */
export function entrancesOf(event: Event, tier: string): { doors_at: string | null; entrances: string[] } {
  const ways = event.checkpoints.filter((c) => c.direction === 'in' && c.from === null && c.tiers.includes(tier))
  const opening = ways.flatMap(({ opens_at }) => opens_at ?? []).sort((a, b) => Date.parse(a) - Date.parse(b))
  return {
    doors_at: (opening.length === ways.length && opening[0]) || null,
    entrances: [...new Set(ways.map(({ gate }) => event.gateById.get(gate)?.name ?? gate))],
  }
}

/** The zones that a tier may enter: those that some checkpoint admits it to. */
export function zonesOf(event: Event, tier: string): string[] {
  const entries = event.checkpoints.filter((c) => c.direction === 'in' && c.tiers.includes(tier))
  return [...new Set(entries.flatMap((c) => c.to ?? []))]
}
