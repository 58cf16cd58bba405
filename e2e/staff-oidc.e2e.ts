/** People sign in with the organiser's OpenID provider, a real one: on its pages and back, refused, taken off the list, and with the internet cut. */
import { expect, type Page } from '@playwright/test'
import { TestProvider } from '../box/test/staff/provider.ts'
import { signInWords as ways } from '../dashboard/src/words/en/sign-in.ts'
import { words as controlWords } from './control-room.ts'
import { TABLET, test } from './gate.ts'
import { World } from './world.ts'

const { person } = controlWords.session
const PIN = '274951'

test("people sign in on the provider's page, and with a PIN when it is away", async ({ watch, browser }) => {
  watch.expect(/status of 40[13]/, /status of 503/)
  watch.expectOutage()
  await using provider = await TestProvider.open()
  await using world = await World.open(undefined, undefined, provider.environment)
  provider.serve(`${world.origin}/dashboard/`)
  provider.accounts.set('otto-1', { name: 'Otto Operator', groups: ['crew'] })
  provider.accounts.set('nina-2', { name: 'Nina Nobody', groups: ['visitors'] })
  await world.admin.POST('/v1/admin/staff', { body: { name: 'Ada Admin', role: 'admin', secret: PIN } })
  const { host } = new URL(provider.issuer)
  const context = await browser.newContext({ viewport: TABLET, ignoreHTTPSErrors: true, locale: 'en-GB' })
  await using _ = { [Symbol.asyncDispose]: () => context.close() }
  watch.over(context, [...world.origins, provider.issuer, world.origin.replace('127.0.0.1', 'localhost')])
  const page = await context.newPage()

  // Under another name the page could not take up the answer: it leads to the one that can.
  await page.goto(`${world.origin.replace('127.0.0.1', 'localhost')}/dashboard/`)
  await page.getByRole('link', { name: ways.elsewhere(host) }).click()
  await expect(page).toHaveURL(`${world.origin}/dashboard/`)

  await signInThere(page, host, 'nina-2')
  await expect(page.getByText('None of your groups has a role')).toBeVisible()
  expect(page.url(), 'no code stays in the address').toBe(`${world.origin}/dashboard/`)

  await signInThere(page, host, 'otto-1')
  const who = (name: string) => page.getByRole('button', { name: controlWords.session.actor.change(name) })
  await expect(who('Otto Operator')).toBeVisible()
  const screens = page.getByRole('navigation', { name: controlWords.shell.navigation })
  await expect(screens.locator('a[href="#/gates"]')).toHaveCount(1)
  await expect(screens.locator('a[href="#/staff"]')).toHaveCount(0)

  await provider.stop()
  await page.reload()
  await expect(who('Otto Operator'), 'whoever is signed in goes on').toBeVisible()
  const { data } = await world.admin.GET('/v1/admin/staff')
  const otto = data?.people.find(({ name }) => name === 'Otto Operator')
  await world.admin.POST('/v1/admin/staff/{id}/remove', { params: { path: { id: otto?.id ?? '' } }, body: {} })
  await expect(page.getByText(controlWords.session.tokenRefused), 'while its stream was open').toBeVisible()

  await page.getByRole('button', { name: ways.with(host) }).click()
  await expect(page.getByText('does not answer: this box may be without internet')).toBeVisible()
  await page.getByRole('button', { name: person.withName }).click()
  await page.getByLabel(person.name, { exact: true }).fill('Ada Admin')
  await page.getByLabel(person.secret).fill(PIN)
  await page.getByRole('button', { name: person.submit, exact: true }).click()
  await expect(who('Ada Admin')).toBeVisible()
})

test('an answer that this tab has not begun opens nothing', async ({ world, browse }) => {
  const page = await browse({ viewport: TABLET })
  await page.goto(`${world.origin}/dashboard/?code=stolen&state=${'S'.repeat(43)}`)
  await expect(page).toHaveURL(`${world.origin}/dashboard/`)
  await expect(page.getByLabel(controlWords.session.label)).toBeVisible()
})

async function signInThere(page: Page, host: string, account: string): Promise<void> {
  await page.getByRole('button', { name: ways.with(host) }).click()
  await page.getByLabel('Account').fill(account)
  await page.getByRole('button', { name: 'Go on' }).click()
}
