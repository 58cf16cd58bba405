/** The control room's navigation on a tablet, and what has its moment on every screen. */
import '../dashboard/src/words/in-english.ts'
import { SCREENS } from '../dashboard/src/screens/registry.ts'
import { actionWords, answer, goTo, offered, openScreen, signIn, words } from './control-room.ts'
import { pairScanner, words as scannerWords } from './crew.ts'
import { expect, TABLET, test } from './gate.ts'

test('nine entries at most, none below the fold, and every screen is behind one of them', async ({ world, browse }) => {
  const page = await browse({ viewport: TABLET })
  await signIn(page, world)
  const entries = page.getByRole('navigation', { name: words.shell.navigation }).getByRole('link')
  expect(await entries.count()).toBeLessThanOrEqual(9)
  for (const entry of await entries.all()) await expect(entry).toBeInViewport({ ratio: 1 })
  const expected = SCREENS.filter(({ only }) => only === undefined).map(({ path }) => path)
  expect((await offered(page)).toSorted()).toEqual(expected.toSorted())
})

test('a hold that is about to end says so on every screen, and goes on by one press', async ({ world, browse }) => {
  const body = { actor: 'Ines', reason: 'Crowded inside', expires_in_seconds: 90 }
  await world.admin.POST('/v1/admin/gates/{id}/hold', { params: { path: { id: 'north' } }, body })
  const page = await browse({ viewport: TABLET })
  await openScreen(page, world, 'log')
  await page.getByRole('button', { name: actionWords.holdEnds.goOn('Gate North') }).click()
  await answer(page, {}, words.gates.change)
  await expect(page.getByText(actionWords.holdEnds.text)).toBeHidden()
  const { data } = await world.admin.GET('/v1/admin/holds')
  const [hold] = data?.holds ?? []
  expect(hold?.reason).toBe('Crowded inside')
  expect(Date.parse(hold?.expires_at ?? '') - Date.now()).toBeGreaterThan(5 * 60_000)
})

test('an announcement is corrected and withdrawn, and the scanner follows', async ({ world, phone, browse }) => {
  const { page } = await phone()
  await pairScanner(page, await world.inviteLink())
  await world.admin.POST('/v1/admin/announce', { body: { text: 'Doors at six.', severity: 'info', actor: 'Ines' } })
  const notices = page.getByRole('region', { name: scannerWords.scan.notices })
  await expect(notices).toContainText('Doors at six.')

  const tablet = await browse({ viewport: TABLET })
  await signIn(tablet, world)
  await goTo(tablet, 'announce')
  const { announce } = actionWords
  await tablet.getByRole('button', { name: announce.correctNamed('Doors at six.') }).click()
  await tablet.getByLabel(announce.text, { exact: true }).fill('Doors at seven.')
  await tablet.getByRole('button', { name: announce.send, exact: true }).click()
  await answer(tablet, {}, announce.confirm.submit)
  await expect(notices).toContainText('Doors at seven.')
  await expect(notices).not.toContainText('six')

  await tablet.getByRole('button', { name: announce.withdrawNamed('Doors at seven.') }).click()
  await answer(tablet, {}, announce.withdraw)
  await expect(notices).not.toContainText('Doors')
  await expect(tablet.getByText(announce.standingEmpty)).toBeVisible()
})
