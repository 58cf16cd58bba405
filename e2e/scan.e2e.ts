/** At the gate, with the box in reach. */
import { dismiss, emptyLane, expectVerdict, pairScanner, typeCode, verdictOf, wedge, words } from './crew.ts'
import { expect, test } from './gate.ts'

test('pairs, looks at itself, admits, and knows a ticket that was used', async ({ world, phone }) => {
  const scanner = await phone()
  const { page, camera } = scanner
  await pairScanner(page, await world.inviteLink())
  camera.show('DAY-1')
  await expectVerdict(page, 'admit', 'Day ticket', 'Block 2, seat 1', words.verdict.confirmed)
  // Another code counts at once.
  camera.show('DAY-2')
  await expectVerdict(page, 'admit', 'Block 3, seat 2')
  // The first one again, once it was out of sight for a while, is another person with the same ticket.
  await emptyLane(scanner)
  camera.show('DAY-1')
  await expectVerdict(page, 'used', /Used at Gate North \d+ seconds ago/, 'North entry', words.verdict.confirmed)
})

test('a code that stays in view counts once, and a bad one does not block the next', async ({ world, phone }) => {
  const { page, camera } = await phone()
  await pairScanner(page, await world.inviteLink())
  camera.show('DAY-1')
  await expectVerdict(page, 'admit')
  await page.waitForTimeout(5000)
  await expect(verdictOf(page)).toBeHidden()
  camera.show('https://elsewhere.example/not-a-ticket')
  await expectVerdict(page, 'invalid')
  camera.show('DAY-2')
  await expectVerdict(page, 'admit')
  const scans = await world.admin.GET('/v1/admin/log', { params: { query: { kind: 'scan' } } })
  expect(scans.data?.rows).toHaveLength(3)
})

test('sends a ticket of another gate there', async ({ world, phone }) => {
  const { page, camera } = await phone()
  await pairScanner(page, await world.inviteLink())
  camera.show('CREW-1')
  await expectVerdict(page, 'elsewhere', 'Boat yard', 'Crew')
})

test('a hand scanner and a keyboard do what a camera does', async ({ world, phone }) => {
  const { page } = await phone()
  await pairScanner(page, await world.inviteLink())
  await wedge(page, 'DAY-1')
  await expectVerdict(page, 'admit', 'Block 2, seat 1')
  // Over the verdict that is still on the screen.
  await wedge(page, 'REVOKED-1')
  await expectVerdict(page, 'revoked')
  // Decided alike by the box and alone, where a busy machine answers late.
  await wedge(page, 'CREW-1')
  await expectVerdict(page, 'elsewhere')
  await dismiss(page)
  await typeCode(page, 'DAY-1')
  await expectVerdict(page, 'used')
})

test('a supervisor lets somebody in who was refused, and the record says who and why', async ({ world, phone }) => {
  const { page } = await phone()
  await pairScanner(page, await world.inviteLink({ supervisor: true }), { operator: 'Marta' })
  await typeCode(page, 'PENDING-1')
  await expectVerdict(page, 'supervisor')
  await verdictOf(page).getByRole('button', { name: words.verdict.admit }).click()
  const dialog = page.getByRole('dialog', { name: words.verdict.admitTitle })
  const [reason = ''] = words.verdict.admitReasons
  await dialog.getByRole('button', { name: reason }).click()
  await expectVerdict(page, 'admit')
  const { data } = await world.admin.GET('/v1/admin/log', { params: { query: { kind: 'supervisor_admit' } } })
  expect(data?.rows).toMatchObject([{ actor: 'Marta', entry: { reason } }])
})

test('an invite that was used says what to do', async ({ world, watch, phone }) => {
  watch.expect(/status of 410/)
  const invite = await world.inviteLink()
  const [first, second] = [await phone(), await phone()]
  await pairScanner(first.page, invite)
  await second.page.goto(invite)
  await second.page.getByRole('button', { name: words.pairing.pair }).click()
  await expect(second.page.getByText(/^This invite has been used: ask/)).toBeVisible()
})
