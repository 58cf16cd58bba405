/** The language of an app: the device's, or one that is chosen here. A choice loads the page again. */
import type { JSX } from 'preact'
import { keepLanguage, keptLanguage, LANGUAGES, type Language } from './language.ts'

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
      <select
        value={keptLanguage() ?? ''}
        onChange={({ currentTarget: { value } }) => keepLanguage(value === '' ? null : (value as Language))}
      >
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
