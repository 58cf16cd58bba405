/** Sessions of the control room: the token, the name that actions are recorded with, a box that goes away, a second person. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { tlsFetch } from '../box/src/device/tls-fetch.ts'
import { busyDay } from './busy-day.ts'
import { ACTOR, actionWords, answer, words as controlWords, goTo, signIn } from './control-room.ts'
import { expect, TABLET, test } from './gate.ts'
import type { World } from './world.ts'

test('a token that ends takes the name and every open question along', async ({ world, watch, browse }) => {
  watch.expectOutage()
  watch.expect(/status of 401/)
  const page = await browse({ viewport: TABLET })
  await signIn(page, world)
  await goTo(page, 'gates')
  await page.getByRole('button', { name: `${controlWords.gates.hold}: Gate North` }).click()
  await page.getByLabel(controlWords.gates.reason).fill('Asked by Ines')

  await world.stop()
  const token = 'another-token-of-43-characters-AAAAAAAAAAAAA'
  const file = join(world.folder.dataDir, 'admin-token')
  rmSync(file)
  writeFileSync(file, `${token}\n`, { mode: 0o600 })
  await world.start()

  await expect(page.getByText(controlWords.session.tokenRefused)).toBeVisible({ timeout: 60_000 })
  await page.getByLabel(controlWords.session.label).fill(token)
  await page.getByRole('button', { name: controlWords.session.submit }).click()
  // The next person is asked for a name, and finds nothing that somebody else had begun.
  await expect(page.getByRole('button', { name: controlWords.session.actor.unknown })).toBeVisible()
  await expect(page.getByRole('region', { name: /Gate North/ })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('wrong tokens are on the overview, with their number, their address and how long ago', async ({
  world,
  browse,
}) => {
  const page = await browse({ viewport: TABLET })
  await signIn(page, world)
  const main = await goTo(page, 'overview')
  await expect(main.getByText(controlWords.overview.seal, { exact: true })).toBeVisible()
  const title = main.getByText(controlWords.overview.wrongTokens, { exact: true })
  await expect(title).toHaveCount(0)

  await using guesser = tlsFetch({ ca: world.folder.ca })
  const guess = () =>
    guesser(new Request(`${world.origin}/v1/admin/stats`, { headers: { authorization: 'Bearer a-guess' } }))
  for (let n = 0; n < 3; n++) expect((await guess()).status).toBe(401)
  await expect(title).toBeVisible()
  await expect(main.getByText(/^3, the last .+ ago from 127\.0\.0\.1$/)).toBeVisible()
  expect(await main.textContent()).not.toContain('a-guess')
})

test('figures that are old say so, and are live again when the box is back', async ({ world, watch, browse }) => {
  watch.expectOutage()
  const page = await browse({ viewport: TABLET })
  await signIn(page, world)
  const fresh = page.getByText(controlWords.shell.live, { exact: true }).first()
  await expect(fresh).toBeVisible()
  // From then on every screen opens without the box.
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await world.stop()
  await expect(page.getByRole('alert').filter({ hasText: controlWords.shell.staleText })).toBeVisible({
    timeout: 40_000,
  })
  await expect(page.getByText(/These figures are \d+ s old/)).toBeVisible()
  await goTo(page, 'gates')
  await page.getByRole('button', { name: `${controlWords.gates.hold}: Gate North` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(controlWords.gates.reason).fill('Crowded inside')
  await dialog.getByRole('button', { name: controlWords.gates.hold, exact: true }).click()
  await expect(dialog.getByRole('alert')).toHaveText(controlWords.session.unreachable)
  await world.start()
  await expect(fresh).toBeVisible({ timeout: 60_000 })
  // The typed text is still there.
  await dialog.getByRole('button', { name: controlWords.gates.hold, exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('region', { name: /Gate North/ })).toContainText(controlWords.gates.held)
})

test('a screen that could not be loaded comes when the box is back', async ({ world, watch, browse }) => {
  watch.expectOutage()
  watch.expect(/preload|dynamically imported/)
  const page = await browse({ viewport: TABLET, serviceWorkers: 'block' })
  await signIn(page, world)
  await world.stop()
  await goTo(page, 'scanners')
  await expect(page.getByText(controlWords.shell.failed)).toBeVisible()
  await world.start()
  await page.getByRole('button', { name: controlWords.shell.again }).click()
  const head = page.locator('.scanners-head')
  await expect(head).toBeVisible()
  await expect(head).toHaveCSS('display', 'flex')
})

test('of two people who act at once, the second one is told what the first has done', async ({
  world,
  watch,
  browse,
}) => {
  watch.expect(/status of 409/)
  await busyDay(world)
  const [ines, tom] = [await browse({ viewport: TABLET }), await browse({ viewport: TABLET })]
  await signIn(ines, world)
  await signIn(tom, world, 'Tom')
  const { incidents } = controlWords
  for (const page of [ines, tom]) {
    const card = (await goTo(page, 'incidents')).getByRole('article', { name: /Medical/ })
    await card.getByRole('button', { name: incidents.actions.assign }).click()
    await page.getByRole('dialog').getByLabel(incidents.fields.assignee).fill('Team 3')
  }
  await answer(ines, {}, incidents.actions.assign)
  await submit(tom, incidents.actions.assign)
  await expect(tom.getByRole('dialog').getByRole('alert')).toContainText(`${ACTOR} sent Team 3`)
  // The second press is made with knowledge of the first.
  await answer(tom, { [incidents.fields.assignee]: 'Team 4' }, incidents.actions.assign)
  await expect(ines.getByRole('article', { name: /Medical/ })).toContainText(incidents.goes('Team 4'))

  const { flags } = actionWords
  for (const page of [ines, tom]) {
    await (await goTo(page, 'flags')).getByRole('button', { name: flags.resolve, exact: true }).first().click()
    await page.getByRole('dialog').getByLabel(flags.outcomes.same_person).check()
  }
  await answer(ines, {}, flags.resolve)
  await expect(ines.getByText(flags.resolved(flags.outcomes.same_person))).toBeVisible()
  await submit(tom, flags.resolve)
  await expect(tom.getByRole('dialog').getByRole('alert')).not.toBeEmpty()
  expect(await actorsOf(world, 'flag_resolved')).toEqual([ACTOR])
  expect(await actorsOf(world, 'incident_action')).toEqual(['Tom', ACTOR, ACTOR])
})

async function submit(page: Page, name: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
}

/** Newest first. */
async function actorsOf(world: World, kind: 'flag_resolved' | 'incident_action'): Promise<unknown[]> {
  const { data } = await world.admin.GET('/v1/admin/log', { params: { query: { kind } } })
  return (data?.rows ?? []).map(({ actor }) => actor)
}
