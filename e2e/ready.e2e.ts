/** Before doors: what the box knows of itself stands in the list, and each line leads to a screen that whoever reads it has. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Machine } from '../box/test/appliance/root.ts'
import { readyWords as say } from '../dashboard/src/words/en/ready.ts'
import { addPerson, enter, goTo, signIn } from './control-room.ts'
import { EVENT, TICKETS } from './event.ts'
import { expect, TABLET, test } from './gate.ts'
import { expectNoBarriers } from './usable.ts'
import { World } from './world.ts'

const { checks } = say
/** The list asks anew every ten seconds. */
const SOON = { timeout: 30_000 }

test('the list follows the box: its map, paper, backup and stick', async ({ watch, phones }) => {
  watch.expectOutage()
  await using machine = new Machine()
  machine.answer()
  await using world = await World.open(TICKETS, EVENT, { GATEHOUSE_APPLIANCE: machine.run })
  await using held = await phones.open(world, watch, { viewport: TABLET })
  const { page } = held
  await signIn(page, world)
  await goTo(page, 'ready')
  await expect(page.getByText(checks.map.ok())).toBeVisible()
  await expect(page.getByText(checks.certificate.ok())).toBeVisible()
  await expect(page.getByText(checks.publicName.name)).toBeHidden()
  await expect(page.getByText(checks.backup.warn())).toBeVisible()
  await expect(page.getByText(checks.stick.warn())).toBeVisible()
  await expect(page.getByText(checks.paper.warn(0))).toBeVisible()

  for (const { id: gate } of EVENT.gates)
    await world.admin.GET('/v1/admin/paper/list', { params: { query: { gate } }, parseAs: 'text' })
  await expect(page.getByText(checks.paper.ok())).toBeVisible(SOON)
  await world.admin.GET('/v1/admin/backup', { params: { query: {} }, parseAs: 'arrayBuffer' })
  await expect(page.getByText(checks.backup.ok(0))).toBeVisible(SOON)
  writeFileSync(join(machine.run, 'state/usb.json'), JSON.stringify({ updates: [] }))
  await expect(page.getByText(checks.stick.ok())).toBeVisible(SOON)

  // A remedy is a link that opens its screen.
  const clock = page.getByRole('link', { name: say.remedy(checks.clock.name), exact: true })
  if (await clock.isVisible()) {
    await clock.click()
    await expect(page).toHaveURL(/#\/appliance\?from=ready$/)
  }

  const file = join(world.folder.environment.GATEHOUSE_EVENT_DIR ?? '', 'venue.geojson')
  rmSync(file)
  await world.stop()
  await world.start()
  await goTo(page, 'ready')
  await expect(page.getByText(checks.map.ask())).toBeVisible(SOON)
})

test('an operator is led to no screen that the role does not have', async ({ world, browse }) => {
  await addPerson(world, 'Olga Operator', 'operator')
  const page = await browse({ viewport: TABLET })
  await enter(page, world, 'Olga Operator')
  await goTo(page, 'ready')
  const says = {
    ...{ paper: checks.paper.warn(0), links: checks.links.ask(), scanners: checks.scanners.warn(0) },
    clock: /clock of the box/,
  }
  const line = (id: keyof typeof says) => page.getByRole('listitem').filter({ hasText: says[id] })
  await expect(line('paper')).toContainText(say.byAdmin)
  // No screen makes the links.
  await expect(line('links')).not.toContainText(say.byAdmin)
  await expect(line('links').getByRole('link')).toHaveCount(0)
  await expect(line('links').getByText('gatehouse links > links.csv')).toBeVisible()
  await expect(line('scanners').getByRole('link')).toHaveAttribute('href', '#/scanners?from=ready')
  // This box is no appliance, and nothing sets the clock of the machine that these tests run on, or something does.
  await expect(line('clock').getByRole('link')).toHaveCount(0)
  for (const link of await page.getByRole('main').getByRole('listitem').getByRole('link').all()) {
    const path = ((await link.getAttribute('href')) ?? '').replace(/^#\/|\?from=ready$/g, '')
    const main = await goTo(page, path)
    await expect(main.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`#/${path}$`))
    await goTo(page, 'ready')
    await expect(line('paper')).toBeVisible()
  }
  await expectNoBarriers(page, 'the list before doors of an operator')
})
