/** Actions of the staff at the control room: by role, with the PIN again, by tokens, and with the glass broken. */
import type { Page } from '@playwright/test'
import { signInWords } from '../dashboard/src/words/en/sign-in.ts'
import { staffWords as say } from '../dashboard/src/words/en/staff.ts'
import { actionWords, addPerson, words as controlWords, enter, goTo, offered, PIN } from './control-room.ts'
import { expect, TABLET, test } from './gate.ts'
import type { World } from './world.ts'

const { person } = controlWords.session
const BOSS = 'Ada Admin'

function ask({ origin }: World, page: Page, path: string, token: string) {
  return page.request.get(`${origin}${path}`, { headers: { authorization: `Bearer ${token}` } })
}

test('what a role may not do is not offered, and no screen asks the box for it', async ({ world, browse }) => {
  await world.pairMachine()
  for (const role of ['viewer', 'desk', 'operator'] as const) await addPerson(world, `A ${role}`, role)
  await addPerson(world, BOSS, 'admin')
  for (const role of ['viewer', 'desk', 'operator'] as const) {
    const page = await browse({ viewport: TABLET })
    const refused: string[] = []
    page.on('response', (answer) => {
      if (answer.status() === 403) refused.push(answer.url())
    })
    await enter(page, world, `A ${role}`)
    await walk(page)
    const acts = role === 'operator' ? 1 : 0
    await goTo(page, 'gates')
    const gate = page.getByRole('region', { name: /Gate North/ })
    await expect(gate).toBeVisible()
    await expect(gate.getByRole('button', { name: controlWords.gates.hold })).toHaveCount(acts)
    await goTo(page, 'scanners')
    await expect(page.getByRole('table', { name: controlWords.scanners.caption })).toContainText('turnstile')
    await expect(page.getByRole('button', { name: controlWords.scanners.revokeNamed('turnstile') })).toHaveCount(acts)
    // Where no scanner is in service the form is open by itself: here it takes a press.
    await expect(page.getByRole('button', { name: actionWords.devices.invite })).toHaveCount(acts)
    await goTo(page, 'boxes')
    await expect(page.getByRole('button', { name: actionWords.boxes.invite.button })).toHaveCount(0)
    const mode = page.getByRole('button', { name: controlWords.shell.mode.change('STRICT') })
    if (role === 'operator') await expect(mode).toBeEnabled()
    else await expect(mode).toBeDisabled()
    expect(refused).toEqual([])
  }
  const boss = await browse({ viewport: TABLET })
  await enter(boss, world, BOSS)
  await walk(boss)
})

/** Opens every screen that is offered. Each has its heading, and lets the person sign out. */
async function walk(page: Page): Promise<void> {
  for (const path of await offered(page)) {
    const main = await goTo(page, path)
    // A page that is printed has a heading of its own below that of the screen.
    await expect(main.getByRole('heading', { level: 1 }).first()).toBeVisible()
    const signOut = page.getByRole('banner').getByRole('button', { name: controlWords.session.signOut })
    await expect(signOut, `on the screen ${path}`).toBeVisible()
  }
}

test('what cannot be undone asks for the PIN again, and goes on with it', async ({ world, watch, browse }) => {
  watch.expect(/status of 403/)
  watch.expectOutage()
  await addPerson(world, BOSS, 'admin')
  await addPerson(world, 'Vera Viewer', 'viewer')
  const page = await browse({ viewport: TABLET })
  await enter(page, world, BOSS)
  // From then on every screen opens without the box.
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  // A box that was started again remembers who is signed in, and no PIN.
  await world.stop()
  await world.start()
  await goTo(page, 'staff')
  const vera = page.getByRole('rowheader', { name: 'Vera Viewer' })
  await page.getByRole('button', { name: say.removeNamed('Vera Viewer') }).click({ timeout: 60_000 })
  const removing = page.getByRole('dialog', { name: say.removeNamed('Vera Viewer') })
  await removing.getByRole('button', { name: say.remove }).click()
  const question = page.getByRole('dialog', { name: signInWords.confirmTitle })
  await question.getByLabel(person.secret).fill('999998')
  await question.getByRole('button', { name: signInWords.confirm }).click()
  await expect(question.getByRole('alert')).not.toBeEmpty()
  await expect(vera).toHaveCount(1)
  await question.getByLabel(person.secret).fill(PIN)
  await question.getByRole('button', { name: signInWords.confirm }).click()
  await expect(vera).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('the token of a program is shown once, works, says when it was used, and is revoked', async ({
  world,
  browse,
}) => {
  await addPerson(world, BOSS, 'admin')
  const page = await browse({ viewport: TABLET })
  await enter(page, world, BOSS)
  await goTo(page, 'staff')
  await page.getByRole('button', { name: say.makeToken }).click()
  const dialog = page.getByRole('dialog', { name: say.makeToken })
  await dialog.getByLabel(say.name, { exact: true }).fill('Wall display')
  await dialog.getByLabel(say.operations).fill('stats, holds')
  await dialog.getByRole('button', { name: say.makeToken }).click()
  const shown = page.getByText(/^ga_[A-Za-z0-9_-]{43}$/)
  const token = await shown.innerText()
  expect((await ask(world, page, '/v1/admin/holds', token)).status()).toBe(200)
  expect((await ask(world, page, '/v1/admin/log', token)).status(), 'not among its operations').toBe(403)

  await page.reload()
  const row = page.getByRole('row', { name: /Wall display/ })
  await expect(row).toContainText('127.0.0.1')
  await expect(row).toContainText('holds, stats')
  await expect(shown).toHaveCount(0)
  await page.getByRole('button', { name: say.revokeNamed('Wall display') }).click()
  await page.getByRole('dialog').getByRole('button', { name: say.revoke }).click()
  await expect(row).toContainText(say.revokedAt)
  expect((await ask(world, page, '/v1/admin/holds', token)).status()).toBe(401)
})

test('the glass broken: every screen says it, with the address, the log has it, and it stays until an admin has seen it', async ({
  world,
  browse,
}) => {
  // Before the first person the token is the usual way.
  await addPerson(world, 'Otto Operator', 'operator')
  const otto = await browse({ viewport: TABLET })
  await enter(otto, world, 'Otto Operator')
  const alarm = otto.getByRole('status').filter({ hasText: controlWords.shell.glassTitle })
  await expect(alarm).toHaveCount(0)

  expect((await ask(world, otto, '/v1/admin/holds', world.adminToken)).status()).toBe(200)
  await expect(alarm).toContainText('127.0.0.1')
  await goTo(otto, 'gates')
  await expect(alarm).toBeVisible()
  await alarm.getByRole('link', { name: controlWords.shell.glassLog }).click()
  await expect(otto.getByRole('main')).toContainText('admin token')

  const seen = controlWords.shell.glassSeen
  await expect(alarm.getByRole('button', { name: seen })).toHaveCount(0)
  await addPerson(world, BOSS, 'admin')
  const boss = await browse({ viewport: TABLET })
  await enter(boss, world, BOSS)
  const alarmOfBoss = boss.getByRole('status').filter({ hasText: controlWords.shell.glassTitle })
  await alarmOfBoss.getByRole('button', { name: seen }).click()
  await expect(alarmOfBoss).toHaveCount(0)
  await expect(alarm).toHaveCount(0)
})

test('a screen that nobody touches locks after ten minutes, and a viewer’s does not', async ({ world, browse }) => {
  await addPerson(world, BOSS, 'admin')
  await addPerson(world, 'Vera Viewer', 'viewer')
  const open = async (name: string) => {
    const page = await browse({ viewport: TABLET })
    await page.clock.install()
    await enter(page, world, name)
    await page.clock.fastForward('09:00')
    await page.keyboard.press('Shift')
    await page.clock.fastForward('09:00')
    await page.clock.runFor(20_000)
    await expect(page.getByRole('button', { name: controlWords.session.actor.change(name) })).toBeVisible()
    await page.clock.fastForward('02:00')
    await page.clock.runFor(20_000)
    return page
  }
  const boss = await open(BOSS)
  await expect(boss.getByText(person.locked)).toBeVisible()
  await expect(boss.getByRole('navigation')).toHaveCount(0)
  const sessions = async () => (await world.admin.GET('/v1/admin/staff')).data?.sessions
  await expect.poll(sessions, { message: 'at the box too' }).toEqual([])
  const vera = await open('Vera Viewer')
  await expect(vera.getByRole('button', { name: controlWords.session.actor.change('Vera Viewer') })).toBeVisible()
})
