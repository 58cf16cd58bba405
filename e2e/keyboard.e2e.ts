/** The main action of each app, without a pointer. */
import { codeOf, openTicket, words as walletWords } from './attendee.ts'
import { words as controlWords } from './control-room.ts'
import { expectVerdict, verdictOf, words } from './crew.ts'
import { expect, TABLET, test } from './gate.ts'
import { pressByKeyboard } from './usable.ts'

test('a scanner is paired, checked and used by keyboard alone', async ({ world, phone }) => {
  const { page } = await phone()
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  await page.goto(await world.inviteLink())
  await pressByKeyboard(page, button(words.pairing.pair))
  await pressByKeyboard(page, button(/North entry/))
  await pressByKeyboard(page, button(words.preflight.playSound))
  await pressByKeyboard(page, button(words.preflight.heardIt))
  await pressByKeyboard(page, button(new RegExp(`^${words.preflight.start}`)))
  await pressByKeyboard(page, button(words.scan.type))
  await expect(page.getByLabel(words.scan.typeLabel)).toBeFocused()
  await page.keyboard.type('REVOKED-1')
  await page.keyboard.press('Enter')
  await expectVerdict(page, 'revoked')
  await pressByKeyboard(page, verdictOf(page).getByRole('button', { name: words.verdict.next }))
  await expect(verdictOf(page)).toBeHidden()
})

test('a ticket is claimed by keyboard alone', async ({ world, browse }) => {
  const page = await browse()
  await openTicket(page, await world.walletLink('DAY-1'))
  await pressByKeyboard(page, codeOf(page))
  await expect(page.getByRole('dialog', { name: walletWords.ticket.codeLarge })).toBeVisible()
  await page.keyboard.press('Escape')
  await pressByKeyboard(page, page.getByRole('button', { name: walletWords.claim.ask }))
  await pressByKeyboard(page, page.getByRole('button', { name: walletWords.claim.confirm }))
  await expect(page.getByText(walletWords.claim.mine)).toBeVisible()
})

test('a gate is held by keyboard alone', async ({ world, browse }) => {
  const page = await browse({ viewport: TABLET })
  await page.goto(`${world.origin}/dashboard/`)
  await expect(page.getByLabel(controlWords.session.label)).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByLabel(controlWords.session.label)).toBeFocused()
  await page.keyboard.type(world.adminToken)
  await page.keyboard.press('Enter')
  await pressByKeyboard(page, page.getByRole('link', { name: controlWords.screens.gates, exact: true }).first())
  await pressByKeyboard(page, page.getByRole('button', { name: `${controlWords.gates.hold}: Gate North` }))
  await expect(page.getByLabel(controlWords.session.actor.label)).toBeFocused()
  await page.keyboard.type('Ines')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel(controlWords.gates.reason)).toBeFocused()
  await page.keyboard.type('Crowded inside')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: /Gate North/ })).toContainText(controlWords.gates.held)
})
