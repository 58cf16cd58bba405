/** A stranger's first hour: a box out of the box, a file of their shop, and people at the gate, with no file edited. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { guideWords as guide, readyWords as ready } from '../dashboard/src/words/en/late.ts'
import { actionWords, goTo, signIn } from './control-room.ts'
import { expectVerdict, pairScanner, typeCode } from './crew.ts'
import { expect, TABLET, test } from './gate.ts'
import { World } from './world.ts'

const SHOP_FILE = 'code,tier,holder_name\nA-1,Early Bird,Ana\nA-2,Early Bird,Rui\nV-1,Backstage,Eva\n'

/** The words of the file's mistakes, or none. */
async function isSound(page: Page): Promise<void> {
  await expect(page.getByText(guide.check.good)).toBeVisible()
}

test('from the demo to an event of its own, by the guide alone', async ({ watch, phones }) => {
  // While the box begins anew, the page of before finds nobody.
  watch.expectOutage()
  await using world = await World.open([], undefined, { GATEHOUSE_EVENT_DIR: undefined })
  await using tablet = await phones.open(world, watch, { viewport: TABLET })
  const { page } = tablet
  await signIn(page, world)
  await page.getByRole('link', { name: guide.greetingOpen }).click()

  await page.getByLabel(guide.start.name).fill('Feira da Ponte')
  await page.getByLabel(guide.start.file).setInputFiles({
    ...{ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(SHOP_FILE) },
  })
  await expect(page.getByText(guide.start.found(2))).toBeVisible()
  await page.getByRole('button', { name: guide.start.go }).click()
  await isSound(page)

  // A mistake is shown as check-event says it, and nothing can be saved with it.
  const basics = page.getByRole('region', { name: guide.basics.title })
  const name = basics.getByLabel(guide.basics.name)
  await name.fill('')
  await expect(page.getByText(/must be a name on one line/)).toBeVisible()
  await expect(page.getByRole('button', { name: guide.check.save })).toBeDisabled()
  await name.fill('Feira da Ponte 2')
  await isSound(page)
  const gates = page.getByRole('region', { name: guide.gates.title })
  await gates.getByLabel(guide.newName(guide.gates.one)).fill('South')
  await gates.getByRole('button', { name: guide.add(guide.gates.one) }).click()

  // A page that is closed loses nothing.
  await page.reload()
  await expect(page.getByText(guide.check.kept)).toBeVisible()
  await expect(basics.getByLabel(guide.basics.name)).toHaveValue('Feira da Ponte 2')
  await isSound(page)
  await page.getByRole('button', { name: guide.check.save }).click()
  await page.getByRole('button', { name: guide.pending.apply }).click()
  await expect(page.getByText(guide.pending.applying)).toBeVisible()

  const eventId = async () => {
    const answer = await fetch(`http://127.0.0.1:${world.ports.http}/v1/meta`).catch(() => undefined)
    return answer?.ok ? ((await answer.json()) as { event_id: string }).event_id : undefined
  }
  await expect.poll(eventId, { timeout: 60_000 }).toBe('feira-da-ponte')
  await page.reload()
  await expect(page.getByRole('link', { name: guide.next.tickets })).toBeVisible()

  await page.getByRole('link', { name: guide.next.tickets }).click()
  await page.getByLabel(actionWords.import.choose).setInputFiles({
    ...{ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(SHOP_FILE) },
  })
  await page.getByRole('button', { name: actionWords.import.look }).click()
  await page.getByRole('button', { name: actionWords.import.run(3) }).click()
  await expect(page.getByRole('button', { name: actionWords.import.another })).toBeVisible()

  // Before doors: what the box knows to be in order, and a sheet for each gate that is printed alone.
  await goTo(page, 'ready')
  await expect(page.getByText(ready.checks.tickets.ok(3))).toBeVisible()
  await expect(page.getByText(ready.checks.scanners.warn(0))).toBeVisible()
  await page.getByRole('button', { name: ready.sheets.make }).click()
  await expect(page.getByRole('img', { name: ready.sheets.label('South', 1) })).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { name: ready.sheets.heading('Main gate') })).toBeVisible()
  await expect(page.getByRole('navigation')).toBeHidden()
  await expect(page.getByText(ready.checks.tickets.ok(3))).toBeHidden()
  await page.emulateMedia({ media: 'screen' })

  const invite = async (checkpoint: string) => {
    const answer = await page.request.post(`${world.origin}/v1/admin/invite`, {
      headers: { authorization: `Bearer ${world.adminToken}` },
      data: { checkpoints: [checkpoint], expires_in_seconds: 600 },
    })
    return ((await answer.json()) as { qr_payload: string }).qr_payload
  }
  for (const [id, checkpoint, code] of [
    ['main-gate-in', 'Main gate, in', 'A-1'],
    ['south-in', 'South, in', 'V-1'],
  ] as const) {
    await using scanner = await phones.open(world, watch)
    await pairScanner(scanner.page, await invite(id), { checkpoint })
    await typeCode(scanner.page, code)
    await expectVerdict(scanner.page, 'admit')
  }

  const checked = await world.command('check-event')
  expect(checked.output).toMatch(/^Feira da Ponte 2: 2 tiers, 1 zones, 2 gates, 4 checkpoints. No mistake.\s*$/)
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
