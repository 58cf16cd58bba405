/**
 * Every screen of the three apps, one test a screen: its picture in both themes, and what it has to bear. The pictures are in
 * .reports/pictures/ afterwards; somebody looks at them before a release.
 */
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { goTo, signIn } from './control-room.ts'
import { TABLET, test } from './gate.ts'
import { PICTURES } from './pictures.ts'
import { expectFits, expectKeyboard, expectNoBarriers } from './usable.ts'

const SIZES = {
  phone: { width: 390, height: 844 },
  narrow: { width: 320, height: 640 },
  zoomed: { width: 640, height: 512 },
}

interface Look {
  /** `<app>-<screen>` */
  name: string
  size: { width: number; height: number }
}

/** @param page shows the screen, and stays on it */
async function inspect(page: Page, { name, size }: Look): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await settle(page)
    await page.screenshot({ path: join(PICTURES, `${name}-${theme}.png`) })
    await expectNoBarriers(page, `${name}, ${theme}`)
  }
  await expectKeyboard(page, name)
  // A tablet of 1280 pixels at 200 %, and the narrowest phone.
  for (const [width, viewport] of Object.entries({ zoomed: SIZES.zoomed, narrow: SIZES.narrow })) {
    await page.setViewportSize(viewport)
    await expectFits(page, `${name}, ${width}`)
  }
}

/** A change of theme takes a frame, even where nothing moves. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
}

test('dashboard: sign-in', async ({ world, browse }) => {
  const page = await browse({ viewport: TABLET })
  await page.goto(`${world.origin}/dashboard/`)
  await page.getByRole('heading').waitFor()
  await inspect(page, { name: 'dashboard-sign-in', size: TABLET })
})

for (const path of ['overview']) {
  test(`dashboard: ${path}`, async ({ world, browse }) => {
    const page = await browse({ viewport: TABLET })
    await signIn(page, world)
    await goTo(page, path)
    await inspect(page, { name: `dashboard-${path}`, size: TABLET })
  })
}
