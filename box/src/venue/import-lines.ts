/**
 * Imports plain GeoJSON, as town maps and drawing programs export it, as the source of a map. Rules assign a kind to each
 * feature. Where lines meet is found when the map is compiled.
 */
import { type Static, Type } from 'typebox'
import { type Geometry, readGeometry } from './geometry.ts'
import { type Kind, PROPERTIES, type Tolerances } from './source.ts'
import { type Files, type ForeignFeature, type ImportedSource, plainName, SourceBuilder } from './source-builder.ts'

const Text = (description: string) => Type.String({ minLength: 1, maxLength: 1000, description })

/** The shape of a list of rules, as a file has it. */
export const LineRules = Type.Array(
  Type.Object(
    {
      file: Text('the name of a file in the folder'),
      where: Type.Optional(
        Type.Unsafe<Readonly<Record<string, string | readonly string[]>>>(
          Type.Refine(Type.Object({}, { description: 'an object of texts, or of lists of texts' }), (where) =>
            Object.values(where).every((value) => [value].flat().every((each) => typeof each === 'string')),
          ),
        ),
      ),
      geometry: Type.Optional(Type.Enum(['point', 'line', 'area'], { description: 'one of "point", "line", "area"' })),
      kind: Type.Enum(Object.keys(PROPERTIES) as Kind[], {
        description: `one of ${Object.keys(PROPERTIES).join(', ')}`,
      }),
      id: Type.Optional(Text('the id of the one feature that the rule fits')),
      name: Type.Optional(Text('the property that holds the name')),
      properties: Type.Optional(
        Type.Unsafe<Readonly<Record<string, unknown>>>(Type.Object({}, { description: 'an object of properties' })),
      ),
    },
    { additionalProperties: false, description: 'a rule' },
  ),
  { minItems: 1, maxItems: 1000, description: 'a list of rules' },
)

/**
 * Assigns a kind to features of a file. `where`: values that a feature's properties must have, one of each list. `geometry`: only
 * features of this form. `id`: for a rule that fits one feature; otherwise ids are the file's name and a number. `name`: the property
 * that holds the name, `name` when absent. `properties`: those of every such feature, such as `{ "category": "restroom" }`.
 */
export type LineRule = Static<typeof LineRules>[number]

const FORM = { none: undefined, point: 'point', lines: 'line', areas: 'area' } as const

/** The first rule that fits a feature applies. Features that no rule fits are left out and counted. */
export function importLines(
  files: Files,
  rules: readonly LineRule[],
  tolerances?: Partial<Tolerances>,
): ImportedSource {
  const made = new SourceBuilder()
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

/** The rounded geometry as GeoJSON. A fence that was drawn as a closed line is the border of its zone. */
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
