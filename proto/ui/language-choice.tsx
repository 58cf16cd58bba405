/** The language of an app: the device's, or one that is chosen here. A choice loads the page again. */
import type { JSX } from 'preact'
import { CHOSEN, LANGUAGES, stored } from './language.ts'

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
        {Object.entries(LANGUAGES).map(([tag, own]) => (
          <option key={tag} value={tag} lang={tag}>
            {own}
          </option>
        ))}
      </select>
    </label>
  )
}

/** What was chosen on this device; empty for the browser's own. */
function keptLanguage(): string {
  const kept = stored()
  return kept !== null && Object.hasOwn(LANGUAGES, kept) ? kept : ''
}

function keepLanguage(language: string): void {
  if (language === '') localStorage.removeItem(CHOSEN)
  else localStorage.setItem(CHOSEN, language)
  location.reload()
}
