/** Checks a value against a JSON Schema and says in words, for every mistake at once, what to write instead. */
import { Ajv, type ErrorObject } from 'ajv'
import { didYouMean } from '../../event/shape.ts'

/** `keys` lead to the value, from the top of the file; to the key itself where that is the mistake. */
export interface Mistake {
  readonly keys: readonly (string | number)[]
  readonly message: string
  /** For readers that say the mistake in other words; absent where the message has all there is to say. */
  readonly kind?: MistakeKind
  /** The text of the file that is wrong. */
  readonly value?: string
}

type MistakeKind = 'unknown' | 'missing' | 'tier' | 'checkpoint'

export interface Schema {
  type?: string
  description?: string
  default?: unknown
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly Schema[]
  properties?: Record<string, Schema>
  required?: readonly string[]
  items?: Schema
}

// A plugin brings its own schema: a keyword that this validator does not know is no mistake in the configuration.
const ajv = new Ajv({ allErrors: true, useDefaults: true, strict: false, verbose: true, logger: false })

/** A mistake never shows the value of such a key: it would end up in a log. */
const SECRET = /token|secret|passw|passphrase|key|url|headers/i

function isSecret(key: string | number): boolean {
  return SECRET.test(String(key))
}

/**
 * Fills `value` in with the schema's defaults.
 * @param keys that lead to the value, from the top of the file
 * @throws Error when the schema itself cannot be used (a plugin's)
 */
export function checkValue(schema: object, value: unknown, keys: Mistake['keys'] = []): Mistake[] {
  const validate = ajv.compile(schema)
  if (validate(value)) return []
  const mistakes = new Map<string, Mistake>()
  const errors = validate.errors ?? []
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf').map(({ schemaPath }) => `${schemaPath}/`)
  for (const error of errors) {
    // The reasons why each of the alternatives does not fit help nobody.
    if (unions.some((union) => error.schemaPath.startsWith(union))) continue
    const mistake = inWords(error, keys)
    const at = JSON.stringify(mistake.keys)
    // One value can break several keywords at once: the first is enough.
    if (!mistakes.has(at)) mistakes.set(at, mistake)
  }
  return [...mistakes.values()]
}

function inWords(error: ErrorObject, above: Mistake['keys']): Mistake {
  const { keyword, params, data } = error
  const parent = (error.parentSchema ?? {}) as Schema
  const keys = [...above, ...pointerKeys(error.instancePath)]
  const last = keys.at(-1) ?? ''
  const known = Object.keys(parent.properties ?? {})
  const not = isSecret(last) ? '' : `, not ${shown(data)}`
  const meaning = parent.description === undefined ? '' : ` (${parent.description})`
  const misfit = `${isSecret(last) ? 'what is there' : shown(data)} does not fit${parent.description === undefined ? '' : `: ${parent.description}`}`
  switch (keyword) {
    case 'additionalProperties': {
      const name = String(params.additionalProperty)
      const guess = didYouMean(name, known)
      const instead = known.length === 0 ? 'nothing is known here' : `known here: ${known.join(', ')}`
      return { keys: [...keys, name], message: `unknown key${guess || `; ${instead}`}`, kind: 'unknown' }
    }
    case 'required': {
      const name = String(params.missingProperty)
      const described = parent.properties?.[name]?.description
      const message = `missing${described === undefined ? '' : `: ${described}`}`
      return { keys: [...keys, name], message, kind: 'missing' }
    }
    case 'type':
      return { keys, message: `must be ${TYPES[String(params.type)] ?? params.type}${not}${meaning}` }
    case 'enum': {
      const values = params.allowedValues as unknown[]
      const guess = typeof data === 'string' ? didYouMean(data, values.map(String)) : ''
      return { keys, message: `must be one of ${values.join(', ')}${not}${guess}` }
    }
    case 'const':
      return { keys, message: `must be ${params.allowedValue}${not}` }
    case 'anyOf': {
      const values = parent.anyOf?.flatMap(({ const: value }) => (value === undefined ? [] : [value])) ?? []
      if (values.length === 0 || values.length < (parent.anyOf?.length ?? 0)) return { keys, message: misfit }
      const guess = typeof data === 'string' ? didYouMean(data, values.map(String)) : ''
      return { keys, message: `must be one of ${values.join(', ')}${not}${guess}` }
    }
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return { keys, message: `must be ${params.comparison} ${params.limit}${not}${meaning}` }
    case 'pattern':
    case 'format':
      return { keys, message: misfit }
    default:
      return { keys, message: `${error.message}${meaning}` }
  }
}

const TYPES: Record<string, string> = {
  string: 'text (in quotes when it looks like a number)',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a group of keys',
}

/** Ajv's JSON pointer as keys: numbers for the items of a list. */
function pointerKeys(pointer: string): (string | number)[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d{1,9}$/.test(part) ? Number(part) : part))
}

/** Short, on one line, and without a control character that a terminal would obey. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'a group of keys'
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return text.length > 60 ? `${text.slice(0, 60)}...` : text
}

/** `sinks[0].options.url` */
export function formatKeys(keys: Mistake['keys']): string {
  return keys
    .map((key) => (typeof key === 'number' ? `[${key}]` : /^[\w-]{1,60}$/.test(key) ? `.${key}` : `[${shown(key)}]`))
    .join('')
    .replace(/^\./, '')
}
