/** Every language in the scanner, and the two pseudo-locales, on a small phone: each screen, each verdict, each dialog (fit.ts). */
import type { Page } from '@playwright/test'
import { turnstile } from './busy-day.ts'
import { emptyLane, openInvite, pairScanner, words as scannerWords, wedge } from './crew.ts'
import { describedWorld, familyOf } from './described.ts'
import { EVENT, TICKETS } from './event.ts'
import { countRequests, expectToFit, look, OTHERS, SMALL } from './fit.ts'
import { expect, test } from './gate.ts'
import { speak } from './speak.ts'
import { World } from './world.ts'

test('a scanner fits a small phone in every language, and goes on after the change', async ({ world, phone }) => {
  test.slow()
  const { page } = await phone({ viewport: SMALL })
  countRequests(page)
  await pairScanner(page, await world.inviteLink({ supervisor: true }))
  for (const language of [...OTHERS, 'en'] as const) {
    await speak(page, language)
    for (const screen of ['scan', 'recent', 'shift', 'incidents', 'look-up', 'settings', 'preflight', 'checkpoint']) {
      await page.evaluate((hash) => (location.hash = hash), `#/${screen}`)
      await look(page, language, `scanner-${screen}`)
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

const PIN = '274951'

test('a scanner that is signed in at fits a small phone in every language', async ({ watch, phones }) => {
  test.slow()
  watch.expect(/status of 403/)
  watch.expectOutage()
  await using world = await World.open(TICKETS, { ...EVENT, scanners_sign_on: { lock_minutes: 30 } })
  await world.admin.POST('/v1/admin/staff', { body: { name: 'Ada', role: 'viewer', secret: PIN } })
  await using crew = await phones.open(world, watch, { viewport: SMALL })
  const { page } = crew
  countRequests(page)
  await openInvite(page, await world.inviteLink())
  await page.getByRole('button', { name: /North entry/ }).click()
  await expect(page.getByText(scannerWords.preflight.offline.ok)).toBeVisible()
  await page.getByRole('button', { name: new RegExp(`^${scannerWords.preflight.start}`) }).click()
  const form = page.locator('main form')
  const pin = form.locator('input[type="password"]')
  for (const language of OTHERS) {
    await speak(page, language)
    await look(page, language, 'scanner-sign-on')
    // A name of its own for each: one that is tried often has to wait.
    await form.locator('input').first().fill(`Nobody ${language}`)
    await pin.fill('999998')
    await form.locator('[type="submit"]').click()
    await expect(form.getByRole('alert')).toBeVisible()
    await look(page, language, 'scanner-sign-on-wrong')
  }
  await form.locator('input').first().fill('Ada')
  await pin.fill(PIN)
  await form.locator('[type="submit"]').click()
  await expect(form).toBeHidden()
  for (const language of OTHERS) {
    await speak(page, language)
    await go(page, 'sign-on')
    await look(page, language, 'scanner-signed-on')
    await page.getByRole('button', { name: 'Ada' }).click()
    await look(page, language, 'scanner-sign-on-again')
    await page.context().setOffline(true)
    await expect(page.locator('main .warn')).toBeVisible()
    await look(page, language, 'scanner-sign-on-alone')
    await page.context().setOffline(false)
  }
})

test('what a ticket has to say, and what a scanner says alone, fit a small phone in every language', async ({
  watch,
  phones,
}) => {
  test.slow()
  watch.expectOutage()
  await using world = await describedWorld(OTHERS.length, { families: OTHERS })
  await using south = await turnstile(world, 'South 1', 'south-in')
  await using crew = await phones.open(world, watch, { viewport: SMALL })
  const { page } = crew
  countRequests(page)
  await pairScanner(page, await world.inviteLink())
  for (const [i, language] of OTHERS.entries()) {
    await speak(page, language)
    await go(page, 'scan')
    await expect(page.locator('.scan-link[data-state="reachable"]')).toBeVisible()
    const see = (what: string) => look(page, language, `scanner-${what}`)
    await walkDetails(page, see, [`CHILD-${i + 1}`, `ASK-${i + 1}`])
    await walkGroup(page, see, familyOf(language))
    await page.context().setOffline(true)
    await expect(page.locator('.scan-link[data-state="offline"]')).toBeVisible()
    await walkAlone(page, see, `PLAIN-${i + 1}`)
    await south.scan(`PLAIN-${i + 1}`)
    await page.context().setOffline(false)
    await expect(page.locator('.scan-unsent[data-some="false"]')).toBeVisible({ timeout: 60_000 })
    await walkDoubles(page, see)
  }
})

type See = (what: string) => Promise<void>

/** Attention and a note, and a question before the admission. */
async function walkDetails(page: Page, see: See, [child, asking]: [string, string]): Promise<void> {
  await admitAndHold(page, child, see)
  await see('verdict-attention')
  await clear(page)
  await wedge(page, asking)
  const form = page.locator('dialog[open] form')
  await see('ask-first')
  await page.locator('.verdict-actions button:not(.verdict-clear)').first().click()
  await see('questions')
  // Another question depends on this one.
  await form.locator('[data-question="meal"] input').first().check()
  await form.locator('[type="submit"]').click()
  await expect(form.locator('[data-wrong="true"] .bad')).toBeInViewport({ ratio: 1 })
  await see('questions-missing')
  await page.locator('.dialog-cancel').click()
  await clear(page)
  await expect(page.locator('.tray-item')).toHaveCount(2)
  await see('tray')
  for (const of of ['.tray-drop', '.tray-actions button']) await page.locator(of).click()
}

async function walkGroup(page: Page, see: See, [first = '', ...others]: readonly string[]): Promise<void> {
  await admitAndHold(page, first)
  await see('verdict-order')
  await clear(page)
  await see('scan-order')
  await page.locator('.scan-controls > .primary').click()
  await expect(page.locator('.ask-admitted')).toHaveCount(others.length)
  await see('group')
  await page.locator('.dialog-cancel').click()
}

/** Verdicts, and the screens that say what is not sent. */
async function walkAlone(page: Page, see: See, code: string): Promise<void> {
  await admitAndHold(page, code)
  await see('alone-admit')
  await clear(page)
  await wedge(page, 'nonsense')
  await see('alone-refusal')
  await clear(page)
  await go(page, 'incidents')
  await page.locator('main button').first().click()
  for (const screen of ['incidents', 'scan', 'recent', 'shift', 'preflight']) {
    await go(page, screen)
    await see(`alone-${screen}`)
  }
  await go(page, 'scan')
}

/** What the box found out afterwards. */
async function walkDoubles(page: Page, see: See): Promise<void> {
  await see('scan-doubles')
  await go(page, 'doubles')
  await see('doubles')
  // That of the language before may be there again: its page was loaded anew before what was pressed was on disk.
  for (const button of (await page.locator('main button.primary').all()).toReversed()) await button.click()
}

/**
 * An admission is gone after a second and a half. The page itself presses the button that takes it back: the dialog is open, and
 * behind it the verdict stays.
 */
async function admitAndHold(page: Page, code: string, see?: See): Promise<void> {
  await page.evaluate(() =>
    new MutationObserver((_, observer) => {
      const undo = document.querySelector<HTMLElement>(
        '.verdict[data-class="admit"] .verdict-actions button:nth-child(2)',
      )
      if (undo) observer.disconnect()
      undo?.click()
    }).observe(document, { subtree: true, childList: true }),
  )
  await wedge(page, code)
  await expect(page.getByRole('dialog')).toBeVisible()
  await see?.('undo')
  await page.locator('.dialog-cancel').click()
  await expect(page.getByRole('dialog')).toBeHidden()
}

async function clear(page: Page): Promise<void> {
  await page.locator('.verdict-clear').click()
  await expect(page.locator('.verdict')).toBeHidden()
}

async function go(page: Page, screen: string): Promise<void> {
  await page.evaluate((hash) => (location.hash = hash), `#/${screen}`)
  await expect(page.locator(`.app[data-screen="${screen}"]`)).toBeVisible()
}

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
