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

/** Colours for the map, `#rrggbb`: from green over amber to red. The share beside it says it too. */
export function heatOf(zone: Zone): string {
  const share = zone.capacity > 0 ? zone.occupancy / zone.capacity : zone.occupancy > 0 ? 2 : 0
  if (share > 1) return '#8b0000'
  if (share >= NEARLY) return '#c62828'
  if (share >= 0.75) return '#c77700'
  if (share >= 0.5) return '#8a8a00'
  if (share >= 0.25) return '#3f8f3f'
  return '#2f7f7f'
}
