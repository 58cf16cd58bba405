/**
 * Derives paths through a building of which only the rooms and doors are known. Every room gets a hub. Its doors are joined with
 * the hub, and with the nearest doors where a straight line stays inside the room. Stairs, escalators, lifts and ramps are joined
 * with the room of the same category above them.
 */
import { distance, type Point } from './grid.ts'
import { type Area, along, cross, distanceTo, isInside, segments } from './plane.ts'
import { featureLabel, plainId, type SourceBuilder } from './source-builder.ts'
import { MODE } from './traversal.ts'

export interface Unit {
  readonly id: string
  readonly category: string
  readonly level: number
  readonly area: Area
  readonly hub: Point
  readonly accessible: boolean
  readonly name: string | undefined
}

export interface Door {
  readonly id: string
  readonly level: number
  readonly middle: Point
  /** Metres. */
  readonly width: number
  readonly accessible: boolean
  readonly isGate: boolean
  /** The name that the organiser knows it by. */
  readonly said: string
}

/** Millimetres that a door may be away from its wall. */
const WALL = 500
/** Doors that each door is joined with directly: along a corridor nobody walks to its hub first. */
const NEIGHBOURS = 2
const STEPS_A_FLOOR = 24
const METRES_A_FLOOR = 4

/** Categories of units that lead to another floor. */
const RISING = new Map<string, number>([
  ['stairs', MODE.stairs],
  ['escalator', MODE.escalator],
  ['elevator', MODE.lift],
  ['ramp', MODE.walkway],
])
/** Categories of units that people do not cross on a plain floor. */
const WITHIN = new Map<string, number>([
  ['steps', MODE.stairs],
  ['movingwalkway', MODE.travelator],
])

/** @returns ids of the rooms and doors that a path leads to */
export function joinDoors(made: SourceBuilder, rooms: readonly Unit[], doors: readonly Door[]): Set<string> {
  const walked = new Set<string>()
  const joined = new Set<string>()
  const join = (room: Unit, from: { id: string; accessible: boolean }, to: Door, width: number) => {
    const key = [from.id, to.id].sort().join('/')
    if (joined.has(key)) return
    joined.add(key)
    walked.add(from.id).add(to.id)
    made.add('path', key, null, {
      from: plainId(from.id),
      to: plainId(to.id),
      level: room.level || undefined,
      pathway_mode: WITHIN.get(room.category),
      min_width: width >= 0.1 ? Math.round(width * 100) / 100 : undefined,
      wheelchair: room.accessible && from.accessible && to.accessible ? 'yes' : undefined,
    })
  }
  for (const room of rooms) {
    const own = doors.filter((door) => door.level === room.level && isInWall(room.area, door.middle))
    for (const door of own) join(room, room, door, door.width)
    for (const door of own) {
      const near = own
        .filter((other) => other !== door && isStraight(room, door.middle, other.middle))
        .sort((a, b) => distance(a.middle, door.middle) - distance(b.middle, door.middle) || (a.id < b.id ? -1 : 1))
      for (const other of near.slice(0, NEIGHBOURS)) join(room, door, other, Math.min(door.width, other.width))
    }
  }
  return walked
}

/** @returns ids of the rooms that lead to another floor */
export function joinFloors(made: SourceBuilder, rooms: readonly Unit[]): Set<string> {
  const joined = new Set<string>()
  for (const lower of rooms) {
    const mode = RISING.get(lower.category)
    if (mode === undefined) continue
    const [upper] = rooms
      .filter(({ category, level }) => category === lower.category && level > lower.level)
      .filter(({ hub, area }) => isInside(lower.area, hub) || isInside(area, lower.hub))
      .sort((a, b) => a.level - b.level || distance(a.hub, lower.hub) - distance(b.hub, lower.hub))
    if (!upper) continue
    const floors = upper.level - lower.level
    const isRamp = mode === MODE.walkway
    joined.add(lower.id).add(upper.id)
    made.add('path', `${lower.id}/${upper.id}`, null, {
      from: plainId(lower.id),
      to: plainId(upper.id),
      level: lower.level || undefined,
      name: lower.name,
      pathway_mode: mode,
      is_bidirectional: 1,
      stair_count: mode === MODE.stairs ? Math.max(1, Math.round(floors * STEPS_A_FLOOR)) : undefined,
      length: isRamp ? floors * METRES_A_FLOOR * 12 : undefined,
      wheelchair: mode === MODE.lift && lower.accessible && upper.accessible ? 'yes' : undefined,
    })
    const guess = guessOf(mode)
    if (guess) made.problem('guessed', featureLabel('unit.geojson', lower.id), guess)
  }
  return joined
}

function guessOf(mode: number): string | undefined {
  if (mode === MODE.stairs) return `IMDF counts no steps: ${STEPS_A_FLOOR} a floor`
  if (mode === MODE.walkway) return `IMDF gives ramps no slope: ${METRES_A_FLOOR * 12} m a floor`
  return mode === MODE.escalator ? 'IMDF gives escalators no direction: both' : undefined
}

function isInWall(area: Area, point: Point): boolean {
  return area.some((ring) => segments(ring).some(([a, b]) => distanceTo(a, b, point) <= WALL))
}

/** True if a straight line between two doors stays in the room; it starts a step inside, as both may be in one wall. */
function isStraight({ area, hub }: Unit, a: Point, b: Point): boolean {
  const [start, end] = [inward(a, hub), inward(b, hub)]
  return isInside(area, start) && !area.some((ring) => segments(ring).some(([p, q]) => cross(start, end, p, q)))
}

function inward(door: Point, hub: Point): Point {
  return along(door, hub, Math.min(1, (1.5 * WALL) / Math.max(1, distance(door, hub))))
}
