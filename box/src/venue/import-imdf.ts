/**
 * Imports an IMDF folder (OGC 20-094: level, unit, opening, amenity, anchor, venue, section and geofence as GeoJSON) as the source of
 * a map. IMDF has rooms and doors but no paths, which `imdf-paths.ts` derives from them.
 */
import type { Position } from '@gatehouse/proto/wire/venue.ts'
import { positionsOf, type Rings, readGeometry } from './geometry.ts'
import { distance, type Grid, gridAround, type Point } from './grid.ts'
import { type Door, joinDoors, joinFloors, type Unit } from './imdf-paths.ts'
import { type Area, along, isInside, middleOf } from './plane.ts'
import { quote } from './problems.ts'
import {
  type Files,
  type ForeignFeature,
  featureLabel,
  type ImportedSource,
  type ImportOptions,
  isLanguage,
  plainId,
  plainName,
  pointAt,
  SourceBuilder,
} from './source-builder.ts'

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
/** Categories of rooms that become amenities, unless the file has such an amenity in the room. */
const SOUGHT = /^(restroom|firstaid|mothersroom|shower|smokingarea|foodservice)(\.|$)/
const FOR_PEOPLE = /^pedestrian(\.|$)/
const MAIN_DOOR = 'pedestrian.principal'

/**
 * Gates are named by openings of any category, zones by a section, geofence, level or unit; the venue's outline is the zone of all.
 * @param files by name, such as `unit.geojson`; other files of IMDF are ignored
 * @param options names are in English if no language is given
 */
export function importImdf(files: Files, options: ImportOptions = {}): ImportedSource {
  const made = new SourceBuilder()
  for (const name of ['level.geojson', 'unit.geojson', 'opening.geojson']) {
    if (!files.has(name)) made.problem('unreadable', name, 'there is no such file in the folder')
  }
  const read = (type: string) => made.features(files, `${type}.geojson`).map(({ feature }) => feature)
  const [levels, units] = [read('level'), read('unit')]
  const reader = new ImdfReader(made, levels, read('anchor'), units, options)
  const rooms = units.flatMap((unit) => reader.unit(unit))
  const doors = read('opening').flatMap((opening) => reader.door(opening))

  const walked = new Set([...joinDoors(made, rooms, doors), ...joinFloors(made, rooms)])
  for (const amenity of read('amenity')) reader.amenity(amenity, rooms, walked)
  for (const room of rooms) {
    if (walked.has(room.id)) reader.addRoom(room)
    else made.problem('left_out', featureLabel('unit.geojson', room.id), 'no door for people leads into it')
  }
  for (const door of doors) {
    const why = 'it is in the wall of no unit that people walk in'
    if (walked.has(door.id)) reader.addDoor(door)
    else made.problem('left_out', featureLabel('opening.geojson', door.id), why)
  }
  reader.addZones(read('venue'), [...read('section'), ...read('geofence'), ...levels, ...units])
  made.checkOptions(options)
  // Every amenity has a node of its own, and a path further away than this is behind a wall.
  return made.result({ place_metres: 1 })
}

class ImdfReader {
  readonly #made: SourceBuilder
  readonly #grid: Grid
  readonly #levels: ReadonlyMap<unknown, number>
  readonly #anchors: ReadonlyMap<unknown, ForeignFeature>
  readonly #options: ImportOptions
  readonly #amenities = new Set<string>()

  constructor(
    made: SourceBuilder,
    levels: readonly ForeignFeature[],
    anchors: readonly ForeignFeature[],
    units: readonly ForeignFeature[],
    options: ImportOptions,
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

  addRoom({ id, category, name, level: ordinal, hub, accessible }: Unit): void {
    const level = ordinal || undefined
    this.#made.add('node', id, this.#place(hub), { level })
    if (!SOUGHT.test(category) || this.#amenities.has(`${id} ${category.split('.')[0]}`)) return
    const wheelchair = accessible ? 'yes' : undefined
    this.#made.add('amenity', id, this.#place(hub), { category, name, level, wheelchair, node: plainId(id) })
  }

  addDoor({ id, level: ordinal, middle, isGate, said }: Door): void {
    const level = ordinal || undefined
    this.#made.add('node', id, this.#place(middle), { level })
    if (isGate) this.#made.gate(id, this.#options, this.#place(middle), { level, node: plainId(id) }, said)
  }

  /** Draws the zones that the options name. Several parts of one zone are drawn as one. */
  addZones(venues: readonly ForeignFeature[], parts: readonly ForeignFeature[]): void {
    const { zone, zones = {} } = this.#options
    const drawn = new Map<string, { areas: Rings[]; levels: Set<number | undefined> }>()
    const draw = (name: string, level: number | undefined, { id, geometry: json }: ForeignFeature) => {
      const geometry = readGeometry(json)
      if (typeof geometry === 'string' || geometry.type !== 'areas') {
        this.#leaveOut(`zone ${quote(name)}`, `${quote(id ?? '')} has no outline`)
        return
      }
      const { areas, levels } = drawn.get(name) ?? { areas: [], levels: new Set() }
      drawn.set(name, { areas: [...areas, ...geometry.areas], levels: levels.add(level) })
    }
    if (zone !== undefined) for (const venue of venues) draw(zone, undefined, venue)
    for (const part of parts) {
      const { id, properties } = part
      if (id === undefined) continue
      const { category, level_id } = properties
      this.#made.found.parts.set(id, this.#name(properties) ?? (typeof category === 'string' ? category : 'part'))
      const name = Object.hasOwn(zones, id) ? zones[id] : undefined
      if (name !== undefined) draw(name, this.#levels.get(id) ?? this.#levels.get(level_id), part)
    }
    for (const [name, { areas, levels }] of drawn) {
      const [level] = levels.size === 1 ? levels : []
      this.#made.add('zone', name, { type: 'MultiPolygon', coordinates: areas }, { level })
      if (levels.size > 1)
        this.#made.problem('guessed', `zone ${quote(name)}`, 'its parts are on several floors: on every floor')
    }
  }

  #place(point: Point): object {
    return pointAt(this.#grid.toDegrees(point))
  }

  unit({ id, properties, geometry: json }: ForeignFeature): Unit[] {
    const { category, restriction, level_id } = properties
    if (id === undefined || typeof category !== 'string' || SOLID.has(category)) return []
    const at = featureLabel('unit.geojson', id)
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
    const { gates = {} } = this.#options
    if (id === undefined || typeof category !== 'string') return []
    const name = this.#name(properties)
    const said = name === undefined ? category : `${name}, ${category}`
    this.#made.found.entrances.set(id, said)
    const isNamed = Object.hasOwn(gates, id)
    if (!isNamed && !FOR_PEOPLE.test(category)) return []
    const at = featureLabel('opening.geojson', id)
    const level = this.#levels.get(level_id)
    const geometry = readGeometry(json)
    if (level === undefined) return this.#leaveOut(at, 'its level_id is not in level.geojson')
    if (typeof geometry === 'string' || geometry.type !== 'lines') return this.#leaveOut(at, 'it has no line')
    const line = (geometry.lines[0] ?? []).map(this.#grid.toGrid)
    const [first, last] = [line[0], line.at(-1)]
    if (!first || !last) return []
    const width = distance(first, last) / 1000
    const middle = along(first, last, 0.5)
    return [
      {
        id,
        level,
        middle,
        width,
        accessible: isAccessible(properties),
        isGate: isNamed || category === MAIN_DOOR,
        said,
      },
    ]
  }

  /** An amenity is in a room: a path leads to it from the room's hub. */
  amenity({ id, properties, geometry }: ForeignFeature, rooms: readonly Unit[], walked: ReadonlySet<string>): void {
    const { category, unit_ids } = properties
    if (id === undefined || typeof category !== 'string') return
    const at = featureLabel('amenity.geojson', id)
    const [place] = this.#point(geometry)
    const room = rooms.find((unit) => Array.isArray(unit_ids) && unit_ids.includes(unit.id) && walked.has(unit.id))
    if (!room || !place) {
      this.#leaveOut(at, room ? 'it has no point' : 'its unit_ids name no unit that people get to')
      return
    }
    const level = room.level || undefined
    const wheelchair = isAccessible(properties) ? 'yes' : undefined
    this.#amenities.add(`${room.id} ${category.split('.')[0]}`)
    this.#made.add('node', id, this.#place(place), { level })
    this.#made.add('path', `${room.id}/${id}`, null, {
      from: room.id,
      to: id,
      level,
      wheelchair: room.accessible ? 'yes' : undefined,
    })
    const name = this.#name(properties)
    this.#made.add('amenity', id, this.#place(place), { category, name, level, wheelchair, node: plainId(id) })
  }

  #point(json: unknown): Point[] {
    const geometry = readGeometry(json)
    return typeof geometry !== 'string' && geometry.type === 'point' ? [this.#grid.toGrid(geometry.at)] : []
  }

  /** The name in the language that was asked for, or else in the first. */
  #name({ name }: ForeignFeature['properties']): string | undefined {
    if (typeof name !== 'object' || name === null) return undefined
    const { language = 'en' } = this.#options
    const labels = new Map(Object.entries(name))
    for (const tag of labels.keys()) this.#made.found.languages.add(tag)
    const near = [...labels.keys()].find((tag) => isLanguage(tag, language))
    return plainName(labels.get(language) ?? labels.get(near ?? '') ?? [...labels.values()][0])
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
