/**
 * From an IMDF folder (OGC 20-094: level, unit, opening, amenity, anchor and venue as GeoJSON) to the source of a map.
 *
 * IMDF says where rooms and doors are, and nothing about walking; `imdf-walks.ts` finds out who gets where.
 */
import type { Position } from '@gatehouse/proto/wire/venue.ts'
import { positionsOf, readGeometry } from './geometry.ts'
import { distance, type Grid, gridAround, type Point } from './grid.ts'
import { type Door, joinDoors, joinFloors, type Unit } from './imdf-walks.ts'
import { type Files, type ForeignFeature, Import, type Imported, nameIt, plainName, pointAt } from './imported.ts'
import { type Area, along, isInside, middleOf } from './plane.ts'

export interface ImdfOptions {
  /** Gate of the event by id of the opening; a main entrance that is not listed keeps its own id. */
  readonly gates?: Readonly<Record<string, string>>
  /** Zone of the event that the venue's outline is the border of; absent: no zone is drawn. */
  readonly zone?: string
  /** Of the names that are given in several; default `en`. */
  readonly language?: string
}

/** Categories of units that nobody walks in. */
const SOLID = new Set([
  'brick',
  'column',
  'concrete',
  'drywall',
  'fieldofplay',
  'glass',
  'nonpublic',
  'opentobelow',
  'structure',
  'vegetation',
  'wood',
])
/** Rooms that people look for: as amenities, where no amenity of the file says the same. */
const SOUGHT = /^(restroom|firstaid|mothersroom|shower|smokingarea|foodservice)(\.|$)/
const FOR_PEOPLE = /^pedestrian(\.|$)/
const MAIN_DOOR = 'pedestrian.principal'

/** @param files by name, such as `unit.geojson`; files of IMDF that say nothing about walking are not looked at */
export function importImdf(files: Files, options: ImdfOptions = {}): Imported {
  const made = new Import()
  for (const name of ['level.geojson', 'unit.geojson', 'opening.geojson']) {
    if (!files.has(name)) made.problem('unreadable', name, 'there is no such file in the folder')
  }
  const [levels, units, openings, amenities, anchors, venues] = (
    ['level', 'unit', 'opening', 'amenity', 'anchor', 'venue'] as const
  ).map((type) => made.features(files, `${type}.geojson`).map(({ feature }) => feature))
  const reader = new ImdfReader(made, levels ?? [], anchors ?? [], units ?? [], options)
  const rooms = (units ?? []).flatMap((unit) => reader.unit(unit))
  const doors = (openings ?? []).flatMap((opening) => reader.door(opening))

  const walked = new Set([...joinDoors(made, rooms, doors), ...joinFloors(made, rooms)])
  for (const amenity of amenities ?? []) reader.amenity(amenity, rooms, walked)
  for (const { id, category, name, level, hub, accessible } of rooms) {
    if (!walked.has(id)) {
      made.problem('left_out', nameIt('unit.geojson', id), 'no door for people leads into it')
      continue
    }
    made.add('node', id, reader.place(hub), { level: level || undefined })
    if (!SOUGHT.test(category) || reader.hasAmenity(id, category)) continue
    const wheelchair = accessible ? 'yes' : undefined
    made.add('amenity', id, reader.place(hub), { category, name, level: level || undefined, wheelchair })
  }
  for (const { id, level, middle, isMain } of doors) {
    if (!walked.has(id)) {
      made.problem('left_out', nameIt('opening.geojson', id), 'it is in the wall of no unit that people walk in')
      continue
    }
    made.add('node', id, reader.place(middle), { level: level || undefined })
    if (isMain) made.add('gate', reader.gate(id), reader.place(middle), { level: level || undefined })
  }
  if (options.zone !== undefined) {
    for (const { geometry } of venues ?? []) made.add('zone', options.zone, geometry as object)
  }
  // Every amenity has a node of its own: what is further away is on the other side of a wall.
  return made.result({ place_metres: 1 })
}

class ImdfReader {
  readonly #made: Import
  readonly #grid: Grid
  readonly #levels: ReadonlyMap<unknown, number>
  readonly #anchors: ReadonlyMap<unknown, ForeignFeature>
  readonly #options: ImdfOptions
  readonly #amenities = new Set<string>()

  constructor(
    made: Import,
    levels: readonly ForeignFeature[],
    anchors: readonly ForeignFeature[],
    units: readonly ForeignFeature[],
    options: ImdfOptions,
  ) {
    this.#made = made
    this.#grid = gridAround(units.map(firstPosition).find((position) => position !== undefined) ?? [0, 0])
    this.#levels = new Map(
      levels.flatMap(({ id, properties }) =>
        typeof properties.ordinal === 'number' ? [[id, properties.ordinal]] : [],
      ),
    )
    this.#anchors = new Map(anchors.map((anchor) => [anchor.properties.unit_id, anchor]))
    this.#options = options
  }

  place(point: Point): object {
    return pointAt(this.#grid.toDegrees(point))
  }

  gate(opening: string): string {
    const { gates = {} } = this.#options
    return Object.hasOwn(gates, opening) ? (gates[opening] ?? opening) : opening
  }

  hasAmenity(unit: string, category: string): boolean {
    return this.#amenities.has(`${unit} ${category.split('.')[0]}`)
  }

  unit({ id, properties, geometry: json }: ForeignFeature): Unit[] {
    const { category, restriction, level_id } = properties
    if (id === undefined || typeof category !== 'string' || SOLID.has(category)) return []
    const at = nameIt('unit.geojson', id)
    if (typeof restriction === 'string') return this.#leaveOut(at, `for ${restriction} only`)
    const level = this.#levels.get(level_id)
    const geometry = readGeometry(json)
    if (level === undefined) return this.#leaveOut(at, 'its level_id is not in level.geojson')
    if (typeof geometry === 'string' || geometry.type !== 'areas') return this.#leaveOut(at, 'it has no outline')
    const area: Area = geometry.areas.flat().map((ring) => ring.map(this.#grid.toGrid))
    const marked = [this.#anchors.get(id)?.geometry, properties.display_point].flatMap((point) => this.#point(point))
    const hub = marked.find((point) => isInside(area, point)) ?? middleOf(area)
    return [{ id, category, level, area, hub, accessible: isAccessible(properties), name: this.#name(properties) }]
  }

  door({ id, properties, geometry: json }: ForeignFeature): Door[] {
    const { category, level_id } = properties
    if (id === undefined || typeof category !== 'string' || !FOR_PEOPLE.test(category)) return []
    const at = nameIt('opening.geojson', id)
    const level = this.#levels.get(level_id)
    const geometry = readGeometry(json)
    if (level === undefined) return this.#leaveOut(at, 'its level_id is not in level.geojson')
    if (typeof geometry === 'string' || geometry.type !== 'lines') return this.#leaveOut(at, 'it has no line')
    const line = (geometry.lines[0] ?? []).map(this.#grid.toGrid)
    const [first, last] = [line[0], line.at(-1)]
    if (!first || !last) return []
    const width = distance(first, last) / 1000
    const middle = along(first, last, 0.5)
    return [{ id, level, middle, width, accessible: isAccessible(properties), isMain: category === MAIN_DOOR }]
  }

  /** An amenity stands in a room: the way to it is from the hub of that room. */
  amenity({ id, properties, geometry }: ForeignFeature, rooms: readonly Unit[], walked: ReadonlySet<string>): void {
    const { category, unit_ids } = properties
    if (id === undefined || typeof category !== 'string') return
    const at = nameIt('amenity.geojson', id)
    const [place] = this.#point(geometry)
    const room = rooms.find((unit) => Array.isArray(unit_ids) && unit_ids.includes(unit.id) && walked.has(unit.id))
    if (!room || !place) {
      this.#leaveOut(at, room ? 'it has no point' : 'its unit_ids name no unit that people get to')
      return
    }
    const level = room.level || undefined
    const wheelchair = isAccessible(properties) ? 'yes' : undefined
    this.#amenities.add(`${room.id} ${category.split('.')[0]}`)
    this.#made.add('node', id, this.place(place), { level })
    this.#made.add('path', `${room.id}/${id}`, null, {
      from: room.id,
      to: id,
      level,
      wheelchair: room.accessible ? 'yes' : undefined,
    })
    this.#made.add('amenity', id, this.place(place), { category, name: this.#name(properties), level, wheelchair })
  }

  #point(json: unknown): Point[] {
    const geometry = readGeometry(json)
    return typeof geometry !== 'string' && geometry.type === 'point' ? [this.#grid.toGrid(geometry.at)] : []
  }

  /** Names are given by language: the one that was asked for, or else the first. */
  #name({ name }: ForeignFeature['properties']): string | undefined {
    if (typeof name !== 'object' || name === null) return undefined
    const labels = new Map(Object.entries(name))
    return plainName(labels.get(this.#options.language ?? 'en') ?? [...labels.values()][0])
  }

  #leaveOut(feature: string, message: string): [] {
    this.#made.problem('left_out', feature, message)
    return []
  }
}

function isAccessible({ accessibility }: ForeignFeature['properties']): boolean {
  return Array.isArray(accessibility) && accessibility.includes('wheelchair')
}

function firstPosition({ geometry: json }: ForeignFeature): Position | undefined {
  const geometry = readGeometry(json)
  return typeof geometry === 'string' ? undefined : positionsOf(geometry).next().value
}
