/**
 * Every screen with a table, filled with rows as long as people make them, on a tablet of 1024 by 768: nothing is wider than what
 * holds it, in the longest languages.
 */
import '../dashboard/src/words/in-english.ts'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { format } from '@gatehouse/proto/hlc.ts'
import type { Locator, Page } from '@playwright/test'
import { MeshWorld } from '../box/test/mesh/world.ts'
import { connectFolder } from '../box/test/shop/pretix/connected.ts'
import { PretixModel } from '../box/test/shop/pretix/model.ts'
import { PretixServer } from '../box/test/shop/pretix/server.ts'
import { position } from '../box/test/shop/pretix/world.ts'
import { freePorts } from '../box/test/world/ports.ts'
import { PretixApp, SETUP } from '../box/test/world/pretix-app.ts'
import { spoilSeals } from '../box/test/world/spoil.ts'
import type { Language, Pseudo } from '../proto/ui/language.ts'
import { turnstile } from './busy-day.ts'
import { addPerson, enter, goTo, signIn } from './control-room.ts'
import { EVENT, TICKETS, VENUE } from './event.ts'
import { expect, TABLET, test } from './gate.ts'
import { PICTURES } from './pictures.ts'
import { roomWordsIn, speak } from './speak.ts'
import { inviteOf, newBox, originsOf, whyNot } from './two-boxes.ts'
import { World } from './world.ts'

/** A word that no line has room to break: people name their gates so. */
const WORD = 'Veranstaltungssicherheitskoordination'
const NAME = `Drehkreuz 12, ${WORD}, Ersatzgerät`
const REASON = `Beim Schichtwechsel am Nordeingang verloren; die ${WORD} hat es gemeldet und sucht noch danach.`
const LANGUAGES: readonly (Language | Pseudo)[] = ['de', 'en-x-pseudo', 'en-x-rtl']
const ACTOR = `Ines von ${WORD}`

const LONG_EVENT: typeof EVENT = {
  ...EVENT,
  gates: EVENT.gates.map((gate) => ({ ...gate, name: `${gate.name}, Haupteingang Messegelände und ${WORD}` })),
  checkpoints: EVENT.checkpoints.map((one) => ({ ...one, name: `${one.name} für Begleitpersonen und ${WORD}` })),
  zones: EVENT.zones.map((zone) => ({ ...zone, name: `${zone.name} mit ${WORD}` })),
  tiers: EVENT.tiers.map((tier) => ({ ...tier, name: `${tier.name}, Wochenende einschließlich Anreise und ${WORD}` })),
}

const FILE = [
  `Kartennummer;Kategorie der ${WORD};Bezahlt;Gast`,
  `COL-1;Tageskarte mit ${WORD};ja;Maria-Magdalena ${WORD}`,
  `COL-1;Tageskarte mit ${WORD};nein;<b>Eva</b>`,
]

test('tables fit at 1024 by 768', async ({ browser, watch }) => {
  test.slow()
  const [port = 0] = await freePorts(1)
  await using world = await World.open(TICKETS, LONG_EVENT, { GATEHOUSE_PRETIXSCAN_PORT: String(port) })
  await using pretix = await longShop()
  await using contexts = new AsyncDisposableStack()
  const open = async () => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'en-GB', viewport: TABLET })
    contexts.defer(() => context.close())
    watch.over(context, world.origins)
    return context.newPage()
  }
  const page = await open()
  await signIn(page, world, ACTOR)
  await fillGates(world, port)
  await fillDesk(world)
  expect((await world.admin.POST('/v1/admin/seal')).error).toBeUndefined()
  await connectFolder(world.folder.environment, pretix, 'tiers:\n  item:1: day\nlists:\n  5: [north-in, south-in]\n')
  const loaded = async () => (await world.admin.GET('/v1/admin/shop')).data?.pretix?.down.tickets_added ?? 0
  await expect.poll(loaded).toBeGreaterThan(0)
  await using north = await turnstile(world, NAME, 'north-in')
  await north.scan('secret1')
  await fillStaff(world)
  await enter(await open(), world, `Ada ${WORD}`)
  const ref = (await world.admin.GET('/v1/admin/log', { params: { query: { kind: 'ticket_revoked' } } })).data?.rows[0]
    ?.ticket

  for (const language of LANGUAGES) {
    await speak(page, language)
    const { actionWords, liveWords, salesWords } = await roomWordsIn(language)
    const main = await goTo(page, 'scanners')
    const { scanners } = liveWords
    await main.getByRole('radio', { name: new RegExp(`^${escaped(scanners.filters.all)} `) }).check()
    for (const name of await main.locator('.scanners-open').all()) await name.click()
    await expectTablesToFit(page, { language, screen: 'scanners', rows: 10 })

    await goTo(page, 'incidents')
    await expect(main.getByRole('article').first()).toBeVisible()
    await expectTablesToFit(page, { language, screen: 'incidents', rows: 2 })
    await goTo(page, `tickets?ticket=${ref}`)
    await expect(main.locator('.tickets-history li').first()).toBeVisible()
    await expectTablesToFit(page, { language, screen: 'tickets' })
    await goTo(page, 'staff')
    await expectTablesToFit(page, { language, screen: 'staff', rows: 5 })
    await goTo(page, 'shop')
    await expectTablesToFit(page, { language, screen: 'shop', rows: 1 })
    await goTo(page, 'sales')
    await main.getByLabel(salesWords.sales.guestsTier).selectOption('day')
    await main.getByLabel(salesWords.sales.guestsField, { exact: true }).fill(`Ana ${WORD}, +1\n${REASON}, Gold`)
    await main.getByRole('button', { name: salesWords.sales.check }).click()
    await expectTablesToFit(page, { language, screen: 'sales', rows: 5 })
    await goTo(page, 'evacuation')
    await expectTablesToFit(page, { language, screen: 'evacuation', rows: 3 })
    await goTo(page, 'log')
    await expect(main.getByRole('listitem').first()).toBeVisible()
    await expectTablesToFit(page, { language, screen: 'log' })

    const { import: importing } = actionWords
    await goTo(page, 'import')
    await choose(main.getByLabel(importing.choose), FILE)
    await expect(main).toContainText('<b>Eva</b>')
    await expectTablesToFit(page, { language, screen: 'import-columns' })
    await choose(main.getByLabel(importing.choose), ['code,tier', `N-1,"Tageskarte mit ${WORD}"`, 'DAY-1,festival'])
    await main.getByRole('button', { name: importing.look, exact: true }).click()
    await expect(main.locator('.import-change').first()).toBeVisible()
    await expectTablesToFit(page, { language, screen: 'import-look' })
  }

  // Only now: a box whose record is damaged seals nothing more, and the history of a ticket rests on a fresh seal.
  spoilSeals(world.folder.dataDir)
  for (const language of LANGUAGES) {
    await speak(page, language)
    const { record } = (await roomWordsIn(language)).actionWords
    const main = await goTo(page, 'record')
    await main.getByRole('button', { name: record.verifyRun }).click()
    await expectTablesToFit(page, { language, screen: 'record', rows: 2 })
  }
})

const skip = await whyNot()
test.describe('of several boxes', () => {
  test.skip(skip !== false, String(skip))
  test('tables fit at 1024 by 768: boxes', async ({ browser, watch }) => {
    test.slow()
    await using mesh = await MeshWorld.open({ boxes: 2, event: LONG_EVENT, venue: VENUE, tickets: TICKETS })
    const [first] = mesh.boxes
    if (!first) throw new Error('there are two')
    await using other = await newBox(first)
    await other.join(await inviteOf(first), NAME)
    const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'en-GB', viewport: TABLET })
    watch.over(context, [...mesh.boxes.map(({ ports }) => ports), other.ports].flatMap(originsOf))
    const page = await context.newPage()
    await signIn(page, { origin: first.baseUrl, adminToken: first.folder.adminToken })
    for (const language of LANGUAGES) {
      await speak(page, language)
      const main = await goTo(page, 'boxes')
      await expect(main.getByRole('row').filter({ hasText: WORD })).toBeVisible()
      await expectTablesToFit(page, { language, screen: 'boxes', rows: 3 })
    }
    await context.close()
  })
})

interface Looked {
  language: string
  screen: string
  /** At least so many are in its tables: an empty one fits always. */
  rows?: number
}

/** Nothing on the screen is wider than what holds it, and no cell is wider than its column. */
async function expectTablesToFit(page: Page, { language, screen, rows = 0 }: Looked): Promise<void> {
  const filled = page.getByRole('main').locator('tbody tr')
  await expect.poll(() => filled.count(), { message: `${screen}, ${language}: rows` }).toBeGreaterThanOrEqual(rows)
  await page.screenshot({ path: join(PICTURES, 'tables', `${screen}-${language}.png`), fullPage: true })
  const wide = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const found = scrollWidth > clientWidth ? [`the page: ${scrollWidth} of ${clientWidth}`] : []
    const main = document.querySelector('main')
    if (!main) return ['no main']
    const { left, right } = main.getBoundingClientRect()
    for (const one of main.querySelectorAll<HTMLElement>('*')) {
      const what = `${one.tagName.toLowerCase()}.${one.className} "${one.innerText?.slice(0, 40)}"`
      // The options of a closed list are nowhere on the screen.
      if (one instanceof SVGElement || one.closest('.visually-hidden, option')) continue
      const box = one.getBoundingClientRect()
      if (box.right > right + 1 || box.left < left - 1) found.push(`${what} sticks out of the screen`)
      const isHolder = one.matches('table, td, th') || one.querySelector('table') !== null
      if (isHolder && one.scrollWidth > one.clientWidth + 1)
        found.push(`${what}: ${one.scrollWidth} of ${one.clientWidth}`)
    }
    return found.slice(0, 5)
  })
  expect.soft(wide, `${screen}, ${language}`).toEqual([])
}

async function choose(field: Locator, rows: readonly string[]): Promise<void> {
  const name = `${WORD}-und-Kartenverkauf-am-Wochenende.csv`
  await field.setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) })
}

/** Scanners of every state and kind, incidents that are open, and those that are over. */
async function fillGates(world: World, port: number): Promise<void> {
  const { admin } = world
  await using first = await turnstile(world, `1 ${NAME}`, 'north-in')
  await using ahead = await turnstile(world, `2 ${NAME}`, 'south-in')
  await using lost = await turnstile(world, `3 ${NAME}`, 'lounge-in')
  for (let n = 1; n <= 12; n++) await first.scan(`DAY-${n}`)
  await ahead.scan('PASS-1', { device_hlc: format({ ms: Date.now() + 7_200_000, count: 0 }) })
  await lost.scan('LOUNGE-1')
  for (const { client } of [first, ahead, lost])
    await client.POST('/v1/status', {
      body: {
        unsent: 12_345,
        app_version: '0.1.0-rc.12',
        battery: 0.04,
        device_hlc: format({ ms: Date.now(), count: 0 }),
      },
    })
  const supervisor = { supervisor: true, name: `4 ${NAME}` }
  await world.pairMachine(supervisor)
  const checkpoints = EVENT.checkpoints.map(({ id }) => id)
  const invite = { checkpoints, mode: 'proxy' as const, supervisor: true, name: `5 ${NAME}`, actor: ACTOR }
  const { data } = await admin.POST('/v1/admin/pretixscan/invite', { body: invite })
  using app = new PretixApp(port)
  await app.post('/api/v1/device/initialize', { token: data?.token, ...SETUP })
  const devices = (await admin.GET('/v1/admin/devices')).data?.devices ?? []
  const id = devices.find(({ name }) => name === `3 ${NAME}`)?.device_id ?? ''
  const revoked = await admin.POST('/v1/admin/devices/{id}/revoke', {
    ...{ params: { path: { id } }, body: { actor: ACTOR, reason: REASON } },
  })
  expect(revoked.error).toBeUndefined()

  for (const action of ['open', 'open', 'assign', 'resolve', 'cancel'] as const) {
    const incident_id = randomUUID()
    const body = { incident_id, kind: 'need_staff' as const, checkpoint: 'south-in', note: REASON }
    await first.client.POST('/v1/incidents', { body: { ...body, observed_at: new Date().toISOString() } })
    if (action === 'open') continue
    const answer = await admin.POST('/v1/admin/incidents/{id}', {
      params: { path: { id: incident_id } },
      body: { action, actor: ACTOR, ...(action === 'assign' ? { assignee: NAME } : { reason: REASON }) },
    })
    expect(answer.error).toBeUndefined()
  }
}

/** Sales, one of them void, and a ticket to which everything has happened. */
async function fillDesk({ admin }: World): Promise<void> {
  for (const sale_id of ['sale-1', 'sale-2', 'sale-3']) {
    const sold = await admin.POST('/v1/admin/sales', {
      body: { sale_id, tier: 'day', tickets: 2, name: NAME, paid: 'cash', price: 1_234_500, actor: ACTOR },
    })
    expect(sold.error).toBeUndefined()
  }
  const params = { path: { id: 'sale-1' } }
  const gone = await admin.POST('/v1/admin/sales/{id}/void', { params, body: { actor: ACTOR, reason: REASON } })
  expect(gone.error).toBeUndefined()
  const ticket = { params: { path: { id: 'DAY-1' } }, body: { actor: ACTOR, reason: REASON } }
  expect((await admin.POST('/v1/admin/tickets/{id}/revoke', ticket)).error).toBeUndefined()
  expect((await admin.POST('/v1/admin/tickets/{id}/reinstate', ticket)).error).toBeUndefined()
}

async function fillStaff(world: World): Promise<void> {
  await addPerson(world, `Ada ${WORD}`, 'admin')
  await addPerson(world, `Maria-Magdalena, ${WORD}`, 'operator')
  const operations = [
    'stats',
    'holds',
    'revokeDevice',
    'withdrawAnnouncement',
    'acknowledgeAdminToken',
    'obtainCertificate',
  ]
  const body = { name: `Anzeigetafel der ${WORD}`, role: 'admin' as const, operations, days: 7, actor: ACTOR }
  for (const token of [body, { ...body, operations: undefined }])
    expect((await world.admin.POST('/v1/admin/tokens', { body: token })).error).toBeUndefined()
}

async function longShop(): Promise<PretixServer> {
  const pretix = await PretixServer.start()
  const checkins = new PretixModel()
  checkins.addList({ id: 5 })
  pretix.checkins = checkins
  pretix.items = [{ id: 1, name: { en: `Tageskarte mit ${WORD}` }, admission: true, variations: [] }]
  const rules = { isAfter: [{ var: 'now' }, { buildTime: ['date_admission'] }, 0] }
  pretix.lists = [{ id: 5, name: NAME, all_products: true, limit_products: [], subevent: null, rules }]
  const at = '2026-07-01T10:00:00.000000Z'
  pretix.orders = [
    {
      ...{ code: 'O1', status: 'p', testmode: false, datetime: at, last_modified: at },
      positions: [position({ id: 1 })],
    },
  ]
  return pretix
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
