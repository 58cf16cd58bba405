/** Position of each value in a JSON text, so that a file can be rewritten without touching what has not changed. */

export interface Span {
  /** From its first character to the one after its last. */
  readonly start: number
  readonly end: number
  readonly value: unknown
  /** Text between the bracket or comma before it and its first character: white space, and its key. */
  readonly head: string
  /** Of an object, by key. */
  readonly fields?: ReadonlyMap<string, Span>
  /** Of a list. */
  readonly items?: readonly Span[]
}

const TOKEN = /\s*("(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+)/y

/** @param text that `JSON.parse` takes, whose depth the caller has bounded */
export function spansOf(text: string): Span {
  let at = text.startsWith('\uFEFF') ? 1 : 0
  const next = () => {
    TOKEN.lastIndex = at
    const [all = '', token = ''] = TOKEN.exec(text) ?? []
    at += all.length
    return { token, start: at - token.length }
  }
  const peek = () => {
    const before = at
    const { token } = next()
    at = before
    return token
  }
  const value = (from = at): Span => {
    const { token, start } = next()
    const head = text.slice(from, start)
    if (token === '{') return objectFrom(start, head)
    if (token === '[') return listFrom(start, head)
    return { start, end: at, head, value: JSON.parse(token) }
  }
  const objectFrom = (start: number, head: string): Span => {
    const fields = new Map<string, Span>()
    while (peek() !== '}') {
      const from = at
      const key = JSON.parse(next().token) as string
      next()
      fields.set(key, value(from))
      if (peek() === ',') next()
    }
    next()
    const entries = [...fields].map(([key, field]) => [key, field.value] as const)
    return { start, end: at, head, fields, value: Object.fromEntries(entries) }
  }
  const listFrom = (start: number, head: string): Span => {
    const items: Span[] = []
    while (peek() !== ']') {
      items.push(value())
      if (peek() === ',') next()
    }
    next()
    return { start, end: at, head, items, value: items.map((item) => item.value) }
  }
  return value()
}
