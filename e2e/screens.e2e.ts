/**
 * Every screen of the three apps: its picture in both themes, and what it has to bear. The pictures are in .reports/pictures/
 * afterwards; somebody looks at them before a release.
 */
import '../dashboard/src/words/in-english.ts'
import { SCREENS } from '../dashboard/src/screens/registry.ts'
import { codeOf, openTicket, show, words as walletWords } from './attendee.ts'
import { busyDay } from './busy-day.ts'
import { words as controlWords, goTo, signIn } from './control-room.ts'
import {
  choosePlace,
  dismiss,
  expectVerdict,
  pairScanner,
  words as scannerWords,
  startScanning,
  typeCode,
  verdictOf,
} from './crew.ts'
import { expect, PHONE, TABLET, test } from './gate.ts'
import { inspect } from './inspect.ts'

test('dashboard: sign-in', async ({ world, browse }) => {
  const page = await browse({ viewport: TABLET })
  await page.goto(`${world.origin}/dashboard/`)
  await expect(page.getByLabel(controlWords.session.label)).toBeVisible()
  await inspect(page, 'dashboard-sign-in', TABLET)
})

/** Screens of one test: each is looked at in full, which takes seconds. */
const AT_A_TIME = 6
const parts = Array.from({ length: Math.ceil(SCREENS.length / AT_A_TIME) }, (_, i) =>
  SCREENS.slice(i * AT_A_TIME, (i + 1) * AT_A_TIME),
)
for (const [part, screens] of parts.entries()) {
  test(`dashboard: every screen of a busy day, part ${part + 1}`, async ({ world, browse }) => {
    await busyDay(world)
    const page = await browse({ viewport: TABLET })
    await signIn(page, world)
    for (const { path, title } of screens) {
      await goTo(page, path)
      await expect(page.getByRole('main', { name: title })).toBeVisible()
      await expect(page.getByRole('heading').first()).toBeAttached()
      await expect(page.getByText(/^(Loading …|Looking…)$/)).toHaveCount(0)
      await inspect(page, `dashboard-${path}`, TABLET)
    }
  })
}

test('scanner: every screen before the first scan', async ({ world, watch, phone }) => {
  const { page } = await phone()
  await page.goto(`${world.origin}/scanner/`)
  await expect(page.getByRole('heading', { name: scannerWords.pairing.title })).toBeVisible()
  await inspect(page, 'scanner-pairing', PHONE)
  await page.goto('about:blank')
  await page.goto(await world.inviteLink({ supervisor: true }))
  await expect(page.getByLabel(scannerWords.pairing.name)).toBeVisible()
  await inspect(page, 'scanner-invite', PHONE)
  await page.getByLabel(scannerWords.pairing.name).fill('North 1')
  await page.getByRole('button', { name: scannerWords.pairing.pair }).click()
  await expect(page.getByRole('heading', { name: scannerWords.checkpoint.title })).toBeVisible()
  await inspect(page, 'scanner-checkpoint', PHONE)
  await choosePlace(page)
  await expect(page.getByText(/tickets, version/)).toBeVisible()
  await inspect(page, 'scanner-preflight', PHONE)
  await startScanning(page)
  await inspect(page, 'scanner-scan', PHONE)
  await page.getByRole('button', { name: scannerWords.scan.type }).click()
  await inspect(page, 'scanner-typed', PHONE)
  await page.keyboard.press('Escape')
  watch.expectOutage()
  await world.stop()
  await typeCode(page, 'DAY-1')
  await expectVerdict(page, 'admit', /Offline/)
  await expect(verdictOf(page)).toBeHidden()
  await inspect(page, 'scanner-alone', PHONE)
})

test('scanner: every verdict, and every screen of a shift', async ({ world, phone }) => {
  await busyDay(world)
  const { page, camera } = await phone()
  await pairScanner(page, await world.inviteLink({ supervisor: true }))
  camera.show('DAY-26')
  await expectVerdict(page, 'admit')
  camera.show(null)
  const codes = {
    used: 'DAY-1',
    elsewhere: 'CREW-1',
    'not-now': 'FUTURE-1',
    invalid: 'nonsense',
    revoked: 'REVOKED-1',
    supervisor: 'PENDING-1',
  } as const
  for (const [of, code] of Object.entries(codes) as [keyof typeof codes, string][]) {
    await typeCode(page, code)
    await expectVerdict(page, of)
    await inspect(page, `scanner-verdict-${of}`, PHONE)
    await dismiss(page)
  }
  for (const name of ['recent', 'shift', 'settings'] as const) {
    await page.getByRole('link', { name: scannerWords.nav[name] }).click()
    await expect(page.getByRole('heading', { name: scannerWords[name].title })).toBeVisible()
    await inspect(page, `scanner-${name}`, PHONE)
  }
  await page.getByRole('link', { name: scannerWords.nav.recent }).click()
  await page
    .getByRole('button', { name: new RegExp(`^${scannerWords.verdict.class.admit}`) })
    .first()
    .click()
  await expect(page.getByRole('dialog', { name: scannerWords.recent.past })).toBeVisible()
  await inspect(page, 'scanner-past', PHONE)
  await page.keyboard.press('Escape')
  // An admission clears by itself, unless somebody is about to take it back.
  await page.getByRole('link', { name: scannerWords.nav.scan }).click()
  await typeCode(page, 'DAY-27')
  await verdictOf(page).getByRole('button', { name: scannerWords.verdict.undo }).click()
  await page.keyboard.press('Escape')
  await expectVerdict(page, 'admit')
  await inspect(page, 'scanner-verdict-admit', PHONE)
  await dismiss(page)
  await page.getByRole('link', { name: scannerWords.nav.scan }).click()
  await page.getByRole('link', { name: scannerWords.scan.reportLong }).click()
  await expect(page.getByRole('heading', { name: scannerWords.incidents.title, exact: true })).toBeVisible()
  await inspect(page, 'scanner-incidents', PHONE)
})

test('wallet: every screen', async ({ world, watch, browse }) => {
  watch.expect(/status of 404/)
  await busyDay(world)
  const page = await browse()
  await page.goto(`${world.origin}/wallet/`)
  await expect(page.getByRole('heading', { name: walletWords.welcome.heading })).toBeVisible()
  await inspect(page, 'wallet-welcome', PHONE)
  await openTicket(page, await world.walletLink('LOUNGE-1'))
  await inspect(page, 'wallet-ticket', PHONE)
  for (const name of ['nearby', 'news', 'more'] as const) {
    await show(page, name)
    await inspect(page, `wallet-${name}`, PHONE)
  }
  await show(page, 'nearby')
  await page.getByRole('button', { name: walletWords.nearby.map, exact: true }).click()
  await inspect(page, 'wallet-map', PHONE)
  await show(page, 'ticket')
  await page.getByRole('button', { name: walletWords.claim.ask }).click()
  await inspect(page, 'wallet-claim', PHONE)
  await page.keyboard.press('Escape')
  await codeOf(page).click()
  await inspect(page, 'wallet-code', PHONE)
  await page.keyboard.press('Escape')
  await page.goto(`${world.origin}/wallet/#t=AAAAAAAAAAAAAAAAAAAAAA`)
  await expect(page.getByRole('heading', { name: walletWords.trouble.unknown.title })).toBeVisible()
  await inspect(page, 'wallet-unknown', PHONE)
})
