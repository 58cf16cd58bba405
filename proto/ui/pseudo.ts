/**
 * A language made of English that shows what a screen does with any other: every letter has an accent, every sentence is two fifths
 * longer and stands in brackets, and from right to left it carries the marks of a right-to-left text. What is not in brackets is
 * written into a screen, and could not be translated.
 */
const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const ACCENTED = 'ȧƀƈḓḗƒɠħīĵķŀḿƞǿƥɋřşŧŭṽẇẋẏẑȦƁƇḒḖƑƓĦĪĴĶĿḾȠǾƤɊŘŞŦŬṼẆẊẎẐ'
const RIGHT_TO_LEFT_OVERRIDE = '\u202e'
const POP = '\u202c'

/** Keys of values that a program reads, and no person: a severity on the wire, a BCP 47 tag, a command to copy. */
const DATA = new Set(['severity', 'locale', 'command'])

/** @param said strings, functions that say one, and objects and lists of these */
export function pseudo<T>(said: T, direction: 'ltr' | 'rtl'): T {
  if (typeof said === 'string') return sentence(said, direction) as T
  if (typeof said === 'function')
    return ((...values: unknown[]) => {
      const text = (said as (...given: unknown[]) => unknown)(...values)
      return typeof text === 'string' ? sentence(text, direction, values) : pseudo(text, direction)
    }) as T
  if (Array.isArray(said)) return said.map((one) => pseudo(one, direction)) as T
  if (typeof said !== 'object' || said === null) return said
  return Object.fromEntries(
    Object.entries(said).map(([key, one]) => [
      key,
      DATA.has(key) && typeof one === 'string' ? one : pseudo(one, direction),
    ]),
  ) as T
}

/** @param values that the sentence was made with: names and codes are data, and stand in it as they are */
function sentence(text: string, direction: 'ltr' | 'rtl', values: readonly unknown[] = []): string {
  if (text === '' || isPseudo(text)) return text
  const data = values.filter((value): value is string => typeof value === 'string' && value.length > 1)
  const pieces = data.length > 0 ? text.split(new RegExp(`(${data.map(escaped).join('|')})`)) : [text]
  // Every second piece is one of the values.
  const accented = pieces.map((piece, i) => (i % 2 === 0 ? withAccents(piece) : piece)).join('')
  const longer = `[${accented}${' ~'.repeat(Math.ceil((text.length * 0.4) / 2))}]`
  return direction === 'rtl' ? `${RIGHT_TO_LEFT_OVERRIDE}${longer}${POP}` : longer
}

/** A value's place, `{name}`, stays. */
function withAccents(text: string): string {
  return text.replace(/\{\w+\}|[a-zA-Z]/g, (letter) => ACCENTED[PLAIN.indexOf(letter)] ?? letter)
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** A sentence that another one contains, such as a span of time, is in brackets already: in one pair of them, unlike "[1] to [2]". */
function isPseudo(text: string): boolean {
  if (!/^\u202e?\[.*\]\u202c?$/s.test(text)) return false
  const end = text.lastIndexOf(']')
  let depth = 0
  for (const [at, letter] of [...text.slice(0, end)].entries()) {
    if (letter === '[') depth++
    else if (letter === ']') depth--
    if (at > 1 && depth === 0) return false
  }
  return true
}
