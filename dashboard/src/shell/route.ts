/** Which screen the address names: `#/gates`. The part after # never reaches a server. */
import { type ReadonlySignal, signal } from '@preact/signals'
import { pathIn } from './path.ts'

const path = signal(pathIn(location.hash))
addEventListener('hashchange', () => {
  path.value = pathIn(location.hash)
})

export const route: ReadonlySignal<string> = path
