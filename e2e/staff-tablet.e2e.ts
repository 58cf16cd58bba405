/** Tablets that a link has paired with people: signed in by themselves, locked and gone on with, and ended from elsewhere. */

import type { StaffRole } from '@gatehouse/proto/operations.ts'
import type { Page } from '@playwright/test'
import { signInWords } from '../dashboard/src/words/en/sign-in.ts'
import { staffWords as say } from '../dashboard/src/words/en/staff.ts'
import { actionWords, words as controlWords, goTo } from './control-room.ts'
import { expect, TABLET, test } from './gate.ts'
import type { World } from './world.ts'

const { person } = controlWords.session
const PIN = '274951'
const BOSS = 'Ada Admin'
const OTTO = 'Otto Operator'

async function addPerson({ admin }: World, name: string, role: StaffRole): Promise<string> {
  const { data } = await admin.POST('/v1/admin/staff', { body: { name, role, secret: PIN } })
  return data?.id ?? ''
}

async function linkFor({ admin }: World, id: string, device: string): Promise<string> {
  const { data } = await admin.POST('/v1/admin/staff/{id}/invite', { params: { path: { id } }, body: { device } })
  return data?.link ?? ''
}

const who = (page: Page, name: string) => page.getByRole('button', { name: controlWords.session.actor.change(name) })

/** As the camera of the tablet opens it: at the address by which the test reaches the box. */
async function open(page: Page, { origin }: World, link: string): Promise<void> {
  await page.goto(`${origin}/dashboard/${new URL(link).hash}`)
  await expect(page.getByText(say.tablet.pairText)).toBeVisible()
  expect(new URL(page.url()).hash, 'nothing that is worth something stays in the address').not.toContain('pair')
}

async function pair(page: Page, world: World, link: string): Promise<void> {
  await open(page, world, link)
  await page.getByRole('button', { name: say.tablet.pair }).click()
}

test('an admin makes a link; a tablet that opens it is signed in, signs what it sends, and is ended while its stream is open', async ({
  world,
  watch,
  browse,
}) => {
  watch.expect(/status of 401/)
  // Its stream is closed in the middle.
  watch.expect(/ERR_INCOMPLETE_CHUNKED_ENCODING/)
  await addPerson(world, BOSS, 'admin')
  await addPerson(world, OTTO, 'operator')
  const boss = await browse({ viewport: TABLET })
  await boss.goto(`${world.origin}/dashboard/`)
  await boss.getByRole('button', { name: person.withName }).click()
  await boss.getByLabel(person.name, { exact: true }).fill(BOSS)
  await boss.getByLabel(person.secret).fill(PIN)
  await boss.getByRole('button', { name: person.submit }).click()
  await expect(who(boss, BOSS)).toBeVisible()
  await goTo(boss, 'staff')
  await boss.getByRole('button', { name: say.inviteNamed(OTTO) }).click()
  const asking = boss.getByRole('dialog', { name: say.inviteNamed(OTTO) })
  await asking.getByLabel(say.inviteDevice).fill('Tablet at the north gate')
  await asking.getByRole('button', { name: say.invite }).click()
  await expect(boss.getByRole('img', { name: say.inviteLabel(OTTO) })).toBeVisible()
  const link = await boss.getByText(/#pair=[\w-]{22}$/).innerText()
  // A tablet that does not trust the box yet opens the steps first.
  await expect(boss.getByText(actionWords.trustFirst)).toContainText(`http://127.0.0.1:${world.ports.http}/trust/#room`)
  await boss.getByRole('button', { name: say.inviteDone, exact: true }).click()
  await expect(boss.getByText(link)).toHaveCount(0)

  const tablet = await browse({ viewport: TABLET })
  const unsigned: string[] = []
  tablet.on('request', (request) => {
    const headers = request.headers()
    if (headers.authorization && !headers['signature-input']) unsigned.push(request.url())
  })
  await pair(tablet, world, link)
  await expect(who(tablet, OTTO)).toBeVisible()
  await expect(tablet.getByText(controlWords.shell.live, { exact: true }).first()).toBeVisible()
  await goTo(tablet, 'gates')
  await tablet.getByRole('button', { name: `${controlWords.gates.hold}: Gate North` }).click()
  const holding = tablet.getByRole('dialog')
  await holding.getByLabel(controlWords.gates.reason).fill('Crowded inside')
  await holding.getByRole('button', { name: controlWords.gates.hold, exact: true }).click()
  await expect(tablet.getByRole('region', { name: /Gate North/ })).toContainText(controlWords.gates.held)
  await tablet.reload()
  await expect(who(tablet, OTTO)).toBeVisible()
  await expect(tablet.getByText(controlWords.shell.live, { exact: true }).first()).toBeVisible()
  expect(unsigned).toEqual([])
  const { data } = await world.admin.GET('/v1/admin/log', { params: { query: { kind: 'hold' } } })
  expect(data?.rows[0]).toMatchObject({ actor: OTTO, device_name: 'Tablet at the north gate' })
  // The token of the page, copied: worth nothing without the key.
  const token = await tablet.evaluate(() => sessionStorage.getItem('gatehouse-admin-token'))
  const headers = { authorization: `Bearer ${token}` }
  expect((await boss.request.get(`${world.origin}/v1/admin/holds`, { headers })).status()).toBe(401)
  const isExportable = await tablet.evaluate(
    () =>
      new Promise((resolve) => {
        const opening = indexedDB.open('gatehouse-dashboard')
        opening.onsuccess = () => {
          const got = opening.result.transaction('kept').objectStore('kept').get('pairing')
          got.onsuccess = () => resolve(got.result.key.extractable)
        }
      }),
  )
  expect(isExportable).toBe(false)

  await boss.reload()
  const row = boss.getByRole('row', { name: /Tablet at the north gate/ })
  await row.getByRole('button', { name: say.endNamed(OTTO) }).click()
  await boss.getByRole('dialog').getByRole('button', { name: say.end, exact: true }).click()
  await expect(row).toHaveCount(0)
  await expect(tablet.getByRole('navigation')).toHaveCount(0, { timeout: 15_000 })
  await expect(tablet.getByRole('button', { name: say.tablet.goOn })).toHaveCount(0)
})

test('a link that is spent, one that has ended, and one that nobody made say so, and the usual ways in are there', async ({
  world,
  watch,
  browse,
}) => {
  watch.expect(/status of 4(04|10)/)
  const otto = await addPerson(world, OTTO, 'operator')
  const spent = await linkFor(world, otto, 'First')
  const first = await browse({ viewport: TABLET })
  await pair(first, world, spent)
  await expect(who(first, OTTO)).toBeVisible()
  const vera = await addPerson(world, 'Vera Viewer', 'viewer')
  const ended = await linkFor(world, vera, 'Second')
  await world.admin.POST('/v1/admin/staff/{id}', { params: { path: { id: vera } }, body: { role: 'desk' } })
  const page = await browse({ viewport: TABLET })
  for (const [link, sentence] of [
    [spent, /has been used/],
    [ended, /has expired/],
    [`${world.origin}/dashboard/#pair=${'A'.repeat(22)}`, /does not know this link/],
  ] as const) {
    await page.goto('about:blank')
    await pair(page, world, link)
    await expect(page.getByRole('alert').filter({ hasText: sentence })).toBeVisible()
  }
  await page.getByRole('button', { name: person.withName }).click()
  await expect(page.getByLabel(controlWords.session.label)).toBeVisible()
})

test('two people have a tablet each; a locked one goes on with the PIN, another person may sign in on it, and it can be given back', async ({
  world,
  watch,
  browse,
}) => {
  watch.expect(/status of 40[13]/)
  const [otto, dora] = [await addPerson(world, OTTO, 'operator'), await addPerson(world, 'Dora Desk', 'desk')]
  const [ottos, doras] = [await browse({ viewport: TABLET }), await browse({ viewport: TABLET })]
  await pair(ottos, world, await linkFor(world, otto, 'North'))
  await pair(doras, world, await linkFor(world, dora, 'Desk'))
  await expect(who(ottos, OTTO)).toBeVisible()
  await expect(who(doras, 'Dora Desk')).toBeVisible()
  await expect(doras.locator('a[href="#/desk"]')).toHaveCount(1)
  await expect(ottos.locator('a[href="#/desk"]')).toHaveCount(0)

  await ottos.getByRole('button', { name: controlWords.session.signOut }).first().click()
  await expect(ottos.getByText(say.tablet.goOnText(OTTO))).toBeVisible()
  await ottos.getByLabel(person.secret).fill('999998')
  await ottos.getByRole('button', { name: say.tablet.goOn }).click()
  await expect(ottos.getByRole('alert')).not.toBeEmpty()
  await expect(who(ottos, OTTO)).toHaveCount(0)
  await ottos.getByLabel(person.secret).fill(PIN)
  await ottos.getByRole('button', { name: say.tablet.goOn }).click()
  await expect(who(ottos, OTTO)).toBeVisible()

  await who(ottos, OTTO).click()
  const taking = ottos.getByRole('dialog', { name: signInWords.changeTitle })
  await taking.getByLabel(person.name, { exact: true }).fill('Dora Desk')
  await taking.getByLabel(person.secret).fill(PIN)
  await taking.getByRole('button', { name: person.submit }).click()
  await expect(who(ottos, 'Dora Desk')).toBeVisible()
  await ottos.getByRole('button', { name: controlWords.session.signOut }).first().click()
  await expect(ottos.getByText(say.tablet.goOnText(OTTO))).toBeVisible()

  await ottos.getByRole('button', { name: say.tablet.unpair }).click()
  await expect(ottos.getByLabel(controlWords.session.label)).toBeVisible()
  const sessions = async () => (await world.admin.GET('/v1/admin/staff')).data?.sessions.map(({ device }) => device)
  await expect.poll(sessions).toEqual(['Desk'])
  await ottos.reload()
  await expect(ottos.getByText(say.tablet.goOnText(OTTO))).toHaveCount(0)
})
