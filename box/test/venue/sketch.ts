/** Maps for tests, drawn in metres around a point in the open sea. */
import type { Position } from '@gatehouse/proto/wire/venue.ts'
import { gridAround } from '../../src/venue/grid.ts'
import type { VenueEvent } from '../../src/venue/references.ts'
import type { Kind } from '../../src/venue/source.ts'

const grid = gridAround([-11.5, 38.5])

/** Metres east and north. */
type Metres = readonly [number, number]

export const degrees = ([x, y]: Metres): Position => grid.toDegrees({ x: x * 1000, y: y * 1000 })

export const point = (at: Metres) => ({ type: 'Point', coordinates: degrees(at) })
export const line = (...points: Metres[]) => ({ type: 'LineString', coordinates: points.map(degrees) })
export const polygon = (...corners: Metres[]) => ({
  type: 'Polygon',
  coordinates: [[...corners, corners[0] ?? ([0, 0] as const)].map(degrees)],
})

export interface Feature {
  type: 'Feature'
  id: string
  properties: Record<string, unknown>
  geometry: object | null
}

export function feature(kind: Kind, id: string, geometry: object | null, properties: object = {}): Feature {
  return { type: 'Feature', id, properties: { kind, ...properties }, geometry }
}

export const collection = (features: readonly unknown[], more: object = {}): string =>
  JSON.stringify({ type: 'FeatureCollection', ...more, features })

/** Two gates into an arena, and a lounge inside of that. */
export const EVENT: VenueEvent = {
  id: 'sketch',
  zones: [
    { id: 'arena', name: 'Arena', capacity: 100 },
    { id: 'lounge', name: 'Lounge', capacity: 10 },
  ],
  gates: [
    { id: 'west', name: 'Gate West' },
    { id: 'door', name: 'Lounge door' },
  ],
  checkpoints: [
    { id: 'west-in', name: 'West entry', gate: 'west', direction: 'in', from: null, to: 'arena', tiers: ['day'] },
    {
      id: 'lounge-in',
      name: 'Lounge entry',
      gate: 'door',
      direction: 'in',
      from: 'arena',
      to: 'lounge',
      tiers: ['vip'],
    },
  ],
}

/** The arena from x = 0 to 100, the lounge in its east from 60, one path along y = 0 through both, toilets in each. */
export function sound(): Feature[] {
  return [
    feature('zone', 'arena', polygon([0, -50], [100, -50], [100, 50], [0, 50])),
    feature('zone', 'lounge', polygon([60, -20], [90, -20], [90, 20], [60, 20])),
    feature('gate', 'west', point([0, 0])),
    feature('gate', 'door', point([60, 0])),
    feature('path', 'axis', line([-40, 0], [80, 0]), { max_slope: 0, min_width: 3 }),
    feature('path', 'lane', line([30, -30], [30, 30]), { max_slope: 0, min_width: 3 }),
    feature('amenity', 'wc', point([30, 25]), { category: 'restroom' }),
    feature('amenity', 'wc-lounge', point([80, 2]), { category: 'restroom.wheelchair' }),
  ]
}
