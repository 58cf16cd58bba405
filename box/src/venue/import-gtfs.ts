/**
 * Imports a GTFS folder (gtfs.org, "Schedule reference": stops.txt, levels.txt, pathways.txt, translations.txt) as the source of a
 * map. Stops become nodes, entrances gates, platforms amenities, each at the node of its own stop: many stops of a station have the
 * same position. Pathways keep their columns, which the source has too, and those of the experimental extension for wheelchairs.
 */
import { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { quote } from './problems.ts'
import {
  type Files,
  type ImportedSource,
  type ImportOptions,
  isLanguage,
  plainId,
  plainName,
  pointAt,
  SourceBuilder,
} from './source-builder.ts'

type Row = Readonly<Record<string, string>>

const MAX_ROWS = 100_000
/** `location_type` of stops.txt. */
const LOCATION = { platform: '0', entrance: '2', boardingArea: '4' } as const
const BOARDING: Readonly<Record<string, string>> = { 1: 'yes', 2: 'no' }
/** Columns of pathways.txt that mean the same in the source. */
const NUMBERS = [
  'length',
  'traversal_time',
  'wheelchair_traversal_time',
  'stair_count',
  'max_slope',
  'min_width',
] as const

/** Entrances are named by `stop_id`, zones by `level_id` or `stop_id`: a pathway is in the zones of both its ends. */
export function importGtfs(files: Files, options: ImportOptions = {}): ImportedSource {
  const made = new SourceBuilder()
  const station = new Station(made, files, options)
  const used = new Set<string>()
  for (const pathway of rows(made, files, 'pathways.txt')) {
    const { pathway_id = '', from_stop_id: from = '', to_stop_id: to = '' } = pathway
    const missing = [from, to].filter((stop) => !station.stops.has(stop))
    if (missing.length > 0 || from === to) {
      const why = from === to ? 'ends where it begins' : `there is no stop ${missing.map(quote).join(' or ')}`
      made.problem('left_out', `pathways.txt ${quote(pathway_id)}`, why)
      continue
    }
    used.add(from).add(to)
    made.add('path', pathway_id, null, {
      name: station.nameOf('pathways', pathway_id, 'signposted_as', pathway.signposted_as),
      ...pathProperties(made, pathway),
      from: plainId(from),
      to: plainId(to),
      zones: station.zonesOf(from, to),
    })
  }
  for (const id of used) station.add(id)
  made.checkOptions(options)
  return made.result()
}

function pathProperties(made: SourceBuilder, pathway: Row): Record<string, unknown> {
  const properties: Record<string, unknown> = {}
  for (const column of ['pathway_mode', 'is_bidirectional', ...NUMBERS]) {
    const text = pathway[column]?.trim() ?? ''
    if (text === '') continue
    const value = Number(text)
    if (Number.isFinite(value)) properties[column] = value
    else
      made.problem(
        'left_out',
        `pathways.txt ${quote(pathway.pathway_id ?? '')}`,
        `${column} ${quote(text)} is not a number`,
      )
  }
  // Exporters write zero for steps that were not counted.
  if (properties.pathway_mode === 2 && properties.stair_count === 0) delete properties.stair_count
  const { wheelchair } = pathway
  if (wheelchair === 'yes' || wheelchair === 'no' || wheelchair === 'limited') properties.wheelchair = wheelchair
  return properties
}

class Station {
  readonly stops: ReadonlyMap<string, Row>
  readonly #made: SourceBuilder
  readonly #levels: ReadonlyMap<string, Row>
  readonly #translations: ReadonlyMap<string, string>
  readonly #options: ImportOptions

  constructor(made: SourceBuilder, files: Files, options: ImportOptions) {
    this.#made = made
    this.#options = options
    this.stops = new Map(rows(made, files, 'stops.txt').map((stop) => [stop.stop_id ?? '', stop]))
    this.#levels = new Map(rows(made, files, 'levels.txt', true).map((level) => [level.level_id ?? '', level]))
    this.#translations = this.#translated(rows(made, files, 'translations.txt', true))
    for (const [id, { level_name, level_index }] of this.#levels) {
      made.found.parts.set(id, plainName(level_name) ?? `floor ${level_index ?? 0}`)
    }
    for (const [id, { stop_name }] of this.stops) made.found.parts.set(id, plainName(stop_name) ?? 'stop')
  }

  #translated(table: readonly Row[]): Map<string, string> {
    const { language: wanted } = this.#options
    const found = new Map<string, string>()
    for (const { table_name, field_name, language = '', translation = '', record_id, field_value } of table) {
      if (language !== '') this.#made.found.languages.add(language)
      if (wanted === undefined || !isLanguage(language, wanted)) continue
      const key = JSON.stringify([table_name, field_name, record_id || field_value])
      if (language === wanted || !found.has(key)) found.set(key, translation)
    }
    return found
  }

  /** The name in the language that was asked for, where there is one. */
  nameOf(table: string, id: string, field: string, name = ''): string | undefined {
    const translated = [id, name].map((key) => this.#translations.get(JSON.stringify([table, field, key])))
    return plainName(translated.find((text) => text !== undefined) ?? name)
  }

  /** The zones that one has to be allowed into on a way between two stops; undefined where no zone was named. */
  zonesOf(...ids: string[]): string[] | undefined {
    const { zone, zones } = this.#options
    if (zone === undefined && zones === undefined) return undefined
    return [...new Set(ids.flatMap((id) => this.#zoneOf(id) ?? []))]
  }

  /** The entrance itself is outside, unless it is named as a part of a zone. */
  #zoneOf(id: string): string | undefined {
    const { zone, zones = {} } = this.#options
    const stop = this.stops.get(id) ?? {}
    if (Object.hasOwn(zones, id)) return zones[id]
    if (stop.location_type === LOCATION.entrance) return undefined
    const level = stop.level_id ?? ''
    return Object.hasOwn(zones, level) ? zones[level] : zone
  }

  add(id: string): void {
    const stop = this.stops.get(id) ?? {}
    const at = this.#fromParents(stop, positionOf)
    if (!at) {
      const message = 'has no stop_lat and stop_lon, and no parent station that has'
      this.#made.problem('left_out', `stops.txt ${quote(id)}`, message)
      return
    }
    const index = Number(this.#levels.get(stop.level_id ?? '')?.level_index ?? 0)
    const level = Number.isFinite(index) && index !== 0 ? index : undefined
    const named = ({ stop_id = '', stop_name }: Row) => this.nameOf('stops', stop_id, 'stop_name', stop_name)
    const name = named(stop)
    const node = plainId(id)
    this.#made.add('node', id, pointAt(at), { name, level })
    const wheelchair = this.#fromParents(stop, ({ wheelchair_boarding }) => BOARDING[wheelchair_boarding ?? ''])
    const place = { name, level, wheelchair, node }
    const type = stop.location_type || LOCATION.platform
    if (type === LOCATION.entrance) this.#made.gate(id, this.#options, pointAt(at), place, name ?? 'entrance')
    const platform = { ...place, category: 'platform', zone: this.#zoneOf(id) }
    if (type === LOCATION.platform) this.#made.add('amenity', id, pointAt(at), platform)
    if (type === LOCATION.boardingArea) {
      this.#made.add('amenity', id, pointAt(at), { ...platform, name: this.#fromParents(stop, named) })
    }
  }

  /** Value of a stop, or else of its parent, such as the position of generic nodes. */
  #fromParents<T>(stop: Row, read: (stop: Row) => T | undefined): T | undefined {
    // The parent of a boarding area is a platform, and its parent a station: at most two steps, which also ends circles.
    for (
      let here: Row | undefined = stop, steps = 0;
      here && steps < 3;
      here = this.stops.get(here.parent_station ?? ''), steps++
    ) {
      const said = read(here)
      if (said !== undefined) return said
    }
    return undefined
  }
}

function positionOf({ stop_lat, stop_lon }: Row): [number, number] | undefined {
  const [lat, lon] = [stop_lat?.trim(), stop_lon?.trim()]
  return lat && lon && Number.isFinite(Number(lat)) && Number.isFinite(Number(lon))
    ? [Number(lon), Number(lat)]
    : undefined
}

function rows(made: SourceBuilder, files: Files, name: string, optional = false): Row[] {
  const text = files.get(name)
  if (text === undefined) {
    if (!optional) made.problem('unreadable', name, 'there is no such file in the folder')
    return []
  }
  try {
    const read: Row[] = parse(text, {
      bom: true,
      columns: (header: string[]) => header.map((column) => column.trim()),
      skip_empty_lines: true,
      relax_column_count: true,
      to: MAX_ROWS,
    })
    if (read.length === MAX_ROWS) made.problem('too_much', name, `over ${MAX_ROWS} rows`)
    return read
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    made.problem('unreadable', name, `not CSV: ${quote(error.message)}`)
    return []
  }
}
