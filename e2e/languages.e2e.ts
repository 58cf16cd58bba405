/**
 * Every language in wallet and control room, on the box's own pages and on what somebody sees first, and the two pseudo-locales: chosen
 * by the device, changed by hand, on small screens without anything that sticks out (fit.ts). The scanner: languages-scanner.e2e.ts.
 */
import '../dashboard/src/words/in-english.ts'
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TRUST_WORDS } from '../box/src/appliance/trust/page.ts'
import { DEVICES } from '../box/src/appliance/trust/words/en.ts'
import { SCREENS as CONTROL_SCREENS } from '../dashboard/src/screens/registry.ts'
import { CHOSEN } from '../proto/ui/language.ts'
import { words as walletWords } from './attendee.ts'
import { busyDay } from './busy-day.ts'
import { goTo, signIn } from './control-room.ts'
import { EVENT, TICKETS } from './event.ts'
import { countRequests, expectToFit, look, OTHERS, SMALL, WITH_AXE } from './fit.ts'
import { expect, TABLET, test } from './gate.ts'
import { speak } from './speak.ts'
import { World } from './world.ts'

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
      await look(page, language, what)
    }
  }
})

/** Lines of gatehouse.toml that the machine has not used, as it tells the box. */
const PROBLEMS = [
  { where: 'oidc.roles', coded: [{ code: 'roles' }] },
  { where: 'wifi.passphrase', coded: [{ code: 'missing' }, { code: 'needed_by', values: { name: 'wifi.ssid' } }] },
  {
    where: 'line 12',
    coded: [{ code: 'no_key', values: { keys: 'certificate, key, name, contact, directory, record' } }],
  },
].map((problem) => ({ ...problem, message: 'was not used' }))

test('the pages that the box draws itself fit a small phone in every language', async ({ watch, phones }) => {
  test.slow()
  // What a browser has of a box whose certificate it does not trust.
  watch.expectOutage()
  using machine = mkdtempDisposableSync(join(tmpdir(), 'gatehouse-machine-'))
  writeFileSync(join(machine.path, 'problems.json'), JSON.stringify({ problems: PROBLEMS }))
  await using world = await World.open(TICKETS, EVENT, { GATEHOUSE_APPLIANCE: machine.path })
  await using stranger = await phones.open(world, watch, { viewport: SMALL })
  const page = countRequests(stranger.page)
  await page.route(`${world.origin}/healthz`, (asked) => asked.abort())
  const plain = `http://127.0.0.1:${world.ports.http}`
  for (const language of OTHERS) {
    await page.goto(`${plain}/?lang=${language}`)
    await expect(page.locator(`html[lang="${language}"]`)).toBeAttached()
    await expect(page.locator('.problems li')).toHaveCount(PROBLEMS.length)
    await expect(page.locator('.problems [lang="en"]')).toHaveCount(0)
    await look(page, language, 'box-setup', { fullPage: true })

    await page.goto(`${plain}/trust/?lang=${language}`)
    await expect(page.locator('.check[data-state="no"]')).toBeVisible()
    for (const device of DEVICES) {
      await page.locator(`input[value="${device}"]`).check()
      await look(page, language, `box-trust-${device}`, { fullPage: true })
    }
    for (const state of Object.keys(TRUST_WORDS.en.states)) {
      await page.locator('.check').evaluate((check, shown) => (check.dataset.state = shown), state)
      await look(page, language, `box-trust-is-${state}`)
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
      await look(page, language, `wallet-${screen}`)
    }
    await page.evaluate(() => (location.hash = '#/ticket'))
    for (const [what, button] of [
      ['wallet-claim', '.claim .big'],
      ['wallet-code', '.code-press'],
    ] as const) {
      await page.locator(button).first().click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await look(page, language, what)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
    }
  }
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
