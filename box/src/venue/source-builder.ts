/** Builds the source of a map from imported files, and collects what had to be left out or guessed. */
import type { Position } from '@gatehouse/proto/wire/venue.ts'
import { didYouMean } from '../event/shape.ts'
import { type Problem, type ProblemKind, quote } from './problems.ts'
import type { Kind, Tolerances } from './source.ts'

/** The texts of a folder by file name. */
export type Files = ReadonlyMap<string, string>

/** Facts that the organiser knows and the imported files do not have. */
export interface ImportOptions {
  /** Gates of the event by the id of an entrance. If there is one, other entrances are none; without any, all are gates under their own ids. */
  readonly gates?: Readonly<Record<string, string>>
  /** The zone of the event that the whole venue is. */
  readonly zone?: string
  /** Zones of the event by the id of a part of the venue. */
  readonly zones?: Readonly<Record<string, string>>
  /** Language of names that are given in several, as a tag of RFC 5646 such as `de`. */
  readonly language?: string
}

export interface ImportedSource {
  /** A `venue.geojson`, which the organiser checks and completes before it is compiled. */
  readonly collection: SourceCollection
  readonly problems: readonly Problem[]
  /** The features that options could have named. */
  readonly found: Found
}

export interface Found {
  /** Those that can be gates, and what is said of each: its name, or its category. */
  readonly entrances: ReadonlyMap<string, string>
  /** Parts of the venue that can be zones, and what is said of each. */
  readonly parts: ReadonlyMap<string, string>
  readonly languages: ReadonlySet<string>
}

interface SourceCollection {
  readonly type: 'FeatureCollection'
  readonly tolerances?: Partial<Tolerances>
  readonly features: readonly object[]
}

/** Collects features in the order in which they are found. */
export class SourceBuilder {
  readonly #features: object[] = []
  readonly #problems: Problem[] = []
  readonly found = {
    entrances: new Map<string, string>(),
    parts: new Map<string, string>(),
    languages: new Set<string>(),
  }

  /** Properties that are undefined are left out. */
  add(kind: Kind, id: string, geometry: object | null, properties: Readonly<Record<string, unknown>> = {}): void {
    const said = Object.entries(properties).filter(([, value]) => value !== undefined)
    const feature = { type: 'Feature', id: plainId(id), properties: { kind, ...Object.fromEntries(said) }, geometry }
    this.#features.push(feature)
  }

  /**
   * Adds an entrance as a gate, unless the options name other gates.
   * @param said what the organiser knows it by
   */
  gate(id: string, { gates = {} }: ImportOptions, geometry: object, properties: object, said: string): void {
    this.found.entrances.set(id, said)
    const gate = Object.hasOwn(gates, id) ? gates[id] : undefined
    if (gate === undefined && Object.keys(gates).length > 0) return
    this.add('gate', gate ?? id, geometry, { ...properties })
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
      // Reported below, like every other file that is not a collection.
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

  result(tolerances?: Partial<Tolerances>): ImportedSource {
    const collection = {
      type: 'FeatureCollection' as const,
      ...(tolerances && { tolerances }),
      features: this.#features,
    }
    return { collection, problems: this.#problems, found: this.found }
  }

  /** Names each option that fits nothing in the folder. */
  checkOptions({ gates = {}, zones = {}, language }: ImportOptions): void {
    const { entrances, parts, languages } = this.found
    for (const id of Object.keys(gates))
      if (!entrances.has(id)) this.#unknown('unknown_gate', 'entrance', id, entrances)
    for (const id of Object.keys(zones)) if (!parts.has(id)) this.#unknown('unknown_zone', 'part', id, parts)
    const byGate = new Map<string, string>()
    for (const [id, gate] of Object.entries(gates)) {
      const other = byGate.get(gate)
      byGate.set(gate, id)
      if (other === undefined) continue
      this.problem(
        'duplicate_id',
        '',
        `${quote(other)} and ${quote(id)} are both the gate ${quote(gate)}: name one of them`,
      )
    }
    if (language === undefined || [...languages].some((tag) => isLanguage(tag, language))) return
    const all = languages.size > 0 ? `names are in ${[...languages].join(', ')}` : 'names are in one language only'
    this.problem('left_out', '', `no name is in ${quote(language)}: ${all}`)
  }

  #unknown(kind: ProblemKind, noun: string, id: string, known: ReadonlyMap<string, unknown>): void {
    this.problem(kind, '', `the folder has no ${noun} with the id ${quote(id)}${didYouMean(id, known.keys())}`)
  }
}

/** A feature of an imported file. Its geometry is read only where it is used. */
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
    // By entries, so that a column called __proto__ is a property like any other.
    properties: Object.fromEntries(own),
    geometry,
  }
}

export const pointAt = (position: Position): object => ({ type: 'Point', coordinates: position })

/** True if names in one language serve readers of another: `de-CH` those of `de`, and the other way round. */
export function isLanguage(tag: string, wanted: string): boolean {
  const [a, b] = [tag.toLowerCase(), wanted.toLowerCase()]
  return a === b || a.startsWith(`${b}-`) || b.startsWith(`${a}-`)
}

/** Imported ids may contain spaces and any script; those of a map are plain ASCII. */
export function plainId(id: string): string {
  return id.replaceAll(/[^\x21-\x7e]+/g, '_').slice(0, 128)
}

/** The name on one line and of at most 120 characters, or none. */
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

export const featureLabel = (file: string, id: string | undefined): string => `${file} ${quote(id ?? '')}`
