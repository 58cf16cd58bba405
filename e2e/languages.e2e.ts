/**
 * Every language in the three apps, and the two pseudo-locales: chosen by the device, changed by hand, on small screens without
 * anything that sticks out. The pictures are in .reports/pictures/languages/ afterwards. The short form has German and the pseudo-locales, one longer
 * than any language and one from right to left; the full form with GATEHOUSE_TEST_LONG has all languages, and axe.
 */
import '../dashboard/src/words/in-english.ts'
import { join } from 'node:path'
import type { Page, Request } from '@playwright/test'
import { SCREENS as CONTROL_SCREENS } from '../dashboard/src/screens/registry.ts'
import { CHOSEN, LANGUAGES, type Language, PSEUDO, type Pseudo } from '../proto/ui/language.ts'
import { words as walletWords } from './attendee.ts'
import { busyDay } from './busy-day.ts'
import { goTo, signIn } from './control-room.ts'
import { emptyLane, pairScanner, words as scannerWords, wedge } from './crew.ts'
import { expect, TABLET, test } from './gate.ts'
import { PICTURES } from './pictures.ts'
import { speak } from './speak.ts'
import { expectNoBarriers } from './usable.ts'

const SMALL = { width: 320, height: 568 }
const LONG = process.env.GATEHOUSE_TEST_LONG !== undefined
const NATURAL: readonly Language[] = LONG ? LANGUAGES.filter((tag) => tag !== 'en') : ['de']
const OTHERS = [...NATURAL, ...(Object.keys(PSEUDO) as Pseudo[])]

/** Those in which axe looks at every screen; English is looked at by screens.e2e.ts. */
const WITH_AXE: readonly string[] = LONG ? ['de', ...Object.keys(PSEUDO)] : []

/** Requests of a page that have no answer yet. */
const asked = new WeakMap<Page, Set<Request>>()

function countRequests(page: Page): Page {
  const open = new Set<Request>()
  asked.set(page, open)
  page.on('request', (one) => {
    // What the page before asked for is not always called off.
    if (one.isNavigationRequest()) open.clear()
    // The check of a draft starts threads, and the screen is drawn without it.
    if (!one.url().endsWith('/v1/admin/event/check')) open.add(one)
  })
  // Not its end: a stream has none.
  page.on('response', (answer) => open.delete(answer.request()))
  page.on('requestfailed', (one) => open.delete(one))
  return page
}

/** The screen and what it asks the box for are there: an empty screen would fit any phone. */
async function expectLoaded(page: Page): Promise<void> {
  await expect(page.getByRole('main')).toBeVisible()
  await expect(page.getByRole('main')).not.toBeEmpty()
  // A screen asks once it is drawn.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))))
  await expect.poll(() => [...(asked.get(page) ?? [])].map((one) => one.url()), { timeout: 60_000 }).toEqual([])
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))))
}

/** @param what the app and its screen */
async function expectToFit(page: Page, language: Language | Pseudo, what: string): Promise<void> {
  await expectLoaded(page)
  await page.screenshot({ path: join(PICTURES, 'languages', `${what}-${language}.png`), animations: 'disabled' })
  if (WITH_AXE.includes(language)) await expectNoBarriers(page, `${what}, ${language}`)
  const wide = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const clipped = [...document.querySelectorAll<HTMLElement>('button, nav a, h1, h2')].filter(
      (one) =>
        one.clientWidth > 1 &&
        one.scrollWidth > one.clientWidth + 1 &&
        (getComputedStyle(one).overflowX !== 'visible' || one.matches('nav a')),
    )
    return [
      ...(scrollWidth > clientWidth ? [`the page: ${scrollWidth}`] : []),
      ...clipped.map(({ innerText }) => innerText),
    ]
  })
  expect.soft(wide, `${what}, ${language}`).toEqual([])
}

/** No word of a button or of the navigation runs on in a second line: a longer word is replaced by a shorter one. */
async function expectWholeWords(page: Page, language: Language | Pseudo, what: string): Promise<void> {
  if (language in PSEUDO) return
  const broken = await page.evaluate(() =>
    [...document.querySelectorAll('button, nav a, h1')].flatMap((one) => {
      const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT)
      const found: string[] = []
      while (texts.nextNode()) {
        const text = texts.currentNode
        for (const { index, 0: word } of (text.textContent ?? '').matchAll(/[\p{L}\p{N}]+/gu)) {
          const range = document.createRange()
          range.setStart(text, index)
          range.setEnd(text, index + word.length)
          const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => top))
          if (lines.size > 1) found.push(word)
        }
      }
      return found
    }),
  )
  expect.soft(broken, `${what}, ${language}: broken in two`).toEqual([])
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

test('what somebody sees before anything is paired, opened or signed in fits in every language', async ({
  world,
  watch,
  browse,
}) => {
  test.slow()
  // A ticket that the box does not know.
  watch.expect(/status of 404/)
  const page = countRequests(await browse())
  const link = await world.walletLink('DAY-1')
  const first = {
    'scanner-pairing': `${world.origin}/scanner/`,
    'scanner-invite': await world.inviteLink(),
    'wallet-welcome': `${world.origin}/wallet/`,
    'wallet-unknown': link.replace(/#t=[\w-]+/, `#t=${'A'.repeat(22)}`),
    'dashboard-sign-in': `${world.origin}/dashboard/`,
  }
  for (const [what, address] of Object.entries(first)) {
    await page.setViewportSize(what.startsWith('dashboard') ? TABLET : SMALL)
    for (const language of OTHERS) {
      await page.goto(`${world.origin}/v1/meta`)
      await page.evaluate(([name, tag]) => localStorage.setItem(name, tag), [CHOSEN, language] as const)
      await page.goto(address)
      await expect(page.locator(`html[lang="${language}"]`)).toBeAttached()
      await expectToFit(page, language, what)
      await expectWholeWords(page, language, what)
    }
  }
})

test('a wallet fits a small phone in every language', async ({ world, browse }) => {
  test.slow()
  const page = countRequests(await browse({ viewport: SMALL }))
  await page.goto(await world.walletLink('DAY-1'))
  await expect(page.getByRole('main')).toBeVisible()
  for (const language of OTHERS) {
    await speak(page, language)
    for (const screen of ['ticket', 'nearby', 'news', 'more']) {
      await page.evaluate((hash) => (location.hash = hash), `#/${screen}`)
      await expectToFit(page, language, `wallet-${screen}`)
      await expectWholeWords(page, language, `wallet-${screen}`)
    }
    await page.evaluate(() => (location.hash = '#/ticket'))
    for (const [what, button] of [
      ['wallet-claim', '.claim .big'],
      ['wallet-code', '.code-press'],
    ] as const) {
      await page.locator(button).first().click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectToFit(page, language, what)
      await expectWholeWords(page, language, what)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
    }
  }
})

test('a scanner fits a small phone in every language, and goes on after the change', async ({ world, phone }) => {
  test.slow()
  const { page } = await phone({ viewport: SMALL })
  countRequests(page)
  await pairScanner(page, await world.inviteLink({ supervisor: true }))
  for (const language of [...OTHERS, 'en'] as const) {
    await speak(page, language)
    for (const screen of ['scan', 'recent', 'shift', 'incidents', 'look-up', 'settings', 'preflight', 'checkpoint']) {
      await page.evaluate((hash) => (location.hash = hash), `#/${screen}`)
      await expectToFit(page, language, `scanner-${screen}`)
      await expectWholeWords(page, language, `scanner-${screen}`)
    }
  }
  await expect(page.getByRole('heading', { name: scannerWords.checkpoint.title })).toBeVisible()
})

test('every verdict fits a small phone in every language', async ({ world, phone }) => {
  test.slow()
  const { page } = await phone({ viewport: SMALL })
  countRequests(page)
  await pairScanner(page, await world.inviteLink())
  const codes = ['CREW-1', 'FUTURE-1', 'nonsense', 'REVOKED-1', 'PENDING-1']
  for (const language of OTHERS) {
    await speak(page, language)
    await page.evaluate(() => (location.hash = '#/scan'))
    for (const code of codes) {
      await expect(page.locator('main')).toBeVisible()
      await wedge(page, code)
      const verdict = page.locator('.verdict')
      await expect(verdict).toBeVisible()
      await expectToFit(page, language, `scanner-verdict-${code}`)
      await verdict.locator('.verdict-clear').click()
      await expect(verdict).toBeHidden()
    }
  }
})

test('a refusal is in German, by the box and by the phone alone', async ({ world, watch, phone }) => {
  const { words } = await import('../scanner-pwa/src/words/de/words.ts')
  const crew = await phone()
  const { page } = crew
  await pairScanner(page, await world.inviteLink())
  await speak(page, 'de')
  await page.evaluate(() => (location.hash = '#/scan'))
  const refusals = {
    'CREW-1': 'elsewhere',
    'FUTURE-1': 'not-now',
    'REVOKED-1': 'revoked',
    nonsense: 'invalid',
  } as const
  const refuse = async (sure: string) => {
    for (const [code, of] of Object.entries(refusals)) {
      await wedge(page, code)
      const verdict = page.getByRole('region', { name: words.verdict.label })
      await expect(verdict.locator('.verdict-word')).toHaveText(words.verdict.class[of])
      await expect(verdict.locator('.verdict-sure')).toContainText(sure)
      const english = Object.values(scannerWords.verdict.class).filter(
        (word) => !Object.values(words.verdict.class).includes(word),
      )
      // Names, such as that of a tier, are the event's own.
      for (const word of [...english, 'the', 'this', 'not', 'only', 'organiser'])
        await expect(verdict.getByText(new RegExp(`\\b${word}\\b`))).toHaveCount(0)
      await verdict.getByRole('button', { name: words.verdict.next }).click()
      await expect(verdict).toBeHidden()
    }
  }
  // After the page was loaded again, the phone has to hear the box first.
  await expect(page.getByText(words.link.reachable, { exact: true }).first()).toBeVisible()
  await refuse(words.verdict.confirmed)
  watch.expectOutage()
  await world.stop()
  await emptyLane(crew)
  await refuse('Offline')
})

/** Axe takes a second on each of the screens, so those languages have a test each. */
for (const languages of Object.values(Object.groupBy(OTHERS, (tag) => (WITH_AXE.includes(tag) ? tag : 'others')))) {
  test(`a control room fits a tablet on a busy day in ${languages.join(', ')}`, async ({ world, watch, browse }) => {
    test.slow()
    // Several visits of the screen Event within seconds: each has its draft checked.
    watch.expect(/status of 429.*event\/check/)
    await busyDay(world)
    const page = countRequests(await browse({ viewport: TABLET }))
    await signIn(page, world)
    for (const language of languages) {
      await speak(page, language)
      const entries = page.locator('.shell-nav li > a')
      await expect(entries.first()).toBeVisible()
      expect(await entries.count(), language).toBeLessThanOrEqual(9)
      for (const entry of await entries.all()) await expect(entry, language).toBeInViewport({ ratio: 1 })
      for (const { path } of CONTROL_SCREENS) {
        const main = await goTo(page, path)
        await expect(main.getByRole('heading').first()).toBeAttached()
        await expectToFit(page, language, `dashboard-${path}`)
      }
    }
  })
}
