/** Other ways to an event of one's own than the file of a known shop: no file at all, a file of no known shop, and pretix. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { PretixModel } from '../box/test/shop/pretix/model.ts'
import { PretixServer, TOKEN } from '../box/test/shop/pretix/server.ts'
import { position } from '../box/test/shop/pretix/world.ts'
import { guideWords as guide, readyWords as ready } from '../dashboard/src/words/en/late.ts'
import { salesWords } from '../dashboard/src/words/en/sales.ts'
import { shopWords } from '../dashboard/src/words/en/shop.ts'
import { actionWords, goTo, signIn, words } from './control-room.ts'
import { choosePlace, expectVerdict, pairHere, words as phoneWords, startScanning, typeCode } from './crew.ts'
import { expect, type Phones, TABLET, test } from './gate.ts'
import { beginAnew, isSound, picture } from './hour.ts'
import type { Watch } from './watch.ts'
import { World } from './world.ts'

const openDemo = () => World.open([], undefined, { GATEHOUSE_EVENT_DIR: undefined })

/** Opens the first sheet's code with a new phone, pairs, and types the codes of tickets. */
async function admits(
  page: Page,
  { phones, watch, world }: { phones: Phones; watch: Watch; world: World },
  checkpoint: string,
  codes: readonly string[],
): Promise<void> {
  await goTo(page, 'ready')
  const made = page.waitForResponse((answer) => answer.url().endsWith('/v1/admin/invite'))
  await page.getByRole('button', { name: ready.sheets.make }).click()
  const { trust_link } = (await (await made).json()) as { trust_link: string }
  await using phone = await phones.open(world, watch)
  await phone.page.goto(trust_link)
  await phone.page.waitForURL(/\/scanner\//)
  await expect(phone.page.getByLabel(phoneWords.pairing.name)).toBeVisible()
  await pairHere(phone.page, 'Gate 1')
  await choosePlace(phone.page, { checkpoint })
  await startScanning(phone.page)
  for (const code of codes) {
    await typeCode(phone.page, code)
    await expectVerdict(phone.page, 'admit')
  }
}

test('without any file: a blank event, a ticket from the desk, an open gate; and a change for tickets that are out', async ({
  watch,
  phones,
}) => {
  test.slow()
  watch.expectOutage()
  await using world = await openDemo()
  await using tablet = await phones.open(world, watch, { viewport: TABLET })
  const { page } = tablet
  await signIn(page, world)
  await page.getByRole('link', { name: guide.greetingOpen }).click()
  await page.getByRole('button', { name: guide.start.go }).click()
  await expect(page.getByText(guide.start.noName)).toBeVisible()
  await page.getByLabel(guide.start.name).fill('Village fête')
  await page.getByRole('button', { name: guide.start.go }).click()
  await isSound(page)
  await page.getByRole('button', { name: guide.check.save }).click()
  await beginAnew(page, world, 'village-fete')

  const { sales } = salesWords
  const main = await goTo(page, 'sales')
  // There is one kind of ticket, so nobody is asked which.
  for (const label of [sales.tier, sales.guestsTier])
    await expect(page.getByLabel(label, { exact: true }).locator('option:checked')).toHaveText(guide.blank.tier)
  await page.getByRole('textbox', { name: sales.many, exact: true }).fill('2')
  await page.getByLabel(sales.price('EUR')).fill('5')
  await page.getByRole('button', { name: sales.run(2, '10.00 EUR') }).click()
  const code = (await main.locator('.sales-tickets code').first().textContent()) ?? ''
  await admits(page, { phones, watch, world }, `${guide.blank.gate}, in`, [code])

  // A change for a ticket that is out has to be read and wanted, each time anew.
  await goTo(page, 'guide')
  const tiers = page.getByRole('region', { name: guide.tiers.title })
  const check = page.getByRole('region', { name: guide.check.title })
  const save = check.getByRole('button', { name: guide.check.save })
  const accept = check.getByLabel(guide.check.accept)
  const written = () => readFileSync(join(world.folder.dataDir, 'own/event/event.json'), 'utf8')
  const before = written()
  await tiers.getByLabel(guide.tiers.entry).selectOption('reentry')
  await expect(check).toContainText(guide.change.tier_entry('Ticket', { tickets: 2, scanners: 0, inside: 1 }))
  await expect(save).toBeDisabled()
  await accept.check()
  await expect(save).toBeEnabled()
  await tiers.getByLabel(guide.tiers.entry).selectOption('unlimited')
  await expect(accept).not.toBeChecked()
  await expect(save).toBeDisabled()
  expect(written()).toBe(before)
  // A slip of the finger throws no draft away.
  await check.getByRole('button', { name: guide.check.discard }).click()
  const question = page.getByRole('dialog', { name: guide.check.discardTitle })
  await question.getByRole('button', { name: words.widgets.cancel }).click()
  await expect(tiers.getByLabel(guide.tiers.entry)).toHaveValue('unlimited')
  await accept.check()
  await save.click()
  await expect(page.getByRole('button', { name: guide.pending.apply })).toBeVisible()
  expect(written()).toBe(before.replace('"entry": "once"', '"entry": "unlimited"'))

  await tiers.getByLabel(guide.tiers.entry).selectOption('once')
  await check.getByRole('button', { name: guide.check.discard }).click()
  await question.getByRole('button', { name: guide.check.discard }).click()
  await expect(tiers.getByLabel(guide.tiers.entry)).toHaveValue('unlimited')
})

/** In the page: the ticket file that this browser keeps was chosen the day before yesterday. */
function ageKeptFile(): Promise<void> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('gatehouse-ticket-file', 1)
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const transaction = opening.result.transaction('kept', 'readwrite')
      const store = transaction.objectStore('kept')
      const reading = store.get('file')
      reading.onsuccess = () => store.put({ ...reading.result, at: reading.result.at - 2 * 86_400_000 }, 'file')
      transaction.oncomplete = () => {
        opening.result.close()
        resolve()
      }
    }
  })
}

test('a file of no known shop: its column is said once, and the import goes on with it, also after a tier was renamed', async ({
  watch,
  phones,
}) => {
  test.slow()
  watch.expectOutage()
  await using world = await openDemo()
  await using tablet = await phones.open(world, watch, { viewport: TABLET })
  const { page } = tablet
  await signIn(page, world)
  await goTo(page, 'guide')
  const file = page.getByLabel(guide.start.file)
  const give = (name: string, text: string) => file.setInputFiles({ name, mimeType: '', buffer: Buffer.from(text) })
  await give('tickets.xlsx', 'PK\u0003\u0004')
  await expect(page.getByText(actionWords.import.refused.workbook)).toBeVisible()
  const KASSE = 'Kartennr;Sorte;Gast\nK-1;Tag;Eva\nK-2;Fest;<b>Rui</b>\nK-3;Tag;Ana\n'
  await give('kasse.csv', KASSE)
  await expect(page.getByText(guide.start.kept)).toBeVisible()
  // It names people: whoever signs out leaves none behind.
  await page.getByRole('button', { name: words.session.signOut }).click()
  await signIn(page, world)
  await goTo(page, 'guide')
  await expect(page.getByText(guide.start.fileHint)).toBeVisible()
  // So does a session that the box ends, and a day that nobody opens the guide in.
  const hasFile = () =>
    page.evaluate(async () => (await indexedDB.databases()).some(({ name }) => name === 'gatehouse-ticket-file'))
  await give('kasse.csv', KASSE)
  await expect(page.getByText(guide.start.kept)).toBeVisible()
  watch.expect(/status of 401/)
  await page
    .context()
    .route('**/v1/admin/event', (route) =>
      route.fulfill({ status: 401, json: { code: 'bad_token', message: 'This is not the token of this box.' } }),
    )
  await page.reload()
  await expect(page.getByText(words.session.tokenRefused)).toBeVisible()
  await expect.poll(hasFile).toBe(false)
  await page.context().unroute('**/v1/admin/event')
  await signIn(page, world)
  await goTo(page, 'guide')
  await give('kasse.csv', KASSE)
  await expect(page.getByText(guide.start.kept)).toBeVisible()
  await page.evaluate(ageKeptFile)
  await goTo(page, 'overview')
  await page.reload()
  await expect.poll(hasFile).toBe(false)
  await goTo(page, 'guide')
  await page.getByLabel(guide.start.name).fill('Hof')
  // Two columns could tell ticket types apart: one type for all is not taken for granted.
  await give('fremd.csv', 'Nr;Was;Gast\nK-1;Tag;Eva\nK-2;Fest;Rui\n')
  await expect(page.getByText(guide.start.kept)).toBeVisible()
  await page.getByRole('button', { name: guide.start.go }).click()
  await expect(page.getByText(guide.start.needColumn)).toBeVisible()
  await page.getByLabel(guide.start.column).selectOption({ label: 'Was (Tag · Fest)' })
  await expect(page.getByText(guide.start.found(2))).toContainText('Tag, Fest')
  await give('kasse.csv', KASSE)
  await expect(page.getByText(guide.start.unknown)).toBeVisible()
  // Its name says it.
  await expect(page.getByLabel(guide.start.column)).toHaveValue('Sorte')
  await expect(page.getByText(guide.start.found(2))).toContainText('Tag, Fest')
  await picture(page, 'unknown-1-column')

  // A page that is closed meanwhile forgets nothing.
  await page.reload()
  await expect(page.getByText(guide.start.found(2))).toContainText('Tag, Fest')
  await expect(page.getByLabel(guide.start.name)).toHaveValue('Hof')
  await page.getByRole('button', { name: guide.start.go }).click()
  await isSound(page)
  const tiers = page.getByRole('region', { name: guide.tiers.title })
  await tiers.getByLabel(guide.tiers.one, { exact: true }).last().fill('Festival')
  await isSound(page)
  await page.getByRole('button', { name: guide.check.save }).click()
  await expect(page.getByRole('button', { name: guide.pending.apply })).toBeVisible()
  // The demo's tickets are not those of this file.
  await goTo(page, 'import')
  await expect(page.getByLabel(actionWords.import.choose)).toBeVisible()
  await expect(page.getByText(actionWords.import.fromGuide)).toHaveCount(0)
  // The event is saved, and the box still runs the demo.
  await page.getByRole('link', { name: guide.pending.title }).click()
  await beginAnew(page, world, 'hof')

  await page.getByRole('link', { name: guide.next.tickets }).click()
  const { import: say } = actionWords
  await expect(page.getByText(say.fromGuide)).toBeVisible()
  await expect(page.getByLabel(say.columns.is('Sorte'))).toHaveValue('tier')
  await page.getByLabel(say.columns.is('Kartennr')).selectOption('code')
  await picture(page, 'unknown-2-import')
  await page.getByRole('button', { name: say.look }).click()
  await page.getByRole('button', { name: say.run(3) }).click()
  await expect(page.getByRole('button', { name: say.another })).toBeVisible()

  // It is imported, so the browser has no names of people any more.
  await page.reload()
  await expect(page.getByLabel(say.choose)).toBeVisible()
  await expect(page.getByText(say.fromGuide)).toHaveCount(0)
  await admits(page, { phones, watch, world }, `${guide.blank.gate}, in`, ['K-2'])
})

test('pretix: from the demo to an event of its own by a token, and a ticket of the shop enters', async ({
  watch,
  phones,
}) => {
  test.slow()
  watch.expectOutage()
  await using pretix = await PretixServer.start()
  pretix.checkins = new PretixModel()
  pretix.checkins.addList({ id: 5 })
  pretix.checkins.add({ id: 1, secret: 'secret1' })
  pretix.items = [
    { id: 1, name: { en: 'Day ticket' }, admission: true, variations: [] },
    { id: 3, name: { en: 'Mug' }, admission: false, variations: [] },
  ]
  pretix.lists = [{ id: 5, name: 'Gate A', all_products: true, limit_products: [], subevent: null }]
  pretix.event.date_to = '2036-07-04T10:00:00+02:00'
  const at = '2026-07-01T10:00:00.000000Z'
  pretix.orders = Array.from({ length: 12 }, (_, i) => ({
    ...{ code: `O${i}`, status: 'p', testmode: false, datetime: at, last_modified: at },
    positions: [position({ id: i + 1 })],
  }))
  await using world = await openDemo()
  await using tablet = await phones.open(world, watch, { viewport: TABLET })
  const { page } = tablet
  await signIn(page, world)
  await page.getByRole('link', { name: guide.greetingOpen }).click()
  await page.getByRole('link', { name: guide.start.shop }).click()

  const say = shopWords.connect
  const form = page.getByRole('region', { name: say.title })
  await form.getByLabel(say.url).fill(pretix.url)
  await form.getByLabel(say.token).fill(TOKEN)
  await form.getByRole('button', { name: say.look }).click()
  await expect(form.getByRole('heading', { name: say.found('Summer') })).toBeVisible()
  await expect(form).toContainText(say.writesEvent)
  await picture(page, 'pretix-1-found')
  await form.getByRole('button', { name: say.dryRun }).click()
  await expect(form.getByRole('region', { name: say.report })).toContainText('12')
  await picture(page, 'pretix-2-dry-run')
  await form.getByRole('button', { name: say.connect, exact: true }).click()
  await expect(form).toContainText(say.pending)
  await picture(page, 'pretix-3-connected')
  await form.getByRole('link', { name: say.openGuide }).click()
  await picture(page, 'pretix-4-event')
  await beginAnew(page, world, 'summer')
  await isSound(page)

  const main = await goTo(page, 'shop')
  await expect(main).toContainText(shopWords.downStates.current, { timeout: 60_000 })
  await picture(page, 'pretix-5-shop')
  await admits(page, { phones, watch, world }, 'Gate A, in', ['secret1'])
  await expect.poll(() => pretix.checkins?.successes().length, { timeout: 30_000 }).toBe(1)
  await goTo(page, 'overview')
  await picture(page, 'pretix-6-doors')
  const checked = await world.command('check-event')
  expect(checked.output).toMatch(/No mistake\.\s*$/)
})
