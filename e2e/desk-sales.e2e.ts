/** Sales, guests, paper lists and the evacuation sheet, as people at a desk use them; what they print is printed, and looked at. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { connectDevice } from '../box/test/world/device.ts'
import { salesWords as words } from '../dashboard/src/words/en/sales.ts'
import { answer, openScreen } from './control-room.ts'
import { expect, TABLET, test } from './gate.ts'
import { inspect } from './inspect.ts'
import { PICTURES } from './pictures.ts'
import type { World } from './world.ts'

const { sales, paper, evacuation } = words

async function scanAt(world: World, codes: readonly string[], checkpoint = 'north-in'): Promise<string[]> {
  const paired = await world.pairMachine()
  await using device = connectDevice(paired, { ports: world.ports, baseUrl: world.origin, now: Date.now })
  const verdicts: string[] = []
  for (const code of codes) verdicts.push((await device.scan(code, { checkpoint })).verdict)
  return verdicts
}

/** Prints as the browser does, and keeps what the paper shows. @returns the sizes of the pages, in points */
async function printed(page: Page, name: string): Promise<number[][]> {
  await page.emulateMedia({ media: 'print' })
  for (const hidden of [page.getByRole('banner'), page.getByRole('navigation'), page.getByRole('button')])
    for (const one of await hidden.all()) await expect(one).toBeHidden()
  await page.screenshot({ path: join(PICTURES, `print-${name}.png`), fullPage: true })
  const pdf = await page.pdf({ preferCSSPageSize: true })
  writeFileSync(join(PICTURES, `print-${name}.pdf`), pdf)
  await page.emulateMedia({ media: 'screen' })
  const boxes = pdf.toString('latin1').matchAll(/\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/g)
  return [...boxes].map(([, width, height]) => [Math.round(Number(width)), Math.round(Number(height))])
}

test('two tickets are sold, open the gate, are printed as slips, and are voided', async ({ world, browse }) => {
  const page = await browse({ viewport: TABLET })
  const main = await openScreen(page, world, 'sales')
  await inspect(page, 'dashboard-sales-empty', TABLET)
  await page.getByLabel(sales.tier, { exact: true }).selectOption('day')
  await page.getByRole('textbox', { name: sales.many, exact: true }).fill('2')
  await page.getByLabel(sales.price('EUR')).fill('25,50')
  await page.getByLabel(sales.name).fill('Ana Reis')
  await page.getByRole('button', { name: sales.run(2, '51.00 EUR') }).click()
  await expect(main).toContainText(/2 tickets are made\. Receipt box-[0-9a-f]+\/1\./)
  await expect(page.getByRole('img', { name: sales.qrLabel(2) })).toBeVisible()
  const codes = await main.locator('.sales-tickets code').allTextContents()
  expect(await scanAt(world, codes)).toEqual(['ADMIT', 'ADMIT'])
  await inspect(page, 'dashboard-sales-made', TABLET)

  await page.getByRole('button', { name: sales.slip }).click()
  await expect(page.getByRole('region', { name: sales.slipLabel })).toContainText('25.50 EUR')
  expect(await printed(page, 'slip-a4')).toEqual([
    [595, 842],
    [595, 842],
  ])
  await page.getByRole('button', { name: sales.strip }).click()
  await expect
    .poll(() => printed(page, 'slip-80mm'))
    .toEqual([
      [227, 454],
      [227, 454],
    ])

  await page.getByRole('button', { name: sales.next }).click()
  await page.getByRole('button', { name: /^Void box-/ }).click()
  await answer(page, { [sales.reason]: 'Wrong ticket type' }, sales.voidSubmit)
  await expect(main).toContainText('void: Wrong ticket type (Ines)')
  expect(await scanAt(world, codes.slice(0, 1), 'south-in')).toEqual(['REVOKED'])
})

test('guests are pasted, a mistake is named, and all lines are added or none', async ({ world, browse }) => {
  const page = await browse({ viewport: TABLET })
  const main = await openScreen(page, world, 'sales')
  await page.getByLabel(sales.guestsTier).selectOption('day')
  await page.getByLabel(sales.guestsField).fill('Ana Reis, +1\nBo Ek, Gold')
  await page.getByRole('button', { name: sales.check }).click()
  await expect(main).toContainText(sales.guestsBad(1))
  await expect(main).toContainText('There is no ticket type “Gold”')
  await expect(page.getByRole('button', { name: /^Add / })).toHaveCount(0)
  await page.getByLabel(sales.guestsField).fill('Ana Reis, +1\nBo Ek, Lounge')
  await page.getByRole('button', { name: sales.check }).click()
  await inspect(page, 'dashboard-sales-guests', TABLET)
  await page.getByRole('button', { name: sales.add(2, 3) }).click()
  await expect(main).toContainText(sales.guestsAdded(2, 3))
  await expect(page.getByRole('table', { name: sales.list })).toContainText('Bo Ek')
})

test('a list is printed for a gate, ticked, and typed in; a wrong short code is named', async ({ world, browse }) => {
  const page = await browse({ viewport: TABLET })
  const main = await openScreen(page, world, 'paper')
  await inspect(page, 'dashboard-paper-empty', TABLET)
  await page.getByLabel(paper.gate, { exact: true }).selectOption('north')
  await page.getByRole('button', { name: paper.run }).click()
  const list = page.getByRole('region', { name: paper.listLabel })
  await expect(list.getByRole('heading')).toContainText(/Gate North: paper list [2-9A-Z]{6}/)
  await inspect(page, 'dashboard-paper-list', TABLET)
  const pages = await printed(page, 'paper-list')
  expect(pages.length).toBeGreaterThan(1)
  expect(pages.every(([width, height]) => width === 595 && height === 842)).toBe(true)

  const sheet = /paper list (\w{6})/.exec((await list.getByRole('heading').textContent()) ?? '')?.[1] ?? ''
  const codes = (await list.locator('td.code').allTextContents()).slice(0, 2)
  const [first = ''] = codes
  const slipped = first.slice(0, -1) + (first.endsWith('2') ? '3' : '2')
  await page.getByLabel(paper.sheet).fill(sheet.toLowerCase())
  await page.getByLabel(paper.entrance).selectOption('north-in')
  await page.getByLabel(paper.codes).fill([slipped, codes[1]].join('\n'))
  await page.getByRole('button', { name: paper.check }).click()
  await expect(main).toContainText('A character is wrong, or two are swapped')
  await expect(page.getByRole('button', { name: paper.record(1) })).toHaveCount(0)
  await page.getByLabel(paper.codes).fill(codes.join('\n'))
  await page.getByRole('button', { name: paper.check }).click()
  await page.getByRole('button', { name: paper.record(2) }).click()
  await expect(main).toContainText(paper.done(2, 0))
  await inspect(page, 'dashboard-paper-done', TABLET)
  await page.getByLabel(paper.codes).fill(codes.join('\n'))
  await page.getByRole('button', { name: paper.check }).click()
  await expect(main).toContainText(paper.known)
  const { data } = await world.admin.GET('/v1/admin/stats')
  expect(data?.admissions).toBe(2)
})

test('the evacuation sheet stays on the screen and on the disk when the box is gone', async ({
  world,
  browse,
  watch,
}) => {
  watch.expectOutage()
  await scanAt(world, ['DAY-1', 'DAY-2', 'DAY-3'])
  const page = await browse({ viewport: TABLET })
  const main = await openScreen(page, world, 'evacuation')
  const sheet = page.getByRole('region', { name: evacuation.sheetLabel })
  await expect(sheet).toContainText('Total')
  await inspect(page, 'dashboard-evacuation', TABLET)
  const path = /in (\/\S+\.html)\./.exec((await main.textContent()) ?? '')?.[1] ?? ''
  await world.stop()
  await page.getByRole('button', { name: evacuation.refresh }).click()
  await expect(main).toContainText(/The box does not answer\. This is the sheet from/)
  await expect(sheet).toContainText(/Total\s*3/)
  expect(await printed(page, 'evacuation')).toEqual([[595, 842]])
  // The copy on the disk, opened by a browser without any network.
  const kept = readFileSync(path, 'utf8')
  const alone = await browse({ viewport: TABLET, offline: true })
  await alone.setContent(kept)
  await expect(alone.getByRole('heading', { level: 1 })).toContainText('Evacuation sheet')
  await alone.screenshot({ path: join(PICTURES, 'evacuation-from-disk.png'), fullPage: true })
})
