/** Rewrites a JSON file that people also edit: whatever has not changed keeps its bytes, and what is new looks like its neighbours. */
import { isDeepStrictEqual } from 'node:util'
import { type Span, spansOf } from './json-spans.ts'

/** How the text of a value is written where there is none to keep. */
interface Style {
  text: string
  indent: string
}

/**
 * @param before the file as it is; undefined for a new one
 * @returns a text with the value `after`. Equal values give `before` itself
 */
export function rewriteJson(before: string | undefined, after: unknown): string {
  if (before === undefined) return `${JSON.stringify(after, null, 2)}\n`
  const whole = spansOf(before)
  const style = { text: before, indent: /\n([ \t]+)\S/.exec(before)?.[1] ?? '  ' }
  return before.slice(0, whole.start) + written(after, whole, 0, style) + before.slice(whole.end)
}

/** @param like the value that stood here, or one beside it */
function written(value: unknown, like: Span | undefined, depth: number, style: Style): string {
  if (like && isDeepStrictEqual(like.value, value)) return style.text.slice(like.start, like.end)
  if (Array.isArray(value)) return bracketed('[]', listed(value, like, depth, style), like, depth, style)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const parts = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .map(([key, field]) => `${JSON.stringify(key)}: ${written(field, like?.fields?.get(key), depth + 1, style)}`)
  return bracketed('{}', parts, like, depth, style)
}

/** Items with an id are found by it, wherever they stand now; others by their place. */
function listed(values: readonly unknown[], like: Span | undefined, depth: number, style: Style): string[] {
  const items = like?.items ?? []
  return values.map((value, i) => {
    const id = idOf(value)
    const own = id === undefined ? items[i] : items.find((item) => idOf(item.value) === id)
    return written(value, own ?? items[0], depth + 1, style)
  })
}

function idOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined
}

function bracketed(
  [open = '', close = '']: string,
  parts: readonly string[],
  like: Span | undefined,
  depth: number,
  { text, indent }: Style,
): string {
  if (parts.length === 0) return open + close
  const wasOnOneLine = like !== undefined && !text.slice(like.start, like.end).includes('\n')
  if (wasOnOneLine && (like.fields ?? like.items)) {
    const gap = open === '{' ? ' ' : ''
    return `${open}${gap}${parts.join(', ')}${gap}${close}`
  }
  const inner = `\n${indent.repeat(depth + 1)}`
  return `${open}${inner}${parts.join(`,${inner}`)}\n${indent.repeat(depth)}${close}`
}
