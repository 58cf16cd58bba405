/** Before the event and after it: tickets come in, the record goes out, and somebody else checks it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { actionWords, goTo, signIn } from './control-room.ts'
import { expect, TABLET, test } from './gate.ts'

test('imports, seals, verifies and exports, and the file stands up to a check without the box', async ({
  world,
  browse,
}) => {
  const { import: say, record } = actionWords
  const page = await browse({ viewport: TABLET, acceptDownloads: true })
  await signIn(page, world)

  await goTo(page, 'import')
  const rows = ['code,tier', 'NEW-1,day', 'NEW-2,festival', 'NEW-3,no such tier']
  await page
    .getByLabel(say.choose)
    .setInputFiles({ name: 'late.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) })
  await page.getByRole('button', { name: say.look }).click()
  await expect(page.getByRole('main')).toContainText('2 new would be imported.')
  await expect(page.getByRole('main')).toContainText(say.rejected(1))
  await page.getByRole('button', { name: say.run(2) }).click()
  await expect(page.getByRole('main')).toContainText('Imported: 2 new.')

  await goTo(page, 'record')
  await page.getByRole('button', { name: record.sealNow }).click()
  await page.getByRole('button', { name: record.verifyRun }).click()
  await expect(page.getByRole('main')).toContainText(/No problems found: /)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: record.exportRun }).click(),
  ])
  const file = join(world.folder.path, 'taken-home.export')
  await download.saveAs(file)

  const { data: meta } = await world.admin.GET('/v1/meta')
  const checked = await world.command('verify-export', file, '--key', meta?.log_key ?? '')
  expect(checked, checked.output).toMatchObject({ code: 0 })
  // A test that cannot fail proves nothing: one byte of the record is another.
  const bytes = readFileSync(file)
  const at = Math.floor(bytes.length / 2)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  const { code } = await world.command(
    'verify-export',
    world.write('tampered.export', bytes),
    '--key',
    meta?.log_key ?? '',
  )
  expect(code).not.toBe(0)
})

/** The full form with GATEHOUSE_TEST_LONG. */
const ROWS = process.env.GATEHOUSE_TEST_LONG === undefined ? 30_000 : 300_000

test('a large file is called off on its way, and looked at whole', async ({ world, browse }) => {
  const { import: say } = actionWords
  const page = await browse({ viewport: TABLET })
  await signIn(page, world)
  await goTo(page, 'import')
  const rows = Array.from({ length: ROWS }, (_, i) => `L-${i},day,"Block ${i % 90}, seat ${i}",Guest ${i}`)
  const file = world.write('large.csv', Buffer.from(['code,tier,seat,holder_name', ...rows].join('\n')))
  await page.getByLabel(say.choose).setInputFiles(file)
  const network = await page.context().newCDPSession(page)
  const throttle = (uploadThroughput: number) =>
    network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
  await throttle(100_000)
  await page.getByRole('button', { name: say.look }).click()
  await page.getByRole('button', { name: say.cancel, exact: true }).click()
  await expect(page.getByText(say.cancelled)).toBeVisible()
  await throttle(-1)
  await page.getByRole('button', { name: say.look }).click()
  await expect(page.getByRole('main')).toContainText(`${ROWS.toLocaleString('en')} new would be imported.`, {
    timeout: 120_000,
  })
  const imports = await world.admin.GET('/v1/admin/log', { params: { query: { kind: 'import' } } })
  // That of the box's first start.
  expect(imports.data?.rows).toHaveLength(1)
})
