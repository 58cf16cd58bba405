/** The language of a page that the box itself draws, for browsers that have no app yet. Pure. */
import {
  chooseLanguage,
  isLanguage,
  LANGUAGES,
  type Language,
  PSEUDO,
  type Pseudo,
} from '@gatehouse/proto/ui/language.ts'
import { pseudo } from '@gatehouse/proto/ui/pseudo.ts'
import type { FastifyRequest } from 'fastify'
import { type Html, html } from '../seal/report/html.ts'

/** More than browsers send; whatever else a stranger puts there is not read. */
const MOST_TAGS = 10
const LONGEST_TAG = 35

/** The one in the address, or else the first that the browser asks for and that there is. A pseudo-locale is only had by the address. */
export function languageOf({ query, headers }: Pick<FastifyRequest, 'query' | 'headers'>): Language | Pseudo {
  const { lang } = query as { lang?: unknown }
  if (typeof lang === 'string' && (isLanguage(lang) || isPseudo(lang))) return lang
  const wanted = (headers['accept-language'] ?? '').split(',', MOST_TAGS).map((tag) => tag.split(';')[0]?.trim() ?? '')
  const chosen = chooseLanguage(wanted.filter((tag) => tag.length <= LONGEST_TAG))
  return isLanguage(chosen) ? chosen : 'en'
}

/** The sentences of a page in this language. */
export function wordsIn<W>(said: Record<Language, W>, language: Language | Pseudo): W {
  return isPseudo(language) ? pseudo(said.en, PSEUDO[language]) : said[language]
}

/** For the element `html`. */
export function directionOf(language: Language | Pseudo): 'ltr' | 'rtl' {
  return isPseudo(language) ? PSEUDO[language] : 'ltr'
}

function isPseudo(tag: string): tag is Pseudo {
  return Object.hasOwn(PSEUDO, tag)
}

/** Links to the same page in each other language. @param path of the page */
export function languageLinks(path: string, current: Language | Pseudo): Html {
  return html`<p class="languages">${LANGUAGES.map((tag) => languageLink(path, tag, current))}</p>`
}

function languageLink(path: string, tag: Language, current: Language | Pseudo): Html {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  return tag === current
    ? html`<strong lang="${tag}">${name}</strong> `
    : html`<a href="${path}?lang=${tag}" lang="${tag}" hreflang="${tag}">${name}</a> `
}
