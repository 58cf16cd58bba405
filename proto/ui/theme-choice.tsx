/** Light, dark, or as the device has it: one of three. */
import type { Signal } from '@preact/signals'
import type { JSX } from 'preact'
import { THEMES, type Theme } from './theme.ts'

interface ThemeChoiceProps {
  class: string
  theme: Signal<Theme>
  legend: string
  names: Readonly<Record<Theme, string>>
}

export function ThemeChoice({ class: name, theme, legend, names }: ThemeChoiceProps): JSX.Element {
  return (
    <fieldset class={name}>
      <legend>{legend}</legend>
      {THEMES.map((one) => (
        <label key={one}>
          <input type="radio" name="theme" checked={theme.value === one} onChange={() => (theme.value = one)} />
          {names[one]}
        </label>
      ))}
    </fieldset>
  )
}
