/** A rehearsal with two phones, as an admin and a crew have it before doors. */
import { readyWords } from '../dashboard/src/words/en/ready.ts'
import { goTo, signIn } from './control-room.ts'
import { dismiss, expectVerdict, pairScanner, typeCode, verdictOf, words } from './crew.ts'
import { expect, PHONE, TABLET, test } from './gate.ts'
import { inspect } from './inspect.ts'

const say = readyWords.rehearsal

test('two phones rehearse with real tickets, and nobody is counted', async ({ world, watch, phone, browse }) => {
  // The box refuses a code of a rehearsal that is over.
  watch.expect(/status of 409/)
  const [north, south] = [await phone(), await phone()]
  await pairScanner(north.page, await world.inviteLink())
  await pairScanner(south.page, await world.inviteLink(), { name: 'South 1', operator: 'Eva' })
  const tablet = await browse({ viewport: TABLET })
  await signIn(tablet, world)
  await goTo(tablet, 'ready')
  await expect(tablet.getByText(readyWords.checks.rehearsal.warn())).toBeVisible()

  // The demo festival is on: it is said, and somebody has to insist.
  await tablet.getByRole('button', { name: say.start }).click()
  const dialog = tablet.getByRole('dialog', { name: say.start })
  await expect(dialog).toContainText(say.objections.event_on)
  await dialog.getByRole('button', { name: say.startAnyway }).click()
  await expect(tablet.getByText(say.band('Ines'))).toBeVisible()
  // The steps stay there while they are tried.
  for (const step of say.steps) await expect(tablet.getByText(step)).toBeVisible()
  for (const { page } of [north, south]) await expect(page.getByText(words.rehearsal)).toBeVisible({ timeout: 30_000 })

  await typeCode(north.page, 'DAY-1')
  await expectVerdict(north.page, 'admit', `${words.rehearsal}. ${words.verdict.confirmed}`)
  await typeCode(south.page, 'DAY-1')
  await expectVerdict(south.page, 'used')
  await expect(south.page.getByRole('link', { name: words.rehearsal }), 'over a verdict, too').toBeInViewport({
    ratio: 1,
  })
  await expect(verdictOf(south.page).getByText(words.rehearsal)).toBeVisible()
  await inspect(south.page, 'scanner-rehearsal', PHONE)
  await dismiss(south.page)
  await goTo(tablet, 'overview')
  await expect(tablet.getByText(say.band('Ines')), 'on every screen').toBeVisible()
  await goTo(tablet, 'ready')
  await inspect(tablet, 'dashboard-rehearsal', TABLET)
  const before = (await world.admin.GET('/v1/admin/stats')).data
  expect([before?.admissions, before?.rehearsal?.scans, before?.rehearsal?.devices]).toEqual([0, 2, 2])

  await tablet.getByRole('button', { name: say.end }).first().click()
  await expect(tablet.getByText(say.band('Ines'))).toBeHidden()
  await expect(tablet.getByText(readyWords.checks.rehearsal.ok())).toBeVisible({ timeout: 30_000 })

  // Doors: no ticket is used up.
  await expect(north.page.getByText(words.rehearsal)).toBeHidden({ timeout: 30_000 })
  await typeCode(north.page, 'DAY-1')
  await expectVerdict(north.page, 'admit', words.verdict.confirmed)
  expect((await world.admin.GET('/v1/admin/stats')).data?.admissions).toBe(1)
})

test('a phone leaves a rehearsal by itself, and counts again', async ({ world, phone }) => {
  const { page } = await phone()
  await pairScanner(page, await world.inviteLink())
  await world.admin.POST('/v1/admin/rehearsal', { body: { minutes: 30, anyway: true } })
  await page.getByRole('link', { name: words.rehearsal }).click({ timeout: 30_000 })
  await page.getByRole('button', { name: words.settings.leaveRehearsal }).click()
  await expect(page.getByText(words.rehearsal, { exact: true })).toBeHidden()
  await page.getByRole('link', { name: words.nav.scan }).click()
  await typeCode(page, 'DAY-2')
  await expectVerdict(page, 'admit')
  const { data } = await world.admin.GET('/v1/admin/stats')
  expect([data?.admissions, data?.rehearsal?.admitted_meanwhile]).toEqual([1, 1])
})
