/** The software of the appliance from the control room: an older version is refused by both names, and installed when an admin wants that one. */
import { Machine } from '../box/test/appliance/root.ts'
import { applianceWords as say } from '../dashboard/src/words/en/appliance.ts'
import { ACTOR, goTo, signIn } from './control-room.ts'
import { EVENT, TICKETS } from './event.ts'
import { expect, TABLET, test } from './gate.ts'
import { World } from './world.ts'

test('an older version is installed for whoever ticks that they want it, and no other older one with it', async ({
  watch,
  phones,
}) => {
  await using machine = new Machine()
  machine.answer()
  await machine.plugIn({ 'old.update': 'good 0.0.9\n', 'older.update': 'good 0.0.8\n' })
  await using world = await World.open(TICKETS, EVENT, { GATEHOUSE_APPLIANCE: machine.run })
  await using held = await phones.open(world, watch, { viewport: TABLET })
  const { page } = held
  await signIn(page, world)
  const main = await goTo(page, 'appliance')
  const wish = (version: string) => main.getByRole('checkbox', { name: say.older(version), exact: true })
  const install = (name: string) => main.getByRole('button', { name: say.install(name), exact: true }).click()

  await expect(main.getByRole('checkbox')).toHaveCount(0)
  await install('old.update')
  await expect(main).toContainText(/version 0\.0\.9, and the box has the newer 0\.1\.0/, { timeout: 60_000 })
  await expect(wish('0.0.9')).not.toBeChecked()
  // The tick is for this one version: an even older file is refused by its own name, and its box is empty.
  await wish('0.0.9').check()
  await install('older.update')
  await expect(main).toContainText(/version 0\.0\.8, and the box has the newer 0\.1\.0/, { timeout: 60_000 })
  await expect(wish('0.0.8')).not.toBeChecked()

  await install('old.update')
  await expect(main).toContainText(say.states.ready('0.0.9'), { timeout: 60_000 })
  const { data } = await world.admin.GET('/v1/admin/log', { params: { query: { kind: 'update', limit: 1 } } })
  expect(data?.rows[0]?.summary).toMatch(/although version 0\.0\.9 is older than the one that ran\.$/)
  expect(JSON.stringify(data?.rows[0])).toContain(ACTOR)
})
