/** The event as these apps read it: event, items, check-in lists, counts. Every field that a decoder insists on is there. Pure. */
import type { Checkpoint, Event, Tier } from '../event/event.ts'
import type { EventIds } from './ids.ts'

/** The version that the box answers as: it steers which calls an app makes. */
export const VERSION = { pretix: '2026.5.0', pretix_numeric: 20_260_050_005_000 } as const

/** Without `valid_keys`: an app that has them admits by a signature alone when it is switched to offline mode. */
export function eventView(event: Event): object {
  return {
    name: { en: event.name },
    slug: event.id,
    ...{ live: true, testmode: false, is_public: false, presale_start: null, presale_end: null, location: null },
    currency: event.currency ?? 'EUR',
    date_from: event.starts_at,
    date_to: event.ends_at,
    date_admission: null,
    ...{ has_subevents: false, geo_lat: null, geo_lon: null, seating_plan: null, seat_category_mapping: {} },
    ...{ item_price_overrides: [], variation_price_overrides: [], meta_data: {}, sales_channels: ['web'] },
    timezone: event.timezone,
    // No badges are printed: without its plugin an app does not ask for their data.
    plugins: [],
  }
}

export function itemView({ id, name }: Tier, position: number, ids: EventIds): object {
  return {
    id: ids.itemOf(id),
    name: { en: name },
    internal_name: null,
    ...{ active: true, admission: true, position, category: null, default_price: '0.00', free_price: false },
    ...{ tax_rate: '0.00', tax_rule: null, description: null, picture: null, personalized: true },
    ...{ available_from: null, available_until: null, require_voucher: false, hide_without_voucher: false },
    ...{ allow_cancel: true, require_approval: false, require_bundling: false, checkin_attention: false },
    ...{ checkin_text: null, has_variations: false, variations: [], addons: [], bundles: [], sales_channels: ['web'] },
    ...{ min_per_order: null, max_per_order: null, generate_tickets: null, issue_giftcard: false, meta_data: {} },
    ...{ media_policy: null, media_type: null, validity_mode: null },
  }
}

export interface ListCounts {
  /** Tickets that the list admits. */
  total: number
  /** Of those, the ones that were admitted somewhere. */
  admitted: number
  /** People in the zone that the entrance leads to; null at an exit to the street. */
  inside: number | null
}

export function listView(checkpoint: Checkpoint, counts: ListCounts, ids: EventIds): object {
  return {
    id: ids.listOf(checkpoint.id),
    name: checkpoint.name,
    // The box decides which ticket may enter, also for a kind that the app does not know.
    ...{ all_products: true, limit_products: [], subevent: null, include_pending: false },
    ...{
      allow_multiple_entries: false,
      allow_entry_after_exit: true,
      addon_match: false,
      rules: {},
      exit_all_at: null,
    },
    ...{ ignore_in_statistics: false, consider_tickets_used: true, auto_checkin_sales_channels: [] },
    position_count: counts.total,
    checkin_count: counts.admitted,
  }
}

export interface StatusItem {
  id: number
  name: string
  total: number
  checkins: number
}

export interface StatusSources {
  sold: ReadonlyMap<string, number>
  admitted: ReadonlyMap<string, number>
  zones: ReadonlyMap<string, number>
}

export function countsOf(
  checkpoint: Checkpoint,
  event: Event,
  ids: EventIds,
  { sold, admitted, zones }: StatusSources,
): ListCounts & { items: StatusItem[] } {
  const items = event.tiers
    .filter(({ id }) => checkpoint.tiers.includes(id))
    .map(({ id, name }) => ({ id: ids.itemOf(id), name, total: sold.get(id) ?? 0, checkins: admitted.get(id) ?? 0 }))
  const zone = checkpoint.direction === 'in' ? checkpoint.to : checkpoint.from
  return {
    total: items.reduce((sum, item) => sum + item.total, 0),
    admitted: items.reduce((sum, item) => sum + item.checkins, 0),
    inside: zone === null ? null : Math.max(0, zones.get(zone) ?? 0),
    items,
  }
}
