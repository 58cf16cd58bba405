/** Checks a parsed JSON file against its schema, and describes all mistakes in words. */
import { type CodeOf, coded, type SaidValues } from '@gatehouse/proto/said.ts'
import type { TSchema } from 'typebox'
import { Settings } from 'typebox/system'
import { Pointer, Value } from 'typebox/value'
import { MAX_MISTAKES, type Mistake, type MistakeCode } from './mistakes.ts'
import { nearest } from './spelling.ts'

/** The parts of a schema that mistakes are described with: `description` completes "must be ...". */
interface Described {
  description?: string
  /** The description as a code. The mistakes of a schema without it have no codes. */
  coded?: MistakeCode
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
          const guess = guessed(name, Object.keys(fields))
          mistakes.push({
            path: pathOf([...keys, name]),
            message: `unknown field${guess.said}`,
            coded: [coded('unknown_field'), ...guess.coded],
          })
        }
        break
      case 'required':
        for (const name of params.requiredProperties) {
          mistakes.push({
            path: pathOf([...keys, name]),
            message: `missing: must be ${fields[name]?.description}`,
            ...codes(fields[name], coded('missing')),
          })
        }
        break
      default: {
        // One value can violate several keywords, and the description covers all of them.
        if (refused.has(at)) break
        refused.add(at)
        mistakes.push({ path: pathOf(keys), ...refusal(nodeAt(schema, keys), Pointer.Get(json, at)) })
      }
    }
  }
  if (errors.length < MAX_MISTAKES) return { mistakes, sound: soundPart(schema, json, '', refused) }
  const more = { path: '', message: 'more mistakes than are listed here', coded: [coded('more_mistakes')] }
  return { mistakes: [...mistakes, more], sound: undefined }
}

/** Options of a schema that say what its values must be: `description` completes "must be ...", and apps have a sentence for the code. */
export function must(
  description: string,
  code: CodeOf<'event'>,
  values?: SaidValues,
): { description: string; coded: MistakeCode } {
  return { description, coded: coded(code, values) }
}

/** The end of a sentence, and the same as codes. */
export interface Guess {
  readonly said: string
  readonly coded: readonly MistakeCode[]
}

/** `; did you mean "day"?`, or nothing when no candidate is near. The candidates are looked through once. */
export function guessed(word: string, candidates: Iterable<string>): Guess {
  const guess = nearest(word, candidates)
  return guess === undefined ? NO_GUESS : { said: `; did you mean "${guess}"?`, coded: [coded('meant', { guess })] }
}

const NO_GUESS: Guess = { said: '', coded: [] }

/** The sentence of `guessed` alone. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  return guessed(word, candidates).said
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

function refusal(schema: Described | undefined, value: unknown): Pick<Mistake, 'message' | 'coded'> {
  const known = schema?.enum ?? schema?.examples ?? []
  const guess = typeof value === 'string' ? guessed(value, known) : NO_GUESS
  return {
    message: `must be ${schema?.description}, not ${shown(value)}${guess.said}`,
    ...codes(schema, shownCoded(value), ...guess.coded),
  }
}

/** The codes of a mistake: what the value must be, then what it is and what was meant. */
function codes(schema: Described | undefined, ...others: readonly MistakeCode[]): Pick<Mistake, 'coded'> {
  return schema?.coded ? { coded: [schema.coded, ...others] } : {}
}

function shownCoded(value: unknown): MistakeCode {
  if (Array.isArray(value)) return coded('is_list', { n: value.length })
  return typeof value === 'object' && value !== null ? coded('is_object') : coded('is_now', { value: shown(value) })
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
