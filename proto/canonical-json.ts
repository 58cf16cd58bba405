// The JSON Canonicalization Scheme (RFC 8785): exactly one text for each JSON value, to be hashed, signed or sealed. Numbers
// and strings are spelled as by JSON.stringify, as the RFC requires; keys are sorted by UTF-16 code unit.

/** Enough for every document of Gatehouse; hostile nesting, or a cycle, ends in a TypeError. */
const MAX_DEPTH = 256

/** Strings that go between quotation marks as they are: nothing to escape, no surrogate to pair. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/
const LONE_SURROGATE = /\p{Surrogate}/u

/**
 * The canonical text of a JSON value. Throws TypeError for values that JSON cannot represent and that JSON.stringify would
 * omit or change: NaN, infinities, undefined (as a property too), bigint, functions, symbols, lone surrogates, holes, any
 * object but a plain one or an array; and for nesting over 256 levels.
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0)
}

function write(value: unknown, depth: number): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`${value} has no canonical JSON`)
    return `${value}`
  }
  if (value === null || value === true || value === false) return `${value}`
  if (typeof value !== 'object') throw new TypeError(`${typeof value} has no canonical JSON`)
  if (depth >= MAX_DEPTH) throw new TypeError(`nested over ${MAX_DEPTH} levels, or without end`)
  return Array.isArray(value) ? writeArray(value, depth + 1) : writeObject(value, depth + 1)
}

function writeArray(array: unknown[], depth: number): string {
  let text = '['
  for (let i = 0; i < array.length; i++) text += (i > 0 ? ',' : '') + write(array[i], depth)
  return `${text}]`
}

function writeObject(object: object, depth: number): string {
  const prototype = Object.getPrototypeOf(object)
  if (prototype !== null && prototype !== Object.prototype) {
    throw new TypeError(`a ${prototype.constructor?.name ?? 'special object'} has no canonical JSON`)
  }
  let text = '{'
  for (const key of Object.keys(object).sort()) {
    text += `${text.length > 1 ? ',' : ''}${quote(key)}:${write((object as Record<string, unknown>)[key], depth)}`
  }
  return `${text}}`
}

function quote(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`
  if (LONE_SURROGATE.test(text)) throw new TypeError('a text with a lone surrogate has no canonical JSON')
  return JSON.stringify(text)
}
