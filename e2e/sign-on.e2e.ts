/** Signing on at a scanner, where the event wants it: name and PIN, the next person, no box, and a removal. */
import { screenWords } from '../scanner-pwa/src/words/en/screens.ts'
import { turnstile } from './busy-day.ts'
import { actionWords, enter, goTo } from './control-room.ts'
import { openInvite, wedge, words } from './crew.ts'
import { EVENT } from './event.ts'
import { expect, PHONE, TABLET, test } from './gate.ts'
import { inspect } from './inspect.ts'
import { World } from './world.ts'

const say = screenWords.signOn
const PIN = '274951'
const TICKETS = ['SIGN-1', 'SIGN-2'].map((code) => `${code},day,,,,,,valid`)

test('a phone asks who scans, passes from one person to the next, goes on alone with whoever is on, and locks when they are removed', async ({
  watch,
  phones,
}) => {
  watch.expectOutage()
  watch.expect(/status of 403/)
  await using world = await World.open(TICKETS, { ...EVENT, scanners_sign_on: { lock_minutes: 30 } })
  const ids = new Map<string, string>()
  for (const [name, role] of [
    ['Boss', 'admin'],
    ['Ada', 'viewer'],
    ['Bo', 'viewer'],
  ] as const) {
    const { data } = await world.admin.POST('/v1/admin/staff', { body: { name, role, secret: PIN } })
    ids.set(name, data?.id ?? '')
  }
  await using crew = await phones.open(world, watch)
  const { page } = crew
  await openInvite(page, await world.inviteLink())
  await page.getByRole('button', { name: /North entry/ }).click()
  await expect(page.getByText(words.preflight.offline.ok)).toBeVisible()
  await page.getByRole('button', { name: new RegExp(`^${words.preflight.start}`) }).click()
  const title = page.getByRole('heading', { name: say.title })
  await expect(title).toBeVisible()
  await inspect(page, 'scanner-sign-on', PHONE)

  const pin = page.getByLabel(say.secret)
  const submit = page.getByRole('button', { name: screenWords.shift.signOn })
  await page.getByLabel(say.name, { exact: true }).fill('Ada')
  await expect(pin).toHaveAttribute('type', 'password')
  await pin.fill('999998')
  await submit.click()
  await expect(page.getByRole('alert').filter({ hasText: say.wrong })).toBeVisible()
  await pin.fill(PIN)
  await submit.click()
  const scanning = page.getByRole('button', { name: words.scan.type })
  await expect(scanning).toBeVisible()
  await wedge(page, 'SIGN-1')
  const ada = ids.get('Ada') ?? ''
  await expect.poll(() => scansBy(world)).toEqual([ada])

  // The next person: a press on one's name, if it is there, and the PIN.
  const change = async (name: string, isNew: boolean) => {
    await page.goto(`${world.origin}/scanner/#/sign-on`)
    await page.getByRole('button', { name: isNew ? say.somebodyElse : name, exact: true }).click()
    if (isNew) await page.getByLabel(say.name, { exact: true }).fill(name)
    await pin.fill(PIN)
    await submit.click()
    await expect(scanning).toBeVisible()
  }
  await change('Bo', true)
  await change('Ada', false)

  await world.stop()
  await page.goto(`${world.origin}/scanner/#/sign-on`)
  await expect(page.getByText(say.aloneAs('Ada'))).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('button', { name: 'Bo', exact: true })).toBeDisabled()
  await inspect(page, 'scanner-sign-on-alone', PHONE)
  await page.getByRole('link', { name: words.back }).click()
  await wedge(page, 'SIGN-2')
  await world.start()
  await expect.poll(() => scansBy(world), { timeout: 30_000 }).toEqual([ada, ada])

  // Another scanner had let the same ticket in: the case names who held this one.
  await using south = await turnstile(world, 'South 1', 'south-in')
  await south.scan('SIGN-2', { offline_admitted: true })
  await using tablet = await phones.open(world, watch, { viewport: TABLET })
  await enter(tablet.page, world, 'Boss')
  const cases = await goTo(tablet.page, 'flags')
  const held = cases.getByRole('article').getByRole('listitem').filter({ hasText: 'North 1' })
  await expect(held.getByRole('term').filter({ hasText: actionWords.flags.heldBy })).toBeVisible()
  await expect(held.getByRole('definition').filter({ hasText: 'Ada' })).toBeVisible()

  await world.admin.POST('/v1/admin/staff/{id}/remove', { params: { path: { id: ada } }, body: {} })
  await expect(title).toBeVisible()
  // Help is called for without a name.
  await page.getByRole('link', { name: words.scan.reportLong }).click()
  await expect(page.getByRole('heading', { name: words.incidents.title, exact: true })).toBeVisible()
})

/** The id of the person who held the scanner, for each scan that the box knows. */
async function scansBy({ admin }: World): Promise<unknown> {
  const { data } = await admin
    .GET('/v1/admin/log', { params: { query: { kind: 'scan' } } })
    .catch(() => ({ data: undefined }))
  return data?.rows.map(({ entry }) => entry.person)
}
