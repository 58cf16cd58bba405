/** Rewrites a JSON file that people also edit: whatever has not changed keeps its bytes, and what is new looks like its neighbours. */
import { isDeepStrictEqual } from 'node:util'
import { type Span, spansOf } from './json-spans.ts'

/**
 * @param before the file as it is; undefined for a new one
 * @returns a text with the value `after`. Equal values give `before` itself
 */
export function rewriteJson(before: string | undefined, after: unknown): string {
  if (before === undefined) return `${JSON.stringify(after, null, 2)}\n`
  const whole = spansOf(before)
  return before.slice(0, whole.start) + written(after, whole, { text: before, depth: 0 }) + before.slice(whole.end)
}

interface Place {
  text: string
  depth: number
}

/** @param like the value that stood here, or one beside it */
function written(value: unknown, like: Span | undefined, place: Place): string {
  if (like && isDeepStrictEqual(like.value, value)) return place.text.slice(like.start, like.end)
  if (Array.isArray(value)) return list(value, like?.items ? like : undefined, place)
  if (typeof value === 'object' && value !== null) return object(value, like?.fields ? like : undefined, place)
  return JSON.stringify(value)
}

function object(value: object, like: Span | undefined, place: Place): string {
  const lead = leadOf([...(like?.fields?.values() ?? [])].at(-1), place)
  const parts = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .map(([key, field]) => {
      const own = like?.fields?.get(key)
      return (own?.head ?? `${lead}${JSON.stringify(key)}: `) + written(field, own, inside(place))
    })
  return `{${parts.join(',')}${parts.length === 0 ? '' : tailOf(like, place)}}`
}

/** Items with an id are found by it, wherever they stand now; others by their place. */
function list(values: readonly unknown[], like: Span | undefined, place: Place): string {
  const items = like?.items ?? []
  const lead = leadOf(items.at(-1), place)
  const parts = values.map((value, i) => {
    const id = idOf(value)
    const own = id === undefined ? items[i] : items.find((item) => idOf(item.value) === id)
    return (own?.head ?? lead) + written(value, own ?? items[0], inside(place))
  })
  return `[${parts.join(',')}${parts.length === 0 ? '' : tailOf(like, place)}]`
}

function idOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined
}

/** The white space before the last of those that were here, or where nothing was. */
function leadOf(last: Span | undefined, { depth }: Place): string {
  return last ? (/^\s*/.exec(last.head)?.[0] ?? '') : `\n${'  '.repeat(depth + 1)}`
}

/** The white space before the closing bracket. */
function tailOf(like: Span | undefined, { text, depth }: Place): string {
  const last = [...(like?.fields?.values() ?? like?.items ?? [])].at(-1)
  return like && last ? text.slice(last.end, like.end - 1) : `\n${'  '.repeat(depth)}`
}

const inside = ({ text, depth }: Place): Place => ({ text, depth: depth + 1 })
