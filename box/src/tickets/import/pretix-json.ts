/** The parts of pretix's JSON, of which nothing is certain: any field may be absent, or of another type. */
import { LONGEST_DETAIL } from '@gatehouse/proto/wire/ticket-details.ts'
import { plainText } from './row.ts'

export type Json = Readonly<Record<string, unknown>>

/** Every name of a product is combined with every name of its variation: thousands of them would block the box. */
const MAX_LANGUAGES = 40

/** One object, a list, a page of the API (`{ results }`), or a list of pages, as a list. */
export function entries(json: unknown): unknown[] {
  const page = (value: unknown) => (isObject(value) && Array.isArray(value.results) ? value.results : [value])
  return json === undefined ? [] : Array.isArray(json) ? json.flatMap(page) : page(json)
}

/** A translated text by language; a text without languages is under `''`. */
export function languages(value: unknown): [language: string, text: string][] {
  const all: [string, unknown][] = isObject(value) ? Object.entries(value).slice(0, MAX_LANGUAGES) : [['', value]]
  return all.flatMap(([language, one]): [string, string][] =>
    typeof one === 'string' && one !== '' ? [[language, one]] : [],
  )
}

/** A translated text in all its languages, English first. */
export function translations(value: unknown): string[] {
  const all = languages(value)
  const english = all.filter(([language]) => language === 'en')
  return [...new Set([...english, ...all].map(([, one]) => one))]
}

/** A text on one line that is short enough to be stored. */
export function words(value: unknown): string {
  return plainText(text(value)).slice(0, LONGEST_DETAIL).toWellFormed()
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function objects(value: unknown): readonly Json[] {
  return list(value).filter(isObject)
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function id(value: unknown): string | undefined {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : undefined
}
