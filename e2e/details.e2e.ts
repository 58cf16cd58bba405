/** Tickets that their shop describes, at the gate: attention and questions that no scan takes away, and a family with one press. */
import { askWords as say } from '../scanner-pwa/src/words/en/ask.ts'
import { turnstile } from './busy-day.ts'
import { dismiss, expectVerdict, pairScanner, typeCode, verdictOf, words } from './crew.ts'
import { ATTENTION, describedWorld, FAMILY, NOTE } from './described.ts'
import { expect, PHONE, test } from './gate.ts'
import { inspect } from './inspect.ts'

test('a family of five enters with one press at a second gate, and one of them is taken back', async ({
  watch,
  phones,
}) => {
  watch.expectOutage()
  await using world = await describedWorld()
  await using north = await turnstile(world, 'North 1', 'north-in')
  await using crew = await phones.open(world, watch)
  const { page } = crew
  await pairScanner(page, await world.inviteLink(), { checkpoint: 'South entry' })
  const [first = '', second = ''] = FAMILY
  await typeCode(page, first)
  await expectVerdict(page, 'admit', `Ana ${first}`, say.order({ inside: 1, of: 5 }))
  // On the verdict while it is there, and on the screen below it afterwards.
  await expect(verdictOf(page)).toBeHidden()
  await page.getByRole('button', { name: say.group.admit(4) }).click()
  const dialog = page.getByRole('dialog', { name: say.group.title })
  await expect(dialog).toContainText(say.group.admitted(4, 4))
  await expect(dialog.getByRole('listitem')).toHaveCount(4)
  await inspect(page, 'scanner-group', PHONE)
  await dialog.getByRole('button', { name: say.group.takeBack(2) }).click()
  const [reason = ''] = words.verdict.undoReasons
  await page.getByRole('dialog', { name: words.verdict.undoTitle }).getByRole('button', { name: reason }).click()
  await expect(dialog.getByRole('listitem').nth(1)).toContainText(words.verdict.undone)
  await dialog.getByRole('button', { name: say.group.done }).click()
  await expect(page.getByRole('button', { name: say.group.admit(4) })).toBeHidden()

  const { data } = await world.admin.GET('/v1/admin/log', { params: { query: { kind: 'scan' } } })
  expect(data?.rows.filter(({ entry }) => 'with' in entry)).toHaveLength(4)
  await north.scan(second)
  await typeCode(page, first)
  await expectVerdict(page, 'used', say.order({ inside: 4, of: 5 }))
})

test('a question waits until it is answered, and what has to be seen stays, while the lane goes on', async ({
  watch,
  phones,
}) => {
  watch.expectOutage()
  await using world = await describedWorld()
  await using crew = await phones.open(world, watch)
  const { page, camera } = crew
  await pairScanner(page, await world.inviteLink())
  await typeCode(page, 'ASK-1')
  const asking = verdictOf(page).filter({ hasText: say.askFirst })
  await expect(asking).toContainText('T-shirt size?')
  await expect(asking).toContainText('Ana ASK-1')
  await inspect(page, 'scanner-ask-first', PHONE)
  camera.show('CHILD-1')
  await expectVerdict(page, 'admit', ATTENTION, NOTE, 'Camper van pitch')
  camera.show('PLAIN-1')
  await expectVerdict(page, 'admit', 'Ana PLAIN-1')
  await expect(verdictOf(page)).toBeHidden()
  camera.show(null)

  const tray = page.getByRole('region', { name: say.tray.title(2) })
  await expect(tray).toContainText(ATTENTION)
  await inspect(page, 'scanner-tray', PHONE)
  await tray.getByRole('button', { name: /^Seen/ }).click()
  await page.getByRole('button', { name: /^Answer/ }).click()
  const form = page.getByRole('dialog', { name: say.form.title })
  await form.getByLabel(say.form.yes).check()
  await form.getByLabel('What do you not eat?').fill('Nuts')
  await form.getByRole('button', { name: say.form.submitWaits }).click()
  await expect(form).toContainText(say.form.problems.missing)
  await inspect(page, 'scanner-questions', PHONE)
  // The camera rests behind the form.
  camera.show('PLAIN-2')
  await page.waitForTimeout(1500)
  await expect(verdictOf(page)).toBeHidden()
  await form.getByRole('button', { name: say.form.later }).click()
  await expectVerdict(page, 'admit', 'Ana PLAIN-2')
  await expect(verdictOf(page)).toBeHidden()
  await page.getByRole('button', { name: /^Answer/ }).click()
  await expect(form.getByLabel('What do you not eat?')).toHaveValue('Nuts')
  await form.getByLabel('Medium').check()
  await form.getByRole('button', { name: say.form.submitWaits }).click()
  await expectVerdict(page, 'admit', 'Ana ASK-1')
  await expect(form).toBeHidden()
  await expect(page.getByRole('button', { name: /^Answer/ })).toHaveCount(0)
})

test('a hand-over takes every open question and name along', async ({ watch, phones }) => {
  watch.expectOutage()
  await using world = await describedWorld()
  await using crew = await phones.open(world, watch)
  const { page } = crew
  await pairScanner(page, await world.inviteLink())
  await typeCode(page, 'ASK-1')
  await expect(verdictOf(page)).toContainText('Ana ASK-1')
  await dismiss(page)
  await expect(page.getByRole('region', { name: say.tray.title(1) })).toContainText('Ana ASK-1')
  await page.getByRole('link', { name: words.nav.shift }).click()
  await page.getByRole('button', { name: words.shift.handOver }).click()
  await page.getByRole('dialog').getByRole('button', { name: words.shift.handOverConfirm }).click()
  await page.getByRole('button', { name: words.shift.done }).click()
  await page.getByRole('link', { name: words.nav.scan }).click()
  await expect(page.getByRole('button', { name: words.scan.type })).toBeVisible()
  await expect(page.getByText('Ana ASK-1')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Answer/ })).toHaveCount(0)
})
