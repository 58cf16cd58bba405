/** Inspects a screen: its picture in both themes, and the checks of `usable.ts`. */
import { join } from 'node:path'
import { type Page, test, type ViewportSize } from '@playwright/test'
import { PICTURES } from './pictures.ts'
import { expectFits, expectKeyboard, expectNoBarriers } from './usable.ts'

/** A tablet of 1280 pixels whose user reads at 200 %, and the narrowest phone. */
const TIGHT = { 'at 200 %': { width: 640, height: 512 }, 'at 320 pixels': { width: 320, height: 640 } }

/** @param page shows the screen, and stays on it; @param size that it has otherwise */
export async function inspect(page: Page, name: string, size: ViewportSize): Promise<void> {
  await test.step(name, async () => {
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await settle(page)
      // The Tab key left its mark on the screen before.
      if (theme === 'light') await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
      await page.screenshot({ path: join(PICTURES, `${name}-${theme}.png`) })
      await expectNoBarriers(page, `${name}, ${theme}`)
    }
    await expectKeyboard(page, name)
    for (const [how, viewport] of Object.entries(TIGHT)) {
      await page.setViewportSize(viewport)
      await expectFits(page, `${name}, ${how}`)
    }
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme: 'light' })
  })
}

/** A change of theme takes a frame, even where nothing moves. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
}
