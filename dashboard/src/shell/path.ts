/** The address of a screen, and the title of the window. */
import { fragmentSignal, type Page } from '@gatehouse/proto/ui/fragment.ts'
import { computed, type ReadonlySignal } from '@preact/signals'

/**
 * The path of the screen that the address names.
 * @param pair is given the code of a link that pairs this device, which must not stay in the address
 */
export function pathSignal(page: Page, pair: (code: string) => void): ReadonlySignal<string> {
  const fragment = fragmentSignal(page, (hash) => {
    const code = /^#pair=([\w-]+)$/.exec(hash)?.[1]
    return code === undefined ? undefined : { address: '#/', open: () => pair(code) }
  })
  return computed(() => pathIn(fragment.value))
}

/** The screen that a fragment names, `#/gates`: letters, digits and dashes; '' where it names none. */
export function pathIn(hash: string): string {
  return /^#\/([a-z0-9-]{1,40})(?:[/?].*)?$/.exec(hash)?.[1] ?? ''
}

/** True where a link of the screen Before doors leads here: `#/scanners?from=ready`. */
export function isFromReady(hash: string): boolean {
  return /^#\/[a-z0-9-]+\?from=ready$/.test(hash)
}

/** For a tab in the background: how many nobody has answered, and whether a life may hang on it. */
export function titleOf(
  screen: string,
  app: string,
  { unseen, emergency }: { unseen: number; emergency: boolean },
): string {
  const badge = unseen === 0 ? '' : `(${unseen}${emergency ? '!' : ''}) `
  return `${badge}${screen} · ${app}`
}
