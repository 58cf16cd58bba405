/** Names that are markup, and what is left in a browser: nobody gets a line of script in, and no token stays behind. */
import '../dashboard/src/words/in-english.ts'
import type { Page } from '@playwright/test'
import { SCREENS } from '../dashboard/src/screens/registry.ts'
import { openTicket, show } from './attendee.ts'
import { busyDay } from './busy-day.ts'
import { ACTOR, actionWords, goTo, signIn } from './control-room.ts'
import { expectVerdict, pairScanner, words as scannerWords, typeCode } from './crew.ts'
import { EVENT, TICKETS } from './event.ts'
import { expect, TABLET, test } from './gate.ts'
import { World } from './world.ts'

/** As short as it may be and still fetch, run, close whatever it stands in, and turn the line around. */
const MARKUP = `"'></title></style><script>top.hit=1</script><img src=//x.example/ onerror=top.hit=1>\u202e`
const LINK = 'javascript:top.hit=1 https://x.example/'

const hostile = test.extend<{ world: World }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from the pattern
  world: async ({}, use) => {
    const renamed = <T extends { name: string }>(list: readonly T[]) =>
      list.map((one) => ({ ...one, name: `${one.name.slice(0, 12)}${MARKUP}` }))
    const event = {
      ...EVENT,
      name: `Fest${MARKUP}`,
      tiers: renamed(EVENT.tiers),
      zones: renamed(EVENT.zones),
      gates: renamed(EVENT.gates),
      checkpoints: renamed(EVENT.checkpoints),
    }
    const cell = `"=HYPERLINK(""${LINK}"")${MARKUP.replaceAll('"', '""')}"`
    await using world = await World.open([...TICKETS, `EVIL-1,day,${cell},${cell},,,,valid`], event)
    await use(world)
  },
})

hostile('a name that is markup is a name, in every app', async ({ world, watch, phone, browse }) => {
  // The last search is for something that is not a ticket.
  watch.expect(/status of 404.*attendance/)
  await busyDay(world)
  await world.pairMachine({ name: MARKUP })
  const text = `${LINK} ${MARKUP}`
  const sent = await world.admin.POST('/v1/admin/announce', { body: { text, severity: 'emergency', actor: MARKUP } })
  expect(sent.response.status).toBe(201)

  const scanner = await phone()
  const first = EVENT.checkpoints[0]?.name ?? ''
  await pairScanner(scanner.page, await world.inviteLink(), {
    name: MARKUP,
    operator: MARKUP,
    checkpoint: first.slice(0, 12),
  })
  await typeCode(scanner.page, 'EVIL-1')
  await expectVerdict(scanner.page, 'admit', MARKUP)
  await expectInert(scanner.page)
  for (const name of ['recent', 'shift', 'settings'] as const) {
    await scanner.page.getByRole('link', { name: scannerWords.nav[name] }).click()
    await expectInert(scanner.page)
  }

  const attendee = await browse()
  await openTicket(attendee, await world.walletLink('EVIL-1'))
  for (const name of ['ticket', 'nearby', 'news', 'more'] as const) {
    await show(attendee, name)
    await expectInert(attendee)
  }

  const tablet = await browse({ viewport: TABLET })
  await signIn(tablet, world)
  for (const { path } of SCREENS) {
    await goTo(tablet, path)
    await expect(tablet.getByText(/^(Loading …|Looking…)$/)).toHaveCount(0)
    await expectInert(tablet)
  }
  await goTo(tablet, 'record')
  await tablet.getByRole('button', { name: actionWords.record.reportRun }).click()
  await expect(tablet.getByRole('region', { name: actionWords.record.reportLabel })).toContainText(MARKUP)
  await expectInert(tablet)
  // Anybody can write what follows "#", too.
  for (const hash of [
    `#/tickets?ticket=${encodeURIComponent(MARKUP)}`,
    `#/log?actor=${encodeURIComponent(MARKUP)}&kind=x`,
  ])
    for (const page of [tablet, attendee, scanner.page]) {
      await page.evaluate((fragment) => {
        location.hash = fragment
      }, hash)
      await expect(page.getByRole('main').first()).toBeVisible()
      await expectInert(page)
    }
})

test('a browser keeps the apps, and no answer and no token', async ({ world, browse }) => {
  await busyDay(world)
  const page = await browse({ viewport: TABLET })
  await signIn(page, world)
  for (const path of ['log', 'tickets', 'record', 'overview']) await goTo(page, path)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.reload()
  await expect(page.getByRole('main')).toBeVisible()
  const kept = await page.evaluate(async () => {
    const requests = (
      await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
    ).flat()
    return {
      paths: requests.map(({ url }) => new URL(url).pathname),
      scopes: (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => new URL(scope).pathname),
      databases: (await indexedDB.databases()).map(({ name }) => name),
      stored: [JSON.stringify(localStorage), document.cookie, location.href, JSON.stringify(history.state)].join('\n'),
    }
  })
  expect(kept.paths.length).toBeGreaterThan(10)
  expect(kept.paths.filter((path) => !/^\/dashboard\/([\w.-]+|assets\/[\w.-]+)$/.test(path))).toEqual([])
  expect(kept.scopes).toEqual(['/dashboard/'])
  expect(kept.databases.filter((name) => !/^workbox/.test(name ?? ''))).toEqual([])
  expect(kept.stored).not.toContain(world.adminToken)
  expect(kept.stored).not.toContain(ACTOR)

  // The token is the tab's: another one asks for it.
  const other = await page.context().newPage()
  await other.goto(page.url())
  await expect(other.getByRole('textbox')).toHaveAttribute('type', 'password')
})

/** The watch has an eye on errors and requests beside. */
async function expectInert(page: Page): Promise<void> {
  const found = await page.evaluate(() => {
    const roots: ParentNode[] = [document]
    for (const element of document.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot)
    const all = roots.flatMap((root) => [...root.querySelectorAll('*')])
    const bad = all.filter(
      (element) =>
        element.matches('script:not([src]), iframe, object, embed, style') ||
        [...element.attributes].some(
          ({ name, value }) =>
            name.startsWith('on') ||
            (/^(src|href|action|xlink:href)$/.test(name) && /^\s*javascript:|x\.example/i.test(value)),
        ),
    )
    return { hit: 'hit' in window, bad: bad.map((element) => element.outerHTML.slice(0, 200)) }
  })
  expect(found).toEqual({ hit: false, bad: [] })
}
