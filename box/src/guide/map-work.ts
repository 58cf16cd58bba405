/** The slow work on a map that is a draft, for a thread of its own: importing foreign files, and checking a map against its event. */
import { coded } from '@gatehouse/proto/said.ts'
import type { MapImport, MapImported, MapProblem } from '@gatehouse/proto/wire/guide-map.ts'
import { parseEvent } from '../event/event.ts'
import { checkShape } from '../event/shape.ts'
import { compileVenue } from '../venue/compile.ts'
import { importGtfs } from '../venue/import-gtfs.ts'
import { importImdf } from '../venue/import-imdf.ts'
import { importLines, LineRules } from '../venue/import-lines.ts'
import { type Problem, SEVERITY } from '../venue/problems.ts'
import type { Files, ImportedSource, ImportOptions } from '../venue/source-builder.ts'
import { textOf } from './event-folder.ts'

/** A map that is to stand beside an event. */
export interface MapPlace {
  /** The content of event.json, whatever it is. */
  event: unknown
  /** The content of venue.geojson. */
  collection: unknown
  /** Text of the file as it is; what has not changed keeps its bytes. */
  before: string | undefined
}

export type MapTask = { check: MapPlace } | { import: MapImport }

export interface CheckedMap {
  problems: MapProblem[]
  /** The text to write. */
  text: string
}

/** Problems beyond these help nobody. */
const MOST_PROBLEMS = 200

export function checkMap({ event: json, collection, before }: MapPlace): CheckedMap {
  const text = textOf(collection, before)
  const parsed = parseEvent(json)
  if ('mistakes' in parsed) {
    const message = 'correct the event first'
    const problem = { kind: 'event', feature: '', message, coded: [coded('event_first')] }
    return { text, problems: [{ severity: 'error', ...problem }] }
  }
  return { text, problems: told(compileVenue(parsed.event, text).problems) }
}

/** The format is known by the names of the files; GeoJSON that is a map already is taken as it is. */
export function importMap({ files, rules, ...given }: MapImport): MapImported {
  const texts: Files = new Map(files.map(({ name, text }) => [name, text]))
  if (texts.has('stops.txt')) return imported('gtfs', importGtfs(texts, optionsOf(given)))
  if (texts.has('unit.geojson')) return imported('imdf', importImdf(texts, optionsOf(given)))
  const own = files.length === 1 ? mapIn(files[0]?.text ?? '') : undefined
  if (own) return { ...NOTHING, format: 'map', collection: own }
  if (rules === undefined) return { ...NOTHING, format: 'geojson' }
  const { mistakes } = checkShape(LineRules, rules)
  if (mistakes.length === 0) return imported('geojson', importLines(texts, rules))
  const problems = mistakes.map(({ path, message }) => ({
    ...({ severity: 'error', kind: 'rules', feature: path } as const),
    message,
  }))
  return { ...NOTHING, format: 'geojson', problems: problems.slice(0, MOST_PROBLEMS) }
}

const NOTHING = { collection: null, problems: [], entrances: [], parts: [], languages: [] }

function imported(
  format: MapImported['format'],
  { collection, problems, found: { entrances, parts, languages } }: ImportedSource,
): MapImported {
  const list = (of: ReadonlyMap<string, string>) => [...of].map(([id, said]) => ({ id, said }))
  return {
    format,
    collection: collection.features.length === 0 ? null : (collection as unknown as Record<string, unknown>),
    problems: told(problems),
    entrances: list(entrances),
    parts: list(parts),
    languages: [...languages],
  }
}

function optionsOf({ gates, zone, zones, language }: Omit<MapImport, 'files' | 'rules'>): ImportOptions {
  return {
    ...(gates && { gates: Object.fromEntries(gates.map(({ id, gate }) => [id, gate])) }),
    ...(zone !== undefined && { zone }),
    ...(zones && zones.length > 0 && { zones: Object.fromEntries(zones.map(({ id, zone: name }) => [id, name])) }),
    ...(language !== undefined && { language }),
  }
}

function told(problems: readonly Problem[]): MapProblem[] {
  return problems.slice(0, MOST_PROBLEMS).map((problem) => ({ severity: SEVERITY[problem.kind], ...problem }))
}

/** A collection of which any feature has a kind that a map knows by its property `kind`. */
function mapIn(text: string): Record<string, unknown> | undefined {
  try {
    const json = JSON.parse(text.replace(/^\ufeff/, '')) as { features?: unknown } | null
    const features = Array.isArray(json?.features)
      ? (json.features as ({ properties?: { kind?: unknown } } | null)[])
      : []
    const isMap = features.some((feature) => typeof feature?.properties?.kind === 'string')
    return isMap ? (json as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
