/** The dashboard, as somebody in the control room uses it. */
import type { StaffRole } from '@gatehouse/proto/operations.ts'
import { expect, type Locator, type Page } from '@playwright/test'
import { actionWords } from '../dashboard/src/words/en/actions.ts'
import { liveWords } from '../dashboard/src/words/en/live.ts'
import { words as shellWords } from '../dashboard/src/words/en/words.ts'
import type { World } from './world.ts'

export { actionWords }
export const words = { ...shellWords, ...liveWords }

export const PIN = '274951'
/** Name that every action is recorded with. */
export const ACTOR = 'Ines'

/** Signs in, and gives the name of the person. */
export async function signIn(page: Page, box: { origin: string; adminToken: string }, actor = ACTOR): Promise<void> {
  await page.goto(`${box.origin}/dashboard/`)
  await page.getByLabel(words.session.label).fill(box.adminToken)
  await page.getByRole('button', { name: words.session.submit }).click()
  await page.getByRole('button', { name: words.session.actor.unknown }).click()
  const dialog = page.getByRole('dialog', { name: words.session.actor.title })
  await dialog.getByLabel(words.session.actor.label).fill(actor)
  await dialog.getByRole('button', { name: words.session.actor.submit }).click()
  await expect(page.getByRole('button', { name: words.session.actor.change(actor) })).toBeVisible()
}

/** Adds somebody who may sign in with `PIN`. */
export async function addPerson({ admin }: World, name: string, role: StaffRole): Promise<void> {
  const { error } = await admin.POST('/v1/admin/staff', { body: { name, role, secret: PIN } })
  expect(error).toBeUndefined()
}

/** Opens the dashboard, and signs in with name and PIN. */
export async function enter(page: Page, { origin }: World, name: string): Promise<void> {
  await page.goto(`${origin}/dashboard/`)
  await page.getByRole('button', { name: words.session.person.withName }).click()
  await page.getByLabel(words.session.person.name, { exact: true }).fill(name)
  await page.getByLabel(words.session.person.secret).fill(PIN)
  await page.getByRole('button', { name: words.session.person.submit }).click()
  await expect(page.getByRole('button', { name: words.session.actor.change(name) })).toBeVisible()
}

/** Shows a screen, drawn or with the words that it could not be loaded. @param path as in the address, without `#/` */
export async function goTo(page: Page, path: string): Promise<Locator> {
  // Not goto(): only the fragment changes, and nothing is loaded anew.
  await page.evaluate(async (hash) => {
    if (location.hash === hash) return
    const changed = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }))
    location.hash = hash
    await changed
    // The screen before is gone with the next frame.
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }, `#/${path}`)
  const main = page.getByRole('main')
  await expect(main.locator('h1, .shell-failed').first()).toBeVisible()
  return main
}

/** Signs in, and opens a screen. @param path as in the address, without `#/` */
export async function openScreen(
  page: Page,
  box: { origin: string; adminToken: string },
  path: string,
): Promise<Locator> {
  await signIn(page, box)
  return goTo(page, path)
}

/** Fills the one dialog that is open, and sends it. */
export async function answer(page: Page, fields: Readonly<Record<string, string>>, submit: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).fill(value)
  await dialog.getByRole('button', { name: submit, exact: true }).click()
  await expect(dialog).toBeHidden()
}

/** Paths of the screens that the navigation and its tabs offer. */
export async function offered(page: Page): Promise<string[]> {
  const paths = (links: Locator) =>
    links.evaluateAll((all) => all.map((one) => (one.getAttribute('href') ?? '').replace('#/', '')))
  const entries = page.getByRole('navigation', { name: words.shell.navigation }).getByRole('link')
  const found: string[] = []
  for (const path of await paths(entries)) {
    await goTo(page, path)
    const tabs = await paths(page.locator('.shell-tabs').getByRole('link'))
    found.push(...(tabs.length > 0 ? tabs : [path]))
  }
  return found
}
