/** Two gates with a box each: they hear each other, they do not, and they do again; and one of the two boxes dies. */
import type { Browser, Page, ViewportSize } from '@playwright/test'
import { FORGED_DEVICE } from '../box/nemesis/attacks.ts'
import { pair } from '../box/src/device/pair.ts'
import { FORGED, pushForged } from '../box/test/mesh/forger.ts'
import { MeshWorld } from '../box/test/mesh/world.ts'
import { claim, openTicket, photograph, words as walletWords } from './attendee.ts'
import { actionWords, answer, goTo, words as roomWords, signIn } from './control-room.ts'
import { emptyLane, expectVerdict, pairScanner, verdictOf, words } from './crew.ts'
import { EVENT, TICKETS, VENUE } from './event.ts'
import { test as base, expect, PHONE, type Phone, TABLET } from './gate.ts'
import { inspect } from './inspect.ts'
import { inviteOf, newBox, originsOf, Side, TwoBoxes, whyNot } from './two-boxes.ts'
import type { Watch } from './watch.ts'

const skip = await whyNot()

interface Boxes {
  two: TwoBoxes
  /** A phone with a camera, paired at one of the boxes. */
  crewAt(side: Side, name: string, checkpoint: string): Promise<Phone>
  tabletAt(side: Side): Promise<Page>
  /** An attendee's own phone. */
  attendee(): Promise<Page>
}

const test = base.extend<Boxes>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from the pattern
  two: async ({}, use) => {
    await using two = await TwoBoxes.open()
    await use(two)
  },
  crewAt: async ({ two, watch, phones }, use) => {
    await using held = new AsyncDisposableStack()
    await use(async (side, name, checkpoint) => {
      const phone = held.use(await phones.open(two, watch))
      await pairScanner(phone.page, await side.inviteLink(), { name, checkpoint })
      return phone
    })
  },
  tabletAt: async ({ two, watch, browser }, use) => {
    await use(async (side) => {
      const page = await pageFor(browser, two, watch, TABLET)
      await signIn(page, side)
      return page
    })
  },
  attendee: async ({ two, watch, browser }, use) => {
    await use(() => pageFor(browser, two, watch, PHONE))
  },
})

async function pageFor(browser: Browser, two: TwoBoxes, watch: Watch, viewport: ViewportSize): Promise<Page> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport, locale: 'en-GB' })
  watch.over(context, two.origins)
  return context.newPage()
}

const { boxes: boxWords } = actionWords

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
async function heardOf(admissions: number, { box }: Side): Promise<void> {
  const heard = async () => (await box.admin().GET('/v1/admin/stats')).data?.admissions
  await expect.poll(heard, { timeout: 60_000 }).toBe(admissions)
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
  await show(atNorth, 'DAY-1', 'admit')
  // On a busy machine the reservation may come too late: then the gate learns of the admission by replication.
  await heardOf(1, south)
  await show(atSouth, 'DAY-1', 'used', /Used at Gate North/)

  two.cut()
  // The first box decides about tickets, and is sure of its own; the other one has nobody to ask.
  await two.mode(south, 'DEGRADED')
  const cutOff = await tabletAt(south)
  await expect(cutOff.getByText(/Box 1: no contact for/).first()).toBeVisible()
  await expect(cutOff.getByText(roomWords.shell.mode.goesOn)).toBeVisible()
  await show(atNorth, 'DAY-2', 'admit')
  await show(atSouth, 'DAY-2', 'admit', /Provisional: no contact with Box 1 for/)
  const boxes = await goTo(cutOff, 'boxes')
  await expect(boxes.getByRole('row', { name: /Box 1/ })).toContainText(/No contact/)

  await inspect(cutOff, 'dashboard-boxes-cut', TABLET)

  two.mend()
  await Promise.all([two.mode(north, 'STRICT'), two.mode(south, 'STRICT')])
  await expect(boxes.getByRole('row', { name: /Box 1/ })).not.toContainText(/No contact/)
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
  await show(phone, 'DAY-1', 'admit')
  await heardOf(1, south)

  await north.box.kill()
  await show(phone, 'DAY-2', 'admit')
  await expect(page.getByText(words.link.away(south.name), { exact: true }).first()).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText(words.link.unsent(0))).toBeVisible({ timeout: 60_000 })
  await emptyLane(phone)
  await show(phone, 'DAY-2', 'used')
  await show(phone, 'DAY-3', 'admit', /Answered by Box 2/)
  await inspect(page, 'scanner-away', PHONE)

  // Put away and taken out again: the page comes from the phone, with the policy that lets it ask the other box.
  await page.reload()
  await expect(page.getByText(words.link.away(south.name), { exact: true }).first()).toBeVisible({ timeout: 60_000 })
  await emptyLane(phone)
  await show(phone, 'DAY-1', 'used', /Used at Gate North/)

  await north.box.start()
  await expect(page.getByText(words.link.reachable, { exact: true }).first()).toBeVisible({ timeout: 120_000 })
  await two.mode(north, 'STRICT')
  await show(phone, 'DAY-4', 'admit')
})

test('a wallet opened at one box is known at the other, and is told what either says', async ({
  two: { north, south },
  crewAt,
  tabletAt,
  attendee,
}) => {
  const atNorth = await crewAt(north, 'North 1', 'North entry')
  const holder = await attendee()
  const link = await south.walletLink('DAY-1')
  await openTicket(holder, link)
  await claim(holder)
  await expect(holder.getByText(walletWords.claim.mine)).toBeVisible()
  // The claim has to get there first: until then the north gate knows the key of nobody, and shows the ticket to whoever has its link.
  const id = new URLSearchParams(new URL(link).hash.slice(1)).get('t') ?? ''
  const shown = () => north.box.admin().GET('/v1/ticket/{id}', { params: { path: { id } } })
  await expect.poll(async () => (await shown()).error?.code, { timeout: 60_000 }).toBe('not_allowed')
  atNorth.camera.show(await photograph(holder))
  await expectVerdict(atNorth.page, 'admit', 'Block 2, seat 1')
  atNorth.camera.show(null)
  await expect
    .poll(
      async () => {
        await holder.reload()
        return holder.getByRole('main').textContent()
      },
      { timeout: 60_000 },
    )
    .toContain(walletWords.history.in('North entry'))

  const tablet = await tabletAt(north)
  await goTo(tablet, 'announce')
  const { announce } = actionWords
  const text = 'Leave by the south gate.'
  await tablet.getByLabel(announce.text, { exact: true }).fill(text)
  await tablet.getByText(announce.severities.emergency.name, { exact: true }).click()
  await tablet.getByRole('button', { name: announce.send, exact: true }).click()
  await answer(tablet, {}, announce.confirm.submit)
  await expect(atNorth.page.getByText(text)).toBeVisible()
  await expect(holder.getByText(text).first()).toBeVisible({ timeout: 90_000 })
})

test('the control room forces a mode and lifts it, invites a box, and asks before it gives a vote away', async ({
  two: { north, south },
  tabletAt,
}) => {
  const tablet = await tabletAt(south)
  const boxes = await goTo(tablet, 'boxes')
  await expect(boxes.getByRole('row', { name: /Box 1/ })).toContainText(boxWords.heard.heard)
  await inspect(tablet, 'dashboard-boxes', TABLET)

  await boxes.getByRole('button', { name: boxWords.force }).click()
  await answer(tablet, { [roomWords.widgets.reason]: 'The radio is down' }, roomWords.mode.submit('DEGRADED'))
  await expect(tablet.getByText(roomWords.shell.mode.goesOn)).toBeVisible()
  await boxes.getByRole('button', { name: boxWords.lift }).click()
  await answer(tablet, { [roomWords.widgets.reason]: 'The radio is back' }, roomWords.mode.lift)
  await expect(tablet.getByText(roomWords.shell.mode.goesOn)).toBeHidden({ timeout: 60_000 })

  await boxes.getByRole('button', { name: boxWords.invite.button }).click()
  const asked = tablet.getByRole('dialog', { name: boxWords.invite.title })
  await asked.getByLabel(actionWords.reason).fill('New gate')
  await asked.getByRole('button', { name: boxWords.invite.submit, exact: true }).click()
  const invite = tablet.getByRole('dialog', { name: boxWords.invite.shown })
  await expect(invite.getByRole('img', { name: boxWords.invite.label })).toBeVisible()
  await expect(invite).toContainText('gatehouse mesh join')
  await inspect(tablet, 'dashboard-boxes-invite', TABLET)
  await invite.getByRole('button', { name: boxWords.invite.close, exact: true }).last().click()

  // A public name is the admin's word, for a machine that only decides: the record has it, and no other invite does.
  const publicName = 'third.festival.example'
  for (const kind of ['voter', 'box'] as const) {
    await boxes.getByRole('button', { name: boxWords.invite.button }).click()
    await asked.getByText(boxWords.invite.kinds[kind], { exact: true }).click()
    await asked.getByLabel(boxWords.invite.host).fill(publicName)
    await asked.getByLabel(actionWords.reason).fill(`A ${kind}`)
    await asked.getByRole('button', { name: boxWords.invite.submit, exact: true }).click()
    await expect(invite).toContainText(`gatehouse mesh ${kind === 'voter' ? 'voter' : 'join'}`)
    await invite.getByRole('button', { name: boxWords.invite.close, exact: true }).last().click()
  }
  const log = await south.box.admin().GET('/v1/admin/log', { params: { query: { kind: 'mesh', limit: 50 } } })
  const said = (kind: string) => JSON.stringify(log.data?.rows.find((row) => JSON.stringify(row).includes(`A ${kind}`)))
  expect(said('voter')).toContain(publicName)
  expect(said('box')).not.toContain(publicName)

  // Nobody has confirmed that the box is off: nothing happens.
  await boxes.getByRole('button', { name: boxWords.promoteNamed(south.name) }).click()
  const question = tablet.getByRole('dialog', { name: boxWords.promoteTitle(south.name) })
  await question.getByLabel(actionWords.reason).fill('Moving the first box')
  await question.getByText(boxWords.fence.no).click()
  await question.getByRole('button', { name: boxWords.promoteSubmit, exact: true }).click()
  await expect(question).toContainText(boxWords.fence.look)
  await question.getByText(boxWords.fence.yes).click()
  await question.getByRole('button', { name: boxWords.promoteSubmit, exact: true }).click()
  await expect(boxes.getByRole('row', { name: /Box 2/ })).toContainText(boxWords.roles.core, { timeout: 60_000 })
  await expect(boxes.getByRole('row', { name: /Box 1/ })).not.toContainText(boxWords.roles.core, { timeout: 60_000 })

  await north.box.kill()
  await boxes.getByRole('button', { name: boxWords.removeNamed(north.name) }).click()
  const leaving = tablet.getByRole('dialog', { name: boxWords.removeTitle(north.name) })
  await leaving.getByLabel(actionWords.reason).fill('It broke')
  await leaving.getByText(boxWords.fence.yes).click()
  await leaving.getByRole('button', { name: boxWords.removeSubmit, exact: true }).click()
  await expect(boxes.getByText(boxWords.aloneText)).toBeVisible({ timeout: 60_000 })
})

test('messages that a box has not signed take no effect, and the control room sees how many came in whose name', async ({
  two: { north, south },
  tabletAt,
}) => {
  const tablet = await tabletAt(north)
  const boxes = await goTo(tablet, 'boxes')
  await expect(boxes.getByRole('row', { name: /Box 2/ })).toContainText(boxWords.heard.heard)
  const said = (why: keyof typeof FORGED) => {
    const [before, after] = boxWords.refused[why](FORGED[why], south.name, '|').split('|')
    return boxes.getByText(before ?? '', { exact: false }).filter({ hasText: after ?? '' })
  }
  for (const why of ['unsigned', 'forged'] as const) await expect(said(why)).toHaveCount(0)

  await pushForged(south.box, EVENT.id)
  for (const why of ['unsigned', 'forged'] as const) await expect(said(why)).toBeVisible()
  await inspect(tablet, 'dashboard-boxes-refused', TABLET)

  // What the box itself says afterwards is taken, and the device that was forged is on no list.
  await pair(await south.inviteLink(), 'South 1')
  const scanners = await goTo(tablet, 'scanners')
  await expect(scanners).toContainText('South 1', { timeout: 60_000 })
  const { data } = await north.box.admin().GET('/v1/admin/devices')
  expect(data?.devices.map(({ device_id }) => device_id)).not.toContain(FORGED_DEVICE)
})

base(
  'a box that joins while scanners are open: they say so, and know it after a restart',
  async ({ watch, phones }) => {
    base.skip(skip !== false, String(skip))
    base.slow()
    watch.expectOutage()
    await using world = await MeshWorld.open({ boxes: 1, event: EVENT, venue: VENUE, tickets: TICKETS })
    const [first] = world.boxes
    if (!first) throw new Error('there is one')
    const north = new Side(first, 'Box 1')
    const south = await newBox(first)
    await using box = south
    await using phone = await phones.open({ origins: [...originsOf(north.box.ports), ...originsOf(box.ports)] }, watch)
    const { page } = phone
    await pairScanner(page, await north.inviteLink(), { name: 'North 1', checkpoint: 'North entry' })

    await box.join(await inviteOf(first), 'Gate South')
    const notice = page.getByText(words.notice.joined('Gate South'))
    await expect(notice).toBeVisible({ timeout: 90_000 })
    await page.getByRole('link', { name: words.nav.settings }).click()
    await page.getByRole('button', { name: words.settings.restart }).click({ timeout: 60_000 })
    await page.getByRole('link', { name: words.nav.scan }).click()
    await expect(page.getByText(words.link.reachable, { exact: true }).first()).toBeVisible()
    await expect(notice).toBeHidden()

    await first.kill()
    await expect(page.getByText(words.link.away('Gate South'), { exact: true }).first()).toBeVisible({
      timeout: 90_000,
    })
  },
)
