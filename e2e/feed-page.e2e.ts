/** The page of the change feed: a position, which is one long word, stays within its own figure. */
import { expect, test } from '@playwright/test'
import { readPage } from '../box/src/feed/control/ui/page.ts'

/** Of a change log, and of PostgreSQL. */
const POSITIONS = [
  '0192f3a8b6c47d1e9f20a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9/18446744073709551615',
  'FFFFFFFF/FFFFFFFF',
]

for (const width of [320, 640, 1024, 1280]) {
  test(`the feed's page prints no position over another figure at ${width} pixels`, async ({ page }) => {
    await page.setViewportSize({ width, height: 768 })
    await page.setContent(readPage().shown.html)
    for (const position of POSITIONS) {
      const figures = page.locator('#figures dd')
      await figures.evaluateAll((all, text) => {
        for (const one of all) one.textContent = text
      }, position)
      const over = await figures.evaluateAll((all) =>
        all.filter((one) => one.scrollWidth > one.clientWidth).map(({ id, scrollWidth }) => `${id}: ${scrollWidth}`),
      )
      expect(over).toEqual([])
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(sideways).toBeLessThanOrEqual(0)
    }
  })
}
