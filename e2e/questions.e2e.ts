/** Everything that the control room can do, by its dialogs: each is inspected, and each is recorded with whoever did it. */
import type { Locator, Page } from '@playwright/test'
import { claim, openTicket } from './attendee.ts'
import { busyDay } from './busy-day.ts'
import { ACTOR, actionWords, answer, words as controlWords, goTo, signIn } from './control-room.ts'
import { expect, TABLET, test } from './gate.ts'
import { inspect } from './inspect.ts'
import { pressByKeyboard } from './usable.ts'
import type { World } from './world.ts'

const { gates, incidents, mode, scanners, session, widgets } = controlWords
const { announce, devices, flags, import: importing, record, tickets } = actionWords

test('dashboard: every question about gates, scanners, incidents and cases', async ({ world, browse }) => {
  await busyDay(world)
  const page = await browse({ viewport: TABLET })
  await signIn(page, world)

  await ask(page, page.getByRole('button', { name: session.actor.change(ACTOR) }), 'actor')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await ask(page, page.getByRole('button', { name: /^Mode STRICT/ }), 'mode')
  await answer(page, { [widgets.reason]: 'The mast is down' }, mode.submit('DEGRADED'))
  await expect(page.getByRole('button', { name: /^Mode DEGRADED/ })).toBeVisible()

  await goTo(page, 'gates')
  await ask(page, page.getByRole('button', { name: `${gates.hold}: Gate North` }), 'hold')
  await answer(page, { [gates.reason]: 'Crowded inside' }, gates.hold)
  await ask(page, page.getByRole('button', { name: `${gates.change}: Gate North` }), 'hold-change')
  await answer(page, { [gates.reason]: 'Crowded outside' }, gates.change)
  await ask(page, page.getByRole('button', { name: `${gates.release}: Gate North` }), 'release')
  await answer(page, {}, gates.release)

  const medical = (await goTo(page, 'incidents')).getByRole('article', { name: /Medical/ })
  await pressByKeyboard(page, medical.getByRole('button', { name: incidents.actions.acknowledge }))
  await expect(medical).toContainText(incidents.stepBy({ action: 'acknowledge', actor: ACTOR }))
  await expect(medical.getByRole('button').first()).toBeFocused()
  await ask(page, medical.getByRole('button', { name: incidents.actions.assign }), 'assign')
  await answer(page, { [incidents.fields.assignee]: 'Team 1' }, incidents.actions.assign)
  await ask(page, medical.getByRole('button', { name: incidents.actions.resolve }), 'resolve')
  await answer(page, { [incidents.fields.done]: 'Taken to the tent' }, incidents.actions.resolve)
  const staff = page.getByRole('article', { name: /Staff needed/ })
  await ask(page, staff.getByRole('button', { name: incidents.actions.cancel }), 'cancel')
  await answer(page, { [incidents.fields.reason]: 'Pressed by mistake' }, incidents.actions.cancel)
  await expect(page.getByRole('article')).toHaveCount(0)

  await goTo(page, 'scanners')
  await ask(page, page.getByRole('button', { name: scanners.revokeNamed('Terrace') }), 'scanner-revoke')
  await answer(page, { [widgets.reason]: 'Lost' }, scanners.revokeSubmit)
  await expect(page.getByRole('row', { name: /Terrace/ })).toHaveCount(0)
  await page.getByRole('radio', { name: `${scanners.states.revoked} (1)` }).check()
  const gone = page.getByRole('row', { name: /Terrace/ })
  await expect(gone).toContainText(scanners.states.revoked)
  await expect(gone).toContainText('Lost')

  await goTo(page, 'flags')
  await ask(page, page.getByRole('button', { name: flags.resolve, exact: true }).first(), 'flag')
  await page.getByRole('dialog').getByLabel(flags.outcomes.two_people).check()
  await answer(page, { [flags.note]: 'Brothers' }, flags.resolve)

  expect(await recorded(world)).toEqual({
    announcement: 2,
    mode: 1,
    hold: 3,
    hold_released: 1,
    device_revoked: 1,
    incident_action: 5,
    flag_resolved: 1,
  })
})

test('dashboard: every question about invites, tickets and announcements', async ({ world, browse }) => {
  await busyDay(world)
  const attendee = await browse()
  await openTicket(attendee, await world.walletLink('DAY-5'))
  await claim(attendee)
  const page = await browse({ viewport: TABLET })
  await signIn(page, world)

  await goTo(page, 'scanners')
  await page.getByRole('button', { name: devices.invite }).click()
  await page.getByLabel(devices.everything).check()
  await page.getByLabel(devices.name).fill('Gate 9')
  await ask(page, page.getByRole('button', { name: devices.make }), 'invite')
  const shown = page.getByRole('dialog')
  await expect(shown.getByRole('img', { name: devices.shown.label })).toBeVisible()
  await shown.getByRole('button', { name: devices.shown.close }).click()
  // Everything that was agreed with a scanner is below its row.
  await page.getByRole('button', { name: 'Terrace', exact: true }).click()
  await expect(page.getByText(devices.fact.certificate, { exact: true })).toBeVisible()
  await inspect(page, 'dashboard-scanners-open', TABLET)

  await goTo(page, 'tickets')
  await page.getByLabel(tickets.field).fill('DAY-5')
  await page.getByRole('button', { name: tickets.find }).click()
  await expect(page.getByText(/Checked on this tablet/)).toBeVisible()
  await inspect(page, 'dashboard-ticket', TABLET)
  await ask(page, page.getByRole('button', { name: tickets.release }), 'ticket-release')
  await answer(page, { [actionWords.reason]: 'Phone lost' }, tickets.release)
  await ask(page, page.getByRole('button', { name: tickets.revoke, exact: true }), 'ticket-revoke')
  await answer(page, { [actionWords.reason]: 'Chargeback' }, tickets.revoke)
  await ask(page, page.getByRole('button', { name: tickets.reinstate }), 'ticket-reinstate')
  await answer(page, { [actionWords.reason]: 'Cleared up' }, tickets.reinstate)
  await expect(page.getByText(tickets.reinstated.valid)).toBeVisible()

  await goTo(page, 'announce')
  await page.getByLabel(announce.text, { exact: true }).fill('The show goes on.')
  await ask(page, page.getByRole('button', { name: announce.send, exact: true }), 'announce-send')
  await answer(page, {}, announce.confirm.submit)
  expect(await recorded(world)).toEqual({
    release: 1,
    ticket_revoked: 1,
    ticket_reinstated: 1,
    announcement: 3,
    hold: 1,
    incident_action: 1,
    invite: 1,
  })
})

test('dashboard: an import, the record and the log, as far as they open', async ({ world, browse }) => {
  await busyDay(world)
  const page = await browse({ viewport: TABLET })
  await signIn(page, world)
  await goTo(page, 'import')
  const buffer = Buffer.from('code,tier\nN-1,day\nN-2,"Early ""bird"""\nN-3,Guests\n')
  await page.getByLabel(importing.choose).setInputFiles({ name: 'shop.csv', mimeType: 'text/csv', buffer })
  await pressByKeyboard(page, page.getByRole('button', { name: importing.look }))
  await expect(page.getByLabel(importing.tierOf('Guests'))).toBeVisible()
  await page.getByLabel(importing.tierOf('Early "bird"')).selectOption('day')
  await page.getByLabel(importing.tierOf('Guests')).selectOption({ label: importing.leaveOut })
  await expect(page.getByText(importing.stale)).toBeVisible()
  await inspect(page, 'dashboard-import-look', TABLET)
  await page.getByRole('button', { name: importing.lookAgain }).click()
  await page.getByRole('button', { name: importing.run(2) }).click()
  await expect(page.getByRole('main')).toContainText(/Imported: 2 new/)
  await inspect(page, 'dashboard-import-done', TABLET)

  await goTo(page, 'record')
  await page.getByRole('button', { name: record.sealNow }).click()
  await expect(page.getByRole('img', { name: record.noteLabel })).toBeVisible()
  await page.getByRole('button', { name: record.verifyRun }).click()
  await expect(page.getByText(/No problems found/)).toBeVisible()
  await page.getByRole('button', { name: record.reportRun }).click()
  const report = page.getByRole('region', { name: record.reportLabel })
  await expect(report.getByRole('heading').first()).toBeVisible()
  await inspect(page, 'dashboard-record-open', TABLET)
  // On paper there is the report, and nothing of the screen.
  await page.emulateMedia({ media: 'print' })
  await expect(report).toBeVisible()
  for (const hidden of [page.getByRole('banner'), page.getByRole('navigation'), page.getByRole('button')])
    for (const one of await hidden.all()) await expect(one).toBeHidden()
  const pdf = await page.pdf({ preferCSSPageSize: true })
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length).toBeLessThanOrEqual(3)
  await page.emulateMedia({ media: 'screen' })

  expect(await recorded(world)).toMatchObject({ import: 1, seal: 1 })

  const log = await goTo(page, 'log')
  const entries = log.getByRole('list', { name: actionWords.log.entries })
  await log
    .getByText(/^Entry \d+, raw$/)
    .first()
    .click()
  await inspect(page, 'dashboard-log-entry', TABLET)
  await log.getByLabel(actionWords.log.kind).selectOption('import')
  await expect(entries.getByRole('listitem')).toHaveCount(2)
  await log.getByLabel(actionWords.log.actor).fill('INES')
  await expect(entries.getByRole('listitem')).toHaveCount(1)
  await page.reload()
  // The alarm comes late and moves everything below it: a button that moves while it is pressed is not pressed.
  await expect(page.getByRole('region', { name: controlWords.shell.emergencies })).toBeVisible()
  await expect(entries.getByRole('listitem')).toHaveCount(1)
  await log.getByLabel(actionWords.log.actor).fill('nobody')
  await expect(log.getByText(actionWords.log.none)).toBeVisible()
  await log.getByRole('button', { name: actionWords.log.clear }).click()
  await expect(entries.getByRole('listitem').first()).toBeVisible()
})

/** Presses, and inspects what asks. */
async function ask(page: Page, button: Locator, name: string): Promise<void> {
  await button.click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await inspect(page, `dashboard-ask-${name}`, TABLET)
}

/** Number of decisions of each kind that are recorded with this name, with those of the busy day. */
async function recorded(world: World): Promise<Record<string, number>> {
  const kinds = new Map<string, number>()
  let after: number | undefined
  for (;;) {
    const { data } = await world.admin.GET('/v1/admin/log', {
      params: { query: { limit: 500, ...(after !== undefined && { after }) } },
    })
    if (!data) throw new Error('the log does not answer')
    for (const { kind, actor } of data.rows) if (actor === ACTOR) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    if (data.next === null) return Object.fromEntries(kinds)
    after = data.next
  }
}
