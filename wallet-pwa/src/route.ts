/** Which screen is shown, by what follows the `#`. A ticket's link is taken out of the address as soon as it is read. */
import { type ReadonlySignal, signal } from '@preact/signals'
import { looksLikeLink, parseTicketLink, type TicketLink } from './wallet/link.ts'

export const SCREENS = ['ticket', 'nearby', 'news', 'more'] as const
export type Screen = (typeof SCREENS)[number]

/** The screen of a fragment; the ticket for any other text. */
export function screenOf(fragment: string): Screen {
  return SCREENS.find((name) => fragment === `#/${name}`) ?? 'ticket'
}

export interface Page {
  location: Pick<Location, 'hash' | 'pathname' | 'search'>
  history: Pick<History, 'replaceState'>
  addEventListener: (type: 'hashchange', listener: () => void) => void
}

/**
 * @param opened called with the link that the page was opened with, or that was opened over it; undefined for one that
 *   is malformed
 */
export function routeOf(page: Page, opened: (link: TicketLink | undefined) => void): ReadonlySignal<Screen> {
  const screen = signal<Screen>('ticket')
  const read = () => {
    const { hash, pathname, search } = page.location
    if (looksLikeLink(hash)) {
      const link = parseTicketLink(hash)
      // Before anything else: the address bar is seen by whoever looks over a shoulder, and history by whoever syncs it.
      page.history.replaceState(null, '', `${pathname}${search}#/${link ? 'ticket' : 'more'}`)
      screen.value = link ? 'ticket' : 'more'
      opened(link)
    } else screen.value = screenOf(hash)
  }
  read()
  page.addEventListener('hashchange', read)
  return screen
}
