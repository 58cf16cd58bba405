/** A stranger's first hour: a box out of the box, a file of their shop, and people at the gate, with no file edited. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { guideWords as guide, readyWords as ready } from '../dashboard/src/words/en/late.ts'
import { actionWords, goTo, signIn } from './control-room.ts'
import {
  choosePlace,
  dismiss,
  expectVerdict,
  pairHere,
  words as phoneWords,
  startScanning,
  typeCode,
  verdictOf,
} from './crew.ts'
import { expect, TABLET, test } from './gate.ts'
import { beginAnew, isSound, picture } from './hour.ts'
import { World } from './world.ts'

const SHOP_FILE = 'code,tier,holder_name\nA-1,Early Bird,Ana\nA-2,Early Bird,Rui\nV-1,Backstage,Eva\n'

test('from the demo to an event of its own, by the guide alone', async ({ watch, phones }) => {
  // An hour's work in one test, beside other boxes and browsers.
  test.slow()
  // While the box begins anew, the page of before finds nobody.
  watch.expectOutage()
  await using world = await World.open([], undefined, { GATEHOUSE_EVENT_DIR: undefined })
  await using tablet = await phones.open(world, watch, { viewport: TABLET })
  const { page } = tablet
  await signIn(page, world)
  await picture(page, '01-empty-box')
  // Tickets and sheets of the demo are nobody's: there, too, the box leads to an event of its own.
  for (const path of ['import', 'ready']) {
    await goTo(page, path)
    await expect(page.getByRole('link', { name: guide.greetingOpen })).toBeVisible()
  }
  await page.getByRole('link', { name: guide.greetingOpen }).click()

  await page.getByLabel(guide.start.name).fill('Feira da Ponte')
  await page.getByLabel(guide.start.file).setInputFiles({
    ...{ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(SHOP_FILE) },
  })
  // The box says what it is.
  await expect(page.getByText(guide.start.is(actionWords.import.formats.gatehouse, 3))).toBeVisible()
  await expect(page.getByText(guide.start.found(2))).toBeVisible()
  await picture(page, '02-the-shops-file')
  await page.getByRole('button', { name: guide.start.go }).click()
  await isSound(page)

  // A mistake is shown as check-event says it, and nothing can be saved with it.
  const basics = page.getByRole('region', { name: guide.basics.title })
  const name = basics.getByLabel(guide.basics.name)
  await name.fill('')
  await expect(page.getByText(/must be a name on one line/)).toBeVisible()
  // It says where, by the label of the form.
  const mistake = page.getByRole('listitem').filter({ hasText: /must be a name on one line/ })
  await expect(mistake.getByText(guide.basics.name, { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: guide.check.save })).toBeDisabled()
  await name.fill('Feira da Ponte 2')
  await isSound(page)
  const gates = page.getByRole('region', { name: guide.gates.title })
  await gates.getByLabel(guide.newName(guide.gates.one)).fill('South')
  await gates.getByRole('button', { name: guide.add(guide.gates.one) }).click()

  // The event as a crew will meet it follows each key.
  const preview = page.getByRole('region', { name: guide.preview.title })
  await expect(preview).toContainText('South, in: Outside → Inside, Early Bird, Backstage')
  const zoneName = page.getByRole('region', { name: guide.zones.title }).getByLabel(guide.zones.one, { exact: true })
  await zoneName.fill('Field')
  await expect(preview).toContainText('South, out: Field → Outside')
  await zoneName.fill('Inside')
  await checkpointsAndTimes(page)

  // A page that is closed loses nothing.
  await page.reload()
  await expect(page.getByText(guide.check.kept)).toBeVisible()
  await expect(basics.getByLabel(guide.basics.name)).toHaveValue('Feira da Ponte 2')
  await isSound(page)
  await picture(page, '03-event')
  await page.getByRole('button', { name: guide.check.save }).click()
  // The button to press next stands further up.
  const apply = page.getByRole('button', { name: guide.pending.apply })
  await expect(apply).toBeFocused()
  await expect(apply).toBeInViewport({ ratio: 1 })
  // By now every screen opens without the box.
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await beginAnew(page, world, 'feira-da-ponte')
  await expect(page.getByRole('link', { name: guide.next.tickets })).toBeInViewport({ ratio: 1 })

  await page.getByRole('link', { name: guide.next.tickets }).click()
  // The file was chosen once.
  await expect(page.getByText(actionWords.import.fromGuide)).toBeVisible()
  await page.getByRole('button', { name: actionWords.import.look }).click()
  // The preview is below what was pressed: it comes into view, and a screen reader is led there.
  const result = page.getByRole('group', { name: actionWords.import.step.report, exact: true })
  await expect(result).toBeFocused()
  await expect(result.getByRole('heading', { name: actionWords.import.step.report })).toBeInViewport({ ratio: 1 })
  await picture(page, '04-tickets')
  await page.getByRole('button', { name: actionWords.import.run(3) }).click()
  await expect(page.getByRole('button', { name: actionWords.import.another })).toBeInViewport({ ratio: 1 })

  // Before doors: what the box knows to be in order, and a sheet for each gate that is printed alone.
  await page.getByRole('link', { name: ready.whatIsLeft }).click()
  await expect(page.getByText(ready.checks.tickets.ok(3))).toBeVisible()
  // A screen with a remedy leads back.
  await page.getByRole('link', { name: ready.remedy(ready.checks.scanners.name), exact: true }).click()
  await page.getByRole('link', { name: ready.whatIsLeft }).click()
  await expect(page.getByText(ready.checks.scanners.warn(0))).toBeVisible()
  await picture(page, '05-before-doors')
  // As phones read them off the paper.
  const codes: string[] = []
  page.on('response', async (answer) => {
    if (answer.url().endsWith('/v1/admin/invite'))
      codes.push(((await answer.json()) as { trust_link: string }).trust_link)
  })
  await page.getByRole('button', { name: ready.sheets.make }).click()
  await expect(page.getByRole('img', { name: ready.sheets.label('South', 1) })).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { name: ready.sheets.heading('Main gate') })).toBeVisible()
  await expect(page.getByRole('navigation')).toBeHidden()
  // Each page has what a crew without anybody to ask needs: both kinds of phones, and what to do when it fails.
  for (const sheet of await page.getByRole('article').all()) {
    for (const line of [ready.sheets.iphone, ready.sheets.android, ready.sheets.fails, ...ready.sheets.failing])
      await expect(sheet.getByText(line, { exact: true })).toBeVisible()
  }
  expect(await page.getByRole('article').count()).toBe(2)
  await expect(page.getByText(ready.checks.tickets.ok(3))).toBeHidden()
  await picture(page, '06-sheets')
  await page.emulateMedia({ media: 'screen' })
  await expect.poll(() => codes.length).toBe(2)

  await using first = await phones.open(world, watch)
  await using second = await phones.open(world, watch)
  const crew = [
    { phone: first.page, code: codes[0] ?? '', checkpoint: 'Main gate, in', name: 'Main 1' },
    { phone: second.page, code: codes[1] ?? '', checkpoint: 'South, in', name: 'South 1' },
  ]
  for (const { phone, code, checkpoint, name } of crew) {
    // This browser trusts the box: the page on which the code opens leads on to pairing.
    await phone.goto(code)
    await phone.waitForURL(/\/scanner\//)
    await expect(phone.getByLabel(phoneWords.pairing.name)).toBeVisible()
    await picture(phone, `07-pairing-${name === 'Main 1' ? 1 : 2}`)
    await pairHere(phone, name)
    await choosePlace(phone, { checkpoint })
    await startScanning(phone)
  }

  // By the browser: the authority of the event is new, and the client of the test knows that of the demo.
  const admissions = async () => {
    const headers = { authorization: `Bearer ${world.adminToken}` }
    const answer = await page.request.get(`${world.origin}/v1/admin/stats`, { headers })
    return ((await answer.json()) as { admissions: number }).admissions
  }

  // The rehearsal: real tickets, and nobody is counted.
  await page.getByRole('button', { name: ready.rehearsal.start }).click()
  const dialog = page.getByRole('dialog', { name: ready.rehearsal.start })
  const { start, startAnyway } = ready.rehearsal
  await dialog.getByRole('button', { name: new RegExp(`^(${start}|${startAnyway})$`) }).click()
  await expect(page.getByText(ready.rehearsal.band('Ines'))).toBeVisible()
  for (const { phone } of crew) {
    await expect(phone.getByText(phoneWords.rehearsal)).toBeVisible({ timeout: 40_000 })
    await typeCode(phone, 'A-1')
    await expect(verdictOf(phone)).toBeVisible()
    await picture(phone, `08-rehearsal-${phone === first.page ? 1 : 2}`)
    if (phone === second.page) await dismiss(phone)
  }
  await page.getByRole('button', { name: ready.rehearsal.end }).first().click()
  await expect(page.getByText(ready.checks.rehearsal.ok())).toBeVisible({ timeout: 40_000 })
  expect(await admissions()).toBe(0)
  await picture(page, '09-ready')

  // Doors.
  for (const [i, { phone }] of crew.entries()) {
    const code = ['A-1', 'V-1'][i] ?? ''
    await expect(phone.getByText(phoneWords.rehearsal)).toBeHidden({ timeout: 40_000 })
    await typeCode(phone, code)
    await expectVerdict(phone, 'admit')
    await picture(phone, `10-doors-${phone === first.page ? 1 : 2}`)
  }
  // Each is called after the gate of its sheet.
  await goTo(page, 'scanners')
  for (const gate of ['Main gate', 'South'])
    await expect(page.getByRole('rowheader').getByText(gate, { exact: true })).toBeVisible()
  // Doors are open: whoever did not come from the list before doors is not led there.
  await expect(page.getByRole('link', { name: ready.whatIsLeft })).toBeHidden()
  await goTo(page, 'overview')
  await expect.poll(admissions).toBe(2)
  await picture(page, '11-doors')

  const checked = await world.command('check-event')
  expect(checked.output).toMatch(/^Feira da Ponte 2: 2 ticket types, 1 zones, 2 gates, 4 checkpoints. No mistake.\s*$/)
  expect(checked.code).toBe(0)

  // Somebody edits the file by hand; the guide changes one name, and loses none of it.
  const file = join(world.folder.dataDir, 'own/event/event.json')
  const byHand = readFileSync(file, 'utf8').replace(
    '{',
    '{\n\n      "incidents": {"realert_seconds": { "medical":   15 }},',
  )
  writeFileSync(file, byHand)
  await goTo(page, 'guide')
  const zone = page.getByRole('region', { name: guide.zones.title }).getByLabel(guide.zones.one, { exact: true })
  await zone.fill('Bridge')
  await isSound(page)
  await page.getByRole('button', { name: guide.check.save }).click()
  await expect(page.getByRole('button', { name: guide.pending.apply })).toBeVisible()
  expect(readFileSync(file, 'utf8')).toBe(byHand.replace('"name": "Inside"', '"name": "Bridge"'))
})

/** Changes a checkpoint and the times, and puts each back. */
async function checkpointsAndTimes(page: Page): Promise<void> {
  const basics = page.getByRole('region', { name: guide.basics.title })
  const preview = page.getByRole('region', { name: guide.preview.title })
  const checkpoint = page
    .getByRole('region', { name: guide.checkpoints.title })
    .getByLabel(guide.checkpoints.one, { exact: true })
    .first()
  const called = await checkpoint.inputValue()
  await checkpoint.fill('River stairs')
  await expect(preview).toContainText('River stairs: ')
  await checkpoint.fill(called)

  // Hours are those of the event's zone: another zone moves none that was typed, and an end before the start is a mistake.
  const [timezone, starts, ends] = [guide.basics.timezone, guide.basics.starts_at, guide.basics.ends_at].map((label) =>
    basics.getByLabel(label, { exact: true }),
  ) as [Locator, Locator, Locator]
  const [zone, began, ended] = [await timezone.inputValue(), await starts.inputValue(), await ends.inputValue()]
  await timezone.fill('Asia/Tokyo')
  await expect(starts).toHaveValue(began)
  await timezone.fill(zone)
  await ends.fill('2001-01-01T00:00')
  await expect(page.getByRole('listitem').getByText(guide.basics.ends_at, { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: guide.check.save })).toBeDisabled()
  await ends.fill(ended)
  await isSound(page)
}
