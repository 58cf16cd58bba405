/** The holder's settings and the announcements that were seen, as a signal that is stored when it changes. */
import { type ReadonlySignal, signal } from '@preact/signals'
import { isSettings, type Kept, NO_SETTINGS, type Settings } from './kept.ts'

export interface StoredSettings {
  settings: ReadonlySignal<Settings>
  /** The browser stores nothing: everything is lost with the page. */
  forgetful: ReadonlySignal<boolean>
  set(changed: Partial<Settings>): void
}

export function storedSettings(kept: Kept): StoredSettings {
  const settings = signal<Settings>(kept.read('settings', isSettings) ?? NO_SETTINGS)
  const forgetful = signal(!kept.write('settings', settings.value))
  return {
    settings,
    forgetful,
    set(changed) {
      settings.value = { ...settings.value, ...changed }
      forgetful.value = !kept.write('settings', settings.value)
    },
  }
}
