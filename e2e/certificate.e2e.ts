/** What the control room says of the public certificate: without a name, and with one that cannot be had. */
import { actionWords, goTo, signIn } from './control-room.ts'
import { expect, TABLET, test } from './gate.ts'
import { expectNoBarriers } from './usable.ts'
import { World } from './world.ts'

const { publicName: say } = actionWords.settings

test('without a public name the settings say so, and what would be needed', async ({ world, browse }) => {
  const page = await browse({ viewport: TABLET })
  await signIn(page, world)
  const main = await goTo(page, 'settings')
  await expect(main).toContainText(say.off)
  await expect(main).toContainText('[certificate]')
  await expect(page.getByRole('button', { name: say.obtain })).toBeHidden()
})

test('with a name and an authority that is down: gates are open, why it failed, what to do, and a new attempt', async ({
  watch,
  phones,
}) => {
  await using world = await World.open(undefined, undefined, {
    GATEHOUSE_CERTIFICATE_NAME: 'gate.example.org',
    GATEHOUSE_ACME_DNS: 'command',
    GATEHOUSE_ACME_DNS_AT: '/bin/true',
    GATEHOUSE_ACME_DIRECTORY: 'https://127.0.0.1:1/directory',
  })
  await using tablet = await phones.open(world, watch, { viewport: TABLET })
  const { page } = tablet
  await signIn(page, world)
  const main = await goTo(page, 'settings')
  await expect(main).toContainText(say.states.none('gate.example.org'))
  const failed = main.getByText(say.todo)
  await expect(failed).toBeVisible()
  const { failures: before } = await stateOf(world)
  await page.getByRole('button', { name: say.obtain }).click()
  await expect.poll(async () => (await stateOf(world)).failures).toBeGreaterThan(before)
  await expect(main).toContainText(say.failed((await stateOf(world)).failures))
  await expect(main).toContainText(/ECONNREFUSED|127\.0\.0\.1/)
  await expectNoBarriers(page, 'the settings with a certificate that cannot be had')
})

async function stateOf({ admin }: World) {
  const { data } = await admin.GET('/v1/admin/certificate')
  if (!data) throw new Error('the box does not say')
  return data
}
