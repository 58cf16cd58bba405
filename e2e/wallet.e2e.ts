/** The attendee's own phone: nothing installed, and often no network. */
import { setTimeout } from 'node:timers/promises'
import { CHOSEN } from '../proto/ui/language.ts'
import { pseudo } from '../proto/ui/pseudo.ts'
import { verdictSays } from '../scanner-pwa/src/words/en/verdict.ts'
import { claim, codeOf, openTicket, photograph, show, words } from './attendee.ts'
import { emptyLane, expectVerdict, pairScanner } from './crew.ts'
import { EVENT, TICKETS } from './event.ts'
import { expect, PHONE, test } from './gate.ts'
import { World } from './world.ts'

test('the code on a phone is photographed by a scanner, and admits once', async ({ world, phone, browse }) => {
  const attendee = await browse()
  await openTicket(attendee, await world.walletLink('DAY-1'))
  const scanner = await phone()
  const { page, camera } = scanner
  await pairScanner(page, await world.inviteLink())
  const seen = await photograph(attendee)
  camera.show(seen)
  await expectVerdict(page, 'admit', 'Block 2, seat 1')
  await emptyLane(scanner)
  // Another code of the same ticket is the same ticket.
  await expect.poll(async () => Buffer.compare(seen.grey, (await photograph(attendee)).grey)).not.toBe(0)
  camera.show(await photograph(attendee))
  await expectVerdict(page, 'used')
  await attendee.reload()
  await expect(attendee.getByRole('main')).toContainText(words.history.in('North entry'))
  const admitted = words.history.admitted('North entry', '').replace(/[, ]+$/, '')
  await expect(attendee.getByText(admitted)).toBeVisible()
})

test('a ticket says when the event begins, when doors open, where it is and which way in, in the time of the event', async ({
  watch,
  phones,
}) => {
  const doors: Record<string, string> = {
    'north-in': '2026-07-02T16:30:00+01:00',
    'south-in': '2026-07-02T17:00:00+01:00',
  }
  const checkpoints = EVENT.checkpoints.map((one) => ({ ...one, ...(doors[one.id] && { opens_at: doors[one.id] }) }))
  await using world = await World.open(TICKETS, { ...EVENT, starts_at: '2026-07-02T18:00:00+01:00', checkpoints })
  await using abroad = await phones.open(world, watch, { timezoneId: 'Asia/Tokyo' })
  await openTicket(abroad.page, await world.walletLink('DAY-1'))
  const { heading, begins, doors: open, place, entrances } = words.occasion
  const facts = abroad.page.locator('section').filter({ has: abroad.page.getByRole('heading', { name: heading }) })
  await expect(facts.locator('dl > div')).toHaveText([
    new RegExp(`^${begins}Thursday.* 2 July 2026.* 18:00$`),
    new RegExp(`^${open}Thursday.* 2 July 2026.* 16:30$`),
    `${place}Lantern Quay, Cais do Sodré, Lisbon`,
    `${entrances}Gate North, Gate South`,
  ])
})

test('nothing moves while a ticket opens, in sentences that are longer than any, with parts that come late', async ({
  world,
  browse,
}) => {
  const attendee = await browse({ viewport: PHONE })
  await attendee.addInitScript((chosen) => localStorage.setItem(chosen, 'en-x-pseudo'), CHOSEN)
  await attendee.addInitScript(() => {
    const moves: number[] = []
    Object.assign(window, { moves })
    new PerformanceObserver((list) => {
      moves.push(...list.getEntries().map((one) => (one as PerformanceEntry & { value: number }).value))
    }).observe({ type: 'layout-shift', buffered: true })
  })
  for (const [part, ms] of [
    ['under', 400],
    ['qr', 800],
  ] as const)
    await attendee.context().route(new RegExp(`assets/${part}-.*\\.js`), async (route) => {
      await setTimeout(ms)
      await route.continue()
    })
  await attendee.goto(await world.walletLink('DAY-1'))
  const { ticket, occasion, live } = pseudo(words, 'ltr')
  await expect(attendee.getByText(occasion.heading)).toBeVisible()
  await expect(attendee.getByRole('button', { name: ticket.code })).toBeVisible()
  await expect(attendee.getByText(live)).toBeVisible()
  const moves = await attendee.evaluate(() => (window as unknown as { moves: number[] }).moves)
  // The word for the connection is at the end of its line, and becomes shorter. Lighthouse minds 0.1 and more.
  expect(moves.reduce((sum, one) => sum + one, 0)).toBeLessThan(0.02)
})

test('opens without network after one visit, and its code still admits', async ({ world, watch, phone, browse }) => {
  watch.expectOutage()
  const attendee = await browse()
  await openTicket(attendee, await world.walletLink('DAY-1'))
  await show(attendee, 'more')
  await expect(attendee.getByText(words.more.savedYes)).toBeVisible()
  await attendee.context().setOffline(true)
  await attendee.goto(`${world.origin}/wallet/`)
  await expect(codeOf(attendee)).toBeVisible()
  await expect(attendee.getByText(words.offline, { exact: true })).toBeVisible()
  const { page, camera } = await phone()
  await pairScanner(page, await world.inviteLink())
  camera.show(await photograph(attendee))
  await expectVerdict(page, 'admit')
})

test('a claim kills the forwarded link and what it had on its screen', async ({ world, watch, phone, browse }) => {
  watch.expect(/status of 403/)
  const link = await world.walletLink('DAY-1')
  const [holder, friend] = [await browse(), await browse()]
  await openTicket(holder, link)
  await openTicket(friend, link)
  const { page, camera } = await phone()
  await pairScanner(page, await world.inviteLink())

  await claim(holder)
  await expect(holder.getByText(words.claim.mine)).toBeVisible()
  camera.show(await photograph(friend))
  await expectVerdict(page, 'supervisor', verdictSays.known.claimed_elsewhere)
  camera.show(await photograph(holder))
  await expectVerdict(page, 'admit')

  await friend.reload()
  await expect(friend.getByRole('heading', { name: words.trouble.elsewhere.title })).toBeVisible()
  await expect(codeOf(friend)).toBeHidden()
  // The claim is this phone's, and not this page's.
  await holder.reload()
  await expect(codeOf(holder)).toBeVisible()
  await expect(holder.getByText(words.claim.mine)).toBeVisible()
})

test('works on plain HTTP, where a page has no WebCrypto, and says what is weaker there', async ({
  world,
  phone,
  browse,
}) => {
  const attendee = await browse()
  const { hash } = new URL(await world.walletLink('DAY-1'))
  await openTicket(attendee, `${world.plainOrigin}/wallet/${hash}`)
  expect(await attendee.evaluate(() => isSecureContext)).toBe(false)
  await claim(attendee)
  await expect(attendee.getByText(words.claim.mineWeak)).toBeVisible()
  const { page, camera } = await phone()
  await pairScanner(page, await world.inviteLink())
  camera.show(await photograph(attendee))
  await expectVerdict(page, 'admit')
})

test('an announcement is shown where its signature is that of the link, and nowhere else', async ({
  world,
  browse,
}) => {
  const text = 'Gate South is closed. Walk to Gate North.'
  const sent = await world.admin.POST('/v1/admin/announce', { body: { text, severity: 'warning', actor: 'Ines' } })
  expect(sent.response.status).toBe(201)
  const attendee = await browse()
  const link = await world.walletLink('DAY-1')
  await openTicket(attendee, link)
  await show(attendee, 'news')
  await expect(attendee.getByText(text)).toBeVisible()
  await expect(attendee.getByText(words.news.checked)).toBeVisible()

  // Somebody who has taken over the network has another key.
  await using impostor = await World.open()
  const { data: other } = await impostor.admin.GET('/v1/meta')
  const url = new URL(link)
  const fragment = new URLSearchParams(url.hash.slice(1))
  fragment.set('k', other?.verifier_key ?? '')
  url.hash = fragment.toString()
  const deceived = await browse()
  await openTicket(deceived, url.href)
  await show(deceived, 'news')
  await expect(deceived.getByText(words.news.hidden(1))).toBeVisible()
  await expect(deceived.getByText(text)).toBeHidden()
})
