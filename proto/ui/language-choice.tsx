/** The language of an app: the device's, or one that is chosen here. A choice loads the page again. */
import type { JSX } from 'preact'
import { CHOSEN, isLanguage, LANGUAGES, type Language, stored } from './language.ts'

/** As its speakers call it. */
const NAMES: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  nl: 'Nederlands',
  pt: 'Português',
}

interface LanguageChoiceProps {
  class: string
  legend: string
  /** Name of the choice that follows the device. */
  auto: string
}

export function LanguageChoice({ class: name, legend, auto }: LanguageChoiceProps): JSX.Element {
  return (
    <label class={name}>
      {legend}
      <select value={keptLanguage()} onChange={({ currentTarget: { value } }) => keepLanguage(value)}>
        <option value="">{auto}</option>
        {LANGUAGES.map((tag) => (
          <option key={tag} value={tag} lang={tag}>
            {NAMES[tag]}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The language chosen on this device; empty for the browser's own. */
function keptLanguage(): string {
  const kept = stored()
  return kept !== null && isLanguage(kept) ? kept : ''
}

function keepLanguage(language: string): void {
  if (language === '') localStorage.removeItem(CHOSEN)
  else localStorage.setItem(CHOSEN, language)
  location.reload()
}
