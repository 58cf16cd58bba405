/** What an importer makes of a folder: the source of a map, and what it had to leave out or to guess. */
import type { Position } from '@gatehouse/proto/wire/venue.ts'
import { type Problem, type ProblemKind, quote } from './problems.ts'
import type { Kind, Tolerances } from './source.ts'

/** The texts of a folder by file name. */
export type Files = ReadonlyMap<string, string>

export interface Imported {
  /** A `venue.geojson`, to be looked through and completed by the organiser before it is compiled. */
  readonly collection: SourceCollection
  readonly problems: readonly Problem[]
}

interface SourceCollection {
  readonly type: 'FeatureCollection'
  readonly tolerances?: Partial<Tolerances>
  readonly features: readonly object[]
}

/** Collects features in the order in which they are found. */
export class Import {
  readonly #features: object[] = []
  readonly #problems: Problem[] = []

  /** Properties that are undefined are left out. */
  add(kind: Kind, id: string, geometry: object | null, properties: Readonly<Record<string, unknown>> = {}): void {
    const said = Object.entries(properties).filter(([, value]) => value !== undefined)
    const feature = { type: 'Feature', id: plainId(id), properties: { kind, ...Object.fromEntries(said) }, geometry }
    this.#features.push(feature)
  }

  problem(kind: ProblemKind, feature: string, message: string): void {
    this.#problems.push({ kind, feature, message })
  }

  /** The features of a GeoJSON file, none and a problem where the file cannot be read. */
  features(files: Files, name: string): { at: string; feature: ForeignFeature }[] {
    const text = files.get(name)
    if (text === undefined) return []
    let json: { features?: unknown } | null = null
    try {
      json = JSON.parse(text.replace(/^\ufeff/, ''))
    } catch {
      // Said below, as of any other file that is no collection.
    }
    if (!Array.isArray(json?.features)) {
      this.problem('unreadable', name, 'not a GeoJSON FeatureCollection')
      return []
    }
    return json.features.flatMap((feature: unknown, i) => {
      const at = `${name} features[${i}]`
      if (typeof feature === 'object' && feature !== null) return [{ at, feature: readForeign(feature) }]
      this.problem('left_out', at, 'not a GeoJSON feature')
      return []
    })
  }

  result(tolerances?: Partial<Tolerances>): Imported {
    const collection = {
      type: 'FeatureCollection' as const,
      ...(tolerances && { tolerances }),
      features: this.#features,
    }
    return { collection, problems: this.#problems }
  }
}

/** A feature of somebody else's file. Geometries are read only where they are used. */
export interface ForeignFeature {
  readonly id: string | undefined
  readonly properties: Readonly<Record<string, unknown>>
  readonly geometry: unknown
}

function readForeign(feature: object): ForeignFeature {
  const { id, properties, geometry } = feature as Record<string, unknown>
  const own = typeof properties === 'object' && properties !== null ? Object.entries(properties) : []
  return {
    id: typeof id === 'string' || typeof id === 'number' ? `${id}` : undefined,
    // Entries, so that a column called __proto__ is a column.
    properties: Object.fromEntries(own),
    geometry,
  }
}

export const pointAt = (position: Position): object => ({ type: 'Point', coordinates: position })

/** Ids elsewhere may hold spaces and any script; those of a map are plain ASCII. */
export function plainId(id: string): string {
  return id.replaceAll(/[^\x21-\x7e]+/g, '_').slice(0, 128)
}

/** A name that fits on a sign, or none. */
export function plainName(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined
  const line = name
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 120)
    .toWellFormed()
  return line === '' ? undefined : line
}

export const nameIt = (file: string, id: string | undefined): string => `${file} ${quote(id ?? '')}`
