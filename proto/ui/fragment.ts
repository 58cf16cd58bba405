/** The fragment of the page's address, `#/settings`, which names the screen. It never reaches a server. */
import { type ReadonlySignal, signal } from '@preact/signals'

export interface Page {
  location: Pick<Location, 'hash'>
  history: Pick<History, 'replaceState'>
  addEventListener: (type: 'hashchange', listener: () => void) => void
}

/** A fragment that must not stay in the address: it is seen over a shoulder, and stored in a history that is synchronised. */
export interface TakenFragment {
  /** The address in its place. */
  address: string
  /** Called once the fragment is out of the address. */
  open: () => void
}

/** @param take looks at each fragment first; undefined for one that may stay */
export function fragmentSignal(
  page: Page,
  take: (fragment: string) => TakenFragment | undefined = () => undefined,
): ReadonlySignal<string> {
  const fragment = signal('')
  const read = () => {
    const taken = take(page.location.hash)
    if (taken) page.history.replaceState(null, '', taken.address)
    fragment.value = page.location.hash
    taken?.open()
  }
  read()
  page.addEventListener('hashchange', read)
  return fragment
}
