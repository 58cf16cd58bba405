/** An invite on a phone that does not trust the box yet, on one that does, and on paper. */
import { createHash, X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test'
import { encode } from 'uqr'
import { TRUST_WORDS } from '../box/src/appliance/trust/page.ts'
import { readyWords } from '../dashboard/src/words/en/ready.ts'
import { browserPath, FLAGS } from './browser.ts'
import { actionWords, goTo, signIn } from './control-room.ts'
import { words } from './crew.ts'
import { EVENT, TICKETS } from './event.ts'
import { expect, PHONE, TABLET, test } from './gate.ts'
import { inspect } from './inspect.ts'
import { PICTURES } from './pictures.ts'
import { World } from './world.ts'

const say = TRUST_WORDS.en
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Mobile/15E148 Safari/604.1'
const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Mobile Safari/537.36'
const FIREFOX = 'Mozilla/5.0 (Android 14; Mobile; rv:139.0) Gecko/139.0 Firefox/139.0'

/** A browser as it comes, which asks the authorities that it knows; and the key of this box's certificate is one of them, or none. */
async function browserThat(trusts: World | null): Promise<Browser & AsyncDisposable> {
  const strict = FLAGS.filter((flag) => flag !== '--ignore-certificate-errors')
  const listed = trusts ? [`--ignore-certificate-errors-spki-list=${await keyOf(trusts)}`] : []
  return chromium.launch({ executablePath: browserPath(), args: [...strict, ...listed] })
}

/** SHA-256 of the public key that the HTTPS port shows, base64. */
async function keyOf({ ports }: World): Promise<string> {
  const socket = connect({ port: ports.https, host: '127.0.0.1', rejectUnauthorized: false })
  await new Promise((resolve) => socket.once('secureConnect', resolve))
  const { raw } = socket.getPeerCertificate()
  socket.destroy()
  const key = new X509Certificate(raw).publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(key).digest('base64')
}

async function pageOf(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: PHONE, locale: 'en-GB', ignoreHTTPSErrors: false, ...options })
  return context.newPage()
}

async function trustLink({ admin }: World): Promise<string> {
  const { data } = await admin.POST('/v1/admin/invite', { body: { checkpoints: ['north-in'] } })
  if (!data?.trust_link) throw new Error('the box made no link')
  return data.trust_link
}

const steps = (page: Page, device: keyof typeof say.devices) => page.locator(`[data-device="${device}"]`)

test('a phone that does not trust the box is told so, with the steps for it in pictures', async ({ world }) => {
  test.slow()
  await using browser = await browserThat(null)
  const link = await trustLink(world)
  const page = await pageOf(browser, { userAgent: IPHONE, hasTouch: true })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(link)
  await expect(page.getByText(say.states.no)).toBeVisible()
  await expect(page.getByRole('link', { name: say.on, exact: true })).toBeHidden()
  await expect(steps(page, 'iphone').locator('svg')).toHaveCount(3)
  await expect(steps(page, 'iphone')).toBeVisible()
  await expect(steps(page, 'android')).toBeHidden()
  await page.screenshot({ path: join(PICTURES, 'scanner-trust-iphone.png'), fullPage: true })
  await inspect(page, 'scanner-trust-iphone', PHONE)
  // The invite's code is in no request: it stays in the fragment.
  const { i: code } = JSON.parse(Buffer.from(new URL(link).hash.slice('#i='.length), 'base64url').toString())
  expect(asked.join('\n')).not.toContain(code)
  expect(asked.some((url) => url === `${world.origin}/healthz`)).toBe(true)

  // Downloaded, and still not trusted: another sentence says which step is missing.
  const download = page.waitForEvent('download').catch(() => undefined)
  await steps(page, 'iphone').getByRole('link', { name: say.download }).click()
  await download
  await page.getByRole('button', { name: say.again }).click()
  await expect(page.getByText(say.states.half)).toBeVisible()

  await page.getByLabel(say.devices.android.name, { exact: true }).check()
  await expect(steps(page, 'android')).toBeVisible()
  await expect(steps(page, 'iphone')).toBeHidden()
  await page.screenshot({ path: join(PICTURES, 'scanner-trust-android.png'), fullPage: true })

  // Another language keeps the invite.
  await page.getByRole('link', { name: 'Deutsch' }).click()
  await expect(page.getByText(TRUST_WORDS.de.states.half)).toBeVisible()
  expect(new URL(page.url()).hash).toBe(new URL(link).hash)
})

test('each kind of device has its own steps', async ({ world }) => {
  await using browser = await browserThat(null)
  const link = await trustLink(world)
  for (const [userAgent, device] of [
    [ANDROID, 'android'],
    [FIREFOX, 'firefox'],
    [undefined, 'other'],
  ] as const) {
    const page = await pageOf(browser, userAgent ? { userAgent } : {})
    await page.goto(link)
    await expect(page.getByText(say.states.no)).toBeVisible()
    await expect(page.getByLabel(say.devices[device].name, { exact: true })).toBeChecked()
    await expect(steps(page, device)).toBeVisible()
    await expect(page.locator('[data-device]:visible')).toHaveCount(1)
    await page.context().close()
  }
})

test('a phone that trusts the box goes straight to pairing, with the invite', async ({ world }) => {
  await using browser = await browserThat(world)
  const page = await pageOf(browser, { userAgent: ANDROID })
  await page.goto(await trustLink(world))
  await page.waitForURL(`${world.origin}/scanner/**`)
  await page.getByLabel(words.pairing.name).fill('North 1')
  await page.getByRole('button', { name: words.pairing.pair }).click()
  await expect(page.getByRole('heading', { name: words.checkpoint.title })).toBeVisible()
})

test('without an invite the page says yes and waits; an invite of another box leads nowhere', async ({ world }) => {
  await using browser = await browserThat(world)
  const page = await pageOf(browser)
  const plain = `http://127.0.0.1:${world.ports.http}/trust/`
  await page.goto(plain)
  await expect(page.getByText(say.states.yes)).toBeVisible()
  await expect(page.getByRole('link', { name: say.on, exact: true })).toHaveAttribute(
    'href',
    `${world.origin}/scanner/`,
  )

  // From beside the link of a tablet it leads to the control room.
  await page.goto('about:blank')
  await page.goto(`${plain}#room`)
  await expect(page.getByText(say.states.yes)).toBeVisible()
  const onward = page.getByRole('link', { name: say.on, exact: true })
  await expect(onward).toHaveAttribute('href', `${world.origin}/dashboard/`)

  const other = { u: 'https://evil.example', fp: `sha256:${'0'.repeat(64)}`, i: 'x', x: 4_000_000_000 }
  for (const hash of [`#i=${Buffer.from(JSON.stringify(other)).toString('base64url')}`, '#i=broken']) {
    await page.goto('about:blank')
    await page.goto(`${plain}${hash}`)
    await expect(page.getByText(say.states.elsewhere)).toBeVisible()
    await expect(page.getByRole('link', { name: say.on, exact: true })).toBeHidden()
  }
})

test('a box that does not answer on HTTPS or at all is not taken for a missing step', async ({ world }) => {
  await using browser = await browserThat(null)
  const page = await pageOf(browser, { userAgent: ANDROID })
  await page.goto(await trustLink(world))
  await expect(page.getByText(say.states.no)).toBeVisible()
  await world.stop()
  await page.getByRole('button', { name: say.again }).click()
  await expect(page.getByText(say.states.away)).toBeVisible()
})

test('an invite that only the box can open says so and what to set, on the screen and on paper, and another says nothing', async ({
  watch,
  phones,
}) => {
  const { devices } = actionWords
  const unreachable = devices.shown.own('127.0.0.1')
  expect(unreachable).toContain('GATEHOUSE_PUBLIC_HOST')
  for (const [host, times] of [
    ['127.0.0.1', 1],
    ['192.168.1.7', 0],
  ] as const) {
    await using world = await World.open(TICKETS, EVENT, { GATEHOUSE_PUBLIC_HOST: host })
    await using tablet = await phones.open(world, watch, { viewport: TABLET })
    const { page } = tablet
    await signIn(page, world)
    const main = await goTo(page, 'scanners')
    await main.getByLabel(devices.everything).check()
    await main.getByRole('button', { name: devices.make }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('img', { name: devices.shown.label })).toBeVisible()
    await expect(dialog.getByText(unreachable)).toHaveCount(times)
    await dialog.getByRole('button', { name: devices.shown.close }).click()

    await goTo(page, 'ready')
    await page.getByRole('button', { name: readyWords.sheets.make }).click()
    await page.emulateMedia({ media: 'print' })
    const sheet = page.getByRole('article').first()
    await expect(sheet.getByText(readyWords.sheets.fails)).toBeVisible()
    await expect(sheet.getByText(unreachable).filter({ visible: true })).toHaveCount(times)
  }
})

test('the printed sheet leads there, with the fingerprint to compare', async ({ world, browse }) => {
  const page = await browse({ viewport: TABLET })
  await signIn(page, world)
  await goTo(page, 'ready')
  const made = page.waitForResponse((answer) => answer.url().endsWith('/v1/admin/invite'))
  await page.getByRole('button', { name: readyWords.sheets.make }).click()
  const { trust_link, qr_payload } = (await (await made).json()) as { trust_link: string; qr_payload: string }
  expect(trust_link).toBe(`http://127.0.0.1:${world.ports.http}/trust/${new URL(qr_payload).hash}`)
  await page.emulateMedia({ media: 'print' })
  const sheet = page.getByRole('article').first()
  await expect(sheet.getByText(readyWords.sheets.trust)).toBeVisible()
  const { data: meta } = await world.admin.GET('/v1/meta')
  const shown = await sheet.locator('code').textContent()
  expect(`sha256:${shown?.replaceAll(' ', '').toLowerCase()}`).toBe(meta?.ca_fingerprint)
  // Every module of the code on paper is that of the link.
  const dark = await sheet.getByRole('img').first().locator('path').nth(1).getAttribute('d')
  const { data } = encode(trust_link, { ecc: 'M', border: 4 })
  const wanted = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`${x} ${y}`] : [])))
  expect([...(dark ?? '').matchAll(/M(\d+ \d+)h1/g)].map(([, at]) => at)).toEqual(wanted)
})
