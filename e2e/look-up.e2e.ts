/** Looking tickets up at the gate: on a supervisor's phone alone, by keyboard and screen reader too, and only while there is a box. */
import { lookUpWords as say } from '../scanner-pwa/src/words/en/look-up.ts'
import { pairScanner, wedge, words } from './crew.ts'
import { describedWorld } from './described.ts'
import { expect, PHONE, test } from './gate.ts'
import { inspect } from './inspect.ts'
import { pressByKeyboard } from './usable.ts'

test('a supervisor finds nobody with two letters, and a family with three; alone, the phone says that it has no names', async ({
  watch,
  phones,
}) => {
  watch.expectOutage()
  await using world = await describedWorld()
  await using crew = await phones.open(world, watch)
  const { page } = crew
  await pairScanner(page, await world.inviteLink({ supervisor: true }))
  await pressByKeyboard(page, page.getByRole('link', { name: words.scan.lookUpLong }))
  const field = page.getByLabel(say.field)
  await expect(field).toBeFocused()
  await page.keyboard.type('an')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: say.few })).toBeVisible()
  await field.fill('XK3FA')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: say.results(5) })).toBeFocused()
  await expect(page.getByRole('listitem').filter({ hasText: 'Ana FAM-3' })).toContainText(say.order('XK3FA'))
  await inspect(page, 'scanner-look-up', PHONE)
  await field.fill('nobody')
  await page.keyboard.press('Enter')
  await expect(page.getByText(say.nothing)).toBeVisible()
  await expect(page.getByRole('listitem')).toHaveCount(0)

  const { data } = await world.admin.GET('/v1/admin/log', { params: { query: { kind: 'look_up' } } })
  expect(data?.rows).toHaveLength(2)
  expect(JSON.stringify(data)).not.toMatch(/XK3FA|nobody/)

  // Leaving the screen clears the results.
  await field.fill('Ana FAM')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Ana FAM-1')).toBeVisible()
  await page.getByRole('link', { name: words.back }).click()
  await page.getByRole('link', { name: words.scan.lookUpLong }).click()
  await expect(page.getByText('Ana FAM-1')).toHaveCount(0)

  await world.stop()
  await field.fill('Ana FAM')
  await page.keyboard.press('Enter')
  await expect(page.getByText(say.offline)).toBeVisible()
  await expect(
    page.getByRole('alert').filter({ hasText: /only the box has the names|Look-up needs the box/ }),
  ).toBeVisible()
  await inspect(page, 'scanner-look-up-alone', PHONE)
})

test("a phone that is no supervisor's has no look-up, also not by its address", async ({ world, phone }) => {
  const { page } = await phone()
  await pairScanner(page, await world.inviteLink())
  await expect(page.getByRole('link', { name: words.scan.reportLong })).toBeVisible()
  await expect(page.getByRole('link', { name: words.scan.lookUpLong })).toHaveCount(0)
  await page.evaluate(() => {
    location.hash = '#/look-up'
  })
  await expect(page.getByRole('button', { name: words.scan.type })).toBeVisible()
  await expect(page.getByLabel(say.field)).toHaveCount(0)
})

test('a hand scanner reads tickets on while a supervisor looks at what was found', async ({ watch, phones }) => {
  watch.expectOutage()
  await using world = await describedWorld()
  await using crew = await phones.open(world, watch)
  const { page } = crew
  await pairScanner(page, await world.inviteLink({ supervisor: true }))
  await page.getByRole('link', { name: words.scan.lookUpLong }).click()
  await page.getByLabel(say.field).fill('Ana FAM')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: say.results(5) })).toBeFocused()
  await wedge(page, 'PLAIN-1')
  await expect(page.getByRole('region', { name: words.verdict.label })).toContainText('Ana PLAIN-1')
})
