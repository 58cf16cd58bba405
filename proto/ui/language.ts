/** The language of an app: chosen on this device, or else the first of the browser's that there is. A change loads the page again. */
import { reimporting } from './reimport.ts'

/** By BCP 47 tag. Each has a folder `words/<tag>/` in every app. */
export const LANGUAGES = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pt'] as const
export type Language = (typeof LANGUAGES)[number]

/** Made of English for tests: accented and longer, and the same from right to left. Never offered, only stored by hand. */
export const PSEUDO = { 'en-x-pseudo': 'ltr', 'en-x-rtl': 'rtl' } as const
export type Pseudo = keyof typeof PSEUDO

/** Of the browser's storage: what was chosen on this device. */
export const CHOSEN = 'gatehouse-language'

/**
 * Looks each tag up as BCP 47 says (RFC 4647, 3.4): "de-AT" is "de" where there is no Austrian.
 * @param wanted the browser's, the best first @param stored what was chosen on this device
 */
export function chooseLanguage(wanted: readonly string[], stored?: string | null): Language | Pseudo {
  if (stored && Object.hasOwn(PSEUDO, stored)) return stored as Pseudo
  for (const tag of stored ? [stored, ...wanted] : wanted) {
    for (let range = tag.toLowerCase(); range !== ''; range = range.slice(0, Math.max(0, range.lastIndexOf('-'))))
      if (isLanguage(range)) return range
  }
  return 'en'
}

export function isLanguage(tag: string): tag is Language {
  return LANGUAGES.some((one) => one === tag)
}

/** The language of this page. */
export function languageOfPage(): Language | Pseudo {
  return chooseLanguage(navigator.languages, stored())
}

/** A browser may forbid storage: reading the property throws there. */
export function stored(): string | null {
  try {
    return localStorage.getItem(CHOSEN)
  } catch {
    return null
  }
}

const AGAIN_MS = 2000

/**
 * Says on the page which language it is in, and starts the app. Until its scripts are here, it tries again.
 * @param words loads the sentences @param app imports what shows them
 */
export async function startIn(
  language: Language | Pseudo,
  words: () => Promise<unknown>,
  app: () => Promise<unknown>,
): Promise<void> {
  document.documentElement.lang = language
  document.documentElement.dir = PSEUDO[language as Pseudo] ?? 'ltr'
  for (;;) {
    try {
      await words()
      await app()
      return
    } catch (error) {
      console.error(error)
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    }
  }
}

/**
 * Loads one module of the folder of this page's language; once, and again where it did not arrive.
 * @param load imports it @param say is given its sentences
 */
export function wordsLoader<M extends object>(
  load: (folder: Language) => Promise<M>,
  say: (said: M) => void,
): () => Promise<void> {
  const fetched = reimporting(() => wordsIn(languageOfPage(), load))
  let loading: Promise<void> | undefined
  return () => {
    loading ??= fetched().then(say)
    loading.catch(() => {
      loading = undefined
    })
    return loading
  }
}

async function wordsIn<M extends object>(
  language: Language | Pseudo,
  load: (folder: Language) => Promise<M>,
): Promise<M> {
  const direction = PSEUDO[language as Pseudo]
  if (!direction) return load(language as Language)
  const [english, { pseudo }] = await Promise.all([load('en'), import('./pseudo.ts')])
  return pseudo(english, direction)
}
