/**
 * A language made of English that shows what a screen does with any other: every letter has an accent, every sentence is two fifths
 * longer and stands in brackets, and from right to left it carries the marks of a right-to-left text. What is not in brackets is
 * written into a screen, and could not be translated.
 */
const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const ACCENTED = 'ȧƀƈḓḗƒɠħīĵķŀḿƞǿƥɋřşŧŭṽẇẋẏẑȦƁƇḒḖƑƓĦĪĴĶĿḾȠǾƤɊŘŞŦŬṼẆẊẎẐ'
const RIGHT_TO_LEFT_OVERRIDE = '\u202e'
const POP = '\u202c'

/** @param said strings, functions that say one, and objects and lists of these */
export function pseudo<T>(said: T, direction: 'ltr' | 'rtl'): T {
  if (typeof said === 'string') return sentence(said, direction) as T
  if (typeof said === 'function')
    return ((...values: unknown[]) => pseudo((said as (...given: unknown[]) => unknown)(...values), direction)) as T
  if (Array.isArray(said)) return said.map((one) => pseudo(one, direction)) as T
  if (typeof said !== 'object' || said === null) return said
  return Object.fromEntries(Object.entries(said).map(([key, one]) => [key, pseudo(one, direction)])) as T
}

function sentence(text: string, direction: 'ltr' | 'rtl'): string {
  if (text === '' || isPseudo(text)) return text
  const accented = text.replace(/[a-zA-Z]/g, (letter) => ACCENTED[PLAIN.indexOf(letter)] ?? letter)
  const longer = `[${accented}${' ~'.repeat(Math.ceil((text.length * 0.4) / 2))}]`
  return direction === 'rtl' ? `${RIGHT_TO_LEFT_OVERRIDE}${longer}${POP}` : longer
}

/** A sentence that another one contains, such as a span of time, is in brackets already. */
function isPseudo(text: string): boolean {
  return /^\u202e?\[.*\]\u202c?$/s.test(text)
}
