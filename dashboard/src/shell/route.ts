/** Which screen the address names: `#/gates`. The part after # never reaches a server. */
import { type ReadonlySignal, signal } from '@preact/signals'

/** The path in a fragment: letters, digits and dashes; '' where it names nothing. */
export function pathIn(hash: string): string {
  return /^#\/([a-z0-9-]{1,40})(?:[/?].*)?$/.exec(hash)?.[1] ?? ''
}

const path = signal(pathIn(location.hash))
addEventListener('hashchange', () => {
  path.value = pathIn(location.hash)
})

export const route: ReadonlySignal<string> = path
