/** The fullness of a zone, as a word, a bar and a colour. Pure. */
import type { Stats } from '@gatehouse/proto/wire/stats.ts'

type Zone = Pick<Stats['zones'][number], 'occupancy' | 'capacity' | 'occupancy_min' | 'occupancy_max'>

/** From here on a control room should look. */
const NEARLY = 0.9

export type Fullness = 'calm' | 'maybe' | 'nearly' | 'full' | 'over'

/** `maybe`: by the count it is calm, but with those that silent scanners may have let in it is not. */
export function fullnessOf({ occupancy, capacity, occupancy_max }: Zone): Fullness {
  if (occupancy > capacity) return 'over'
  if (capacity === 0) return 'calm'
  if (occupancy === capacity) return 'full'
  if (occupancy >= capacity * NEARLY) return 'nearly'
  return occupancy_max >= capacity * NEARLY ? 'maybe' : 'calm'
}

export interface Bar {
  /** In percent of the bar's width: people counted; the range that it may be; where the capacity is. */
  people: number
  from: number
  to: number
  capacity: number
}

/** The bar goes a little beyond the capacity, so that its line is seen, and beyond whatever is inside. */
export function barOf({ occupancy, capacity, occupancy_min, occupancy_max }: Zone): Bar {
  const end = Math.max(capacity * 1.06, occupancy_max, occupancy, 1)
  const at = (people: number) => Math.min(100, Math.max(0, (people / end) * 100))
  return { people: at(occupancy), from: at(occupancy_min), to: at(occupancy_max), capacity: at(capacity) }
}

/** Of the map, from empty to over capacity: from green over amber to red. The share beside it says it too. */
export const HEAT = ['#2f7f7f', '#3f8f3f', '#8a8a00', '#c77700', '#c62828', '#8b0000'] as const

/** Colours for the map, one of `HEAT`. */
export function heatOf(zone: Zone): string {
  const share = zone.capacity > 0 ? zone.occupancy / zone.capacity : zone.occupancy > 0 ? 2 : 0
  if (share > 1) return HEAT[5]
  if (share >= NEARLY) return HEAT[4]
  if (share >= 0.75) return HEAT[3]
  if (share >= 0.5) return HEAT[2]
  if (share >= 0.25) return HEAT[1]
  return HEAT[0]
}
