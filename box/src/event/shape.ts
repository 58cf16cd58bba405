/** Checks a parsed JSON file against its schema, and describes all mistakes in words. */
import type { TSchema } from 'typebox'
import { Settings } from 'typebox/system'
import { Pointer, Value } from 'typebox/value'
import { MAX_MISTAKES, type Mistake } from './mistakes.ts'
import { nearest } from './spelling.ts'

/** The parts of a schema that mistakes are described with: `description` completes "must be ...". */
interface Described {
  description?: string
  enum?: readonly string[]
  examples?: readonly string[]
  properties?: Record<string, Described>
  items?: Described
}

/**
 * `sound` is the part of `json` that has the right shape, with `undefined` for each refused value, so that rules between fields can
 * still be checked. It is undefined when there were too many mistakes.
 */
export function checkShape(type: TSchema, json: unknown): { mistakes: Mistake[]; sound: unknown } {
  const errors = errorsOf(type, json)
  const schema: Described = type
  const mistakes: Mistake[] = []
  const refused = new Set<string>()
  for (const { keyword, params, instancePath: at } of errors) {
    const keys = Pointer.Indices(at)
    const fields = nodeAt(schema, keys)?.properties ?? {}
    switch (keyword) {
      case 'boolean': // repeats additionalProperties
        break
      case 'additionalProperties':
        for (const name of params.additionalProperties) {
          mistakes.push({
            path: pathOf([...keys, name]),
            message: `unknown field${didYouMean(name, Object.keys(fields))}`,
          })
        }
        break
      case 'required':
        for (const name of params.requiredProperties) {
          mistakes.push({ path: pathOf([...keys, name]), message: `missing: must be ${fields[name]?.description}` })
        }
        break
      default: {
        // One value can violate several keywords, and the description covers all of them.
        if (refused.has(at)) break
        refused.add(at)
        mistakes.push({ path: pathOf(keys), message: refusal(nodeAt(schema, keys), Pointer.Get(json, at)) })
      }
    }
  }
  if (errors.length < MAX_MISTAKES) return { mistakes, sound: soundPart(schema, json, '', refused) }
  return { mistakes: [...mistakes, { path: '', message: 'more mistakes than are listed here' }], sound: undefined }
}

/** `; did you mean "day"?`, or nothing when no candidate is near. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const guess = nearest(word, candidates)
  return guess === undefined ? '' : `; did you mean "${guess}"?`
}

/** TypeBox stops after 8 errors unless a global setting allows more, which is restored at once. */
function errorsOf(schema: TSchema, json: unknown) {
  const { maxErrors } = Settings.Get()
  Settings.Set({ maxErrors: MAX_MISTAKES })
  try {
    return Value.Errors(schema, json)
  } finally {
    Settings.Set({ maxErrors })
  }
}

function nodeAt(schema: Described, keys: readonly string[]): Described | undefined {
  return keys.reduce<Described | undefined>((node, key) => node?.items ?? node?.properties?.[key], schema)
}

function soundPart(schema: Described, value: unknown, at: string, refused: ReadonlySet<string>): unknown {
  if (refused.has(at)) return undefined
  const { items, properties } = schema
  if (items && Array.isArray(value)) return value.map((item, i) => soundPart(items, item, `${at}/${i}`, refused))
  if (properties && typeof value === 'object' && value !== null) {
    const fields = new Map(Object.entries(value))
    return Object.fromEntries(
      Object.entries(properties).map(([key, field]) => [
        key,
        soundPart(field, fields.get(key), `${at}/${key}`, refused),
      ]),
    )
  }
  return value
}

function refusal(schema: Described | undefined, value: unknown): string {
  const guess = typeof value === 'string' ? didYouMean(value, schema?.enum ?? schema?.examples ?? []) : ''
  return `must be ${schema?.description}, not ${shown(value)}${guess}`
}

/** Short, on one line, and without control characters, which a terminal would obey. */
function shown(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return `a list of ${value.length}`
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text)
}

function pathOf(keys: readonly string[]): string {
  return keys
    .map((key) => (/^\d+$/.test(key) ? `[${key}]` : /^\w{1,60}$/.test(key) ? `.${key}` : `[${quoted(key)}]`))
    .join('')
    .replace(/^\./, '')
}
