/** A handheld with pretixSCAN comes in by the QR code of the dashboard, and is in the list of scanners as what it is. */

import { freePorts } from '../box/test/world/ports.ts'
import { checkBody, PretixApp, SETUP } from '../box/test/world/pretix-app.ts'
import { actionWords, goTo, words as roomWords, signIn } from './control-room.ts'
import { EVENT, TICKETS } from './event.ts'
import { expect, TABLET, test } from './gate.ts'
import { inspect } from './inspect.ts'
import { World } from './world.ts'

const say = actionWords.devices
const { scanners, widgets } = roomWords
/** As a box has it in the network of the phones. */
const ADDRESS = '192.168.1.7'

test('the dashboard pairs a pretixSCAN, says that it is trusted less, and takes it out of service', async ({
  browser,
  watch,
}) => {
  const [port = 0] = await freePorts(1)
  const settings = { GATEHOUSE_PRETIXSCAN_PORT: String(port), GATEHOUSE_PUBLIC_HOST: ADDRESS }
  await using world = await World.open(TICKETS, EVENT, settings)
  const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'en-GB', viewport: TABLET })
  watch.over(context, world.origins)
  const page = await context.newPage()
  await signIn(page, world)
  const main = await goTo(page, 'scanners')
  await main.getByLabel(say.app.label).selectOption('proxy')
  await expect(main).toContainText(say.app.less)
  await main.getByLabel(say.everything).check()
  await main.getByLabel(say.name).fill('Zebra 1')
  await main.getByRole('button', { name: say.make }).click()

  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(say.shown.howApp)
  await inspect(page, 'dashboard-pretixscan', TABLET)
  const [url = '', token = ''] = await dialog.locator('code').allTextContents()
  expect(url).toBe(`https://${ADDRESS}:${port}`)
  await expect(dialog).not.toContainText(say.shown.own(ADDRESS))
  using app = new PretixApp(port)
  const { status, json } = await app.post('/api/v1/device/initialize', { token, ...SETUP })
  expect([status, json.name]).toEqual([200, 'Zebra 1'])
  await expect(dialog).toContainText(say.shown.paired('Zebra 1'))
  await dialog.getByRole('button', { name: say.shown.close }).click()

  const row = main.getByRole('row').filter({ hasText: 'Zebra 1' })
  await expect(row).toContainText(say.app.bearer)
  await expect(row).toContainText('pretixSCAN Android 3.3.4')
  await inspect(page, 'dashboard-pretixscan-list', TABLET)
  await row.getByRole('button', { name: scanners.revokeNamed('Zebra 1') }).click()
  const sure = page.getByRole('dialog')
  await sure.getByLabel(widgets.reason).fill('Lost')
  await sure.getByRole('button', { name: scanners.revokeSubmit, exact: true }).click()
  await expect(row).toBeHidden()
  app.token = json.api_token
  expect((await app.call('/api/v1/device/info')).json).toEqual({ detail: 'Device access has been revoked.' })
  await context.close()
})

test('an address that no handheld reaches is named, and a handheld that floods is shown in the list', async ({
  browser,
  watch,
}) => {
  const [port = 0] = await freePorts(1)
  const settings = {
    GATEHOUSE_PRETIXSCAN_PORT: String(port),
    GATEHOUSE_SCAN_BURST: '5',
    GATEHOUSE_SCANS_PER_SECOND: '1',
  }
  await using world = await World.open(TICKETS, EVENT, settings)
  const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'en-GB', viewport: TABLET })
  watch.over(context, world.origins)
  const page = await context.newPage()
  await signIn(page, world)
  const main = await goTo(page, 'scanners')
  await main.getByLabel(say.app.label).selectOption('proxy')
  await main.getByLabel(say.everything).check()
  await main.getByLabel(say.name).fill('Zebra 2')
  await main.getByRole('button', { name: say.make }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(say.shown.own('127.0.0.1'))
  const [, token = ''] = await dialog.locator('code').allTextContents()
  using app = new PretixApp(port)
  app.token = (await app.post('/api/v1/device/initialize', { token, ...SETUP })).json.api_token
  const body = checkBody(1, 'NO-SUCH', { events_and_checkin_lists: { [EVENT.id]: 1 } })
  const flood = Array.from({ length: 40 }, () => app.post('/proxyapi/v1/rpc/check/', body))
  await expect(dialog).toContainText(say.shown.paired('Zebra 2'))
  await Promise.all(flood)
  await dialog.getByRole('button', { name: say.shown.close }).click()

  const [before = ''] = say.app.slowed('|').split('|')
  await goTo(page, 'overview')
  const row = (await goTo(page, 'scanners')).getByRole('row').filter({ hasText: 'Zebra 2' })
  await expect(row).toContainText(before.trim())
  await context.close()
})
