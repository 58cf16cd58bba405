/** Mishaps in a person's hands: a second tab, the back button, a scan too many, a script that never came. */
import { openTicket, show, words as walletWords } from './attendee.ts'
import { choosePlace, expectVerdict, openInvite, pairScanner, typeCode, verdictOf, wedge, words } from './crew.ts'
import { expect, test } from './gate.ts'

test('a code that is read while a question is open answers nothing', async ({ world, phone }) => {
  const { page } = await phone()
  await pairScanner(page, await world.inviteLink({ supervisor: true }), { operator: 'Marta' })
  await wedge(page, 'PENDING-1')
  await expectVerdict(page, 'supervisor')
  await verdictOf(page).getByRole('button', { name: words.verdict.admit }).click()
  const dialog = page.getByRole('dialog', { name: words.verdict.admitTitle })
  await wedge(page, 'DAY-1')
  await page.waitForTimeout(1000)
  await expect(dialog).toBeVisible()
  await expectVerdict(page, 'supervisor')
  const { data } = await world.admin.GET('/v1/admin/log', { params: { query: { kind: 'supervisor_admit' } } })
  expect(data?.rows).toEqual([])
  // Closed, the gate goes on; also while somebody looks something up.
  await page.keyboard.press('Escape')
  await verdictOf(page).getByRole('button', { name: words.verdict.next }).click()
  await page.getByRole('link', { name: words.nav.shift }).click()
  await wedge(page, 'DAY-2')
  await expectVerdict(page, 'admit')
})

test('a second tab says so, and keeps the invite that it was opened with', async ({ world, watch, phone }) => {
  watch.expect(/ScannerError/)
  const { page } = await phone()
  await page.goto(`${world.origin}/scanner/`)
  await expect(page.getByRole('heading', { name: words.pairing.title })).toBeVisible()
  const second = await page.context().newPage()
  await second.goto(await world.inviteLink())
  await expect(second.getByRole('alert')).toContainText(/another tab/)
  await page.close()
  await second.getByRole('button', { name: words.again }).click()
  await second.getByRole('button', { name: words.pairing.pair }).click()
  await expect(second.getByRole('heading', { name: words.checkpoint.title })).toBeVisible()
})

test('the back button leaves no verdict unread', async ({ world, phone }) => {
  const { page } = await phone()
  await pairScanner(page, await world.inviteLink())
  await typeCode(page, 'REVOKED-1')
  await expectVerdict(page, 'revoked')
  await page.goBack()
  await expectVerdict(page, 'revoked')
  await verdictOf(page).getByRole('button', { name: words.verdict.next }).click()
  await page.getByRole('button', { name: new RegExp(`^${words.preflight.start}`) }).click()
  await typeCode(page, 'DAY-1')
  await expectVerdict(page, 'admit')
})

test('the box goes before the QR reader has come: says so, takes typed codes, and reads when it is back', async ({
  world,
  watch,
  phone,
}) => {
  watch.expectOutage()
  const { page, camera } = await phone({ serviceWorkers: 'block' })
  await openInvite(page, await world.inviteLink())
  await choosePlace(page)
  const reader = /\.wasm$/
  await page.context().route(reader, (route) => route.abort('connectionrefused'))
  await page.getByRole('button', { name: new RegExp(`^${words.preflight.start}`) }).click()
  await expect(page.getByText(words.camera.reader.absent)).toBeVisible()
  await typeCode(page, 'DAY-2')
  await expectVerdict(page, 'admit')
  await page.context().unroute(reader)
  camera.show('DAY-1')
  await expectVerdict(page, 'admit', 'Block 2, seat 1')
  await expect(page.getByText(words.camera.reader.absent)).toBeHidden()
})

test('a screen whose script did not arrive is asked for again', async ({ world, watch, phone, browse }) => {
  watch.expectOutage()
  const { page } = await phone({ serviceWorkers: 'block' })
  await page.goto(await world.inviteLink())
  await expect(page.getByLabel(words.pairing.name)).toBeVisible()
  const script = /assets\/(checkpoint|nearby)-.*\.js/
  await page.context().route(script, (route) => route.abort('connectionrefused'))
  await page.getByRole('button', { name: words.pairing.pair }).click()
  await expect(page.getByText(words.doesNotOpen)).toBeVisible()
  await page.context().unroute(script)
  await page.getByRole('button', { name: words.again }).click()
  await expect(page.getByRole('heading', { name: words.checkpoint.title })).toBeVisible()

  // On plain HTTP nothing is kept for later: each screen of the wallet needs the network once.
  const attendee = await browse()
  const { hash } = new URL(await world.walletLink('DAY-1'))
  await openTicket(attendee, `${world.plainOrigin}/wallet/${hash}`)
  await attendee.context().route(script, (route) => route.abort('connectionrefused'))
  await attendee.getByRole('link', { name: walletWords.screens.nearby }).click()
  await expect(attendee.getByText(walletWords.trouble.unloaded.title)).toBeVisible()
  await attendee.context().unroute(script)
  await expect(attendee.getByRole('heading', { name: walletWords.nearby.heading })).toBeVisible()
  await show(attendee, 'ticket')
})
