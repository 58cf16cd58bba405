/** Where each value of a JSON text stands, so that a file can be rewritten without touching what has not changed. */

export interface Span {
  /** From its first character to the one after its last. */
  readonly start: number
  readonly end: number
  readonly value: unknown
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
  const value = (): Span => {
    const { token, start } = next()
    if (token === '{') return objectFrom(start)
    if (token === '[') return listFrom(start)
    return { start, end: at, value: JSON.parse(token) }
  }
  const objectFrom = (start: number): Span => {
    const fields = new Map<string, Span>()
    while (peek() !== '}') {
      const key = JSON.parse(next().token) as string
      next()
      fields.set(key, value())
      if (peek() === ',') next()
    }
    next()
    const entries = [...fields].map(([key, field]) => [key, field.value] as const)
    return { start, end: at, fields, value: Object.fromEntries(entries) }
  }
  const listFrom = (start: number): Span => {
    const items: Span[] = []
    while (peek() !== ']') {
      items.push(value())
      if (peek() === ',') next()
    }
    next()
    return { start, end: at, items, value: items.map((item) => item.value) }
  }
  return value()
}
