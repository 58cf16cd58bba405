/** From a gate to the control room and back: incidents, holds, announcements, a scanner that is taken out of service. */
import { openTicket, show, words as walletWords } from './attendee.ts'
import { busyDay, turnstile } from './busy-day.ts'
import { ACTOR, actionWords, answer, words as controlWords, goTo, signIn } from './control-room.ts'
import { dismiss, expectVerdict, HELD, pairScanner, typeCode, words } from './crew.ts'
import { expect, TABLET, test } from './gate.ts'

test('an incident has three ticks, and the answer comes back to the gate', async ({ world, watch, phone, browse }) => {
  const { page } = await phone()
  await pairScanner(page, await world.inviteLink())
  const tablet = await browse({ viewport: TABLET })
  await signIn(tablet, world)
  const board = await goTo(tablet, 'incidents')
  const own = page.getByRole('region', { name: words.incidents.own })

  // Out of reach it is kept: the first tick.
  watch.expectOutage()
  await page.context().setOffline(true)
  await page.getByRole('link', { name: words.scan.reportLong }).click()
  for (const kind of Object.values(words.incidents.kinds))
    await expect(page.getByRole('button', { name: kind })).toBeVisible()
  await page.getByLabel(words.incidents.note).fill('By the fence.')
  await page.getByRole('button', { name: words.incidents.kinds.medical }).dblclick()
  await expect(own.getByText(words.incidents.notSent)).toBeVisible()
  await page.context().setOffline(false)
  await expect(own.getByText(words.incidents.received)).toBeVisible({ timeout: 60_000 })

  const card = board.getByRole('article', { name: new RegExp(controlWords.incidentKinds.medical) })
  await expect(card).toHaveCount(1)
  await expect(card).toContainText('By the fence.')
  await expect(card).toContainText('Gate North')
  // The figures of this moment change, and those of the report stand beside them, with their time.
  await using south = await turnstile(world, 'South 1', 'south-in')
  await south.scan('DAY-1')
  const { atArrival, inside, now } = controlWords.incidents
  const withInside = (people: string) => `.* ${inside(people, 'Arena')}$`
  await expect(card.getByText(new RegExp(now(withInside('1'))))).toBeVisible()
  await expect(card.getByText(new RegExp(atArrival('\\d\\d:\\d\\d:\\d\\d', withInside('0'))))).toBeVisible()
  await card.getByRole('button', { name: controlWords.incidents.actions.acknowledge }).click()
  await expect(own.getByText(words.incidents.state('acknowledged', undefined, ACTOR))).toBeVisible()

  await card.getByRole('button', { name: controlWords.incidents.actions.assign }).click()
  await answer(tablet, { [controlWords.incidents.fields.assignee]: 'Team 2' }, controlWords.incidents.actions.assign)
  await expect(own).toContainText('Team 2')
})

test('an incident rings until somebody has acknowledged it', async ({ world, browse }) => {
  const tablet = await browse({ viewport: TABLET })
  await tablet.addInitScript(() => {
    const start = OscillatorNode.prototype.start
    const heard = Object.assign(window, { tones: 0 })
    OscillatorNode.prototype.start = function (...when) {
      heard.tones += 1
      return start.apply(this, when)
    }
  })
  const tones = () => tablet.evaluate(() => (window as unknown as { tones: number }).tones)
  await signIn(tablet, world)
  const board = await goTo(tablet, 'incidents')
  await busyDay(world)
  await expect.poll(tones).toBeGreaterThan(0)
  const first = await tones()
  await expect.poll(tones).toBeGreaterThan(first)
  for (const kind of [controlWords.incidentKinds.medical, controlWords.incidentKinds.need_staff]) {
    const card = board.getByRole('article', { name: new RegExp(kind) })
    const acknowledge = card.getByRole('button', { name: controlWords.incidents.actions.acknowledge })
    if (await acknowledge.isVisible()) await acknowledge.click()
    await expect(acknowledge).toBeHidden()
  }
  const last = await tones()
  // An emergency is rung every four seconds, and a call every twelve.
  await tablet.waitForTimeout(13_000)
  expect(await tones()).toBe(last)
})

test('a gate on hold lets nobody in, says why, and goes on when it is released', async ({ world, phone, browse }) => {
  const { page } = await phone()
  await pairScanner(page, await world.inviteLink())
  const tablet = await browse({ viewport: TABLET })
  await signIn(tablet, world)
  const gates = await goTo(tablet, 'gates')
  const north = gates.getByRole('region', { name: /Gate North/ })
  await north.getByRole('button', { name: controlWords.gates.hold }).click()
  await answer(tablet, { [controlWords.gates.reason]: 'Too many at the stage' }, controlWords.gates.hold)

  await expect(page.getByText(words.notice.hold('Gate North'))).toBeVisible()
  await typeCode(page, 'DAY-1')
  await expectVerdict(page, HELD, 'Too many at the stage')
  await dismiss(page)

  await north.getByRole('button', { name: controlWords.gates.release }).click()
  await answer(tablet, {}, controlWords.gates.release)
  await expect(page.getByText(words.notice.hold('Gate North'))).toBeHidden()
  await typeCode(page, 'DAY-2')
  await expectVerdict(page, 'admit')
})

test('an announcement is on scanners and in wallets, signed', async ({ world, phone, browse }) => {
  const { page } = await phone()
  await pairScanner(page, await world.inviteLink())
  const tablet = await browse({ viewport: TABLET })
  await signIn(tablet, world)
  await goTo(tablet, 'announce')
  const { announce } = actionWords
  const text = 'Leave by Gate South. Walk, do not run.'
  await tablet.getByLabel(announce.text, { exact: true }).fill(text)
  await tablet.getByText(announce.severities.emergency.name, { exact: true }).click()
  await tablet.getByRole('button', { name: announce.send, exact: true }).click()
  await answer(tablet, {}, announce.confirm.submit)

  await expect(page.getByRole('region', { name: words.scan.notices })).toContainText(text)
  const attendee = await browse()
  await openTicket(attendee, await world.walletLink('DAY-1'))
  // Over every screen, whichever one looks at.
  await expect(attendee.getByRole('alert')).toContainText(text)
  await show(attendee, 'news')
  await expect(attendee.getByText(walletWords.news.checked)).toBeVisible()
})

test('a scanner that is revoked while it scans says so at once', async ({ world, watch, phone, browse }) => {
  // The box ends its stream, and refuses its next request.
  watch.expect(/status of 40[13]/, /ERR_INCOMPLETE_CHUNKED_ENCODING.*\/v1\/stream/)
  const { page, camera } = await phone()
  await pairScanner(page, await world.inviteLink(), { name: 'North 1' })
  camera.show('DAY-1')
  await expectVerdict(page, 'admit')

  const tablet = await browse({ viewport: TABLET })
  await signIn(tablet, world)
  await goTo(tablet, 'scanners')
  const { scanners, widgets } = controlWords
  await tablet.getByRole('button', { name: scanners.revokeNamed('North 1') }).click()
  await answer(tablet, { [widgets.reason]: 'Lost' }, scanners.revokeSubmit)

  camera.show('DAY-2')
  await expect(page.getByRole('heading', { name: words.ended.title })).toBeVisible()
  const { data } = await world.admin.GET('/v1/admin/stats')
  expect(data?.admitted).toBe(1)
})
