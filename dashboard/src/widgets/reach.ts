/** Leads on to what has come somewhere else on the page: it comes into view and has the focus, which a screen reader follows. */

/** @param block where on the screen it comes to stand: `start` for what is read on from there */
export function reach(target: HTMLElement | null, block: 'start' | 'center' = 'center'): void {
  target?.scrollIntoView({ block })
  target?.focus({ preventScroll: true })
}
