/** Checks of every screen: a screen reader's rules, the Tab key alone, a narrow phone, large text. */
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Locator, type Page } from '@playwright/test'

/** Accepts no finding of axe, of any impact. */
export async function expectNoBarriers(page: Page, what: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const found = violations.map(({ id, impact, help, nodes }) => ({ id, impact, help, at: nodes.map((n) => n.html) }))
  expect.soft(found, `${what}: what axe finds`).toEqual([])
}

/** WCAG 2.2, 1.4.10: nobody scrolls sideways to read. A table or a map may scroll within itself. */
export async function expectFits(page: Page, what: string): Promise<void> {
  const over = () =>
    page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.scrollingElement ?? document.documentElement
      const wide = [...document.body.querySelectorAll('*')].filter(
        (element) => element.getBoundingClientRect().right > clientWidth + 1,
      )
      // The outermost few are enough to find it by.
      const first = wide
        .slice(0, 3)
        .map((element) => `${element.tagName.toLowerCase()}.${element.getAttribute('class')}`)
      return { pixels: Math.max(0, scrollWidth - clientWidth), first: scrollWidth > clientWidth ? first : [] }
    })
  await expect.soft
    .poll(over, { message: `${what}: sideways scrolling`, timeout: 3000 })
    .toEqual({ pixels: 0, first: [] })
}

/**
 * Tabs through the page: every control is reached, and shows that it has the focus (WCAG 2.1.1, 2.4.7). A group of radio
 * buttons or of tabs is one stop; the arrow keys move within it.
 */
export async function expectKeyboard(page: Page, what: string): Promise<void> {
  const controls = await page.evaluate(() => {
    const scope = document.querySelector('dialog:modal') ?? document.body
    const candidates = scope.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, summary, [tabindex], video[controls]',
    )
    // A mark left on the screen behind the dialog.
    for (const element of document.querySelectorAll<HTMLElement>('[data-stop]')) delete element.dataset.stop
    const groups = new Set<string>()
    let count = 0
    for (const element of candidates) {
      if (element.tabIndex < 0 || element.matches(':disabled') || element.closest('[inert]')) continue
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: false })) continue
      if (element instanceof HTMLInputElement && element.type === 'radio') {
        const group = `${element.form?.id ?? ''}/${element.name}`
        if (groups.has(group)) continue
        groups.add(group)
      }
      element.dataset.stop = String(count++)
    }
    // From the top, wherever the screen has put the focus; a dialog keeps it.
    if (scope === document.body) (document.activeElement as HTMLElement | null)?.blur()
    return count
  })
  const reached = new Set<string>()
  const faint = new Set<string>()
  for (let presses = 0; presses < controls * 2 + 10 && reached.size < controls; presses++) {
    await page.keyboard.press('Tab')
    const at = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement | null
      if (!element || element === document.body) return null
      const stop =
        element.dataset.stop ??
        // The checked button of its group, which need not be the first one.
        (element instanceof HTMLInputElement && element.type === 'radio'
          ? document.querySelector<HTMLElement>(`input[name="${CSS.escape(element.name)}"][data-stop]`)?.dataset.stop
          : undefined)
      const seen = [element, element.parentElement].some((shown) => {
        if (!shown) return false
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(shown)
        return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2) || boxShadow !== 'none'
      })
      return { stop, seen, html: element.outerHTML.slice(0, 120) }
    })
    if (at?.stop !== undefined) reached.add(at.stop)
    if (at && !at.seen) faint.add(at.html)
  }
  const missed = await page.evaluate(
    (stops) =>
      [...document.querySelectorAll<HTMLElement>('[data-stop]')]
        .filter(({ dataset }) => !stops.includes(dataset.stop ?? ''))
        .map((element) => element.outerHTML.slice(0, 120)),
    [...reached],
  )
  expect.soft(missed, `${what}: controls that the Tab key does not reach`).toEqual([])
  expect.soft([...faint], `${what}: focus that cannot be seen`).toEqual([])
}

/** Tabs to a control and presses it, as somebody does who has no pointer. */
export async function pressByKeyboard(page: Page, control: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await expect(control).toBeVisible()
  for (let presses = 0; presses < 60; presses++) {
    if (await control.evaluate((element) => element === document.activeElement)) return page.keyboard.press(key)
    await page.keyboard.press('Tab')
  }
  throw new Error('60 presses of the Tab key do not lead there')
}
