/** A crew's texts besides verdicts: notices on one line, scans that are over, and what becomes of a report of one's own. */
import { turnstile } from './busy-day.ts'
import { words as controlWords, goTo, signIn } from './control-room.ts'
import { expectVerdict, pairScanner, typeCode, verdictOf, words } from './crew.ts'
import { expect, TABLET, test } from './gate.ts'

test('many notices at once are one line with a count, and the camera keeps the small screen', async ({
  world,
  phone,
}) => {
  const { page } = await phone({ viewport: { width: 320, height: 568 } })
  await pairScanner(page, await world.inviteLink())
  const { admin } = world
  await admin.POST('/v1/admin/gates/{id}/hold', {
    params: { path: { id: 'north' } },
    body: {
      actor: 'Ines',
      reason: 'The stairs behind the second barrier are being cleared, and nobody knows for how long',
    },
  })
  for (const severity of ['info', 'warning', 'emergency'] as const) {
    const text = 'The headliner starts twenty minutes late, and the bar at the river closes before that.'
    await admin.POST('/v1/admin/announce', { body: { text, severity, actor: 'Ines' } })
  }
  await using south = await turnstile(world, 'South 1', 'south-in')
  for (const kind of ['crush', 'fire', 'medical'] as const) {
    const body = {
      incident_id: crypto.randomUUID(),
      kind,
      checkpoint: 'south-in',
      observed_at: new Date().toISOString(),
    }
    await south.client.POST('/v1/incidents', { body })
  }
  const notices = page.getByRole('region', { name: words.scan.notices })
  const line = notices.getByRole('button')
  await expect(line).toContainText(words.notice.hold('Gate North'))
  await expect(line).toContainText(words.notice.more(6))
  const [bar, picture] = await Promise.all([notices.boundingBox(), page.locator('.viewfinder').boundingBox()])
  expect((bar?.height ?? 1) / (picture?.height ?? 1)).toBeLessThanOrEqual(0.15)
  await line.click()
  const list = page.getByRole('dialog', { name: words.scan.notices })
  await expect(list.getByRole('listitem')).toHaveCount(7)
  for (let n = 0; n < 6; n++) {
    await list
      .getByRole('button', { name: /^Dismiss/ })
      .first()
      .click()
  }
  // The hold stays until it is over.
  await expect(list.getByRole('listitem')).toHaveCount(1)
})

test('a scan that is over opens as a card with its time and age, and never as the verdict of whoever stands there', async ({
  world,
  phone,
}) => {
  const { page } = await phone()
  await pairScanner(page, await world.inviteLink({ supervisor: true }), { operator: 'Marta' })
  await typeCode(page, 'PENDING-1')
  await expectVerdict(page, 'supervisor')
  await verdictOf(page).getByRole('button', { name: words.verdict.next }).click()
  await page.getByRole('link', { name: words.nav.recent }).click()
  const row = page.getByRole('button', { name: new RegExp(`^${words.verdict.yours}`) })
  await expect(row).toContainText(/ago/)
  await row.click()
  const card = page.getByRole('dialog', { name: words.recent.past })
  await expect(card).toContainText(words.verdict.yours)
  await expect(verdictOf(page)).toBeHidden()
  const box = await card.boundingBox()
  expect((box?.height ?? 0) / 844).toBeLessThan(0.7)
  const age = await card.getByText(/\d+ s ago/).textContent()
  await expect(card).not.toContainText(age ?? '')
  // Decided from the card, it is said on the card.
  await card.getByRole('button', { name: words.verdict.admit }).click()
  await page.getByRole('button', { name: words.verdict.admitReasons[0] ?? '' }).click()
  await expect(card).toContainText(words.verdict.class.admit)
  await expect(verdictOf(page)).toBeHidden()
})

test("a report gets a note and is withdrawn, and the control room's card says both", async ({
  world,
  phone,
  browse,
}) => {
  const { page } = await phone()
  await pairScanner(page, await world.inviteLink())
  const tablet = await browse({ viewport: TABLET })
  await signIn(tablet, world)
  const board = await goTo(tablet, 'incidents')
  await page.getByRole('link', { name: words.scan.reportLong }).click()
  await page.getByRole('button', { name: words.incidents.kinds.medical }).click()
  const own = page.getByRole('region', { name: words.incidents.own })
  await own.getByRole('button', { name: words.incidents.addNote }).click()
  await page.getByLabel(words.incidents.noteLater).fill('She is awake.')
  await page.getByRole('button', { name: words.incidents.sendNote }).click()
  await expect(own).toContainText('She is awake.')
  const card = board.getByRole('article', { name: new RegExp(controlWords.incidentKinds.medical) })
  await expect(card).toContainText('She is awake.')

  await own.getByRole('button', { name: words.incidents.withdraw }).click()
  await page.getByRole('dialog').getByRole('button', { name: words.incidents.withdraw }).click()
  await expect(own).toContainText('Withdrawn at the gate')
  await expect(own.getByRole('button', { name: words.incidents.addNote })).toBeHidden()
  await expect(card).toBeHidden()
  await expect(board.getByRole('row', { name: /Withdrawn at the gate/ })).toBeVisible()
})
