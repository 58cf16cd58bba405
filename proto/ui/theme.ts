/** Light, dark, or as the device has it. Kept on the device, by app. */
import { effect, type Signal, signal } from '@preact/signals'

export const THEMES = ['auto', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]
const KEY = 'gatehouse-theme'

/** Sets `data-theme` on the document from now on. */
export function themeSignal(storage: Pick<Storage, 'getItem' | 'setItem'> = localStorage): Signal<Theme> {
  const stored = storage.getItem(KEY)
  const theme = signal<Theme>(stored === 'light' || stored === 'dark' ? stored : 'auto')
  effect(() => {
    if (theme.value === 'auto') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme.value
    storage.setItem(KEY, theme.value)
  })
  return theme
}
