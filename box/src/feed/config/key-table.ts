/** The table of all keys of the configuration, which `changefeed keys` prints and the documentation contains. */
import type { Schema } from './check-value.ts'
import { FeedSchema } from './schema.ts'

interface KeyRow {
  key: string
  type: string
  /** `required`, or the default; empty where there is none. */
  fallback: string
  description: string
}

interface Bounds extends Schema {
  minimum?: number
  maximum?: number
}

/** @param kinds the schemas of sources and sinks, under the key that their rows begin with, such as `source (postgres)` */
export function keyTable(kinds: Readonly<Record<string, object>>): string {
  const tables = [
    table('Every feed', rowsOf(FeedSchema as Schema, '')),
    ...Object.entries(kinds).map(([title, schema]) => table(title, rowsOf(withoutKind(schema), prefixOf(title)))),
  ]
  return tables.join('\n')
}

/** The kind is in the first table already. */
function withoutKind(schema: Schema): Schema {
  const { kind: _, ...properties } = schema.properties ?? {}
  return { ...schema, properties }
}

function prefixOf(title: string): string {
  return title.startsWith('source') ? 'source.' : 'sinks[].options.'
}

function rowsOf(schema: Schema, prefix: string): KeyRow[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, described]) => {
    const key = `${prefix}${name}`
    const inner = described.items?.properties ? rowsOf(described.items, `${key}[].`) : rowsOf(described, `${key}.`)
    const required = schema.required?.includes(name) && described.default === undefined
    const own = { key, type: typeOf(described), description: described.description ?? '' }
    return [{ ...own, fallback: required ? 'required' : defaultOf(described, inner.length > 0) }, ...inner]
  })
}

function defaultOf(schema: Schema, isGroup: boolean): string {
  return schema.default === undefined || isGroup ? '' : `\`${JSON.stringify(schema.default).replaceAll('"', '')}\``
}

function typeOf(schema: Bounds): string {
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ')
  if (schema.const !== undefined) return `\`${schema.const}\``
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(', ')
  const { minimum, maximum, type = 'any' } = schema
  if (schema.items) return schema.items.properties ? 'list' : `list of ${typeOf(schema.items)}`
  if (type === 'object') return 'group'
  if (minimum === undefined && maximum === undefined) return NAMES[type] ?? type
  return `${NAMES[type] ?? type}, ${minimum ?? '-∞'} to ${maximum ?? '∞'}`
}

const NAMES: Record<string, string> = { string: 'text', integer: 'whole number', boolean: 'true or false' }

function table(title: string, rows: readonly KeyRow[]): string {
  const lines = rows.map(({ key, type, fallback, description }) =>
    [`\`${key}\``, type, fallback, description].map((cell) => cell.replaceAll('|', '\\|')).join(' | '),
  )
  return `### ${title}\n\n| key | type | default | meaning |\n|---|---|---|---|\n${lines.map((line) => `| ${line} |\n`).join('')}`
}
