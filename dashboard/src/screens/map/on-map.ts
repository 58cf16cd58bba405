/** The plan as the control room draws it, and what is marked on it. Pure. */

import type { View, ZoneLook } from '@gatehouse/proto/venue-drawing.ts'
import type { Pixel } from '@gatehouse/proto/venue-marks.ts'
import type { Incident } from '@gatehouse/proto/wire/incidents.ts'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import type { VenueMap, VenuePlan } from '@gatehouse/proto/wire/venue.ts'
import { heatLook, heatOf } from '../../live/fullness.ts'
import { isOver } from '../../live/state.ts'
import { liveWords } from '../../words/late.ts'
import { percent, rate } from '../../words/time.ts'

const say = liveWords.map

/**
 * Names say how full and how busy; what only a visitor looks for is left out.
 * @param brief the figures alone: on a phone, names would lie over one another, and the list below has them
 */
export function planWith(
  plan: VenuePlan,
  now: Pick<Stats, 'zones' | 'gates'> | null,
  { brief = false } = {},
): VenuePlan {
  const named = (name: string, figure: string) => (brief ? figure : `${name} ${figure}`)
  const { map } = plan
  return {
    ...plan,
    zones: plan.zones.map((zone) => {
      const counted = now?.zones.find(({ id }) => id === zone.id)
      return counted ? { ...zone, name: named(zone.name, percent(counted.occupancy, counted.capacity)) } : zone
    }),
    gates: plan.gates.map((gate) => {
      const counted = now?.gates.find(({ id }) => id === gate.id)
      if (!counted) return gate
      const busy = counted.hold ? say.hold : say.rate(rate(counted.per_minute))
      return { ...gate, name: named(gate.name, busy) }
    }),
    ...(map && { map: { ...map, amenities: [] } }),
  }
}

export function looksOf(zones: Stats['zones'], dark: boolean): Record<string, ZoneLook> {
  return Object.fromEntries(zones.map((zone) => [zone.id, heatLook(heatOf(zone), dark ? 'dark' : 'light')]))
}

/** Widths of the map, times the width that there is. */
export const ZOOMS = [1, 1.5, 2, 3, 4] as const

/** The next zoom in or out; the same at either end. */
export function zoomed(zoom: number, step: 1 | -1): number {
  const at = ZOOMS.findIndex((one) => one >= zoom)
  return ZOOMS[Math.min(ZOOMS.length - 1, Math.max(0, at + step))] ?? 1
}

export interface Mark {
  incident: Incident
  at: Pixel
}

/** Incidents that are not over, at their checkpoint or else their gate, side by side where there are several. */
export function marksOf(incidents: readonly Incident[], map: VenueMap, view: View): Mark[] {
  const taken = new Map<string, number>()
  return incidents
    .filter((incident) => !isOver(incident))
    .flatMap((incident) => {
      const place =
        map.checkpoints.find(({ id }) => id === incident.checkpoint) ?? map.gates.find(({ id }) => id === incident.gate)
      if (!place) return []
      const [x, y] = view.at(place.at)
      const before = taken.get(place.id) ?? 0
      taken.set(place.id, before + 1)
      return [{ incident, at: [x + before * MARK_STEP, y] as const }]
    })
}

const MARK_STEP = 24
