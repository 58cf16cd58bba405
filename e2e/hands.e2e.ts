/** A phone in one hand: held across, with letters of twice the size, pressed by a thumb in a glove. */
import type { Locator, Page } from '@playwright/test'
import { dismiss, expectVerdict, pairScanner, typeCode, verdictOf, words } from './crew.ts'
import { expect, PHONE, test } from './gate.ts'
import { expectFits } from './usable.ts'

/** A glove's thumb, CSS pixels: 48 is about 9 mm on every phone. */
const THUMB = 48
/** Phones that are held across: an old small one, and one of today. */
const ACROSS = [
  { width: 568, height: 320 },
  { width: 844, height: 390 },
]

/** The controls that a hand presses between one person and the next. */
function pressedInALane(page: Page): Locator {
  return page.locator('.scan-controls, .verdict-actions, .nav').locator('button, a[href]')
}

/** Stops at each screen of a lane: nobody yet, an admission, refusals with and without something to decide. */
async function eachScreen(page: Page, look: (name: string) => Promise<void>): Promise<void> {
  await look('scan')
  await typeCode(page, 'DAY-1')
  await verdictOf(page).getByRole('button', { name: words.verdict.undo }).click()
  await page.keyboard.press('Escape')
  await expectVerdict(page, 'admit')
  await look('admit')
  await dismiss(page)
  await look('scan, after a scan')
  for (const [of, code] of [
    ['used', 'DAY-1'],
    ['elsewhere', 'CREW-1'],
    ['supervisor', 'PENDING-1'],
  ] as const) {
    await typeCode(page, code)
    await expectVerdict(page, of)
    await look(of)
    await dismiss(page)
  }
}

test('what is pressed in a lane is as large as a thumb in a glove, and in the lower half', async ({ world, phone }) => {
  const { page } = await phone()
  await pairScanner(page, await world.inviteLink({ supervisor: true }))
  await eachScreen(page, async (name) => {
    for (const target of await pressedInALane(page).all()) {
      if (!(await isReachable(target))) continue
      const box = (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
      const what = `${name}: ${(await target.innerText()).replace(/\s+/g, ' ')}`
      expect.soft(Math.min(box.width, box.height), `${what}, smaller side`).toBeGreaterThanOrEqual(THUMB)
      expect.soft(box.y + box.height / 2, `${what}, middle`).toBeGreaterThan(PHONE.height / 2)
    }
  })
})

for (const size of ACROSS) {
  test(`a scanner held across, ${size.width} pixels wide, has all on the screen that is pressed in a lane`, async ({
    world,
    phone,
  }) => {
    const { page } = await phone({ viewport: size })
    await pairScanner(page, await world.inviteLink({ supervisor: true }))
    await eachScreen(page, async (name) => {
      await expectFits(page, `${name}, held across`)
      const shown = verdictOf(page).locator('.verdict-word')
      if (await shown.isVisible()) await expect(shown, `${name}: the word`).toBeInViewport({ ratio: 1 })
      for (const target of await pressedInALane(page).all()) {
        if (!(await isReachable(target))) continue
        await expect(target, `${name}: ${await target.innerText()}`).toBeInViewport({ ratio: 0.99 })
      }
    })
  })
}

test('letters of twice the size cut nothing off on a phone, and each button can be reached', async ({
  world,
  phone,
}) => {
  const { page } = await phone()
  await pairScanner(page, await world.inviteLink({ supervisor: true }))
  // As the settings of a phone do.
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
  })
  await eachScreen(page, async (name) => {
    await expectFits(page, `${name}, large letters`)
    const word = verdictOf(page).locator('.verdict-word')
    if (await word.isVisible()) await expect(word, `${name}: the word`).toBeInViewport({ ratio: 1 })
    for (const target of await pressedInALane(page).all()) {
      if (!(await isReachable(target))) continue
      const what = `${name}: ${await target.innerText()}`
      await target.scrollIntoViewIfNeeded()
      await expect(target, what).toBeInViewport({ ratio: 0.9 })
      const cut = await target.evaluate(
        ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
          scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1,
      )
      expect.soft(cut, `${what} is cut off`).toBe(false)
    }
    // The camera's picture stays large enough to hold a code into.
    if (name === 'scan') {
      const view = await page.locator('.viewfinder').boundingBox()
      expect.soft(view?.height, 'the viewfinder').toBeGreaterThanOrEqual(150)
    }
  })
  for (const screen of ['recent', 'shift', 'settings'] as const) {
    await page.getByRole('link', { name: words.nav[screen] }).click()
    await expectFits(page, `${screen}, large letters`)
  }
})

/** Behind a verdict nothing can be pressed. */
async function isReachable(target: Locator): Promise<boolean> {
  return (await target.isVisible()) && !(await target.evaluate((element) => element.closest('[inert]') !== null))
}
