/** Two gates with a box each: they hear each other, they do not, and they do again; and one of the two boxes dies. */
import type { Page } from '@playwright/test'
import { actionWords, goTo, words as roomWords, signIn } from './control-room.ts'
import { expectVerdict, pairScanner, verdictOf, words } from './crew.ts'
import { test as base, expect, openPhone, type Phone, TABLET } from './gate.ts'
import { type Side, TwoBoxes, whyNot } from './two-boxes.ts'

const skip = await whyNot()

interface Boxes {
  two: TwoBoxes
  /** A phone with a camera, paired at one of the boxes. */
  crewAt(side: Side, name: string, checkpoint: string): Promise<Phone>
  tabletAt(side: Side): Promise<Page>
}

const test = base.extend<Boxes>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from the pattern
  two: async ({}, use) => {
    await using two = await TwoBoxes.open()
    await use(two)
  },
  crewAt: async ({ two, watch }, use) => {
    await using phones = new AsyncDisposableStack()
    await use(async (side, name, checkpoint) => {
      const phone = phones.use(await openPhone(two, watch))
      await pairScanner(phone.page, await side.inviteLink(), { name, checkpoint })
      return phone
    })
  },
  tabletAt: async ({ two, watch, browser }, use) => {
    await use(async (side) => {
      const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: TABLET, locale: 'en-GB' })
      watch.over(context, two.origins)
      const page = await context.newPage()
      await signIn(page, side)
      return page
    })
  },
})

test.skip(skip !== false, String(skip))
test.slow()

async function show({ page, camera }: Phone, code: string, ...expected: Expected): Promise<void> {
  camera.show(code)
  const [of, ...texts] = expected
  await expectVerdict(page, of, ...texts)
  camera.show(null)
  if (of === 'admit') await expect(verdictOf(page)).toBeHidden()
  else await verdictOf(page).getByRole('button', { name: words.verdict.next }).click()
}
type Expected = Parameters<typeof expectVerdict> extends [Page, ...infer Rest] ? Rest : never

test('a ticket used at one gate is refused at the other; cut off both admit; mended, both control rooms have the case', async ({
  two,
  watch,
  crewAt,
  tabletAt,
}) => {
  watch.expectOutage()
  const { north, south } = two
  const [atNorth, atSouth] = [
    await crewAt(north, 'North 1', 'North entry'),
    await crewAt(south, 'South 1', 'South entry'),
  ]
  await show(atNorth, 'DAY-1', 'admit', words.verdict.confirmed)
  await show(atSouth, 'DAY-1', 'used', /Used at Gate North/)

  two.cut()
  // The first box decides about tickets, and is sure of its own; the other one has nobody to ask.
  await two.mode(south, 'DEGRADED')
  const cutOff = await tabletAt(south)
  await expect(cutOff.getByText(/Box 1 unheard for/).first()).toBeVisible()
  await expect(cutOff.getByText(roomWords.shell.mode.goesOn)).toBeVisible()
  await show(atNorth, 'DAY-2', 'admit')
  await show(atSouth, 'DAY-2', 'admit', /Provisional: Box 1 unheard for/)
  const boxes = await goTo(cutOff, 'boxes')
  await expect(boxes.getByRole('row', { name: /Box 1/ })).toContainText(/Not heard/)

  two.mend()
  await Promise.all([two.mode(north, 'STRICT'), two.mode(south, 'STRICT')])
  await expect(boxes.getByRole('row', { name: /Box 1/ })).not.toContainText(/Not heard/)
  for (const side of [north, south]) {
    const tablet = side === south ? cutOff : await tabletAt(side)
    const cases = await goTo(tablet, 'flags')
    await expect(cases).toContainText(actionWords.flags.kinds.double_use.name)
    for (const text of ['North 1', 'South 1', 'Box 1', 'Box 2']) await expect(cases).toContainText(text)
  }
})

test('a scanner whose box is killed goes on at the other, reloaded or not, and goes home again', async ({
  two,
  watch,
  crewAt,
}) => {
  watch.expectOutage()
  const { north, south } = two
  const phone = await crewAt(north, 'North 1', 'North entry')
  const { page } = phone
  await show(phone, 'DAY-1', 'admit', words.verdict.confirmed)
  await expect
    .poll(async () => (await south.box.client().GET('/v1/admin/stats')).data?.admissions, { timeout: 60_000 })
    .toBe(1)

  await north.box.kill()
  await show(phone, 'DAY-2', 'admit')
  await expect(page.getByText(words.link.away(south.name), { exact: true }).first()).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText(words.link.unsent(0))).toBeVisible({ timeout: 60_000 })
  await page.waitForTimeout(3500)
  await show(phone, 'DAY-2', 'used')
  await show(phone, 'DAY-3', 'admit', /Answered by Box 2/)

  // Put away and taken out again: the page comes from the phone, with the policy that lets it ask the other box.
  await page.reload()
  await expect(page.getByText(words.link.away(south.name), { exact: true }).first()).toBeVisible({ timeout: 60_000 })
  await page.waitForTimeout(3500)
  await show(phone, 'DAY-1', 'used', /Used at Gate North/)

  await north.box.start()
  await expect(page.getByText(words.link.reachable, { exact: true }).first()).toBeVisible({ timeout: 120_000 })
  await two.mode(north, 'STRICT')
  await show(phone, 'DAY-4', 'admit', words.verdict.confirmed)
})
