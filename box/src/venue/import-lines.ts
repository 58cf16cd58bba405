/**
 * From plain GeoJSON, as town maps and drawing programs export it, to the source of a map. Rules say what each feature is;
 * where its lines meet is found when the map is compiled.
 */
import { type Geometry, readGeometry } from './geometry.ts'
import { type Files, type ForeignFeature, Import, type Imported, plainName } from './imported.ts'
import type { Kind, Tolerances } from './source.ts'

export interface LineRule {
  /** File name in the folder. */
  readonly file: string
  /** Property values that a feature must have, any of several each; absent: every feature of the file. */
  readonly where?: Readonly<Record<string, string | readonly string[]>>
  /** Only features of this form. */
  readonly geometry?: 'point' | 'line' | 'area'
  readonly kind: Kind
  /** The id, for a rule that means one feature; otherwise ids are the file's name and a number. */
  readonly id?: string
  /** The property that holds the name, `name` when absent. */
  readonly name?: string
  /** What the map should say of every such feature, such as `{ "category": "restroom" }`. */
  readonly properties?: Readonly<Record<string, unknown>>
}

const FORM = { none: undefined, point: 'point', lines: 'line', areas: 'area' } as const

/** The first rule that fits a feature decides; features that no rule fits are left out, and counted. */
export function importLines(files: Files, rules: readonly LineRule[], tolerances?: Partial<Tolerances>): Imported {
  const made = new Import()
  for (const file of new Set(rules.map((rule) => rule.file))) {
    if (!files.has(file)) made.problem('unreadable', file, 'there is no such file')
    const own = rules.filter((rule) => rule.file === file)
    let passedOver = 0
    for (const [i, { at, feature }] of made.features(files, file).entries()) {
      const geometry = readGeometry(feature.geometry)
      if (typeof geometry === 'string') {
        made.problem('left_out', at, geometry)
        continue
      }
      const rule = own.find((each) => fits(each, feature, geometry))
      if (!rule) {
        passedOver++
        continue
      }
      const id = rule.id ?? `${file.replace(/\.[^.]*$/, '')}-${i + 1}`
      const name = plainName(feature.properties[rule.name ?? 'name'])
      made.add(rule.kind, id, shapeFor(rule.kind, geometry), { name, ...rule.properties })
    }
    if (passedOver > 0) made.problem('left_out', file, `${passedOver} features that no rule fits`)
  }
  return made.result(tolerances)
}

function fits({ where = {}, geometry: form }: LineRule, { properties }: ForeignFeature, geometry: Geometry): boolean {
  if (form !== undefined && FORM[geometry.type] !== form) return false
  return Object.entries(where).every(([name, wanted]) => {
    const value = properties[name]
    return typeof wanted === 'string' ? value === wanted : typeof value === 'string' && wanted.includes(value)
  })
}

/** The geometry in its GeoJSON form again, rounded; a fence that was drawn as a closed line is the border of its zone. */
function shapeFor(kind: Kind, geometry: Geometry): object | null {
  switch (geometry.type) {
    case 'none':
      return null
    case 'point':
      return { type: 'Point', coordinates: geometry.at }
    case 'areas':
      return { type: 'MultiPolygon', coordinates: geometry.areas }
    case 'lines':
      if (kind === 'zone') return { type: 'MultiPolygon', coordinates: geometry.lines.map((line) => [line]) }
      return { type: 'MultiLineString', coordinates: geometry.lines }
  }
}
