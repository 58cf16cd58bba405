/** The box dies in the middle of an arrival: gates go on, and nothing that they decided is lost. */
import { actionWords, goTo, signIn } from './control-room.ts'
import { dismiss, emptyLane, expectVerdict, pairScanner, verdictOf, words } from './crew.ts'
import { expect, TABLET, test } from './gate.ts'

test('two gates admit alone, reload without a box, send in order when it is back, and the case has both records', async ({
  world,
  watch,
  phone,
  browse,
}) => {
  watch.expectOutage()
  const [north, south] = [await phone(), await phone()]
  await pairScanner(north.page, await world.inviteLink(), { name: 'North 1', checkpoint: 'North entry' })
  await pairScanner(south.page, await world.inviteLink(), { name: 'South 1', checkpoint: 'South entry' })
  north.camera.show('DAY-1')
  await expectVerdict(north.page, 'admit')
  north.camera.show(null)

  await world.stop()
  for (const { page, camera } of [north, south]) {
    camera.show('DAY-2')
    await expectVerdict(page, 'admit', /Offline for/)
    camera.show(null)
    await expect(verdictOf(page)).toBeHidden()
    await expect(page.getByText(words.link.unsent(1))).toBeVisible()
  }
  // The gate still knows what it saw before.
  await emptyLane(north)
  north.camera.show('DAY-1')
  await expectVerdict(north.page, 'used')
  north.camera.show(null)
  await dismiss(north.page)

  // The phone was put away, and taken out again: the app comes from its service worker, and the scan from its database.
  await north.page.reload()
  await expect(north.page.getByText(words.link.unsent(1))).toBeVisible()
  north.camera.show('DAY-3')
  await expectVerdict(north.page, 'admit')
  north.camera.show(null)
  await expect(north.page.getByText(words.link.unsent(2))).toBeVisible()

  await world.start()
  for (const { page } of [north, south])
    await expect(page.getByText(words.link.unsent(0))).toBeVisible({ timeout: 60_000 })
  const { data } = await world.admin.GET('/v1/admin/log', { params: { query: { kind: 'scan' } } })
  const sent = (data?.rows ?? []).filter(({ device_name }) => device_name === 'North 1').map(({ entry }) => entry)
  expect(sent.filter(({ offline_admitted }) => offline_admitted)).toHaveLength(2)
  const observed = sent.map((entry) => String(entry.observed_at))
  expect(observed).toEqual(observed.toSorted().toReversed())

  // The control room has both records in one case.
  const tablet = await browse({ viewport: TABLET })
  await signIn(tablet, world)
  const cases = await goTo(tablet, 'flags')
  await expect(cases).toContainText(actionWords.flags.kinds.double_use.name)
  await expect(cases).toContainText('North 1')
  await expect(cases).toContainText('South 1')
})
