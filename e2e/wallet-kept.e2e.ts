/** The wallet's storage on its phone: several tickets, the map, the keys, and what works without them. */
import { codeOf, openTicket, photograph, show, words } from './attendee.ts'
import { expectVerdict, pairScanner } from './crew.ts'
import { expect, test } from './gate.ts'

test('two tickets, each with its own code, also without network', async ({ world, watch, phone, browse }) => {
  watch.expectOutage()
  const attendee = await browse()
  await openTicket(attendee, await world.walletLink('DAY-1'))
  // Over the page that is open, as a link in a message opens it.
  const { hash } = new URL(await world.walletLink('LOUNGE-1'))
  await attendee.evaluate((hash) => {
    location.hash = hash
  }, hash)
  const tickets = attendee.getByRole('navigation', { name: words.yourTickets })
  await expect(attendee.getByRole('heading', { level: 1, name: 'Lounge' })).toBeVisible({ timeout: 10_000 })
  expect(new URL(attendee.url()).hash).toBe('#/ticket')
  await show(attendee, 'more')
  await expect(attendee.getByText(words.more.savedYes)).toBeVisible()
  await show(attendee, 'ticket')
  await attendee.context().setOffline(true)
  await attendee.reload()
  const { page, camera } = await phone()
  await pairScanner(page, await world.inviteLink())
  for (const [name, seat] of [
    ['Day ticket', 'Block 2, seat 1'],
    ['Lounge', 'Table 1, seat 1'],
  ] as const) {
    await tickets.getByRole('button', { name }).click()
    await expect(attendee.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(codeOf(attendee)).toBeVisible()
    camera.show(await photograph(attendee))
    await expectVerdict(page, 'admit', seat)
  }
})

test('the map and the ways are there without network, with their age', async ({ world, watch, browse }) => {
  watch.expectOutage()
  const attendee = await browse()
  await openTicket(attendee, await world.walletLink('LOUNGE-1'))
  await show(attendee, 'more')
  await expect(attendee.getByText(words.more.savedYes)).toBeVisible()
  await show(attendee, 'nearby')
  const amenities = attendee.getByRole('region', { name: words.nearby.list }).getByRole('listitem')
  await expect(amenities.first()).toContainText(/\d+ min/)
  const all = await amenities.count()
  await attendee.getByLabel(words.nearby.stepFree).check()
  await expect.poll(() => amenities.count()).toBeLessThan(all)
  await attendee.context().setOffline(true)
  await attendee.reload()
  await expect(attendee.getByText(words.offline, { exact: true })).toBeVisible()
  await expect(attendee.getByLabel(words.nearby.stepFree)).toBeChecked()
  await expect(amenities.first()).toContainText(words.nearby.stepFreeYes)
  await amenities.first().getByRole('button').click()
  await expect(attendee.locator('.map-frame [data-route]').first()).toBeAttached()
  // A question that was not asked before has no stored answer, and the screen says so.
  await attendee.getByRole('button', { name: words.nearby.list, exact: true }).click()
  await attendee.getByLabel(words.nearby.stepFree).uncheck()
  await expect(attendee.getByText(words.nearby.failed)).toBeVisible()
})

test('a browser that keeps no keys claims nothing, and says what to do', async ({ world, browse }) => {
  const attendee = await browse()
  // As private windows of some browsers have it.
  await attendee.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    }
  })
  await openTicket(attendee, await world.walletLink('DAY-1'))
  await attendee.getByRole('button', { name: words.claim.ask }).click()
  await expect(attendee.getByRole('dialog')).toContainText(/private window/)
  await attendee.getByRole('button', { name: words.claim.confirm }).click()
  await expect(attendee.getByText(words.claim.unkept)).toBeVisible()
  await expect(codeOf(attendee)).toBeVisible()
})
