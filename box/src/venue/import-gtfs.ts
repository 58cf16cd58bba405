/**
 * From a GTFS folder (gtfs.org, "Schedule reference": stops.txt, levels.txt, pathways.txt) to the source of a map. Stops
 * become nodes, entrances gates, platforms amenities; pathways keep their columns, which are ours as well, and those of the
 * experimental extension for wheelchairs where they are given.
 */
import { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { type Files, Import, type Imported, plainId, plainName, pointAt } from './imported.ts'
import { quote } from './problems.ts'

export interface GtfsOptions {
  /** Gate of the event by `stop_id` of the entrance; an entrance that is not listed keeps its own id. */
  readonly gates?: Readonly<Record<string, string>>
}

type Row = Readonly<Record<string, string>>

const MOST_ROWS = 100_000
/** `location_type` of stops.txt. */
const LOCATION = { platform: '0', station: '1', entrance: '2' } as const
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

export function importGtfs(files: Files, { gates = {} }: GtfsOptions = {}): Imported {
  const made = new Import()
  const stops = new Map(rows(made, files, 'stops.txt').map((stop) => [stop.stop_id ?? '', stop]))
  const levels = new Map(rows(made, files, 'levels.txt', true).map((level) => [level.level_id ?? '', level]))
  const used = new Set<string>()
  for (const pathway of rows(made, files, 'pathways.txt')) {
    const { pathway_id = '', from_stop_id: from = '', to_stop_id: to = '' } = pathway
    const missing = [from, to].filter((stop) => !stops.has(stop))
    if (missing.length > 0 || from === to) {
      const why = from === to ? 'ends where it begins' : `there is no stop ${missing.map(quote).join(' or ')}`
      made.problem('left_out', `pathways.txt ${quote(pathway_id)}`, why)
      continue
    }
    used.add(from).add(to)
    made.add('path', pathway_id, null, {
      ...pathProperties(made, pathway),
      from: plainId(from),
      to: plainId(to),
    })
  }
  for (const id of used) addStop(made, stops, levels, id, gates)
  return made.result()
}

function pathProperties(made: Import, pathway: Row): Record<string, unknown> {
  const properties: Record<string, unknown> = { name: plainName(pathway.signposted_as) }
  for (const column of ['pathway_mode', 'is_bidirectional', ...NUMBERS]) {
    const text = pathway[column]?.trim() ?? ''
    if (text === '') continue
    const value = Number(text)
    if (Number.isFinite(value)) properties[column] = value
    else
      made.problem(
        'left_out',
        `pathways.txt ${quote(pathway.pathway_id ?? '')}`,
        `${column} ${quote(text)} is no number`,
      )
  }
  // A zero is what exporters write who have not counted; stairs of no steps are no stairs.
  if (properties.pathway_mode === 2 && properties.stair_count === 0) delete properties.stair_count
  const { wheelchair } = pathway
  if (wheelchair === 'yes' || wheelchair === 'no' || wheelchair === 'limited') properties.wheelchair = wheelchair
  return properties
}

function addStop(
  made: Import,
  stops: ReadonlyMap<string, Row>,
  levels: ReadonlyMap<string, Row>,
  id: string,
  gates: Readonly<Record<string, string>>,
): void {
  const stop = stops.get(id) ?? {}
  const at = placeOf(stops, stop)
  if (!at) {
    made.problem('left_out', `stops.txt ${quote(id)}`, 'has no stop_lat and stop_lon, and no parent station that has')
    return
  }
  const index = Number(levels.get(stop.level_id ?? '')?.level_index ?? 0)
  const level = Number.isFinite(index) && index !== 0 ? index : undefined
  const name = plainName(stop.stop_name)
  made.add('node', id, pointAt(at), { name, level })
  const wheelchair = BOARDING[stop.wheelchair_boarding ?? '']
  const type = stop.location_type || LOCATION.platform
  if (type === LOCATION.entrance) {
    const gate = Object.hasOwn(gates, id) ? gates[id] : undefined
    made.add('gate', gate ?? id, pointAt(at), { name, level, wheelchair })
  }
  if (type === LOCATION.platform)
    made.add('amenity', id, pointAt(at), { category: 'platform', name, level, wheelchair })
}

/** Generic nodes and boarding areas need no coordinates of their own. */
function placeOf(stops: ReadonlyMap<string, Row>, stop: Row): [number, number] | undefined {
  // A boarding area's parent is a platform, and a platform's a station: two steps up, and no circle.
  for (
    let here: Row | undefined = stop, steps = 0;
    here && steps < 3;
    here = stops.get(here.parent_station ?? ''), steps++
  ) {
    const [lat, lon] = [here.stop_lat?.trim(), here.stop_lon?.trim()]
    if (lat && lon && Number.isFinite(Number(lat)) && Number.isFinite(Number(lon))) return [Number(lon), Number(lat)]
  }
  return undefined
}

function rows(made: Import, files: Files, name: string, optional = false): Row[] {
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
      to: MOST_ROWS,
    })
    if (read.length === MOST_ROWS) made.problem('too_much', name, `over ${MOST_ROWS} rows`)
    return read
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    made.problem('unreadable', name, `not CSV: ${quote(error.message)}`)
    return []
  }
}
