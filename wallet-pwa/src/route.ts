/** The screen that is shown, by the fragment of the address. A ticket's link is taken out of the address as soon as it is read. */
import { fragmentSignal, type Page as PageWithFragment } from '@gatehouse/proto/ui/fragment.ts'
import { computed, type ReadonlySignal } from '@preact/signals'
import { looksLikeLink, parseTicketLink, type TicketLink } from './wallet/link.ts'

export const SCREENS = ['ticket', 'nearby', 'news', 'more'] as const
export type ScreenName = (typeof SCREENS)[number]

/** The screen of a fragment; the ticket for any other text. */
export function screenOf(fragment: string): ScreenName {
  return SCREENS.find((name) => fragment === `#/${name}`) ?? 'ticket'
}

export interface Page extends PageWithFragment {
  location: Pick<Location, 'hash' | 'pathname' | 'search'>
}

/**
 * @param opened called with each link that the page is opened with, at first or later; with undefined for a malformed one
 */
export function routeOf(page: Page, opened: (link: TicketLink | undefined) => void): ReadonlySignal<ScreenName> {
  const fragment = fragmentSignal(page, (text) => {
    if (!looksLikeLink(text)) return undefined
    const link = parseTicketLink(text)
    const { pathname, search } = page.location
    return { address: `${pathname}${search}#/${link ? 'ticket' : 'more'}`, open: () => opened(link) }
  })
  return computed(() => screenOf(fragment.value))
}
