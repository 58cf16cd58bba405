/** Every language in the three apps: chosen by the device, changed by hand, on small screens without anything that sticks out. */
import '../dashboard/src/words/in-english.ts'
import type { Page } from '@playwright/test'
import { SCREENS as CONTROL_SCREENS } from '../dashboard/src/screens/registry.ts'
import { LANGUAGES, type Language } from '../proto/ui/language.ts'
import { words as walletWords } from './attendee.ts'
import { goTo, signIn } from './control-room.ts'
import { pairScanner, words as scannerWords } from './crew.ts'
import { expect, TABLET, test } from './gate.ts'

const SMALL = { width: 320, height: 568 }
const OTHERS = LANGUAGES.filter((tag) => tag !== 'en')

/** As the choice in the settings does. */
async function speak(page: Page, language: Language): Promise<void> {
  await page.evaluate((tag) => localStorage.setItem('gatehouse-language', tag), language)
  await page.reload()
  await expect(page.locator(`html[lang="${language}"]`)).toBeAttached()
}

async function expectToFit(page: Page, what: string): Promise<void> {
  const main = page.getByRole('main')
  await expect(main).toBeVisible()
  const wide = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const clipped = [...document.querySelectorAll<HTMLElement>('button, nav a, h1, h2')].filter(
      (one) =>
        one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible',
    )
    return [
      ...(scrollWidth > clientWidth ? [`the page: ${scrollWidth}`] : []),
      ...clipped.map(({ innerText }) => innerText),
    ]
  })
  expect(wide, what).toEqual([])
}

test('a wallet speaks as its phone does, and as it is told', async ({ world, browse }) => {
  const { words } = await import('../wallet-pwa/src/words/de/words.ts')
  const page = await browse({ viewport: SMALL, locale: 'de-AT' })
  await page.goto(await world.walletLink('DAY-1'))
  await expect(page.locator('html[lang="de"]')).toBeAttached()
  const screens = page.getByRole('navigation', { name: words.screensLabel })
  await screens.getByRole('link', { name: words.screens.more }).click()
  await page.getByRole('combobox').selectOption('en')
  await expect(page.getByRole('navigation', { name: walletWords.screensLabel })).toBeVisible()
  await expect(page.locator('html[lang="en"]')).toBeAttached()
})

test('a wallet fits a small phone in every language', async ({ world, browse }) => {
  const page = await browse({ viewport: SMALL })
  await page.goto(await world.walletLink('DAY-1'))
  await expect(page.getByRole('main')).toBeVisible()
  for (const language of OTHERS) {
    await speak(page, language)
    for (const screen of ['ticket', 'nearby', 'news', 'more']) {
      await page.evaluate((hash) => (location.hash = hash), `#/${screen}`)
      await expectToFit(page, `${language} ${screen}`)
    }
  }
})

test('a scanner fits a small phone in every language, and goes on after the change', async ({ world, phone }) => {
  const { page } = await phone({ viewport: SMALL })
  await pairScanner(page, await world.inviteLink({ supervisor: true }))
  for (const language of [...OTHERS, 'en'] as const) {
    await speak(page, language)
    for (const screen of ['scan', 'recent', 'shift', 'incidents', 'look-up', 'settings', 'preflight', 'checkpoint']) {
      await page.evaluate((hash) => (location.hash = hash), `#/${screen}`)
      await expectToFit(page, `${language} ${screen}`)
    }
  }
  await expect(page.getByRole('heading', { name: scannerWords.checkpoint.title })).toBeVisible()
})

test('a control room fits a tablet in every language', async ({ world, browse }) => {
  const page = await browse({ viewport: TABLET })
  await signIn(page, world)
  for (const language of OTHERS) {
    await speak(page, language)
    for (const { path } of CONTROL_SCREENS) {
      await goTo(page, path)
      await expectToFit(page, `${language} ${path}`)
    }
  }
})
