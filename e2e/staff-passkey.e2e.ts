/** People add a passkey to themselves and sign in with it, on a box with a public name and without internet; it is removed while its stream is open. */
import { createHash, X509Certificate } from 'node:crypto'
import { type Browser, chromium, expect, type Page } from '@playwright/test'
import { makeAuthority } from '../box/test/world/certificates.ts'
import { signInWords } from '../dashboard/src/words/en/sign-in.ts'
import { staffWords } from '../dashboard/src/words/en/staff.ts'
import { browserPath, FLAGS } from './browser.ts'
import { words as controlWords, goTo } from './control-room.ts'
import { TABLET, test } from './gate.ts'
import { World } from './world.ts'

const { person } = controlWords.session
const say = staffWords.passkeys
const PIN = '274951'
const NAME = 'gate.example.org'
const DAY = 86_400_000

const who = (page: Page, name: string) => page.getByRole('button', { name: controlWords.session.actor.change(name) })

/** A box whose name has a certificate, and a browser that trusts it and resolves no other name: there is no internet. */
async function openNamed(): Promise<{ world: World; browser: Browser; origin: string } & AsyncDisposable> {
  await using opening = new AsyncDisposableStack()
  const world = opening.use(await World.open(undefined, undefined, { GATEHOUSE_CERTIFICATE_NAME: NAME }))
  const authority = await makeAuthority('Public CA')
  const valid = { notBefore: new Date(Date.now() - DAY), notAfter: new Date(Date.now() + 30 * DAY) }
  const { cert, key } = await authority.issue(NAME, [{ type: 'dns', value: NAME }], valid)
  const chain = world.write('chain.pem', Buffer.from(cert + authority.ca))
  const keyFile = world.write('key.pem', Buffer.from(key))
  const imported = await world.command('certificate', 'import', '--chain', chain, '--key', keyFile)
  expect(imported.code, imported.output).toBe(0)
  await world.stop()
  await world.start()
  const spki = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' })
  const args = [
    // Passkeys are for pages whose certificate the browser takes: this one, and no errors of others.
    ...FLAGS.filter((flag) => flag !== '--ignore-certificate-errors'),
    `--ignore-certificate-errors-spki-list=${createHash('sha256').update(spki).digest('base64')}`,
    `--host-resolver-rules=MAP ${NAME} 127.0.0.1, MAP * ~NOTFOUND`,
  ]
  const browser = await chromium.launch({ executablePath: browserPath(), args })
  opening.defer(() => browser.close())
  const stack = opening.move()
  return {
    ...{ world, browser, origin: `https://${NAME}:${world.ports.https}` },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** A key that the browser has, with a finger on it. */
async function addAuthenticator(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('WebAuthn.enable')
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', ctap2Version: 'ctap2_1', transport: 'internal' },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
}

async function enterWithPin(page: Page, name: string): Promise<void> {
  const byName = page.getByRole('button', { name: person.withName })
  // If a name was the way in before, its form is there already.
  await expect(byName.or(page.getByLabel(person.name, { exact: true }))).toBeVisible()
  if (await byName.isVisible()) await byName.click()
  await page.getByLabel(person.name, { exact: true }).fill(name)
  await page.getByLabel(person.secret).fill(PIN)
  await page.getByRole('button', { name: person.submit, exact: true }).click()
  await expect(who(page, name)).toBeVisible()
}

test('somebody adds a passkey, signs in with it without internet, and it is removed while its stream is open', async ({
  watch,
}) => {
  watch.expect(/status of 401/)
  // Its stream is closed in the middle.
  watch.expect(/ERR_INCOMPLETE_CHUNKED_ENCODING/)
  await using box = await openNamed()
  const { world, browser, origin } = box
  await world.admin.POST('/v1/admin/staff', { body: { name: 'Ada Admin', role: 'admin', secret: PIN } })
  await world.admin.POST('/v1/admin/staff', { body: { name: 'Otto Operator', role: 'operator', secret: PIN } })
  const context = await browser.newContext({ viewport: TABLET, locale: 'en-GB' })
  watch.over(context, [origin])
  const page = await context.newPage()
  await addAuthenticator(page)
  await page.goto(`${origin}/dashboard/`)

  await page.getByRole('button', { name: signInWords.passkey }).click()
  await expect(page.getByText(signInWords.passkeyNone)).toBeVisible()
  await enterWithPin(page, 'Otto Operator')
  await goTo(page, 'settings')
  await expect(page.getByText(say.none)).toBeVisible()
  await page.getByRole('button', { name: say.add }).click()
  const adding = page.getByRole('dialog', { name: say.add })
  await adding.getByLabel(say.called).fill('My tablet')
  await adding.getByRole('button', { name: say.add }).click()
  await expect(page.getByText(say.added)).toBeVisible()
  const mine = page.getByRole('table', { name: say.title })
  await expect(mine.getByRole('row', { name: /My tablet/ })).toContainText(NAME)
  await page.getByRole('button', { name: controlWords.session.signOut }).first().click()

  await page.getByRole('button', { name: signInWords.passkey }).click()
  await expect(who(page, 'Otto Operator')).toBeVisible()
  await expect(page.getByText(controlWords.shell.live, { exact: true }).first()).toBeVisible()
  const screens = page.getByRole('navigation', { name: controlWords.shell.navigation })
  await expect(screens.locator('a[href="#/gates"]'), 'what an operator sees').toHaveCount(1)

  // An admin in another browser takes the passkey away.
  const other = await browser.newContext({ viewport: TABLET, locale: 'en-GB' })
  watch.over(other, [origin])
  const admin = await other.newPage()
  await admin.goto(`${origin}/dashboard/`)
  await enterWithPin(admin, 'Ada Admin')
  await goTo(admin, 'staff')
  await admin.getByRole('button', { name: say.removeNamed('My tablet') }).click()
  await admin.getByRole('dialog').getByRole('button', { name: staffWords.remove, exact: true }).click()
  await expect(admin.getByText(say.removed)).toBeVisible()
  await expect(page.getByText(controlWords.session.tokenRefused), 'while its stream was open').toBeVisible()

  await page.getByRole('button', { name: signInWords.passkey }).click()
  await expect(page.getByText(signInWords.passkeyWrong)).toBeVisible()
  await enterWithPin(page, 'Otto Operator')
})

test('a box without a public name says why it has no passkeys', async ({ world, browse }) => {
  await world.admin.POST('/v1/admin/staff', { body: { name: 'Ada Admin', role: 'admin', secret: PIN } })
  const page = await browse({ viewport: TABLET })
  await page.goto(`${world.origin}/dashboard/`)
  await enterWithPin(page, 'Ada Admin')
  await goTo(page, 'settings')
  await expect(page.getByText(say.noName)).toBeVisible()
  await expect(page.getByRole('button', { name: say.add })).toHaveCount(0)
  await goTo(page, 'staff')
  await expect(page.getByText(say.noName)).toBeVisible()
  await page.getByRole('button', { name: controlWords.session.signOut }).first().click()
  await expect(page.getByRole('button', { name: signInWords.passkey })).toHaveCount(0)
})
