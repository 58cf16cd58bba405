/** The fullness of a zone, as a word, a bar and a colour. Pure. */
import type { ZoneLook } from '@gatehouse/proto/venue-drawing.ts'
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

/**
 * Shades of zones on the map, from empty to over capacity: the fuller, the heavier, in one hue, so that it can be told by whoever does not
 * tell red from green; over capacity also has a border. The share beside the name says it too.
 */
export const HEAT = [0.06, 0.18, 0.32, 0.48, 0.66, 0.86] as const
const HUE = { light: '#0b4f8a', dark: '#7db8f5' } as const

/** Place in `HEAT`. */
export function heatOf(zone: Zone): number {
  const share = zone.capacity > 0 ? zone.occupancy / zone.capacity : zone.occupancy > 0 ? 2 : 0
  if (share > 1) return 5
  return [0.25, 0.5, 0.75, NEARLY].filter((from) => share >= from).length
}

/** The look of one of `HEAT`. */
export function heatLook(heat: number, theme: keyof typeof HUE): ZoneLook {
  return { colour: HUE[theme], opacity: HEAT[heat] ?? 1, marked: heat === HEAT.length - 1 }
}
