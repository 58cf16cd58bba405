/**
 * The oldest browsers that the apps run in. They are the build's target: newer syntax and styles are rewritten for them. What is called
 * must exist in them too, which the build checks here.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `Object.groupBy` and `AbortSignal.any` decide; `box/docs/phones.md` says what that means for phones. */
const OLDEST = { chrome: 117, firefox: 124, safari: 17.4 } as const
type Browser = keyof typeof OLDEST

/** The same as the bundler and its minifier for styles take it. */
export const TARGET: string[] = Object.entries(OLDEST).map(([browser, version]) => `${browser}${version}`)

/**
 * The first version with each call and style that could come in by habit (MDN's compatibility data). What is here and too new fails
 * the build; what only decorates where it exists is not here.
 */
const SINCE: readonly [pattern: RegExp, since: Record<Browser, number>][] = [
  [/\bAbortSignal\.any\(/, { chrome: 116, firefox: 124, safari: 17.4 }],
  [/\b(Map|Object)\.groupBy\(/, { chrome: 117, firefox: 119, safari: 17.4 }],
  [/\bPromise\.withResolvers\(/, { chrome: 119, firefox: 121, safari: 17.4 }],
  [/\bURL\.parse\(/, { chrome: 126, firefox: 126, safari: 18 }],
  [/\bArray\.fromAsync\(/, { chrome: 121, firefox: 115, safari: 16.4 }],
  [/\bPromise\.try\(/, { chrome: 128, firefox: 134, safari: 18.2 }],
  [/\bUint8Array\.from(Base64|Hex)\(/, { chrome: 140, firefox: 133, safari: 18.2 }],
  [/\.to(Base64|Hex)\(/, { chrome: 140, firefox: 133, safari: 18.2 }],
  [/\bRegExp\.escape\(/, { chrome: 136, firefox: 134, safari: 18.2 }],
  [/\bIterator\.from\(/, { chrome: 122, firefox: 131, safari: 18.4 }],
  [/\.is(Subset|Superset)Of\(/, { chrome: 122, firefox: 127, safari: 17 }],
  [/\brequestIdleCallback\(/, { chrome: 47, firefox: 55, safari: Number.POSITIVE_INFINITY }],
  [/\blight-dark\(/, { chrome: 123, firefox: 120, safari: 17.5 }],
  [/\bposition-anchor\s*:/, { chrome: 125, firefox: 147, safari: 26 }],
  [/\bif\(style\(/, { chrome: 137, firefox: Number.POSITIVE_INFINITY, safari: Number.POSITIVE_INFINITY }],
]

/** Each call or style of this text that an oldest browser lacks, with the browser. */
export function tooNew(text: string): string[] {
  return SINCE.flatMap(([pattern, since]) => {
    const found = pattern.exec(text)?.[0]
    const lacking = (Object.keys(OLDEST) as Browser[]).filter((name) => since[name] > OLDEST[name])
    return found !== undefined && lacking.length > 0 ? [`${found} is too new for ${lacking.join(', ')}`] : []
  })
}

/** The same for every script and style of a built app, by file. */
export function tooNewIn(dist: string): string[] {
  return globSync('**/*.{js,css}', { cwd: dist }).flatMap((file) =>
    tooNew(readFileSync(join(dist, file), 'utf8')).map((said) => `${file}: ${said}`),
  )
}
